@testable import Carryover

@Suite("Saved plans against the container as it is now") struct SavedPlanCheckTests {
  private static let filePath = "AppData/" + LegacyApp().filePath
  private static let stores = [LegacyApp.standardPath, filePath, LegacyApp.targetPath]

  private static let app = LegacyApp(target: ["anonymous_id": "their own", "rudder.app_build": 1, "other": true])

  /// The app with a key of one of its stores changed; nil removes it.
  private static func changed(
    _ app: LegacyApp, _ store: String, _ key: String, to value: PropertyListValue?
  ) -> LegacyApp {
    var app = app
    switch store {
    case LegacyApp.standardPath: app.standard?[key] = value
    case filePath: app.file?[key] = value
    default: app.target?[key] = value
    }
    return app
  }

  private static func value(_ app: LegacyApp, _ place: KeyPlace) -> PropertyListValue? {
    switch place.file {
    case LegacyApp.standardPath: app.standard?[place.key]
    case filePath: app.file?[place.key]
    default: app.target?[place.key]
    }
  }

  @Test func `every value a plan rests on: changed, appeared or vanished, it is named once (A16)`() throws {
    let saved = try SavedSample(app: Self.app, decisions: ["anonymous_id": .migrate]).saved()
    var counts: [String: Int] = [:]
    for place in saved.basis.map(\.place) {
      let old = Self.value(Self.app, place)
      for new in [old == nil ? nil : .none, "something else", .data([1])] as [PropertyListValue?] where new != old {
        let kind = old == nil ? "appeared" : new == nil ? "vanished" : "changed"
        counts[kind + " " + (place.file == LegacyApp.targetPath ? "target" : "source"), default: 0] += 1
        #expect(throws: SavedPlanError.stale([place]), "\(kind): \(place)") {
          try SavedSample.carryOut(saved, on: Self.changed(Self.app, place.file, place.key, to: new))
        }
      }
    }
    for kind in ["changed", "appeared", "vanished"] {
      for side in ["source", "target"] { #expect((counts[kind + " " + side] ?? 0) > 0, "\(kind) \(side)") }
    }
  }

  @Test func `a store that goes is stale in every key it had, and one that comes in every key it has`() throws {
    let both = Self.app
    var one = both
    one.file = nil
    let keys = Set(LegacyApp.clean.keys)
    for (before, after) in [(both, one), (one, both)] {
      let saved = try SavedSample(app: before).saved()
      do {
        try SavedSample.carryOut(saved, on: after)
        Issue.record("it is not stale")
      } catch SavedPlanError.stale(let places) {
        #expect(Set(places.map(\.key)) == keys)
        #expect(places.count == keys.count)
        #expect(Set(places.map(\.file)) == [Self.filePath])
      }
    }
    var elsewhere = both
    elsewhere.filePath = "Library/Caches/rsDefaultsPersistence.plist"
    #expect(throws: SavedPlanError.self) {
      try SavedSample.carryOut(try SavedSample(app: both).saved(), on: elsewhere)
    }
  }

  @Test func `what the plan did not use may change: other keys of its stores, other stores, events`() throws {
    let sample = SavedSample(app: Self.app, decisions: ["anonymous_id": .migrate, "rudder.app_build": .keep])
    let saved = try sample.saved()
    let expected = try SavedSample.carryOut(saved, on: Self.app).changes
    #expect(!expected.isEmpty)
    for store in Self.stores {
      for value in ["new", 1, nil] as [PropertyListValue?] {
        let app = Self.changed(Self.app, store, "other", to: value)
        #expect(try SavedSample.carryOut(saved, on: app).changes == expected, "\(store)")
      }
    }
    var app = Self.app
    app.otherStores = [
      try Store("AppData/Library/Preferences/x.plist", ["a": 1], as: .xml),
      Store(path: "AppData/Library/Preferences/y.plist", content: .unreadable("It is not there.")),
    ]
    app.unsentEvents = [UnsentEvents(path: "AppData/Library/events.sqlite", count: 3)]
    #expect(try SavedSample.carryOut(saved, on: app).changes == expected)
  }

  @Test func `applied a second time nothing is left to write, also after edits, repairs and skips (A13)`() throws {
    var wrong = Self.app
    wrong.target?["session_id"] = 5
    wrong.standard?["rl_session_id"] = nil
    wrong.file?["rl_session_id"] = nil
    let decisions: [Decisions] = [
      ["anonymous_id": .migrate], ["anonymous_id": .keep, "user_id": .edit("43")],
      ["anonymous_id": .edit("e"), "traits": .skip], ["anonymous_id": .skip, "session_id": .omit],
      ["session_id": .migrate, "user_id": .omit],
    ]
    for app in [Self.app, wrong, LegacyApp()] {
      for decisions in decisions {
        let saved = try SavedSample(app: app, decisions: decisions).saved()
        let first = try SavedSample.carryOut(saved, on: app)
        #expect(!first.changes.isEmpty)
        var after = app
        after.target = SavedSample.written(first.changes, to: app.target)
        var settled: [StringByBytes: SettledField] = [:]
        for field in first.plan.fields {
          settled[field.id] = SettledField(legacy: field.legacy, left: after.target?[field.id], runID: "r")
        }
        #expect(try SavedSample.carryOut(saved, on: after, settled: settled).changes == [], "\(decisions)")
      }
    }
  }

  @Test func `applied in part, the rest is written; a target that holds anything else is stale`() throws {
    let app = LegacyApp()
    let saved = try SavedSample(app: app).saved()
    let all = try SavedSample.carryOut(saved, on: app).changes
    for change in all {
      var partly = app
      partly.target = SavedSample.written([change], to: nil)
      #expect(try SavedSample.carryOut(saved, on: partly).changes == all.filter { $0 != change })
      let place = KeyPlace(file: LegacyApp.targetPath, key: change.key)
      for decision in [Decision.skip, .keep, .omit, .edit("another")] {
        #expect(throws: SavedPlanError.stale([place])) {
          try SavedSample.carryOut(saved, on: partly, overriding: [change.key: decision])
        }
      }
      partly.target?[change.key] = .data([9])
      #expect(throws: SavedPlanError.stale([place])) { try SavedSample.carryOut(saved, on: partly) }
    }
  }

  @Test func `what runs settled makes no container stale, and takes nothing from what the plan would write`() throws {
    let app = LegacyApp.with(["rl_traits": #"{"userId":42}"#])
    let plan = try app.plan()
    let settled = Dictionary(
      firstOf: plan.fields.map { ($0.id, SettledField(legacy: $0.legacy, left: nil, runID: "r")) })
    let saved = try SavedSample(app: app, decisions: ["user_id": .migrate]).saved()
    let changes = try SavedSample.carryOut(saved, on: app).changes
    #expect(changes.contains { $0.key == "user_id" })
    #expect(try SavedSample.carryOut(saved, on: app, settled: settled).changes == changes)
    var options = PlannerOptions(writeKey: LegacyApp.writeKey)
    options.settled = settled
    let later = try SavedSample(app: app, options: options).saved()
    #expect(later.fields.allSatisfy { $0.status == .unchanged })
    #expect(try SavedSample.carryOut(later, on: app, settled: settled).changes == [])
  }

  @Test func `a repair that a run has settled, or that is no longer settled, makes no container stale`() throws {
    var app = LegacyApp(standard: ["rl_anonymous_id": "a"], file: nil, target: ["session_id": 5])
    app.target?["anonymous_id"] = "a"
    let settled: [StringByBytes: SettledField] = ["session_id": SettledField(legacy: nil, left: 5, runID: "r")]
    var options = PlannerOptions(writeKey: LegacyApp.writeKey)
    let open = try SavedSample(app: app).saved()
    options.settled = settled
    let closed = try SavedSample(app: app, options: options).saved()
    #expect(open.fields != closed.fields)
    #expect(try SavedSample.carryOut(open, on: app, settled: settled).changes == [])
    #expect(try SavedSample.carryOut(closed, on: app).changes == [])
    #expect(throws: SavedPlanError.differs(["session_id"])) {
      try SavedSample.carryOut(closed, on: app, overriding: ["session_id": .migrate])
    }
  }

  @Test func `values that were edited in the file are never written: the plan no longer comes out as saved`() throws {
    let sample = SavedSample(app: LegacyApp())
    for id in try sample.saved().fields.map(\.id) {
      for member in ["proposed", "legacy", "current"] {
        var saved = try sample.saved()
        let index = try #require(saved.fields.firstIndex { $0.id == id })
        switch member {
        case "proposed": saved.fields[index].proposed = .whole("forged")
        case "legacy": saved.fields[index].legacy = .whole("forged")
        default: saved.fields[index].current = .whole("forged")
        }
        #expect(throws: SavedPlanError.differs([id])) { try SavedSample.carryOut(saved, on: sample.app) }
      }
    }
    var saved = try sample.saved()
    let removed = saved.fields.removeFirst()
    #expect(throws: SavedPlanError.differs([removed.id])) { try SavedSample.carryOut(saved, on: sample.app) }
    saved = try sample.saved()
    saved.basis = []
    let held = try sample.app.plan().basis.filter { $0.value != nil }.map { KeyPlace(file: $0.store, key: $0.key) }
    #expect(throws: SavedPlanError.stale(held)) { try SavedSample.carryOut(saved, on: sample.app) }
  }

  @Test func `another recipe or version, and another target are refused`() throws {
    let app = LegacyApp()
    let saved = try SavedSample(app: app).saved()
    for change in [{ $0.version += 1 }, { $0.id = "another" }] as [(inout RecipeReference) -> Void] {
      var later = saved
      change(&later.recipe)
      #expect(
        throws: SavedPlanError.otherRecipe(saved: later.recipe, present: Recipe.rudderStackObjC.reference)
      ) { try SavedSample.carryOut(later, on: app) }
    }
    var forged = saved
    forged.target = LegacyApp.standardPath
    #expect(
      throws: SavedPlanError.otherTarget(saved: LegacyApp.standardPath, present: LegacyApp.targetPath)
    ) { try SavedSample.carryOut(forged, on: app) }
  }

  @Test func `what an error says is bounded and harmless, and names every store and key once`() throws {
    let places = Self.stores.flatMap { store in ["a", "b\u{202E}"].map { KeyPlace(file: store, key: $0) } }
    let text = SavedPlanError.stale(places).description
    for store in Self.stores { #expect(text.components(store) == 1, "\(text)") }
    #expect(text.contains("\\u{202E}") && !text.contains("\u{202E}"))
    let long = String(repeating: "x\u{1b}", count: 100_000)
    let many = (0..<10_000).map { KeyPlace(file: "\($0 % 500)", key: long) }
    let reference = RecipeReference(id: long, version: 1, title: "")
    let errors: [SavedPlanError] = [
      .differs(Array(repeating: long, count: 1_000)), .otherRecipe(saved: reference, present: reference),
      .damaged(path: "p", .otherForm(long)), .damaged(path: "p", .laterSchema(long)),
      .damaged(path: "p", .member("basis")), .damaged(path: "p", .tooLong(limit: 3)),
      .notSavable(path: "p", .otherForm(nil)),
      .otherTarget(saved: nil, present: "x"), .occupied(path: "p", .directory), .occupied(path: "p", .other),
      .reserved(path: "p\u{1b}", .container), .reserved(path: "p", .stateFolder), .reserved(path: "p", .target),
      .occupied(path: "p", .symbolicLink), .occupied(path: "p", .regular), .stale(Array(many.prefix(3))),
    ]
    for error in errors {
      #expect(error.description.utf8.count < 60_000, "\(error.description.prefix(300))")
      #expect(!error.description.contains("\u{1b}"))
      #expect(error.description.hasSuffix("."))
    }
    #expect(SavedPlanError.stale(many).description.contains("and 436 more stores"))
  }
}

extension String {
  fileprivate func components(_ text: String) -> Int {
    split(separator: text, omittingEmptySubsequences: false).count - 1
  }
}
