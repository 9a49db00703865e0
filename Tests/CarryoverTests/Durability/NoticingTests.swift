import Testing

@testable import Carryover
@testable import CarryoverStorage
@testable import CarryoverSystem
@testable import CarryoverVendors

/// That these checks can fail: on a disk that does not do what it is asked, they do.
extension DurabilityTests {
  @Test("a disk that ignores one synchronization is noticed, whichever it is", arguments: FaultedJob.all)
  func ignoredSynchronizations(job: FaultedJob) throws {
    let scene = try FaultScene(job)
    let (whole, _) = try scene.attempt(FaultPlan(keepsDisks: true))
    // The images that a sound disk leaves, too, are looked at elsewhere.
    var sound = NewDisks()
    for (_, disk) in whole.disks { _ = sound.new(of: disk, limit: Self.imageLimit) }
    let numbers = scene.operations.indices.filter { scene.operations[$0].operation == .synchronize }
    var results = FaultResults()
    for (count, index) in numbers.enumerated() {
      let logged = scene.operations[index]
      let plan = FaultPlan(faults: [count + 1: .ignored], only: [.synchronize], keepsDisks: true)
      var problems: [String] = []
      if try !notices(scene, plan, from: count + 1, sound) {
        let reason = scene.reasonNotToMiss(index, whole.disks)
        print("  \(job.testDescription): nobody misses \(logged): \(reason ?? "why?")")
        if reason == nil { problems = ["is ignored and nobody notices"] }
      }
      results.add("synchronization \(count + 1), \(logged)", problems)
    }
    FaultTable.note("ignored synchronization", job, results)
  }

  private func notices(_ scene: FaultScene, _ plan: FaultPlan, from first: Int, _ sound: NewDisks) throws -> Bool {
    let (fileSystem, _) = try scene.attempt(plan)
    var images = sound
    for (count, disk) in fileSystem.disks.reversed() where count >= first {
      for image in images.new(of: disk, limit: Self.imageLimit) {
        let machine = MemoryFileSystem(copying: scene.start, disk: image)
        if !scene.problems(afterRecovering: machine).isEmpty { return true }
      }
    }
    return fileSystem.disk.everyImage(limit: Self.imageLimit).contains { image in
      let machine = MemoryFileSystem(copying: scene.start, disk: image)
      return !scene.problems(afterRecovering: machine, mustBe: .after, isEnded: true).isEmpty
    }
  }

  @Test("a run of several files without its journal is noticed", arguments: FaultedJob.severalFiles)
  func droppedJournal(job: FaultedJob) throws {
    let scene = try FaultScene(job)
    var noticed = 0
    for operation in scene.writes {
      let plan = FaultPlan(faults: [operation: .crashAfter])
      let (fileSystem, _) = try scene.attempt(plan) {
        ForgetfulFileSystem(base: $0, forgotten: "/box/.carryover/journal.json")
      }
      fileSystem.restart()
      if !scene.problems(afterRecovering: fileSystem).isEmpty { noticed += 1 }
    }
    #expect(noticed > 0)
  }
}

extension FaultScene {
  /// Why a synchronization may be ignored without harm; nil where it must not.
  func reasonNotToMiss(_ index: Int, _ disks: [(operation: Int, disk: MemoryDisk)]) -> String? {
    let logged = operations[index]
    let rest = operations[(index + 1)...]
    let previous = disks.last { $0.operation <= index }?.disk ?? start.disk
    if let folder = previous.lookUp(logged.path), previous.nodes[folder]?.kind == .directory,
      !previous.pending.contains(where: { $0.folder == folder })
    {
      return "nothing in it had changed"
    }
    if let file = previous.lookUp(logged.path), previous.isOnDisk(file) { return "it is on the disk already" }
    if rest.contains(where: { $0.operation == .removeDirectory && $0.path == logged.path }) {
      return "it is removed afterwards"
    }
    let journal = "/box/.carryover/journal.json"
    if operations[..<index].contains(where: { $0.destination == journal }),
      let removal = rest.firstIndex(where: { $0.operation == .remove && $0.path == journal }),
      rest[..<removal].contains(where: { $0.operation == .synchronize && $0.path == logged.path })
    {
      return "another file of the folder is brought to the disk before the journal goes"
    }
    let placed = operations.filter { $0.operation == .rename && !($0.destination ?? "").contains("/.carryover/") }
    if placed.count == 1, operations[index - 1].destination == journal {
      return "a single file is old or new without a journal too"
    }
    return nil
  }
}
