@Suite("A user profile from version to version") struct UserProfileTests {
  @Test func `version 1 reaches version 3 by both steps, with the defaults of each (D1, D5, D13)`() throws {
    let store = try stored(1)
    let report = try UserProfile.migration(in: store, language: "ar").run()
    let profile = try #require(report.value)
    #expect(profile.userId == "usr_123")
    #expect(profile.preferences == .init(theme: "system", language: "ar", currency: "USD"))
    #expect(profile.notificationSettings.transactionAlerts)
    #expect(!profile.notificationSettings.marketingOptIn)
    #expect(report.stages.map(\.from) == [1, 2])
    #expect(report.stages.first?.changes.map(\.path) == [["preferences"]])
  }

  @Test(arguments: [1, 2, 3])
  func `every version ever shipped has a fixture, and each ends as version 3 (D14)`(version: Int) throws {
    let migrator = try UserProfile.migrator()
    #expect(Set(UserProfile.fixtures.keys) == Set(migrator.versions))
    #expect(try migrator.version(of: JSONText(#require(UserProfile.fixtures[version])).value) == version)
    let store = try stored(version)
    try UserProfile.migration(in: store).run()
    let value = try JSONText(bytes: try #require(try store.data(for: "user_profile"))).value
    #expect(try migrator.version(of: value) == 3)
    #expect(value["schemaVersion"] == 3)
  }

  @Test func `what is wrong with a chain is found when the migrator is made, in a sentence (D2, D4)`() throws {
    let any = ModelVersioning(marker: "v", unmarked: 1)
    func problem(
      _ version: Int, _ steps: [Int], _ versioning: ModelVersioning, _ words: String = ""
    ) -> ModelChainError.Problem? {
      let steps = steps.map { ModelStep(from: $0, [.add("a", 1)]) }
      let error = thrown { () throws(ModelChainError) in
        try ModelMigrator(model: "user_profile", version: version, versioning: versioning, steps: steps)
      }
      #expect(error?.description.hasPrefix("The model “user_profile” cannot be migrated: \(words)") != false)
      return error?.problem
    }
    #expect(problem(4, [1, 3], any, "no step leads from version 2 to 3; add it.") == .gap(from: 2))
    #expect(problem(4, [1, 2], any) == .gap(from: 3))
    #expect(
      problem(3, [1, 1, 2], any, "two steps start from version 1; keep the one that was shipped.")
        == .duplicate(from: 1))
    #expect(
      problem(2, [1, 2], any, "a step starts from version 2, and the newest is 2; raise it.")
        == .beyond(version: 2, step: 2))
    #expect(problem(-1, [], any, "versions are counted from 0.") == .negative)
    #expect(problem(3, [1, 2], any) == nil)
    #expect(problem(1, [0], ModelVersioning(shapes: [0: .init(required: ["a"])])) == .noShape(1))
    #expect(
      problem(1, [0], ModelVersioning(shapes: [0: .init(required: ["a"]), 1: .init(required: ["a", "b"])]))
        == .indistinguishable(0, 1))
    #expect(problem(1, [0], ModelVersioning(marker: "v", unmarked: 7)) == .strayShape(7))
  }

  @Test func `data older than the first step is an error with both versions, and not written (D4, D11)`() throws {
    let store = CountingStore(["m": Array(#"{"v":1}"#.utf8)])
    let migrator = try ModelMigrator(
      model: "m", version: 3, versioning: ModelVersioning(marker: "v", unmarked: 2),
      steps: [ModelStep(from: 2, [.add("a", 1)])])
    let migration = ModelMigration(migrator, of: "m", in: store) { $0 }
    let error = #expect(throws: ModelMigrationError.self) { try migration.run() }
    #expect(error?.reason.model == .tooOld(found: 1, oldest: 2))
    #expect(store.writes == 0)
  }

  @Test(arguments: StoreKind.allCases)
  func `the old data is kept before anything is replaced, in an encrypted store if asked (D7)`(kind: StoreKind) throws {
    let place = StorePlace(kind)
    let store = try stored(2)
    let migration = try UserProfile.migration(in: store, backups: try place.open())
    let backup = try #require(try migration.run().backup)
    #expect(backup.version == 2)
    #expect(try place.open().data(for: backup.name) == Array(try #require(UserProfile.fixtures[2]).utf8))
    #expect(try migration.listBackups() == [backup])
    try migration.restore(backup)
    #expect(try store.data(for: "user_profile") == Array(try #require(UserProfile.fixtures[2]).utf8))
    #expect(try migration.listBackups().count == 2)
    try migration.prune(backup)
    #expect(try !migration.listBackups().contains(backup))
  }

  @Test func `a failed attempt and the next one share one good backup (D7)`() throws {
    let store = CountingStore(["user_profile": Array(try #require(UserProfile.fixtures[1]).utf8)])
    store.fail { operation, name in operation == .write && name == "user_profile" }
    #expect(throws: ModelMigrationError.self) { try UserProfile.migration(in: store).run() }
    store.fail(nil)
    let names = try store.names()
    #expect(names.count == 2)
    try UserProfile.migration(in: store).run()
    #expect(try store.names() == names)
  }

  @Test(arguments: [1, 2])
  func `where a store writes and fails all the same, the old data stands, as is said (D10)`(times: Int) throws {
    let old = Array(try #require(UserProfile.fixtures[1]).utf8)
    let store = CountingStore(["user_profile": old])
    let count = Noted<Int>()
    store.failAfterwards {
      count.add(0)
      // The first write is the backup's, the second the new data, the third puts the old data back.
      return count.all.count > 1 && count.all.count <= 1 + times
    }
    let error = #expect(throws: ModelMigrationError.self) { try UserProfile.migration(in: store).run() }
    #expect(error?.reason.name == "write")
    #expect(try store.data(for: "user_profile") == old)
    store.failAfterwards(nil)
    #expect(try UserProfile.migration(in: store).run().value?.userId == "usr_123")
  }

  @Test func `the value is returned, and a step that throws stops everything with its cause (D12)`() throws {
    struct Broken: Error {}
    let store = CountingStore(["m": Array("{}".utf8)])
    let migrator = try ModelMigrator(
      model: "m", version: 1, versioning: ModelVersioning(marker: "v", unmarked: 0),
      steps: [ModelStep(from: 0, "breaks") { (_: inout JSONValue) in throw Broken() }])
    let error = #expect(throws: ModelMigrationError.self) {
      try ModelMigration(migrator, of: "m", in: store) { $0 }.run()
    }
    #expect((error?.cause as? ModelError)?.cause is Broken)
    #expect(store.writes == 0)
  }

  private func stored(_ version: Int) throws -> MemoryDataStore {
    MemoryDataStore(["user_profile": Array(try #require(UserProfile.fixtures[version]).utf8)])
  }
}

/// The versioned profile of the example: preferences since version 2, notification settings since version 3. Its old data
/// has no version in it; the app kept that beside it.
struct UserProfile: Codable, Hashable {
  struct Preferences: Codable, Hashable {
    var theme: String
    var language: String
    var currency: String
  }

  struct NotificationSettings: Codable, Hashable {
    var pushEnabled: Bool
    var emailEnabled: Bool
    var transactionAlerts: Bool
    var marketingOptIn: Bool
  }

  var userId: String
  var displayName: String
  var email: String
  var preferences: Preferences
  var notificationSettings: NotificationSettings

  static let fixtures = ModelFixtures.of("user_profile")

  /// - Parameter language: the language of the user, for profiles from before there was a choice.
  static func migrator(language: String = "en") throws -> ModelMigrator {
    try ModelMigrator(
      model: "user_profile", version: 3,
      versioning: ModelVersioning(
        marker: "schemaVersion",
        shapes: [
          1: ModelShape(required: ["userId"], forbidden: ["preferences", "notificationSettings"]),
          2: ModelShape(required: ["userId", "preferences"], forbidden: ["notificationSettings"]),
          3: ModelShape(required: ["userId", "preferences", "notificationSettings"]),
        ]),
      steps: [
        ModelStep(
          from: 1,
          [.add("preferences", ["theme": "system", "language": .string(language), "currency": "USD"])]),
        ModelStep(
          from: 2,
          [
            .add(
              "notificationSettings",
              ["pushEnabled": true, "emailEnabled": true, "transactionAlerts": true, "marketingOptIn": false])
          ]),
      ])
  }

  static func migration(
    in store: any ByteStore, language: String = "en", backups: (any ByteStore)? = nil
  ) throws -> ModelMigration<UserProfile> {
    ModelMigration(UserProfile.self, try migrator(language: language), of: "user_profile", in: store, backups: backups)
  }
}
