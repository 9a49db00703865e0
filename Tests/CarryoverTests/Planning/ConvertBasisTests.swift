import Carryover
import CarryoverStorage
import CarryoverSystem
import CarryoverVendors
import PropertyLists
import Testing

@Suite("What a plan for Convert's data rests on")
struct ConvertBasisTests {
  private static let preferences = "Library/Preferences/com.acme.shop.plist"
  private static let support = "Library/Application Support/"
  private static let decisions = support + "convert-decision-store.json"
  private static let queue = support + "com.convertexperiments.sdk/event-queue.json"
  private static let configuration = support + "com.convertexperiments.sdk/config-acme.json"
  private static let sign = support + "com.convertexperiments.sdk/event-queue.uploading"

  private let fileSystem = MemoryFileSystem()

  init() throws {
    put(Self.preferences, try PropertyListDocument.encode(["launchCount": 17], as: .binary))
    put(
      Self.decisions,
      Array(
        #"{"store":{"1-2-550E8400-E29B-41D4-A716-446655440000":{}},"order":["1-2-550E8400-E29B-41D4-A716-446655440000"]}"#
          .utf8))
    put(Self.queue, Array(#"[{"visitors":[{"visitorId":"550E8400-E29B-41D4-A716-446655440000","events":[]}]}]"#.utf8))
    put(Self.configuration, Array("{}".utf8))
  }

  private func put(_ path: String, _ bytes: [UInt8]) { fileSystem.put("/box/" + path, bytes) }

  private func container() throws -> Container {
    var stores: [Store] = []
    for path in [Self.configuration, Self.queue, Self.decisions, Self.preferences] {
      guard let bytes = fileSystem.bytes("/box/" + path) else { continue }
      let content: StoreContent
      do {
        content =
          path == Self.preferences
          ? .document(try PropertyListDocument(bytes: bytes)) : .json(try JSONText(bytes: bytes))
      } catch {
        content = .unreadable("\(error)")
      }
      stores.append(Store(path: path, content: content, size: bytes.count, bytes: bytes))
    }
    var container = Container(
      kind: .folder, root: "/box", dataFolder: "", bundleID: "com.acme.shop", stores: stores,
      stateDirectory: "/box/.carryover")
    if fileSystem.bytes("/box/" + Self.sign) != nil { container.signs = [Self.sign] }
    return container
  }

  private func plan() throws -> Plan { Planner(.convertIOS).plan(try container(), now: SampleBox.moment) }

  private func apply(after change: () throws -> Void) throws -> RunReport {
    let (plan, container) = (try plan(), try container())
    try change()
    return try SampleBox.migrator(fileSystem).apply(plan, decisions: [:], in: container)
  }

  private func expectStale(_ file: String, after change: () throws -> Void) throws {
    let before = fileSystem.bytes("/box/" + Self.preferences)
    do {
      _ = try apply(after: change)
      Issue.record("The change of \(file) was not found.")
    } catch let error as RunError {
      guard case .stalePlan(let basis, _) = error else { throw error }
      #expect(basis.map(\.store) == [file])
      #expect(error.finding?.message.contains("\(file.split(separator: "/").last ?? "") changed") == true)
    }
    #expect(fileSystem.bytes("/box/" + Self.preferences) == before)
  }

  @Test("Nothing has changed: the lost mirror is written")
  func unchanged() throws {
    #expect(try apply {}.outcomes.map(\.outcome) == [.migrated])
  }

  @Test("A file of another content, of the same size too", arguments: [decisions, queue, configuration])
  func changed(_ file: String) throws {
    try expectStale(file) {
      var bytes = try #require(fileSystem.bytes("/box/" + file))
      bytes.reverse()
      put(file, bytes)
    }
  }

  @Test("A file that went", arguments: [decisions, queue, configuration])
  func gone(_ file: String) throws {
    try expectStale(file) { try fileSystem.remove("/box/" + file) }
  }

  @Test("A file that came, and the sign that the queue is being sent", arguments: [queue, sign])
  func came(_ file: String) throws {
    if file == Self.queue { try fileSystem.remove("/box/" + file) }
    try expectStale(file) { put(file, [1]) }
  }

  @Test("A damaged file is told from another damaged one, and rests where it is the same")
  func damaged() throws {
    put(Self.queue, Array("[{".utf8))
    try expectStale(Self.queue) { put(Self.queue, Array("[[".utf8)) }
    #expect(try apply {}.outcomes.map(\.outcome) == [.migrated])
  }

  @Test("A saved plan is stale by each file, and by a configuration that came; it holds none of their values")
  func saved() throws {
    let request = PlanRequest(try container(), options: PlannerOptions(), hasOwnStateDirectory: false)
    let json = SavedPlan.json(try plan(), request: request, tool: "0.1.0").text()
    #expect(!json.contains("1-2-550E8400-E29B-41D4-A716-446655440000"))
    let saved = try SavedPlan(json: Array(json.utf8), path: "plan.json")
    try saved.check(try plan(), in: try container(), decisions: [:])
    for file in [Self.decisions, Self.queue, Self.configuration] {
      let bytes = try #require(fileSystem.bytes("/box/" + file))
      put(file, bytes + [0x20])
      #expect(throws: SavedPlanError.stale([KeyPlace(file: file, key: "")])) {
        try saved.check(try plan(), in: try container(), decisions: [:])
      }
      put(file, bytes)
    }
    put(Self.sign, [1])
    #expect(throws: SavedPlanError.stale([KeyPlace(file: Self.sign, key: "")])) {
      try saved.check(try plan(), in: try container(), decisions: [:])
    }
  }
}
