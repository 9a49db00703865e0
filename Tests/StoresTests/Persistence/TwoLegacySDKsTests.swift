@Suite("Restoring by one SDK's rules where another has run, or both") struct TwoLegacySDKsTests {
  private static let both = try? LegacyValues.beta().merging(LegacyValues.objC) { beta, _ in beta }

  @Test func `the rules of one SDK leave what the other left to that one's (A13, A19)`() throws {
    for (values, own, restored) in [
      (try LegacyValues.beta(), Recipe.rudderStackSwiftV2, LegacyValues.betaRestored),
      (LegacyValues.objC, .rudderStackObjC, LegacyValues.restored),
    ] {
      for recipes in [[Recipe.rudderStackObjC, .rudderStackSwiftV2], [.rudderStackSwiftV2, .rudderStackObjC]] {
        let app = try PersistenceApp(values)
        let reports = recipes.map { app.migrator($0).restorePersistence() }
        #expect(app.restored == restored)
        let isOwn = recipes[0].reference == own.reference
        #expect(reports.map(\.status) == (isOwn ? [.done, .doneBefore] : [.nothingFound, .done]))
      }
    }
  }

  @Test func `a recipe for other data than a legacy SDK's finds nothing and settles nothing (A19)`() throws {
    for recipe in [Recipe.person, .convertIOS] {
      let app = try PersistenceApp(["person": #"{"name":"Jo","age":"7"}"#])
      #expect(app.migrator(recipe).restorePersistence().status == .nothingFound)
      #expect(app.target.all.isEmpty)
      app.standard = MemoryDomain("standard", LegacyValues.objC)
      #expect(app.migrator(recipe).restorePersistence().status == .nothingFound)
      #expect(app.migrator(nil).restorePersistence().status == .done)
      #expect(app.restored == LegacyValues.restored)
    }
  }

  @Test func `where both ran, the second's rules fill in what the first's lacked, no more (A13, A19)`() throws {
    let values = try #require(Self.both)
    let betaFirst = try PersistenceApp(values)
    #expect(betaFirst.migrator(.rudderStackSwiftV2).restorePersistence().status == .done)
    #expect(betaFirst.restored == LegacyValues.betaRestored)
    betaFirst.restart()
    let rest = betaFirst.migrator(.rudderStackObjC).restorePersistence()
    #expect(rest.status == .done && rest.fields(.migrated) == [.anonymousID] && rest.outcomes.count == 1)
    #expect(
      betaFirst.restored
        == LegacyValues.betaRestored.merging(["anonymous_id": "9f1c2a7e-6b0d-4f3c-9a58-0c1d2e3f4a5b"]) { $1 })
    betaFirst.restart()
    for recipe in [Recipe.rudderStackSwiftV2, .rudderStackObjC, nil] {
      #expect(betaFirst.migrator(recipe).restorePersistence().status == .doneBefore)
    }
    // The Objective-C SDK's user was never identified; the beta's was.
    let poor = values.filter { $0.key != "rl_traits" }
    let objCFirst = try PersistenceApp(poor)
    let first = objCFirst.migrator(.rudderStackObjC).restorePersistence()
    #expect(first.status == .done && first.outcomes[.userID] == .absent && first.outcomes[.traits] == .absent)
    objCFirst.restart()
    #expect(objCFirst.migrator(.rudderStackObjC).restorePersistence().status == .doneBefore)
    let second = objCFirst.migrator(.rudderStackSwiftV2).restorePersistence()
    #expect(second.status == .done && second.fields(.migrated) == [.userID, .traits])
    #expect(objCFirst.restored["rudder.app_version"] == "4.2.0" && objCFirst.restored["user_id"] == "u-7")
  }

  @Test func `where both ran and no rules are named, the later SDK's count, then the other's (A13, A19)`() throws {
    let app = try PersistenceApp(#require(Self.both))
    let report = app.migrator().restorePersistence()
    #expect(report.status == .done && report.findings.contains { $0.code == .sourceV1AndV2 })
    #expect(app.restored == LegacyValues.betaRestored)
    app.restart()
    #expect(app.migrator().restorePersistence().status == .doneBefore && app.standard.listings == 0)
    #expect(app.migrator(.rudderStackObjC).restorePersistence().fields(.migrated) == [.anonymousID])
  }

  @Test func `corrupt traits of one SDK do not settle those of the other (A13, A15)`() throws {
    var values = try #require(Self.both)
    values["rl_traits"] = "{broken"
    let app = try PersistenceApp(values)
    #expect(app.migrator(.rudderStackObjC).restorePersistence().fields(.skipped) == [.userID, .traits])
    #expect(app.migrator(.rudderStackSwiftV2).restorePersistence().fields(.migrated) == [.userID, .traits])
    #expect(app.restored["user_id"] == "u-7")
  }

  @Test func `a file of the other SDK that cannot be read yet is not taken for one without values (A13, A19)`() throws {
    let app = try PersistenceApp(LegacyValues.beta())
    let file = app.library.appending(path: "rsDefaultsPersistence.plist")
    try Data("not yet".utf8).write(to: file)
    #expect(app.migrator(.rudderStackSwiftV2).restorePersistence().status == .done)
    #expect(app.migrator(.rudderStackObjC).restorePersistence().status == .nothingFound)
    let bytes = try PropertyListDocument.encode(["rl_anonymous_id": "from the file"], as: .binary)
    try Data(bytes).write(to: file)
    app.restart()
    #expect(app.migrator(.rudderStackSwiftV2).restorePersistence().status == .doneBefore)
    #expect(app.migrator(.rudderStackObjC).restorePersistence().fields(.migrated) == [.anonymousID])
    #expect(app.restored == LegacyValues.betaRestored.merging(["anonymous_id": "from the file"]) { $1 })
  }

  @Test func `values that both SDKs keep under one name are taken where neither left its own (A19)`() throws {
    for recipe in [Recipe.rudderStackObjC, .rudderStackSwiftV2, nil] {
      let app = try PersistenceApp(["rl_session_id": 1_763_640_000, "rl_unknown": "x"])
      #expect(app.migrator(recipe).restorePersistence().fields(.migrated).contains(.sessionID))
      #expect(app.restored["session_id"] == "1763640000")
    }
  }

  @Test func `a mark of an earlier version of the library counts as it did (A13)`() throws {
    let names = PersistedField.allCases.map(\.rawValue).sorted().map(PropertyListValue.string)
    let mark: PropertyListValue = ["version": 1, "at": 1_763_640_000, "fields": .array(names)]
    let app = try PersistenceApp(LegacyValues.objC, target: ["anonymous_id": "new", PersistenceApp.markKey: mark])
    for recipe in [Recipe.rudderStackObjC, .rudderStackSwiftV2, nil] {
      for policy in [PersistenceConflict.keepTarget, .replaceFreshIdentity, .replace] {
        let report = app.migrator(recipe).restorePersistence(onConflict: policy)
        #expect(report.status == .doneBefore && report.outcomes.isEmpty)
      }
    }
    #expect(app.target.writes == 0 && app.restored == ["anonymous_id": "new"])
    let some: PropertyListValue = ["version": 1, "at": 1_763_640_000, "fields": ["user_id", "no field", 7]]
    let part = try PersistenceApp(LegacyValues.objC, target: [PersistenceApp.markKey: some])
    #expect(part.migrator(.rudderStackObjC).restorePersistence().outcomes.count == 7)
    #expect(part.restored == LegacyValues.restored.filter { $0.key != "user_id" })
  }
}

@Suite("Restoring where React Native's SDK and the native one have both run") struct ReactNativeRestoreTests {
  private static let reactNative: [String: PropertyListValue] = [
    "rn_session_auto_track_status": true, "rn_session_manual_track_status": false,
    "rn_last_event_time_stamp": 1_763_630_000, "rn_application_version_key": "3.0.0",
    "rn_application_build_key": "300",
  ]

  private func restored(_ changes: [String: PropertyListValue]) throws -> (PersistenceReport, PersistenceApp) {
    let values = LegacyValues.objC.merging(Self.reactNative) { $1 }.merging(changes) { $1 }
    let app = try PersistenceApp(values)
    return (app.migrator().restorePersistence(), app)
  }

  @Test func `the native SDK is proven to have run last: its session, version and build are restored (A19)`() throws {
    for status in [true, false] {
      let (report, app) = try restored(["rl_session_auto_track_status": .boolean(status)])
      var expected = LegacyValues.restored
      expected["is_manual_session"] = .boolean(!status)
      #expect(report.status == .done && app.restored == expected)
      #expect(report.findings.contains { $0.code == .sourceReactNative && $0.message.contains("are older") })
    }
  }

  @Test func `React Native's SDK ran last: its keys are restored (A19)`() throws {
    let (report, app) = try restored([
      "rl_session_auto_track_status": false, "rl_last_event_time_stamp": 1_763_620_000,
      "rl_session_id": 1_763_620_000, "rl_application_version_key": "2.0", "rl_application_build_key": "200",
    ])
    #expect(report.findings.filter { $0.field != nil }.allSatisfy { $0.code != .sourceReactNative })
    #expect(app.restored["is_manual_session"] == false && app.restored["last_activity_time"] == "1763630000000")
    #expect(app.restored["rudder.app_version"] == "3.0.0" && app.restored["rudder.app_build"] == 300)
  }

  @Test func `where it is not certain, the fields are named in the report (A19)`() throws {
    let (report, app) = try restored([
      "rl_session_auto_track_status": false, "rl_last_event_time_stamp": 1_763_620_000,
      "rl_session_id": 1_763_640_000,
    ])
    #expect(report.status == .done && app.restored["is_manual_session"] == false)
    let fields = report.findings.filter { $0.code == .sourceReactNative }.compactMap(\.field)
    #expect(Set(fields) == ["is_manual_session", "last_activity_time", "rudder.app_version", "rudder.app_build"])
  }
}
