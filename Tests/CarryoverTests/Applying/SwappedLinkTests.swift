import Carryover
import CarryoverStorage
import CarryoverSystem
import Foundation
import PropertyLists
import Testing

@Suite("Folders swapped for links while a run is at work")
struct SwappedLinkTests {
  enum Job: CaseIterable, Sendable { case apply, applyNew, rollback }

  /// The folders on the way to what a run writes; empty for the container's root.
  static let folders = ["", "AppData/Library/Preferences", ".carryover", ".carryover/runs"]

  /// A container, and beside it a folder that looks like the one that is swapped.
  private struct Scene {
    static let outside = "outside"

    let folder: TemporaryFolder
    let swapped: String
    var root: String { folder.path + "/box" }
    var place: String { swapped.isEmpty ? root : root + "/" + swapped }
    var box: SampleBox { SampleBox(root: root) { [folder] in try folder.put("box/" + $0, $1, $2) } }

    init(_ job: Job, _ swapped: String) throws {
      folder = try TemporaryFolder()
      self.swapped = swapped
      try box.putSource()
      if job != .applyNew { try box.putTarget(.binary) }
      if job == .rollback { try Self.apply(box, SampleBox.migrator(POSIXFileSystem()), target) }
      let outside = folder.path + "/" + Self.outside
      if FileManager.default.fileExists(atPath: place) {
        try FileManager.default.copyItem(atPath: place, toPath: outside)
      }
      try folder.put(Self.outside + "/lock", Array("something of somebody's".utf8), 0o644)
      try folder.put(Self.outside + "/runs/lock", [1], 0o644)
    }

    var target: [UInt8]? { folder.bytes("box/" + SampleBox.targetPath) }

    static func apply(_ box: SampleBox, _ migrator: Migrator, _ target: [UInt8]?) throws {
      _ = try migrator.apply(box.plan(target: target), decisions: [:], in: box.container)
    }

    func carryOut(_ job: Job, _ migrator: Migrator) throws {
      switch job {
      case .apply, .applyNew: try Self.apply(box, migrator, target)
      case .rollback: _ = try migrator.rollback(in: box.container)
      }
    }

    func swap() {
      rename(place, place + ".aside")
      symlink(folder.path + "/" + Self.outside, place)
    }

    /// Puts the folder back, where it was there.
    func restore() {
      if (try? FileManager.default.destinationOfSymbolicLink(atPath: place)) != nil { unlink(place) }
      rename(place + ".aside", place)
    }

    /// What stands below a place: modes and bytes.
    func tree(_ name: String) throws -> [String: String] {
      let below = FileManager.default.enumerator(atPath: folder.path + "/" + name)
      var result: [String: String] = [:]
      while let path = below?.nextObject() as? String {
        let path = name + "/" + path
        let mode = try folder.mode(path) ?? 0
        result[path] = "\(String(mode, radix: 8)) \(Data(folder.bytes(path) ?? []).base64EncodedString())"
      }
      return result
    }

    /// The container without its state folder; with everything that a run may have left.
    func files() throws -> [String: String] {
      try tree("box").filter { $0.key != "box/.carryover" && !$0.key.hasPrefix("box/.carryover/") }
    }
  }

  /// Does a job while somebody swaps a folder, and judges what that leaves.
  /// - Parameter migrator: makes one that lets somebody swap the folder at the moment of that number.
  private func struck(
    _ job: Job, _ swapped: String, at number: Int, _ after: [String: String],
    _ migrator: (_ swap: @escaping @Sendable () -> Void) -> Migrator
  ) throws {
    let scene = try Scene(job, swapped)
    let (before, outside) = (try scene.files(), try scene.tree(Scene.outside))
    var failure: RunError?
    do {
      try scene.carryOut(job, migrator { scene.swap() })
    } catch {
      failure = try #require(error as? RunError)
    }
    let when = "\(job), \(swapped) swapped at \(number): \(failure?.description ?? "done")"
    #expect(try scene.tree(Scene.outside) == outside, "\(when)")
    scene.restore()
    _ = try SampleBox.migrator(POSIXFileSystem()).recover(in: scene.box.container)
    let found = try scene.files()
    switch failure?.aftermath {
    case .unfinished: #expect(found == before || found == after, "\(when)")
    case .complete: #expect(found == after, "\(when)")
    default: #expect(found == (failure == nil ? after : before), "\(when)")
    }
  }

  /// What the job makes of the container, and at how many moments somebody can swap a folder.
  private func undisturbed(
    _ job: Job, _ migrator: (_ pass: @escaping @Sendable () -> Void) -> Migrator
  ) throws -> (after: [String: String], moments: Int) {
    let scene = try Scene(job, "")
    let count = MomentCount()
    try scene.carryOut(job, migrator { count.next() })
    return (try scene.files(), count.passed)
  }

  private static func migrator(
    before number: Int?, walking: Bool = false, _ moment: @escaping @Sendable () -> Void
  ) -> Migrator {
    SampleBox.migrator(MomentaryFileSystem(walking: walking, before: number, moment))
  }

  @Test(
    "Swapped before any operation: nothing outside changes, and the run ends as it says", arguments: Job.allCases,
    folders)
  func beforeEach(job: Job, swapped: String) throws {
    let (after, moments) = try undisturbed(job) { Self.migrator(before: nil, $0) }
    #expect(moments > 60)
    // Each operation where the files are that change and those that decide; of the others a part.
    let isEach = swapped == "AppData/Library/Preferences" || swapped == ".carryover"
    for number in stride(from: 0, to: moments, by: isEach ? 1 : 3) {
      // Both ways of opening a folder have their turn.
      let walking = number.isMultiple(of: 2)
      try struck(job, swapped, at: number, after) { Self.migrator(before: number, walking: walking, $0) }
    }
  }
}
