@testable import Carryover

@Suite("Planning a cleanup") struct CleanupPlanTests {
  static let held: PropertyListDictionary = [
    "anonymous_id": .string(LegacyApp.anonymousID), "user_id": "u-42",
    "traits": #"{"email":"ada@example.com","plan":"pro"}"#, "session_id": "1763640000",
    "is_manual_session": false, "last_activity_time": "1763640123000", "rudder.app_version": "4.2.0",
    "rudder.app_build": 420,
  ]

  private func verdict(
    _ key: String, _ value: PropertyListValue, target changes: [String: PropertyListValue?] = [:]
  ) throws -> CleanupVerdict? {
    var target = Self.held
    for (key, value) in changes { target[key] = value }
    let app = LegacyApp(standard: ["app.own": 1, key: value], file: nil, target: target)
    let plan = try app.cleanupPlan()
    #expect(plan.entries.count <= 1, "keys that are not legacy are never listed")
    return plan.entries.first { $0.id.key == key }?.verdict
  }

  private func traits(_ json: String, target: [String: PropertyListValue?] = [:]) throws -> CleanupVerdict? {
    try verdict("rl_traits", .string(json), target: target)
  }

  @Test func `all that a migration carried over is removable, from every store`() throws {
    let app = LegacyApp(target: Self.held)
    let plan = try app.cleanupPlan()
    #expect(plan.stores.map(\.id) == [LegacyApp.standardPath, CleanupBox.filePath])
    #expect(plan.stores.map(\.isOwn) == [false, true])
    #expect(plan.entries.count == 14)
    #expect(plan.removable == plan.entries)
    let traits = plan.entries.first { $0.id.key == "rl_traits" }
    #expect(traits?.verdict == .removable(heldBy: ["anonymous_id", "user_id", "traits"]))
    #expect(plan.basis.contains(PlanBasis(store: LegacyApp.targetPath, key: "user_id", value: "u-42")))
  }

  @Test(arguments: [("u-42", true), ("u-43", false), ("", false)])
  func `a value of another type, or another value, stays`(userID: String, removable: Bool) throws {
    let json =
      #"{"anonymousId":"\#(LegacyApp.anonymousID)","userId":"\#(userID)","email":"ada@example.com","plan":"pro"}"#
    let expected: CleanupVerdict =
      removable ? .removable(heldBy: ["anonymous_id", "user_id", "traits"]) : .stays(.differs(["user_id"]))
    #expect(try traits(json) == expected)
    #expect(
      try verdict("rl_session_id", 1_763_640_000, target: ["session_id": 1_763_640_000])
        == .stays(.differs(["session_id"])))
  }

  @Test func `a value that was skipped at apply is missing in the target`() throws {
    #expect(
      try verdict("rl_application_build_key", "420", target: ["rudder.app_build": nil])
        == .stays(.missing(["rudder.app_build"])))
  }

  @Test func `without a target, or with one that cannot be read, nothing that a rule reads can go`() throws {
    let unreadable = Store(path: LegacyApp.targetPath, content: .unreadable("It is damaged."))
    let cases: [(LegacyApp, CleanupReason)] = [
      (LegacyApp(), .noTarget), (LegacyApp(target: Self.held, bundleID: nil), .noTarget),
      (LegacyApp(otherStores: [unreadable]), .unreadableTarget("The new SDK's file cannot be read: It is damaged.")),
    ]
    for (app, reason) in cases {
      let plan = try app.cleanupPlan()
      #expect(!plan.entries.isEmpty)
      #expect(plan.entries.allSatisfy { $0.verdict == .stays(reason) })
    }
  }

  @Test func `a target key that stands there twice, with other values, proves nothing`() throws {
    let twice = PropertyListDictionary(entries: [
      .init(key: "rudder.app_version", value: "4.2.0"), .init(key: "rudder.app_version", value: "4.1.0"),
    ])
    let target = try Store(LegacyApp.targetPath, twice)
    let app = LegacyApp(standard: ["rl_application_version_key": "4.2.0"], file: nil, otherStores: [target])
    let plan = try app.cleanupPlan()
    #expect(plan.entries.map(\.verdict) == [.stays(.differs(["rudder.app_version"]))])
  }

  @Test func `what is left behind stays, its secrets marked, and so does what no rule knows`() throws {
    #expect(try verdict("rl_opt_status", true) == .stays(.leftBehind))
    #expect(try verdict("rl_something_new", 1) == .stays(.unknownKey))
    #expect(try verdict("rs_other", 1) == .stays(.unknownKey))
    let app = LegacyApp(standard: ["rl_auth_token": "t", "rl_prefs": 1], file: nil, target: Self.held)
    let plan = try app.cleanupPlan()
    #expect(plan.entries.map(\.secret) == [true, false])
  }

  @Test func `what cannot be carried over stays, whatever the target holds`() throws {
    #expect(try verdict("rl_application_build_key", "4.2.0-rc1") == .stays(.notCarried(["rudder.app_build"])))
    #expect(try verdict("rl_session_id", "1763640000") == .stays(.notCarried(["session_id"])))
    #expect(try verdict("rl_last_event_time_stamp", 4_102_444_800) == .stays(.notCarried(["last_activity_time"])))
    #expect(
      try verdict("rl_session_id", 0, target: ["session_id": "0"]) == .stays(.notCarried(["session_id"])),
      "the new SDK reads this as none")
    for json in [#"{"userId":"u-42","#, "[1]", #"{"a":1e999}"#, #"{"a":"\ud800"}"#] {
      #expect(try traits(json) == .stays(.notCarried(["anonymous_id", "user_id", "traits"])), "\(json)")
    }
    #expect(try traits(#"{"userId":null}"#) == .stays(.notCarried(["user_id"])))
    #expect(try traits(#"{"userId":["u-42"]}"#) == .stays(.notCarried(["user_id"])))
    #expect(try verdict("rl_traits", .data([1])) == .stays(.notCarried(["anonymous_id", "user_id", "traits"])))
  }

  @Test func `a step that does not keep all of a value lets it stay`() throws {
    #expect(try verdict("rl_last_event_time_stamp", 1_763_640_123.0001) == .stays(.inexact(["last_activity_time"])))
    #expect(try verdict("rl_session_auto_track_status", 2) == .stays(.inexact(["is_manual_session"])))
    #expect(try verdict("rl_application_build_key", "0420") == .stays(.inexact(["rudder.app_build"])))
    #expect(try verdict("rl_session_id", 1_763_640_000.0) == .stays(.inexact(["session_id"])))
  }

  @Test func `the ids that are cut out of the traits must be held by themselves`() throws {
    let rest = #""email":"ada@example.com","plan":"pro""#
    let all: CleanupVerdict = .removable(heldBy: ["anonymous_id", "user_id", "traits"])
    let ids = #""anonymousId":"\#(LegacyApp.anonymousID)","userId":"u-42""#
    #expect(try traits("{\(ids),\(rest)}") == all)
    #expect(try traits(#"{\#(ids),"id":"u-42",\#(rest)}"#) == all)
    #expect(try traits(#"{\#(ids),"id":"LOYAL",\#(rest)}"#) == .stays(.lost(["id"])))
    #expect(try traits(#"{\#(ids),"id":null,\#(rest)}"#) == .stays(.lost(["id"])))
    #expect(try traits(#"{\#(ids),"id":{"a":"u-42"},\#(rest)}"#) == .stays(.lost(["id"])))
    #expect(try traits(#"{"anonymousId":"other",\#(rest)}"#) == .stays(.differs(["anonymous_id"])))
    #expect(
      try traits(#"{"anonymousId":"x","userId":"u-42",\#(rest)}"#, target: ["user_id": nil])
        == .stays(.missing(["user_id"])))
  }

  @Test func `a member that occurs twice with two values is lost but for the last`() throws {
    let rest = #""email":"ada@example.com","plan":"pro""#
    #expect(try traits(#"{"userId":"u-41","userId":"u-42",\#(rest)}"#) == .stays(.lost(["userId"])))
    #expect(try traits(#"{"userId":"u-42","userId":"u-42",\#(rest)}"#) == .removable(heldBy: ["user_id", "traits"]))
    #expect(try traits(#"{"userId":"u-42","id":"u-42","id":"x",\#(rest)}"#) == .stays(.lost(["id"])))
  }

  @Test(arguments: [("4.10", "4.1"), ("1E5", "100000")])
  func `a number that the proposal writes another way stays`(lexeme: String, text: String) throws {
    let json = #"{"userId":\#(lexeme),"email":"ada@example.com","plan":"pro"}"#
    #expect(try traits(json, target: ["user_id": .string(text)]) == .stays(.inexact(["user_id"])))
    #expect(try traits(json, target: ["user_id": .string(lexeme)]) == .stays(.differs(["user_id"])))
  }

  @Test(arguments: ["42", "4.1", "9007199254740993", "18446744073709551616"])
  func `a number in JSON text is held as its own text only`(lexeme: String) throws {
    let json = #"{"userId":\#(lexeme),"id":\#(lexeme),"email":"ada@example.com","plan":"pro"}"#
    #expect(try traits(json, target: ["user_id": .string(lexeme)]) == .removable(heldBy: ["user_id", "traits"]))
    #expect(try traits(json, target: ["user_id": .string(lexeme + "0")]) == .stays(.differs(["user_id"])))
  }

  @Test func `traits must be held byte by byte`() throws {
    #expect(
      try traits(#"{"plan":"pro","email":"ada@example.com"}"#) == .stays(.differs(["traits"])),
      "another order may be another text")
    #expect(
      try traits(#"{"anonymousId":"\#(LegacyApp.anonymousID)"}"#, target: ["traits": nil])
        == .removable(heldBy: ["anonymous_id"]), "nothing is left to hold")
    #expect(try traits("{}") == .stays(.notCarried(["anonymous_id", "user_id", "traits"])))
  }

  @Test func `a key that a file holds twice can go only where both values are held, and the same`() throws {
    func verdict(_ values: PropertyListValue...) throws -> CleanupVerdict? {
      let entries = values.map { PropertyListDictionary.Entry(key: "rl_application_build_key", value: $0) }
      let app = LegacyApp(standard: nil, file: PropertyListDictionary(entries: entries), target: Self.held)
      return try app.cleanupPlan().entries.first?.verdict
    }
    #expect(try verdict("420", "420") == .removable(heldBy: ["rudder.app_build"]))
    #expect(try verdict("420", "421") == .stays(.differs(["rudder.app_build"])))
    #expect(try verdict("421", "420") == .stays(.differs(["rudder.app_build"])))
    #expect(try verdict("420", 420) == .stays(.differs(["rudder.app_build"])))
  }

  @Test func `every file of the recipe is looked at, a damaged one is named, and the target is none of them`() throws {
    let caches = "AppData/Library/Caches/rsDefaultsPersistence.plist"
    var app = LegacyApp(target: Self.held)
    app.otherStores = [Store(path: caches, content: .unreadable("It is empty."))]
    let plan = try app.cleanupPlan()
    #expect(plan.stores.last == CleanupStore(id: caches, isOwn: true, problem: "It is empty."))
    #expect(plan.entries.allSatisfy { $0.id.file != caches })
    let odd = Planner(app.recipe).cleanupPlan(
      try app.container(), now: LegacyApp.now, options: PlannerOptions(writeKey: nil, targetPath: CleanupBox.filePath))
    #expect(odd.entries.allSatisfy { $0.id.file == LegacyApp.standardPath })
  }

  @Test func `values of any depth and size are looked at without a trap`() throws {
    let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
    #expect(try traits(#"{"a":\#(deep)}"#) == .stays(.notCarried(["anonymous_id", "user_id", "traits"])))
    var value: PropertyListValue = 1
    for _ in 0..<400 { value = .array([value]) }
    #expect(try verdict("rl_anonymous_id", value) == .stays(.notCarried(["anonymous_id"])))
    let wide = "{" + (0..<50_000).map { #""k\#($0)":\#($0)"# }.joined(separator: ",") + "}"
    #expect(try traits(wide) == .stays(.differs(["traits"])))
    #expect(
      try verdict("rl_last_event_time_stamp", .integer(PropertyListInteger(UInt64.max)))
        == .stays(.notCarried(["last_activity_time"])))
    #expect(
      try verdict("rl_last_event_time_stamp", .real(PropertyListReal(.infinity)))
        == .stays(.notCarried(["last_activity_time"])))
  }

  @Test func `each reason has a sentence and a code of its own`() {
    let reasons: [CleanupReason] = [
      .leftBehind, .unknownKey, .noTarget, .unreadableTarget("No."), .missing(["a"]), .differs(["a"]), .inexact(["a"]),
      .lost(["a"]),
      .notCarried(["a"]),
    ]
    #expect(Set(reasons.map(\.code)).count == reasons.count)
    #expect(Set(reasons.map(\.description)).count == reasons.count)
    #expect(reasons.allSatisfy { $0.description.hasSuffix(".") })
    #expect(CleanupReason.lost(["a\u{202E}b"]).description.contains(#"a\u{202E}b"#))
  }
}

@Suite("Planning after a cleanup") struct AfterCleanupTests {
  private func expectCalm(_ box: CleanupBox, _ remark: Comment? = nil) throws {
    let plan = try box.plan()
    #expect(plan.fields.allSatisfy { $0.status == .unchanged && $0.findings.isEmpty }, remark)
    #expect(plan.undecided([:]).isEmpty, remark)
    let tree = box.fileSystem.tree("/")
    #expect(try box.apply().runID == nil, remark)
    #expect(box.fileSystem.tree("/") == tree, remark)
  }

  @Test func `with any one key removed, from all stores`() throws {
    for key in LegacyApp.clean.keys {
      let box = try CleanupBox(LegacyApp())
      try box.apply()
      let places = try box.cleanupPlan().entries.map(\.id).filter { $0.key == key }
      #expect(places.count == 2)
      try box.cleanup(only: Set(places))
      #expect(try box.plan().undecided([:]).isEmpty, "\(key)")
      #expect(try box.apply().runID == nil, "\(key)")
      let codes = try box.plan().codes.subtracting([.targetExists])
      #expect(codes.isEmpty, "\(key): \(codes)")
    }
  }

  @Test func `where another store's other value was decided against, and stays`() throws {
    var file = LegacyApp.clean
    file["rl_anonymous_id"] = "3b8e55d0-91c4-4f6a-a7d2-c20e6f18497b"
    let box = try CleanupBox(LegacyApp(file: file))
    try box.apply(["anonymous_id": .migrate])
    try box.cleanup()
    #expect(box.keys(CleanupBox.filePath) == ["rl_anonymous_id"])
    try expectCalm(box)
  }

  @Test func `unless the app writes a new value: that is a conflict, as ever`() throws {
    let box = try CleanupBox(LegacyApp())
    try box.apply()
    try box.cleanup()
    try box.put(LegacyApp.standardPath, ["rl_anonymous_id": "11111111-91c4-4f6a-a7d2-c20e6f18497b"])
    #expect(try box.plan().field("anonymous_id")?.status == .conflict)
  }

  @Test func `and once the cleanup is taken back, everything is as before it`() throws {
    let box = try CleanupBox(LegacyApp())
    try box.apply()
    let before = try box.plan()
    let run = try box.cleanup().runID
    #expect(try box.migrator.removedByCleanups(in: box.container).count == 14)
    _ = try box.migrator.rollback(in: box.container, runID: run)
    #expect(try box.migrator.removedByCleanups(in: box.container).isEmpty)
    #expect(try box.plan().fields == before.fields)
  }
}
