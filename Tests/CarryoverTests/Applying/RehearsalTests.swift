import Carryover
import CarryoverSystem
import PropertyLists
import Testing

/// A migration on a copy, in memory.
@Suite("Rehearsals")
struct RehearsalTests {
  /// A container with the folder for copies on another disk.
  private func scene(_ format: PropertyListFormat?) throws -> (MemoryFileSystem, SampleBox, MemoryFileSystem) {
    let (fileSystem, box) = try MemoryFileSystem.sample(target: format, mode: 0o644)
    let disk = MemoryFileSystem()
    disk.put("/tmp/other", [1], mode: 0o600)
    return (fileSystem, box, disk)
  }

  private func rehearse(
    _ fileSystem: MemoryFileSystem, _ box: SampleBox, _ disk: any FileSystem, goesOn: () -> Bool = { true }
  ) throws -> RehearsalReport? {
    try SampleBox.migrator(fileSystem).rehearse(
      box.plan(target: fileSystem.target), decisions: [:], of: box.container, in: "/tmp", on: disk, goesOn: goesOn)
  }

  @Test(
    "Nothing is written in the container and nothing is left of the copy",
    arguments: [nil, .binary, .xml] as [PropertyListFormat?])
  func proved(format: PropertyListFormat?) throws {
    let (fileSystem, box, disk) = try scene(format)
    let (tree, temporary) = (fileSystem.tree("/"), disk.tree("/"))
    let report = try #require(try rehearse(fileSystem, box, disk))
    #expect(report.isProved, "\(report.steps)")
    #expect(report.steps.map(\.kind) == [.copy, .apply, .verify, .rollback, .compare])
    #expect(fileSystem.tree("/") == tree)
    #expect(disk.tree("/") == temporary)
    let target = try #require(report.files.first { $0.id == SampleBox.targetPath })
    #expect(target.original == target.rolledBack && target.applied != target.original)
    #expect((target.original == nil) == (format == nil))
    #expect(report.run.outcomes.count { $0.outcome == .migrated } == 4)
    let source = try #require(report.files.first { $0.id == SampleBox.sourcePath })
    #expect(source.original?.mode == 0o640 && source.original == source.applied)
  }

  @Test("A container that changed after the plan is refused as an apply refuses it, before anything is copied")
  func stale() throws {
    let (fileSystem, box, disk) = try scene(.binary)
    let plan = box.plan(target: fileSystem.target)
    let entries = SampleBox.legacy.map { $0.0 == "rl_session_id" ? ($0.0, 7 as PropertyListValue) : $0 }
    try box.put(SampleBox.sourcePath, SampleBox.bytes(entries), 0o640)
    let error = try #require(throws: RunError.self) {
      try SampleBox.migrator(fileSystem).rehearse(
        plan, decisions: [:], of: box.container, in: "/tmp", on: disk)
    }
    #expect(
      error == .stalePlan([PlanBasis(store: SampleBox.sourcePath, key: "rl_session_id", value: 1_763_640_000)]))
    #expect(disk.log.isEmpty)
  }

  @Test("Whenever it is asked to end, the copy is gone")
  func ended() throws {
    var number = 0
    while true {
      let (fileSystem, box, disk) = try scene(.binary)
      let temporary = disk.tree("/")
      var asked = 0
      let report = try rehearse(fileSystem, box, disk) {
        asked += 1
        return asked <= number
      }
      #expect(disk.tree("/") == temporary)
      if report != nil { break }
      number += 1
    }
    #expect(number > 3)
  }

  @Test("Whatever operation on the disk of the copy fails, the container is as it was")
  func faults() throws {
    var number = 1
    var failures = 0
    while true {
      let (fileSystem, box, disk) = try scene(.binary)
      let tree = fileSystem.tree("/")
      disk.arm(FaultPlan(faults: [number: .error(Errno.noSpace)]))
      let report = try? rehearse(fileSystem, box, disk)
      #expect(fileSystem.tree("/") == tree)
      guard disk.counted >= number else { break }
      failures += report == nil ? 1 : 0
      number += 1
    }
    #expect(failures > 20)
  }

  @Test("A copy that is not as it was is told, file by file")
  func problems() throws {
    let (fileSystem, box, disk) = try scene(.binary)
    // Each time it is asked the disk changes something behind the rehearsal's back, last after the verification.
    var asked = 0
    let report = try rehearse(fileSystem, box, disk) {
      asked += 1
      guard asked == 5, let copy = disk.tree("/tmp").keys.first(where: { $0.hasSuffix(SampleBox.sourcePath) }) else {
        return true
      }
      disk.put("/tmp/" + copy, [1, 2, 3], mode: 0o600)
      return true
    }
    let problems: [String] = try #require(report).steps.flatMap { $0.problems }
    #expect(asked >= 5)
    #expect(report?.isProved == false)
    #expect(problems.count == 1 && problems.first?.contains("rsDefaultsPersistence.plist") == true, "\(problems)")
  }
}
