@testable import Carryover

@Suite("Changes of stores, with Foundation as the reader") struct RandomChangesTests {
  private static let forms: [(path: String, form: SampleTree.Form)] = [
    ("Library/Preferences/store.plist", .binary), ("Library/Preferences/store.plist", .xml),
    ("Library/Application Support/sdk/store.json", .jsonData), ("Library/Application Support/sdk/archive", .archive),
  ]

  @Test(arguments: Extent.seeds(0..<5000, short: 300))
  func `Foundation reads the changed values and all others, and a rollback restores every byte`(seed: UInt64) throws {
    var trees = SampleTrees(seed: seed)
    let (path, form) = Self.forms[Int(seed % 4)]
    let before = trees.root(form.domain)
    let disk = MemoryFileSystem()
    let bytes = try #require((form.write(before) as? Data).map(Array.init))
    disk.put("/box/" + path, bytes, mode: 0o640)
    let container = Container([try Self.store(path, bytes, form)])
    var (after, changes) = (before, [ValueChange]())
    for _ in 0...trees.random.roll(3) {
      let (labels, new, next) = trees.change(after, form.domain)
      let place = InspectedPath(store: path, labels: labels)
      #expect(TypedPath(place.labelText)?.labels == labels, "\(place.labelText)")
      changes.append(ValueChange(place, new))
      after = next
    }
    let plan: ChangePlan
    do {
      plan = try ChangePlan(changes, in: container)
    } catch {
      guard case .refused(_, let reason) = error else { throw error }
      // Key by key, a rollback could not restore what property lists do not have; Foundation's null is such a value.
      #expect(form == .archive && reason.contains("rollback"), "\(seed): \(reason)")
      return
    }
    let report = try disk.migrator.change(plan, in: container)
    let left = try #require(disk.bytes("/box/" + path))
    // Of true and 1, or false and 0, in one file, Foundation's writers on Linux may write one for both.
    func told(_ data: Data) throws -> String {
      try after.words(form.read(data)).replacing("true", with: "1").replacing("false", with: "0")
    }
    let isRight = try told(Data(left)) == told(Data(try form.write(after) as? Data ?? Data()))
    #expect(isRight, "seed \(seed): \(changes)")
    if plan.isEmpty {
      #expect(report.runID == nil && left == bytes)
      return
    }
    #expect(report.kind == .edit && report.files == [path])
    let back = try disk.migrator.rollback(in: container)
    #expect(back.rolledBack == report.runID)
    #expect(disk.bytes("/box/" + path) == bytes, "seed \(seed)")
  }

  private static func store(_ path: String, _ bytes: [UInt8], _ form: SampleTree.Form) throws -> Store {
    Store(
      path: path,
      content: form == .jsonData ? .json(try JSONText(bytes: bytes)) : .document(try PropertyListDocument(bytes: bytes))
    )
  }
}
