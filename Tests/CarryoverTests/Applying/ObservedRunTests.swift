import Carryover
import CarryoverStorage
import CarryoverSystem
import PropertyLists
import Testing

/// Keeps what it is told.
private final class Witness: Sendable {
  private let told = Locked<[FileOperationEvent]>([])
  var events: [FileOperationEvent] { told.withLock { $0 } }
  func note(_ event: FileOperationEvent) { told.withLock { $0.append(event) } }
}

@Suite("Runs that are watched")
struct ObservedRunTests {
  /// What is told of, as the file system itself has logged it.
  private static let told: Set<FileSystemError.Operation> = [
    .write, .synchronize, .rename, .remove, .makeDirectory, .removeDirectory, .lock,
  ]

  private static func logged(_ fileSystem: MemoryFileSystem) -> [String] {
    fileSystem.log.filter { told.contains($0.operation) }.map { operation in
      [operation.path, operation.destination].compactMap { $0 }
        .map { $0 == "/box" ? "." : $0.hasPrefix("/box/") ? String($0.dropFirst(5)) : $0 }.joined(separator: " > ")
    }
  }

  private static func named(_ events: [FileOperationEvent]) -> [String] {
    events.filter { $0.action != .verify }.map { [$0.path, $0.destination].compactMap { $0 }.joined(separator: " > ") }
  }

  @Test("everything an apply and its rollback do to the disk is told, in order and by its place in the container")
  func everythingIsTold() throws {
    let (fileSystem, box) = try MemoryFileSystem.sample(target: .binary)
    for step in ["apply", "roll back"] {
      let witness = Witness()
      let migrator = SampleBox.migrator(fileSystem).observed(by: witness.note)
      fileSystem.arm()
      if step == "apply" {
        _ = try migrator.apply(box.plan(target: fileSystem.target), decisions: [:], in: box.container)
      } else {
        _ = try migrator.rollback(in: box.container)
      }
      let events = witness.events
      #expect(Self.named(events) == Self.logged(fileSystem), "\(step)")
      #expect(events.count > 20 && events.allSatisfy { $0.failure == nil })
      #expect(events.contains { $0.action == .verify && $0.path == SampleBox.targetPath && $0.size != nil })
      let purposes = events.map(\.purpose)
      let backup = try #require(purposes.firstIndex(of: .backup))
      let exchange = try #require(events.firstIndex { $0.action == .exchange })
      #expect(backup < exchange)
      #expect(Set(purposes).isSuperset(of: [.lock, .record, .backup, .copy, .temporary, .journal]))
      let journal = try #require(events.firstIndex { $0.purpose == .journal && $0.action == .rename })
      #expect(journal < exchange)
    }
  }

  @Test("a new target's folders and file are told, and what an apply that changes nothing does is told to be nothing")
  func newTarget() throws {
    let (fileSystem, box) = try MemoryFileSystem.sample(target: nil)
    let witness = Witness()
    let migrator = SampleBox.migrator(fileSystem).observed(by: witness.note)
    _ = try migrator.apply(box.plan(target: nil), decisions: [:], in: box.container)
    #expect(
      witness.events.contains { $0.action == .makeFolder && $0.path == "AppData/Library/Preferences" })
    let placed = try #require(witness.events.first { $0.action == .rename && $0.purpose == .temporary })
    #expect(placed.destination == SampleBox.targetPath)
    let written = try #require(witness.events.first { $0.action == .write && $0.purpose == .temporary })
    #expect(written.size == fileSystem.target?.count)
    let count = witness.events.count
    _ = try migrator.apply(box.plan(target: fileSystem.target), decisions: [:], in: box.container)
    #expect(witness.events.count == count)
  }

  @Test("the step that fails is told with its cause, and then what takes the rest back")
  func failure() throws {
    let (fileSystem, box) = try MemoryFileSystem.sample(target: .binary)
    let plan = box.plan(target: fileSystem.target)
    let witness = Witness()
    var faults = FaultPlan(faults: [1: .error(28)])
    faults.only = [.rename]
    fileSystem.arm(faults)
    #expect(throws: RunError.self) {
      try SampleBox.migrator(fileSystem).observed(by: witness.note).apply(plan, decisions: [:], in: box.container)
    }
    let failed = witness.events.filter { $0.failure != nil }
    #expect(failed.count == 1)
    let event = try #require(failed.first)
    #expect(event.action == .rename && event.failure?.reason == .system(28))
    #expect(event.description.hasPrefix("could not rename the record .carryover/runs/"))
    let after = try #require(witness.events.firstIndex { $0.failure != nil })
    #expect(witness.events[(after + 1)...].contains { $0.action == .remove })
  }

  @Test("the words name what was done and to what, and no value")
  func words() {
    let events: [(FileOperationEvent, String)] = [
      (
        FileOperationEvent(.write, ".carryover/runs/1/before/1.plist", purpose: .backup, size: 1),
        "wrote the backup .carryover/runs/1/before/1.plist, 1 byte"
      ),
      (
        FileOperationEvent(.exchange, "a/.carryover-1-1.tmp", purpose: .temporary, destination: "a/b.plist"),
        "exchanged the temp file a/.carryover-1-1.tmp with a/b.plist"
      ),
      (FileOperationEvent(.synchronizeFolder, "a", purpose: .file), "flushed the folder a"),
      (
        FileOperationEvent(
          .write, "a/b", purpose: .file, size: nil, failure: FileSystemError(.setMode, "/x/a/b", .busy(holder: nil))),
        "could not set the mode of a/b: another process is working on it"
      ),
    ]
    for (event, words) in events { #expect(event.description == words) }
  }
}
