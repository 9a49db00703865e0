import CarryoverStorage
import Observation
import Testing

@Suite("Progress and events of a model's migration")
struct ProgressTests {
  private func store(_ person: String) -> CountingStore { CountingStore(["person": Array(person.utf8)]) }

  @Test("a stream tells what happens, to each who asks, and nothing of before (B10)")
  func stream() async throws {
    let migration = try Person.migration(in: store(try #require(Person.fixtures[1])))
    let streams = [migration.events(), migration.events()]
    try migration.run()
    let late = migration.events()
    try migration.run()
    for stream in streams {
      var told: [String] = []
      for await event in stream.prefix(6) {
        switch event {
        case .began(let from, let to): told.append("began \(from) → \(to)")
        case .stepped(let from, _): told.append("stepped \(from)")
        case .backedUp: told.append("backed up")
        case .ended(let from, let to): told.append("ended \(from ?? -1) → \(to ?? -1)")
        case .failed: told.append("failed")
        }
      }
      #expect(told == ["began 1 → 3", "stepped 1", "stepped 2", "backed up", "ended 1 → 3", "ended 3 → 3"])
    }
    for await event in late.prefix(1) {
      guard case .ended(from: 3, to: 3) = event else {
        Issue.record("\(event)")
        continue
      }
    }
  }

  @Test("the last event of a failed run is its error (B10)")
  func failing() async throws {
    let migration = try Person.migration(in: store("garbage"))
    let stream = migration.events()
    #expect(throws: ModelMigrationError.self) { try migration.run() }
    for await event in stream.prefix(1) {
      guard case .failed(let error) = event else {
        Issue.record("\(event)")
        continue
      }
      #expect(error.name == "person")
    }
  }

  @Test("a view observes whether a migration is pending, and what failed (B10, B6)") @MainActor
  func observed() async throws {
    let good = try Person.migration(in: store(try #require(Person.fixtures[0])))
    let bad = try Person.migration(in: store("garbage"))
    let progress = ModelMigrationProgress(ModelMigrations([good.erased(), bad.erased()]))
    #expect(progress.isPending && progress.failures.isEmpty)
    let noted = Noted<String>()
    withObservationTracking {
      _ = progress.isPending
    } onChange: {
      noted.add("pending changes")
    }
    await progress.run()
    #expect(!progress.isPending && progress.failures.count == 1 && noted.all == ["pending changes"])
    #expect(try good.run().hasWritten == false)
  }
}
