import Carryover
import CarryoverSystem
import PropertyLists
import Testing

@Suite("Rehearsals")
struct RehearsalTests {
  private func scene(_ format: PropertyListFormat?) throws -> (MemoryFileSystem, SampleBox, MemoryFileSystem) {
    let (fileSystem, box) = try MemoryFileSystem.sample(target: format, mode: 0o644)
    let disk = MemoryFileSystem()
    disk.put("/tmp/copy/other", [1], mode: 0o600)
    return (fileSystem, box, disk)
  }

  private func rehearse(
    _ fileSystem: MemoryFileSystem, _ box: SampleBox, _ disk: any FileSystem, goesOn: () -> Bool = { true }
  ) throws -> RehearsalReport? {
    try SampleBox.migrator(fileSystem).rehearse(
      box.plan(target: fileSystem.target), decisions: [:], of: box.container, in: "/tmp/copy", on: disk, goesOn: goesOn)
  }

  @Test(
    "The copy is applied to and rolled back, and nothing is written in the container",
    arguments: [nil, .binary, .xml] as [PropertyListFormat?])
  func proved(format: PropertyListFormat?) throws {
    let (fileSystem, box, disk) = try scene(format)
    let tree = fileSystem.tree("/")
    let report = try #require(try rehearse(fileSystem, box, disk))
    #expect(report.problems.isEmpty)
    #expect(fileSystem.tree("/") == tree)
    #expect(Set(report.files).isSuperset(of: [SampleBox.sourcePath, SampleBox.targetPath]))
    #expect(disk.bytes("/tmp/copy/container/" + SampleBox.targetPath) == fileSystem.target)
    #expect(report.run.outcomes.count { $0.outcome == .migrated } == 4)
  }

  @Test("A container that changed after the plan is refused as an apply refuses it, before anything is copied")
  func stale() throws {
    let (fileSystem, box, disk) = try scene(.binary)
    let plan = box.plan(target: fileSystem.target)
    let entries = SampleBox.legacy.map { $0.0 == "rl_session_id" ? ($0.0, 7 as PropertyListValue) : $0 }
    try box.put(SampleBox.sourcePath, SampleBox.bytes(entries), 0o640)
    let error = try #require(throws: RunError.self) {
      try SampleBox.migrator(fileSystem).rehearse(
        plan, decisions: [:], of: box.container, in: "/tmp/copy", on: disk)
    }
    #expect(
      error == .stalePlan([PlanBasis(store: SampleBox.sourcePath, key: "rl_session_id", value: 1_763_640_000)]))
    #expect(disk.log.isEmpty)
  }

  @Test("Whenever it is asked to end, it ends without a report")
  func ended() throws {
    var number = 0
    while true {
      let (fileSystem, box, disk) = try scene(.binary)
      var asked = 0
      let report = try rehearse(fileSystem, box, disk) {
        asked += 1
        return asked <= number
      }
      if report != nil { break }
      number += 1
    }
    #expect(number > 2)
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
    // The last time it is asked, after the apply, the disk changes something behind the rehearsal's back.
    let report = try rehearse(fileSystem, box, disk) {
      if let bytes = disk.bytes("/tmp/copy/container/" + SampleBox.targetPath), bytes != fileSystem.target {
        disk.put("/tmp/copy/container/" + SampleBox.sourcePath, [1, 2, 3], mode: 0o600)
      }
      return true
    }
    let problems = try #require(report).problems
    #expect(problems.count == 1 && problems.first?.contains("rsDefaultsPersistence.plist") == true, "\(problems)")
  }
}
