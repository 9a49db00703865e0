@Suite("Restoring what the legacy SDK left in a running app") struct PersistentMigratorTests {
  @Test func `reading gives, typed, exactly what restoring writes, and writes nothing (A16)`() throws {
    let app = try PersistenceApp(LegacyValues.objC)
    let values = try app.migrator().readPersistence()
    #expect(values.anonymousID == "9f1c2a7e-6b0d-4f3c-9a58-0c1d2e3f4a5b")
    #expect(values.userID == "u-42" && values.traits == #"{"email":"a@b.co","n":1.0}"#)
    #expect(values.sessionID == "1763640000" && values.isManualSession == false)
    #expect(values.lastActivityTime == "1763640123000" && values.appVersion == "4.2.0" && values.appBuild == 420)
    #expect(app.standard.writes == 0 && app.target.writes == 0)
    app.migrator().restorePersistence()
    #expect(app.restored == LegacyValues.restored)
    for field in PersistedField.allCases { #expect(values[field] == app.target.all[field.rawValue]) }
  }

  @Test func `it happens once: a value that the user's logout removed does not come back (A13, A19)`() throws {
    let app = try PersistenceApp(LegacyValues.objC)
    let report = app.migrator().restorePersistence()
    #expect(report.status == .done && report.fields(.migrated).count == 8)
    try app.target.remove("user_id")
    app.restart()
    #expect(app.migrator().restorePersistence().status == .doneBefore)
    #expect(app.target.all["user_id"] == nil)
    #expect(app.target.writes == 0)
    #expect(app.standard.all == LegacyValues.objC)
  }

  @Test func `cut off at any write, the next start finishes it, and the mark is the last of all (A13, A19)`() throws {
    var number = 0
    while true {
      let app = try PersistenceApp(LegacyValues.objC)
      app.restart(writes: number)
      let report = app.migrator().restorePersistence()
      if report.status == .done { break }
      guard case .failed = report.status else { return #expect(Bool(false), "\(report)") }
      if app.target.all[PersistenceApp.markKey] != nil { #expect(app.restored == LegacyValues.restored) }
      app.restart()
      #expect([.done, .doneBefore].contains(app.migrator().restorePersistence().status))
      #expect(app.restored == LegacyValues.restored)
      number += 1
    }
    #expect(number > 8)
  }

  @Test func `what an observer of a write restores in the middle of it is marked, too (A17, A19)`() throws {
    let app = try PersistenceApp(LegacyValues.objC)
    let migrator = app.migrator()
    app.target.observer = { key in
      if key == "user_id" { migrator.restorePersistence([.traits]) }
    }
    #expect(migrator.restorePersistence([.userID]).fields(.migrated) == [.userID])
    #expect(Set(app.restored.keys) == ["user_id", "traits"])
    app.target.observer = nil
    try app.target.remove("traits")
    #expect(migrator.restorePersistence([.userID, .traits]).status == .doneBefore)
  }

  @Test func `another value of the new SDK stays unless it is to be replaced (A19)`() throws {
    let app = try PersistenceApp(LegacyValues.objC, target: ["anonymous_id": "new", "user_id": "u-42"])
    let report = app.migrator().restorePersistence()
    #expect(report.fields(.conflict) == [.anonymousID] && report.fields(.unchanged) == [.userID])
    #expect(app.target.all["anonymous_id"] == "new")
    let fresh = try PersistenceApp(LegacyValues.objC, target: ["anonymous_id": "new", "session_id": "1763650000"])
    #expect(fresh.migrator().restorePersistence(onConflict: .replaceFreshIdentity).fields(.unchanged) == [.sessionID])
    #expect(fresh.target.all["anonymous_id"] == LegacyValues.restored["anonymous_id"])
    let other = try PersistenceApp(LegacyValues.objC, target: ["anonymous_id": "new"])
    #expect(other.migrator().restorePersistence(onConflict: .replace).fields(.conflict).isEmpty)
    #expect(other.restored == LegacyValues.restored)
  }

  @Test(arguments: [PersistenceConflict.keepTarget, .replaceFreshIdentity, .replace])
  func `what the new SDK writes at each start stays, and is no conflict`(_ policy: PersistenceConflict) throws {
    let started: [String: PropertyListValue] = [
      "anonymous_id": LegacyValues.restored["anonymous_id"] ?? "", "session_id": "1763650000",
      "is_manual_session": true, "last_activity_time": "1763650123000",
      "rudder.app_version": "9.9.9", "rudder.app_build": 999,
    ]
    let app = try PersistenceApp(LegacyValues.objC, target: started)
    let kept: Set<PersistedField> = [
      .anonymousID, .sessionID, .isManualSession, .lastActivityTime, .appVersion, .appBuild,
    ]
    #expect(try app.migrator().readPersistence(onConflict: policy).fields == [.userID, .traits])
    let report = app.migrator().restorePersistence(onConflict: policy)
    #expect(report.fields(.unchanged) == kept && report.fields(.migrated) == [.userID, .traits])
    #expect(report.logEntries.isEmpty && app.restored == LegacyValues.restored.merging(started) { $1 })
    app.restart()
    #expect(app.migrator().restorePersistence(onConflict: .replace).status == .doneBefore)
  }

  @Test func `a user who opted out stays out until that is allowed, and nothing is marked as done (A19)`() throws {
    let app = try PersistenceApp(LegacyValues.objC.merging(["rl_opt_status": true]) { $1 })
    #expect(app.migrator().restorePersistence().status == .blocked && app.target.all.isEmpty)
    #expect(app.migrator(allowing: [.consentOptedOut]).restorePersistence().status == .done)
    #expect(app.restored == LegacyValues.restored)
  }

  @Test func `a new install writes and marks nothing, so that what comes later is restored (A14, A19)`() throws {
    let app = try PersistenceApp(["theme": "dark"])
    #expect(app.migrator().restorePersistence().status == .nothingFound)
    #expect(app.target.all.isEmpty && app.target.writes == 0)
    app.standard = MemoryDomain("standard", LegacyValues.objC)
    #expect(app.migrator().restorePersistence().status == .done)
    #expect(app.restored == LegacyValues.restored)
  }

  @Test func `what the new SDK would read as absent is repaired (A19)`() throws {
    let app = try PersistenceApp(LegacyValues.objC, target: ["session_id": 1_763_640_000])
    #expect(app.migrator().restorePersistence().status == .done && app.restored == LegacyValues.restored)
  }

  @Test func `among 100,000 other keys every key is gone through once, and after that not at all (A19)`() throws {
    var values = LegacyValues.objC
    for number in 0..<100_000 { values["other.\(number)"] = "value" }
    let app = try PersistenceApp(values)
    #expect(app.migrator().restorePersistence().status == .done && app.restored == LegacyValues.restored)
    #expect(app.standard.listings == 1 && app.target.listings == 0)
    #expect(app.migrator().restorePersistence().status == .doneBefore)
    #expect(app.standard.listings == 1 && app.target.listings == 0)
  }

  @Test func `without a bundle identifier, or with an invalid write key, it says so, does nothing (A19)`() throws {
    for (migrator, word) in [
      (PersistentMigrator(writeKey: "a/b", bundleIdentifier: "com.acme.shop"), "a/b"),
      (PersistentMigrator(writeKey: "", bundleIdentifier: "com.acme.shop"), "suite"),
      (PersistentMigrator(writeKey: "1x", bundleIdentifier: ""), "suite"),
    ] {
      guard case .failed(let error) = migrator.restorePersistence().status else { return #expect(Bool(false)) }
      #expect(error.description.contains(word))
      #expect(throws: DefaultsDomainError.self) { try migrator.readPersistence() }
    }
  }

  @Test func `real UserDefaults take and give every type, and what would trap is refused (A19)`() throws {
    let suite = "com.acme.types.\(UUID().uuidString)"
    let domain = try UserDefaultsDomain(suite: suite)
    defer { TestSuite.remove(suite) }
    let values: [PropertyListValue] = [
      "text", 42, .real(PropertyListReal(0.5)), true, .data([1, 2]), ["a", 1, false], ["key": ["inner": "x"]],
    ]
    for value in values {
      try domain.set(value, for: "key")
      #expect(try domain.value(for: "key") == value)
    }
    for value: PropertyListValue in [.uid(1), .null, .set(["a"]), ["deep": [.uid(1)]]] {
      #expect(throws: DefaultsDomainError.self) { try domain.set(value, for: "key") }
    }
    #expect(try domain.values { $0 == "key" }.entries.count == 1)
    try domain.remove("key")
    #expect(try domain.value(for: "key") == nil)
  }

  @Test func `the legacy SDK's own file fills in what the defaults lack (A1, A2, A19)`() throws {
    var rest = LegacyValues.objC
    rest["rl_anonymous_id"] = nil
    let app = try PersistenceApp(rest)
    let bytes = try PropertyListDocument.encode(["rl_anonymous_id": "from the file", "rl_session_id": 1], as: .binary)
    try Data(bytes).write(to: app.library.appending(path: "rsDefaultsPersistence.plist"))
    app.migrator().restorePersistence()
    #expect(app.target.all["anonymous_id"] == "from the file")
    #expect(app.target.all["session_id"] == "1763640000")
  }
}
