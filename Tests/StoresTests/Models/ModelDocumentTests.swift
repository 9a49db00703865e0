import Carryover
import CarryoverRestore
import CarryoverRouter
import CarryoverStorage
import CarryoverSystem
import CarryoverUserDefaults
import Foundation
import PropertyLists
import Testing

@Suite("Versioned models: what the documents test, and what their samples get wrong")
struct ModelDocumentTests {
  @Test("every version of both models has a fixture, and none stands for a version there is not (B2, D14)")
  func fixtures() throws {
    #expect(Set(Person.fixtures.keys) == [0, 1, 2, 3])
    #expect(Set(UserProfile.fixtures.keys) == [1, 2, 3])
    for (model, fixtures) in [
      (try Person.migrator(), Person.fixtures), (try UserProfile.migrator(), UserProfile.fixtures),
    ] {
      for (version, text) in fixtures { #expect(try model.version(of: JSONText(text).value) == version) }
    }
  }

  @Test("V0 → V3, V1 → V3, V2 → V3: the alias is the old name, the e-mail the default or what was there (B1, B2)")
  func personTests() throws {
    let cases = [
      (#"{"name":"name","age":"30"}"#, Person.Current(alias: "name", email: "---")),
      (#"{"name":"name","age":"30","email":"a@b.co"}"#, Person.Current(alias: "name", email: "a@b.co")),
      (#"{"alias":"alias","age":"30","email":"a@b.co"}"#, Person.Current(alias: "alias", email: "a@b.co")),
    ]
    for (index, (stored, expected)) in cases.enumerated() {
      let store = MemoryDataStore(["person": Array(stored.utf8)])
      let report = try Person.migration(in: store).run()
      #expect(report.value == expected)
      #expect(report.from == index && report.steps.count == 3 - index)
    }
  }

  @Test("testMigrationV1ToV3: the document's values (D5, D8, D13)")
  func migrationV1ToV3() throws {
    let data = #"{"userId": "usr_123", "displayName": "Ahmed", "email": "ahmed@example.com"}"#
    let migrated = try UserProfile.migrator().migrated(JSONText(data).value)
    let profile = try JSONDecoder().decode(UserProfile.self, from: Data(migrated.text().utf8))
    #expect(profile.userId == "usr_123")
    #expect(profile.preferences.theme == "system")
    #expect(profile.preferences.currency == "USD")
    #expect(profile.notificationSettings.transactionAlerts)
    #expect(!profile.notificationSettings.marketingOptIn)
  }

  @Test("testMigrationPreservesExistingData: the document's values (D8, D13)")
  func migrationPreservesExistingData() throws {
    let data = """
      {"userId": "usr_456", "displayName": "Sara", "email": "sara@example.com",
       "preferences": {"theme": "dark", "language": "ar", "currency": "EGP"}}
      """
    let migrated = try UserProfile.migrator().migrated(JSONText(data).value)
    let profile = try JSONDecoder().decode(UserProfile.self, from: Data(migrated.text().utf8))
    #expect(profile.preferences.theme == "dark")
    #expect(profile.preferences.currency == "EGP")
    #expect(profile.notificationSettings.pushEnabled)
  }

  @Test("the last step runs for data of version 2, which also decodes as version 3 (B5)")
  func trialDecoding() throws {
    let fixture = try #require(Person.fixtures[2])
    // What the sample looks at: decoding passes over the age that is still there.
    #expect((try? JSONDecoder().decode(Person.Current.self, from: Data(fixture.utf8))) != nil)
    let store = MemoryDataStore(["person": Array(fixture.utf8)])
    let report = try Person.migration(in: store).run()
    #expect(report.stages.map(\.from) == [2])
    let stored = String(decoding: try #require(try store.data(for: "person")), as: UTF8.self)
    #expect(!stored.contains("age"))
  }

  @Test("garbage and a later version are noticed, and stand as they were; success is not reported as a failure (B6)")
  func noticed() throws {
    for (stored, sentence) in [
      ("garbage", "The model in “person” in “counting” is not valid JSON"),
      (#"{"hello":1}"#, "The version of “person” cannot be determined: it has the members of no known version."),
      (#"{"alias":"J","email":"x","version":4}"#, "“person” is in version 4, and this app knows versions up to 3."),
    ] {
      let store = CountingStore(["person": Array(stored.utf8)])
      let events = Noted<Bool>()
      let migration = try Person.migration(in: store, marker: "version") { event in
        if case .failed = event { events.add(true) }
      }
      let error = #expect(throws: ModelMigrationError.self) { try migration.run() }
      #expect("\(try #require(error))".contains(sentence), "\(String(describing: error))")
      #expect(store.writes == 0 && events.all == [true])
    }
    let events = Noted<Bool>()
    let store = MemoryDataStore(["person": Array(try #require(Person.fixtures[0]).utf8)])
    try Person.migration(in: store) { if case .failed = $0 { events.add(true) } }.run()
    #expect(events.all.isEmpty)
  }

  @Test("nothing stored under one name is nothing to migrate, whatever stands under others (D6)")
  func nothing() throws {
    let store = CountingStore(["other": Array(try #require(UserProfile.fixtures[1]).utf8)])
    let report = try UserProfile.migration(in: store).run()
    #expect(report.value == nil && report.from == nil && report.backup == nil && store.writes == 0)
  }

  @Test("a retry after a failed write keeps the first good backup, and a damaged one is never written over (D7)")
  func retries() throws {
    let old = Array(try #require(UserProfile.fixtures[1]).utf8)
    let store = CountingStore(["user_profile": old])
    let migration = try UserProfile.migration(in: store)
    let first = try #require(try migration.run().backup)
    try store.set(Array("damaged".utf8), for: first.name)
    try store.set(old, for: "user_profile")
    let second = try #require(try migration.run().backup)
    #expect(second.name == first.name + "-2")
    #expect(try store.data(for: first.name) == Array("damaged".utf8))
    #expect(try store.data(for: second.name) == old)
    #expect(Set(try migration.listBackups()) == [first, second])
    let error = #expect(throws: ModelMigrationError.self) { try migration.restore(first) }
    #expect("\(try #require(error))".hasSuffix("is missing or damaged; nothing was replaced."))
    try migration.restore(second)
    #expect(try store.data(for: "user_profile") == old)
  }

  @Test("the marker says the version of the data at every step, and the last one is the newest (D10)")
  func marker() throws {
    let migrator = try ModelMigrator(
      model: "m", version: 3, versioning: ModelVersioning(marker: "v"),
      steps: [0, 1, 2].map { from in
        ModelStep(from: from, "step \(from)") { value in
          #expect(value["v"] == JSONValue(from))
          value.set(true, at: [String(from)])
        }
      })
    let stages = try migrator.trace(JSONText(#"{"v":0}"#).value)
    #expect(
      stages.map { $0.value.text() } == [
        #"{"v":1,"0":true}"#, #"{"v":2,"0":true,"1":true}"#, #"{"v":3,"0":true,"1":true,"2":true}"#,
      ])
  }
}
