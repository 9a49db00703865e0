@Suite("Looking at what would be restored") struct ReadPersistenceTests {
  @discardableResult
  private func compare(
    _ app: PersistenceApp, _ recipe: Recipe? = nil, onConflict: PersistenceConflict = .keepTarget
  ) throws -> PersistedValues {
    let before = app.target.all
    let values = try app.migrator(recipe).readPersistence(onConflict: onConflict)
    #expect(app.target.all == before)
    let report = app.migrator(recipe).restorePersistence(onConflict: onConflict)
    let written = app.restored.filter { before[$0.key] != $0.value }
    #expect(Dictionary(uniqueKeysWithValues: values.fields.map { ($0.rawValue, values[$0]) }) == written)
    #expect(values.fields == report.fields(.migrated))
    return values
  }

  @Test func `what is read is what is written: everything, of either SDK (A16)`() throws {
    #expect(try compare(PersistenceApp(LegacyValues.objC)).fields.count == 8)
    #expect(try compare(PersistenceApp(LegacyValues.beta()), .rudderStackSwiftV2).fields.count == 7)
    #expect(try compare(PersistenceApp(LegacyValues.beta()), .rudderStackObjC).fields.isEmpty)
    #expect(try compare(PersistenceApp([:])).fields.isEmpty)
  }

  @Test func `of a user who opted out nothing is read, and the findings say why (A16)`() throws {
    for (values, key) in [(LegacyValues.objC, "rl_opt_status"), (try LegacyValues.beta(), "rs_opt_status")] {
      let app = try PersistenceApp(values.merging([key: true]) { $1 })
      let read = try compare(app)
      #expect(read.fields.isEmpty && read.userID == nil && read.findings.contains { $0.code == .consentOptedOut })
      #expect(try app.migrator(allowing: [.consentOptedOut]).readPersistence().fields.count >= 7)
    }
  }

  @Test func `after it was restored nothing is read, also when the user has logged out (A16)`() throws {
    let app = try PersistenceApp(LegacyValues.objC)
    #expect(try compare(app).fields.count == 8)
    #expect(try compare(app).fields.isEmpty)
    try app.target.remove("user_id")
    app.restart()
    #expect(try compare(app).fields.isEmpty)
  }

  @Test func `what was restored in part is read in part (A16, A17)`() throws {
    let app = try PersistenceApp(LegacyValues.objC)
    #expect(try app.migrator().readPersistence([.userID, .traits]).fields == [.userID, .traits])
    #expect(app.migrator().restorePersistence([.userID, .traits]).outcomes.count == 2)
    #expect(Set(app.restored.keys) == ["user_id", "traits"])
    app.restart()
    #expect(try compare(app).fields.count == 6 && app.restored == LegacyValues.restored)
  }

  @Test func `a value that stays in a conflict, or is there already, is not read (A16)`() throws {
    let target: [String: PropertyListValue] = ["anonymous_id": "new", "user_id": "u-42"]
    #expect(try compare(PersistenceApp(LegacyValues.objC, target: target)).fields.count == 6)
    #expect(try compare(PersistenceApp(LegacyValues.objC, target: target), onConflict: .replace).fields.count == 7)
    let fresh = try PersistenceApp(LegacyValues.objC, target: ["anonymous_id": "new", "session_id": "1763650000"])
    #expect(try compare(fresh, onConflict: .replaceFreshIdentity).fields.count == 7)
    let poor = LegacyValues.objC.merging(["rl_traits": "{broken"]) { $1 }
    #expect(try compare(PersistenceApp(poor, target: target), onConflict: .replace).fields.count == 6)
  }
}

@Suite("What an inspection answers") struct InspectPersistenceTests {
  private func answer(_ app: PersistenceApp) -> PersistenceReading { app.migrator().inspectPersistence() }

  @Test func `what is printed or dumped of a finding or an answer has no value of the user (A21)`() throws {
    let values = LegacyValues.objC.merging([
      "rl_traits": #"{"userId":4711,"email":"a@b.co","n":1.0}"#, "rl_application_build_key": "4.2-beta",
    ]) { $1 }
    for onto in [[:], ["user_id": "someone", "anonymous_id": "zz-anon"]] as [[String: PropertyListValue]] {
      let app = try PersistenceApp(values, target: onto)
      let reading = answer(app)
      let values = try app.migrator().readPersistence()
      let findings = values.findings
      #expect(findings.contains { $0.message.contains("4711") })
      var text = "\(reading) \(values) \(findings) \(String(reflecting: findings))"
      dump(reading, to: &text)
      dump(values, to: &text)
      dump(findings, to: &text)
      text += app.migrator().restorePersistence().description
      #expect(text.contains("user_id") && text.contains("found") && text.contains("identity.user-id-not-string"))
      for value in ["4711", "a@b.co", "4.2-beta", "someone", "zz-anon", "9f1c2a7e"] {
        #expect(!text.contains(value), "\(value)")
      }
    }
  }

  @Test func `nothing, opted out, restored, unreadable are four answers, and values a fifth (A16)`() throws {
    #expect("\(answer(try PersistenceApp(["theme": "dark"])))" == "nothing of a legacy SDK found")
    let out = try PersistenceApp(LegacyValues.objC.merging(["rl_opt_status": true]) { $1 })
    #expect("\(answer(out))" == "blocked: consent.opted-out")
    let app = try PersistenceApp(LegacyValues.objC)
    guard case .found(let values) = answer(app), values.fields.count == 8, values.userID == "u-42" else {
      return #expect(Bool(false))
    }
    app.migrator().restorePersistence()
    guard case .restoredBefore(conflicts: []) = answer(app) else { return #expect(Bool(false), "restored before") }
    let hidden = try PersistenceApp([:])
    try Data("bplist00".utf8).write(to: hidden.library.appending(path: "rsDefaultsPersistence.plist"))
    guard case .unreadable(let error) = answer(hidden), error.description.contains("rsDefaultsPersistence") else {
      return #expect(Bool(false), "unreadable: \(answer(hidden))")
    }
    guard case .unreadable = PersistentMigrator(writeKey: "a/b", bundleIdentifier: "com.acme.shop").inspectPersistence()
    else {
      Issue.record("no suite")
      return
    }
  }

  @Test func `the guide's helper answers the same, beside the nil of before (A16)`() throws {
    let app = try PersistenceApp(LegacyValues.objC, target: ["anonymous_id": "new"])
    let helper = PersistentMigratorFromV1(writeKey: "1xAcmeWriteKey", places: app.places, now: PersistenceApp.now)
    guard case .found(let values) = helper.migrator.inspectPersistence() else { return #expect(Bool(false), "found") }
    #expect(values == helper.readPersistence() && app.target.writes == 0)
    helper.restorePersistence()
    guard case .restoredBefore(conflicts: [.anonymousID]) = helper.migrator.inspectPersistence() else {
      return #expect(Bool(false))
    }
    #expect(helper.readPersistence() == nil)
    let beta = PersistentMigratorFromV2(writeKey: "1xAcmeWriteKey", places: app.places, now: PersistenceApp.now)
    if case .found = beta.migrator.inspectPersistence() { Issue.record("nothing of the beta SDK is there") }
  }
}

@Suite("The drop-in migrators on real UserDefaults") struct DropInTests {
  private final class Suites {
    private let names = ["com.acme.own.\(UUID().uuidString)", "com.acme.shop.analytics.\(UUID().uuidString)"]
    let own: UserDefaultsDomain
    let target: UserDefaultsDomain
    let library = URL(filePath: "/nothing/Library")

    init(_ values: [String: PropertyListValue]) throws {
      own = try UserDefaultsDomain(suite: names[0])
      target = try UserDefaultsDomain(suite: names[1])
      for (key, value) in values { try own.set(value, for: key) }
      try own.synchronize()
    }

    deinit {
      for name in names { TestSuite.remove(name) }
    }

    var defaults: UserDefaults? { UserDefaults(suiteName: names[1]) }
    var places: LegacyPersistence {
      LegacyPersistence(standard: own, target: target, library: library, bundleIdentifier: "com.acme.shop")
    }
    var restored: [String: PropertyListValue] {
      get throws {
        var values: [String: PropertyListValue] = [:]
        for field in PersistedField.allCases { values[field.rawValue] = try target.value(for: field.rawValue) }
        return values
      }
    }
  }

  private static let both: [String: PropertyListValue]? = try? LegacyValues.beta().merging(LegacyValues.objC) { $1 }

  @Test func `the guide's own call does the same, once, and leaves the legacy SDKs' values (A19)`() throws {
    let values = try #require(Self.both)
    let suites = try Suites(values)
    let migrator = PersistentMigratorFromV1(writeKey: "1xAcmeWriteKey", places: suites.places, now: PersistenceApp.now)
    let read = try #require(migrator.readPersistence())
    #expect(read.fields.count == 8 && read.userID == "u-42" && read.appBuild == 420)
    let report = migrator.restorePersistence()
    #expect(report.status == .done && report.fields(.migrated).count == 8)
    #expect(try suites.restored == LegacyValues.restored)
    #expect(suites.defaults?.string(forKey: "session_id") == "1763640000")
    #expect(suites.defaults?.object(forKey: "is_manual_session") as? Bool == false)
    #expect(suites.defaults?.integer(forKey: "rudder.app_build") == 420)
    for (key, value) in values { #expect(try suites.own.value(for: key) == value, "\(key)") }
    #expect(migrator.readPersistence() == nil && migrator.restorePersistence().status == .doneBefore)
  }

  @Test(arguments: [true, false])
  func `the same for the beta SDK 2, with traits as an archive or a property list (A19, A20)`(archived: Bool) throws {
    let values = try LegacyValues.beta(archived: archived)
    let suites = try Suites(values)
    let none = PersistentMigratorFromV1(writeKey: "1xAcmeWriteKey", places: suites.places, now: PersistenceApp.now)
    #expect(none.readPersistence() == nil && none.restorePersistence().status == .nothingFound)
    let migrator = PersistentMigratorFromV2(writeKey: "1xAcmeWriteKey", places: suites.places, now: PersistenceApp.now)
    let read = try #require(migrator.readPersistence())
    #expect(read.userID == "u-7" && read.traits == #"{"email":"ada@example.com"}"# && read.isManualSession == true)
    #expect(migrator.restorePersistence().status == .done)
    #expect(try suites.restored == LegacyValues.betaRestored)
    for (key, value) in values { #expect(try suites.own.value(for: key) == value, "\(key)") }
    #expect(migrator.readPersistence() == nil && migrator.restorePersistence().status == .doneBefore)
  }

  @Test func `in a program that has nothing to restore, the calls find nothing in its own defaults (A19)`() {
    let (key, bundle) = ("1xAcmeWriteKey", "com.acme.\(UUID().uuidString)")
    let objC = PersistentMigratorFromV1(writeKey: key, bundleIdentifier: bundle)
    #expect(objC.readPersistence() == nil && objC.restorePersistence().status == .nothingFound)
    let beta = PersistentMigratorFromV2(writeKey: key, bundleIdentifier: bundle)
    #expect(beta.readPersistence() == nil && beta.restorePersistence().status == .nothingFound)
    guard Bundle.main.bundleIdentifier == nil else { return }
    #expect(PersistentMigratorFromV1(writeKey: key).restorePersistence().status == .failed(.noBundleIdentifier))
  }
}

@Suite("A mark of restoration that is not understood, and a source that cannot be read") struct UnknownMarkTests {
  private static let marks: [(PropertyListValue, RestorationMarkDefect)] = [
    (["version": 2, "at": 1_763_640_000, "fields": ["user_id"]], .newer(found: 2)),
    (["version": 2], .newer(found: 2)),
    ("restored", .damaged), (1, .damaged), ([], .damaged), ([:], .damaged),
    (["version": 1, "fields": ["user_id": true]], .damaged),
    (["version": 1], .damaged),
    (["version": 0, "fields": []], .damaged),
    (["version": "1", "fields": []], .damaged),
    (["version": 1, "fields": [], "passedOver": "none"], .damaged),
    (["version": 1, "fields": [], "passedOver": ["any": "none"]], .damaged),
    (["version": 1, "at": 1, "fields": [], "conflicts": ["anonymous_id"]], .damaged),
  ]

  @Test func `it means that all was restored: nobody comes back, and nothing is written (A13, A19)`() throws {
    for (mark, defect) in Self.marks {
      let app = try PersistenceApp(LegacyValues.objC, target: [PersistenceApp.markKey: mark])
      for recipe in [Recipe.rudderStackObjC, .rudderStackSwiftV2, nil] {
        let report = app.migrator(recipe).restorePersistence(onConflict: .replace)
        #expect(report.status == .doneBefore && report.markDefect == defect, "\(mark)")
        #expect(report.description.contains("mark") && report.outcomes.isEmpty)
        #expect(try app.migrator(recipe).readPersistence().fields.isEmpty)
      }
      #expect(app.target.writes == 0 && app.target.all == [PersistenceApp.markKey: mark])
    }
    let sound = try PersistenceApp(LegacyValues.objC)
    #expect(sound.migrator().restorePersistence().markDefect == nil)
    #expect(sound.migrator().restorePersistence().markDefect == nil)
  }

  @Test(arguments: [false, true])
  func `while the SDK's file cannot be read, only what has a value is settled (A15, A19)`(isFolder: Bool) throws {
    for recipe in [Recipe.rudderStackObjC, nil] {
      let app = try PersistenceApp(["rl_application_version_key": "4.2.0"])
      let file = app.library.appending(path: "rsDefaultsPersistence.plist")
      if isFolder {
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
      } else {
        try Data("bplist00".utf8).write(to: file)
      }
      let first = app.migrator(recipe).restorePersistence()
      #expect(first.status == .done && first.fields(.migrated) == [.appVersion])
      #expect(first.findings.contains { $0.code == .sourceUnreadable })
      app.restart()
      try FileManager.default.removeItem(at: file)
      let values = PropertyListDictionary(entries: LegacyValues.objC.map { .init(key: $0.key, value: $0.value) })
      try Data(PropertyListDocument.encode(.dictionary(values), as: .binary)).write(to: file)
      let second = app.migrator(recipe).restorePersistence()
      #expect(second.status == .done && second.outcomes[.appVersion] == nil)
      #expect(app.restored == LegacyValues.restored)
      #expect(app.migrator(recipe).restorePersistence().status == .doneBefore)
    }
  }

  @Test func `an app's own keys that begin like an SDK's are nobody's (A19)`() throws {
    for recipe in [Recipe.rudderStackObjC, .rudderStackSwiftV2, nil] {
      let app = try PersistenceApp(["rs_theme": "dark", "rn_first_run": false, "rl_theme": "dark"])
      #expect(app.migrator(recipe).restorePersistence().status == .nothingFound)
      #expect(app.target.all.isEmpty && app.target.writes == 0)
    }
  }
}
