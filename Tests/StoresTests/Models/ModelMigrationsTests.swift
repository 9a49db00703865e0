import Observation

@Suite("Several models at an app's start") struct ModelMigrationsTests {
  @Test func `all models are migrated once at start, with one report, and a second start writes nothing (B9)`() throws {
    let store = CountingStore([
      "person": Array(try #require(Person.fixtures[1]).utf8),
      "user_profile": Array(try #require(UserProfile.fixtures[1]).utf8),
    ])
    let start = ModelMigrations([
      try Person.migration(in: store).erased(), try UserProfile.migration(in: store).erased(),
    ])
    #expect(start.isPending)
    let report = start.run()
    #expect(report.failures.isEmpty && report.migrated == ["person", "user_profile"])
    #expect(!start.isPending)
    let writes = store.writes
    #expect(start.run().migrated.isEmpty)
    #expect(store.writes == writes)
  }

  @Test func `a model that fails keeps its data and does not hold up the others (B9, B6)`() throws {
    let store = CountingStore([
      "person": Array("garbage".utf8), "user_profile": Array(try #require(UserProfile.fixtures[2]).utf8),
    ])
    let report = ModelMigrations([
      try Person.migration(in: store).erased(), try UserProfile.migration(in: store).erased(),
      try Person.migration(in: MemoryDataStore()).erased(),
    ]).run()
    #expect(report.failures.count == 1 && report.migrated == ["user_profile"])
    #expect(report.failures.first?.model == "person")
    #expect(report.results.map(\.model) == ["person", "user_profile", "person"])
    #expect(try store.data(for: "person") == Array("garbage".utf8))
  }

  @Test func `a model that UserDefaults holds as text stays text, one that is data stays data (B7)`() throws {
    let suite = "carryover-models-\(UUID().uuidString)"
    defer { UserDefaults.standard.removePersistentDomain(forName: suite) }
    let defaults = try #require(UserDefaults(suiteName: suite))
    let store = DefaultsDataStore(defaults, label: suite)
    let fixture = try #require(Person.fixtures[0])
    defaults.set(fixture, forKey: "text")
    defaults.set(Data(fixture.utf8), forKey: "data")
    for name in ["text", "data"] {
      let report = try ModelMigration(Person.Current.self, try Person.migrator(), of: name, in: store).run()
      #expect(report.value == Person.Current(alias: "John Doe", email: "---"))
    }
    #expect(defaults.string(forKey: "text") == Person.fixtures[3])
    #expect(defaults.object(forKey: "data") is Data)
  }

  @Test func `the app's own decoder decides whether the result is the type in use (D9)`() throws {
    struct Visit: Codable { var seenAt: Date }
    let migrator = try ModelMigrator(
      model: "visit", version: 1, versioning: ModelVersioning(marker: "v", unmarked: 0),
      steps: [ModelStep(from: 0, [.rename("seen", to: "seen_at")])])
    let store = CountingStore(["visit": Array(#"{"seen":"2025-11-20T12:00:00Z"}"#.utf8)])
    let error = #expect(throws: ModelMigrationError.self) {
      try ModelMigration(Visit.self, migrator, of: "visit", in: store).run()
    }
    #expect("\(try #require(error))".hasPrefix("The model in “visit” in “counting” does not decode as the type in use"))
    #expect(error?.cause is DecodingError && store.writes == 0)
    let visit = try ModelMigration(
      Visit.self, migrator, of: "visit", in: store,
      decoder: {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .iso8601
        return decoder
      }
    ).run().value
    #expect(visit?.seenAt == Date(timeIntervalSince1970: 1_763_640_000))
  }
}

@Suite("A pipeline of steps over data, for several models") struct PipelineTests {
  struct Note: VersionedModel, Equatable {
    static let modelIdentifier = "note"
    static let schemaVersion = 3
    var text: String
    var tags: [String]
  }

  private func pipeline() -> MigrationPipeline {
    let pipeline = MigrationPipeline()
    pipeline.register(model: "note", fromVersion: 2) { Self.replacing($0, #""}"#, #"","tags":[]}"#) }
    pipeline.register(model: "note", fromVersion: 1) { Self.replacing($0, "body", "text") }
    pipeline.register(model: "other", fromVersion: 1) { _ in throw CocoaError(.coderInvalidValue) }
    return pipeline
  }

  private static func replacing(_ data: Data, _ old: String, _ new: String) -> Data {
    Data(String(decoding: data, as: UTF8.self).replacingOccurrences(of: old, with: new).utf8)
  }

  private func text(_ data: Data) -> String { String(decoding: data, as: UTF8.self) }

  @Test func `raw data goes from any version to any later one, by the steps as they are (D16)`() throws {
    let old = Data(#"{"body":"x"}"#.utf8)
    let pipeline = pipeline()
    for (from, to, data, expected) in [
      (1, 3, old, #"{"text":"x","tags":[]}"#), (1, 2, old, #"{"text":"x"}"#),
      (2, 3, Data(#"{"text":"x"}"#.utf8), #"{"text":"x","tags":[]}"#),
    ] {
      let new = try pipeline.migrate(model: "note", data: data, fromVersion: from, toVersion: to)
      #expect(text(new) == expected)
    }
    let any = Data("no JSON at all".utf8)
    #expect(try pipeline.migrate(model: "note", data: any, fromVersion: 3, toVersion: 3) == any)
  }

  @Test func `a missing step is named with model and version, and so is one that is there twice (D16, D4)`() throws {
    let pipeline = pipeline()
    for (model, from, to, said) in [
      ("note", 0, 3, "from version 0 to 1"), ("note", 1, 5, "from version 3 to 4"),
      ("none", 1, 2, "from version 1 to 2"),
    ] {
      let error = #expect(throws: ModelChainError.self) {
        try pipeline.migrate(model: model, data: Data("{}".utf8), fromVersion: from, toVersion: to)
      }
      #expect(error?.description.contains("“\(model)”") == true && error?.description.contains(said) == true)
    }
    pipeline.register(model: "note", fromVersion: 1) { $0 }
    let error = #expect(throws: ModelChainError.self) {
      try pipeline.migrate(model: "note", data: Data("{}".utf8), fromVersion: 1, toVersion: 3)
    }
    #expect(error?.problem == .duplicate(from: 1))
  }

  @Test func `corrupt data is an error with its version; later versions and failing steps, too (D16)`() throws {
    func reason(_ model: String, _ data: String, _ from: Int, _ to: Int) -> ModelMigrationError.Reason? {
      let error = #expect(throws: ModelMigrationError.self) {
        try pipeline().migrate(model: model, data: Data(data.utf8), fromVersion: from, toVersion: to)
      }
      return error?.reason
    }
    guard case .corrupt(version: 2)? = reason("note", "garbage", 2, 3),
      case .model(.newer(found: 3, known: 1))? = reason("note", "{}", 3, 1),
      case .model(.stepFailed(from: 1, _))? = reason("other", "{}", 1, 2)
    else {
      Issue.record("another reason")
      return
    }
  }

  @Test(
    "a model that says its name and version is migrated in a store, with the version beside it, 1 where there is none (D16)"
  )
  func stored() throws {
    let store = CountingStore(["mine": Array(#"{"body":"x"}"#.utf8)])
    let migration = try pipeline().migration(of: Note.self, key: "mine", in: store)
    let report = try migration.run()
    #expect(report.value == Note(text: "x", tags: []) && report.from == 1 && report.to == 3)
    #expect(try store.integer(for: "mine_schema_version") == 3 && migration.run().hasWritten == false)
    try store.set(Array("garbage".utf8), for: "mine")
    let error = #expect(throws: ModelMigrationError.self) { try migration.run() }
    guard case .corrupt(version: 3)? = error?.reason else { return #expect(Bool(false), "\(error as Any)") }
    #expect(error?.description.contains("stored as version 3") == true)
  }
  @Test func `by the members of each version, newer data without its number is refused (D16)`() throws {
    let shapes = [
      1: ModelShape(required: ["body"], forbidden: ["text"]),
      2: ModelShape(required: ["text"], forbidden: ["body", "tags"]), 3: ModelShape(required: ["text", "tags"]),
    ]
    let old = CountingStore(["mine": Array(#"{"body":"x"}"#.utf8)])
    let first = try pipeline().migration(of: Note.self, key: "mine", in: old, shapes: shapes)
    #expect(try first.run().value == Note(text: "x", tags: []))
    let newer = CountingStore(["mine": Array(#"{"text":"x"}"#.utf8)])
    let second = try pipeline().migration(of: Note.self, key: "mine", in: newer, shapes: shapes)
    let error = #expect(throws: ModelMigrationError.self) { try second.run() }
    #expect(error?.reason.model == .unknownVersion(.markerContradicted(1)))
    #expect(newer.writes == 0)
  }
}

@Suite("Progress and events of a model's migration") struct ProgressTests {
  private func store(_ person: String) -> CountingStore { CountingStore(["person": Array(person.utf8)]) }

  @Test func `a stream tells what happens, to each who asks, and nothing of before (B10)`() async throws {
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
      guard case .ended(from: 3, to: 3) = event else { return #expect(Bool(false), "\(event)") }
    }
  }

  @Test func `the last event of a failed run is its error (B10)`() async throws {
    let migration = try Person.migration(in: store("garbage"))
    let stream = migration.events()
    #expect(throws: ModelMigrationError.self) { try migration.run() }
    for await event in stream.prefix(1) {
      guard case .failed(let error) = event else { return #expect(Bool(false), "\(event)") }
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

@Suite("A model is migrated up to a chosen version") struct UpToTests {
  @Test(arguments: [(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (2, 3), (1, 1)])
  func `from each version to each later one, and no further (B11)`(from: Int, to: Int) throws {
    let store = CountingStore(["person": Array(try #require(Person.fixtures[from]).utf8)])
    let migrator = try Person.migrator().upTo(to)
    let migration = ModelMigration(migrator, of: "person", in: store) { try JSONText(bytes: $0).value }
    let report = try migration.run()
    #expect(report.from == from && report.to == to && report.stages.map(\.from) == Array(from..<to))
    let value = try JSONText(bytes: try #require(try store.data(for: "person"))).value
    #expect(value["email"] != nil || to == 0)
    #expect((value["alias"] != nil) == (to >= 2) && (value["age"] != nil) == (to < 3))
    #expect(try migrator.versions == 0...to && migrator.migrated(value) == value)
    let writes = store.writes
    #expect(try migration.run().hasWritten == false)
    #expect(store.writes == writes)
  }

  @Test func `in memory, too, with a marker of the chosen version; the rest of the way is open (B11)`() throws {
    let migrator = try Person.migrator(marker: "version")
    let old = try JSONText(#"{"name":"Jo","age":"23"}"#).value
    let second = try migrator.upTo(2).migrated(old)
    #expect(second.text() == #"{"alias":"Jo","age":"23","email":"---","version":2}"#)
    #expect(try migrator.migrated(second).text() == #"{"alias":"Jo","email":"---","version":3}"#)
  }

  @Test func `data of a later version is newer, with a marker and without, and nothing is written (B11)`() throws {
    for marker in [nil, "version"] {
      let store = CountingStore(["person": Array(try #require(Person.fixtures[2]).utf8)])
      let migration = ModelMigration(try Person.migrator(marker: marker).upTo(1), of: "person", in: store) { $0 }
      let error = #expect(throws: ModelMigrationError.self) { try migration.run() }
      #expect(error?.reason.model == .newer(found: 2, known: 1))
      #expect(store.writes == 0)
    }
  }

  @Test(arguments: [-1, 4, .max])
  func `an unknown version is refused with its number (B11)`(version: Int) throws {
    let migrator = try Person.migrator()
    let error = #expect(throws: ModelChainError.self) { try migrator.upTo(version) }
    #expect(error?.description.contains("it has no version \(version)") == true)
  }
}
