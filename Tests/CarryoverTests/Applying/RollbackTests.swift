@testable import Carryover

@Suite("Taking a run back") struct RollbackTests {
  @Test func `takes runs back one after the other, newest first, and then has nothing left`() throws {
    let (fileSystem, box) = try MemoryFileSystem.sample(target: .binary)
    var states = [fileSystem.target]
    for id in ["anonymous_id", "session_id", "is_manual_session"] {
      let plan = box.plan(target: fileSystem.target)
      let skips = plan.fields.filter { $0.id != id }.map { ($0.id, Decision.skip) }
      _ = try fileSystem.migrator.apply(plan, decisions: Decisions(uniqueKeysWithValues: skips), in: box.container)
      states.append(fileSystem.target)
    }
    #expect(Set(states).count == 4)
    for number in [3, 2, 1] {
      #expect(try fileSystem.migrator.rollback(in: box.container).rolledBack == "20251120T120500Z-\(number)")
      #expect(fileSystem.target == states[number - 1])
    }
    #expect(throws: RunError.allRolledBack) { try fileSystem.migrator.rollback(in: box.container) }
    _ = try fileSystem.migrator.apply(box.plan(target: fileSystem.target), decisions: [:], in: box.container)
    #expect(try fileSystem.migrator.rollback(in: box.container).rolledBack == "20251120T120500Z-7")
  }

  @Test(arguments: [true, false])
  func `takes a rollback back where it is named, and the run it took back holds again`(existing: Bool) throws {
    let (fileSystem, box) = try MemoryFileSystem.sample(target: existing ? .binary : nil)
    let migrator = fileSystem.migrator
    let before = fileSystem.target
    _ = try migrator.apply(box.plan(target: before), decisions: [:], in: box.container)
    let after = fileSystem.tree("/box", excluding: ".carryover")
    let rollback = try #require(try migrator.rollback(in: box.container).runID)
    let report = try migrator.rollback(in: box.container, runID: rollback)
    #expect(report.rolledBack == rollback)
    #expect(report.outcomes.allSatisfy { $0.outcome == .restored })
    #expect(fileSystem.tree("/box", excluding: ".carryover") == after)
    #expect(throws: RunError.noSuchRun(rollback)) { try migrator.rollback(in: box.container, runID: rollback) }
    #expect(try migrator.lastRun(in: box.container)?.id == SampleBox.firstRun)
    #expect(try migrator.rollback(in: box.container).rolledBack == SampleBox.firstRun)
    #expect(fileSystem.target == before)
  }

  @Test func `writes nothing where the keys are gone already, with their file or without it`() throws {
    let (fileSystem, box) = try MemoryFileSystem.sample(target: .binary, isApplied: true)
    try box.put(SampleBox.targetPath, try SampleBox.bytes([("written.since", 1)]), 0o600)
    for isFileThere in [true, false] {
      if !isFileThere { try fileSystem.remove("/box/" + SampleBox.targetPath) }
      let tree = fileSystem.tree("/")
      fileSystem.arm()
      let report = try fileSystem.migrator.rollback(in: box.container)
      #expect(report.runID == nil)
      #expect(report.outcomes.map(\.outcome) == [.unchanged, .unchanged, .unchanged, .unchanged])
      #expect(fileSystem.tree("/") == tree)
      #expect(fileSystem.log.filter(\.operation.writes).isEmpty)
    }
  }
}

@Suite("Taking a run back key by key") struct KeyRollbackTests {
  @Test(arguments: [PropertyListFormat.binary, .xml])
  func `keeps what the app wrote since, byte for byte`(format: PropertyListFormat) throws {
    let box = try RollbackBox(target: format)
    try box.edit(.set("app.key", ["new", 1]), .set("other.true", false))
    #expect(try box.rollback().outcomes.map(\.outcome) == [.restored, .restored, .restored, .restored])
    let expected = try PropertyListDocument(bytes: try #require(box.before))
      .editing([.set("app.key", ["new", 1]), .set("other.true", false)])
    #expect(box.values == (try PropertyListDocument(bytes: expected).dictionary))
    if format == .xml { #expect(box.fileSystem.target == expected) }
    guard case .file(let mode, _, _) = box.fileSystem.tree("/box")[SampleBox.targetPath] else {
      return #expect(Bool(false))
    }
    #expect(mode == 0o644, "an edited file keeps the mode it has now")
    #expect(try box.standings() == [.holds, .takenBack])
  }

  @Test func `plans: as left, changed, conflict and back, without a write`() throws {
    let box = try RollbackBox(target: .binary, held: [("rudder.app_build", 7)])
    box.fileSystem.arm()
    var plan = try box.migrator.rollbackPlan(in: box.container)
    #expect(plan.files == [RollbackFile(id: SampleBox.targetPath, state: .asLeft)])
    #expect(plan.entries.map(\.id.key) == RollbackBox.keys)
    #expect(plan.entries.allSatisfy { $0.state == .restorable && $0.current == $0.after })
    #expect(plan.entries.map(\.before) == [nil, nil, nil, 7])
    #expect(plan.run.id == SampleBox.firstRun)
    #expect(box.fileSystem.log.filter(\.operation.writes).isEmpty)
    try box.edit(.set("rudder.app_build", 8), .remove("session_id"))
    plan = try box.migrator.rollbackPlan(in: box.container)
    #expect(plan.files.map(\.state) == [.changed])
    #expect(plan.entries.map(\.state) == [.restorable, .back, .restorable, .conflict])
    #expect(plan.entries.last?.current == 8)
    try box.box.put(SampleBox.targetPath, try #require(box.before), 0o600)
    plan = try box.migrator.rollbackPlan(in: box.container)
    #expect(plan.files.map(\.state) == [.asBefore])
    #expect(plan.entries.allSatisfy { $0.state == .back })
  }

  @Test(arguments: [true, false], [true, false])
  func `a key both have changed stops it until it is decided`(byPolicy: Bool, replaces: Bool) throws {
    let box = try RollbackBox(target: .binary, held: [("rudder.app_build", 7)])
    try box.edit(.set("rudder.app_build", 8), .set("is_manual_session", true))
    let tree = box.fileSystem.tree("/")
    let keys = ["is_manual_session", "rudder.app_build"].map(RollbackBox.place)
    let error = RunError.rollbackConflict(run: SampleBox.firstRun, keys: keys)
    #expect(throws: error) { try box.rollback() }
    #expect(throws: error) { try box.migrator.rollback(in: box.container) }
    for part in ["“is_manual_session”", "“rudder.app_build”", "Nothing was changed."] {
      #expect(error.description.contains(part))
    }
    #expect(box.fileSystem.tree("/") == tree)
    let decisions = ["is_manual_session", "rudder.app_build"].map { ($0, replaces ? RollbackDecision.restore : .keep) }
    let report = try box.rollback(
      decisions: byPolicy ? [:] : Dictionary(uniqueKeysWithValues: decisions),
      onConflict: byPolicy ? (replaces ? .replace : .keep) : .fail)
    let outcome = replaces ? Outcome.restored : .skipped
    #expect(report.outcomes.map(\.outcome) == [.restored, .restored, outcome, outcome])
    #expect(box.values?["rudder.app_build"] == (replaces ? 7 : 8))
    #expect(box.values?["is_manual_session"] == (replaces ? nil : true))
    #expect(report.outcomes.allSatisfy { ($0.reason == nil) == ($0.outcome == .restored) })
    #expect(try box.standings() == [.holds, replaces ? .takenBack : .partlyTakenBack])
  }

  @Test(arguments: [PropertyListFormat.binary, .xml, nil])
  func `one key, then the rest, then both rollbacks back`(target: PropertyListFormat?) throws {
    let box = try RollbackBox(target: target)
    let after = box.values
    let first = try box.rollback(["session_id"])
    #expect(first.outcomes == [FieldOutcome(field: "session_id", outcome: .restored)])
    #expect(box.held == ["anonymous_id", "is_manual_session", "rudder.app_build"])
    #expect(try box.standings() == [.holds, .partlyTakenBack])
    let runs = try box.migrator.runs(in: box.container)
    #expect(runs.last?.fields.filter(\.isTakenBack).map(\.id.key) == ["session_id"])

    let rest = try box.rollback()
    #expect(rest.rolledBack == SampleBox.firstRun)
    #expect(rest.outcomes.map(\.outcome) == [.restored, .unchanged, .restored, .restored])
    #expect(box.values == (try box.before.flatMap { try PropertyListDocument(bytes: $0).dictionary }))
    if target != .binary { #expect(box.fileSystem.target == box.before) }
    #expect(try box.standings() == [.holds, .holds, .takenBack])
    #expect(throws: RunError.allRolledBack) { try box.migrator.rollback(in: box.container) }

    try box.rollback(of: RollbackBox.run(3))
    #expect(box.held == ["anonymous_id", "is_manual_session", "rudder.app_build"])
    #expect(try box.standings() == [.holds, .takenBack, .holds, .partlyTakenBack])
    try box.rollback(of: RollbackBox.run(2))
    #expect(box.held == RollbackBox.keys)
    #expect(try box.standings() == [.holds, .holds, .takenBack, .takenBack, .holds])
    #expect(Set(box.values?.entries ?? []) == Set(after?.entries ?? []))
    #expect(throws: RunError.noSuchRun(RollbackBox.run(2))) { try box.rollback(of: RollbackBox.run(2)) }
  }

  @Test func `a part of a rollback can be taken back`() throws {
    let box = try RollbackBox(target: nil)
    try box.rollback()
    #expect(box.fileSystem.target == nil)
    try box.rollback(["session_id"], of: RollbackBox.run(2))
    #expect(box.held == ["session_id"])
    #expect(try box.standings() == [.holds, .partlyTakenBack, .partlyTakenBack])
    #expect(try box.migrator.lastRun(in: box.container)?.fields == ["session_id"])
    try box.rollback()
    #expect(box.fileSystem.target == nil)
    #expect(try box.standings() == [.holds, .holds, .partlyTakenBack, .takenBack])
  }

  @Test(arguments: [PropertyListFormat.binary, .xml])
  func `a file the app rewrote in the other format stays in it`(format: PropertyListFormat) throws {
    let box = try RollbackBox(target: nil)
    try box.edit(.set("app.key", "new"))
    let values = try #require(box.values)
    try box.box.put(SampleBox.targetPath, PropertyListDocument.encode(.dictionary(values), as: format), 0o600)
    try box.rollback()
    let document = try PropertyListDocument(bytes: try #require(box.fileSystem.target))
    #expect(document.format == format)
    #expect(document.dictionary == ["app.key": "new"])
  }

  @Test func `a file the run made goes once its keys are out of it, and stays where others are in it`() throws {
    let box = try RollbackBox(target: nil)
    let folder = "/box/AppData/Library/Preferences"
    #expect(box.fileSystem.tree(folder).count == 2)
    try box.edit(.set("app.key", 1))
    try box.rollback(["session_id"])
    try box.edit(.remove("app.key"))
    try box.rollback()
    #expect(box.fileSystem.tree(folder).isEmpty, "the folder the run made goes too")
    let other = try RollbackBox(target: nil)
    try other.edit(.set("app.key", 1))
    try other.rollback()
    #expect(other.values == ["app.key": 1])
  }

  /// A run that creates the file with one key, and one that adds two.
  private func twoRuns() throws -> RollbackBox {
    let box = try RollbackBox(target: nil, only: ["anonymous_id"])
    try box.apply(only: ["session_id", "rudder.app_build"])
    return box
  }

  @Test(arguments: [[1, 2], [2, 1]])
  func `a file of two runs goes with the last of them, in either order`(order: [Int]) throws {
    let box = try twoRuns()
    for number in order {
      #expect(box.fileSystem.target != nil)
      try box.rollback(of: RollbackBox.run(number))
    }
    #expect(box.fileSystem.target == nil)
  }

  @Test func `a file of two runs goes with the last key of both, and its plan says so`() throws {
    let box = try twoRuns()
    try box.rollback(of: RollbackBox.run(1))
    try box.rollback(["session_id"], of: RollbackBox.run(2))
    let file = try #require(try box.migrator.rollbackPlan(in: box.container, runID: RollbackBox.run(2)).files.first)
    #expect(file.isRemovable && !file.isNew && file.state == .changed)
    #expect(file.isRemoved(leaving: [nil, nil]) && !file.isRemoved(leaving: [nil, 1]))
    try box.rollback(["rudder.app_build"], of: RollbackBox.run(2))
    #expect(box.fileSystem.target == nil)
  }

  @Test func `a file of two runs stays, if empty, where the app had a hand in it or a run is in effect`() throws {
    let held = try twoRuns()
    try held.edit(.remove("anonymous_id"))
    try held.rollback(of: RollbackBox.run(2))
    #expect(held.values == [:], "run 1 is in effect")

    let other = try twoRuns()
    try other.edit(.set("app.key", 1))
    for number in [1, 2] { try other.rollback(of: RollbackBox.run(number)) }
    #expect(other.values == ["app.key": 1])

    let between = try RollbackBox(target: nil, only: ["anonymous_id"])
    try between.edit(.set("app.key", 1))
    try between.apply(only: ["session_id"])
    try between.edit(.remove("app.key"))
    for number in [1, 2] { try between.rollback(of: RollbackBox.run(number)) }
    #expect(between.values == [:], "the app wrote between the runs")

    let empty = try RollbackBox(target: nil, only: ["anonymous_id"])
    try empty.rollback()
    #expect(empty.fileSystem.target == nil)
    let bytes = try PropertyListDocument.encode(.dictionary([:]), as: .binary)
    empty.fileSystem.put("/box/" + SampleBox.targetPath, bytes, mode: 0o600)
    try empty.apply(only: ["session_id", "rudder.app_build"])
    for key in ["session_id", "rudder.app_build"] { try empty.rollback([key], of: RollbackBox.run(3)) }
    #expect(empty.values == [:], "the app created it")
  }

  @Test func `a file deleted since comes back for the keys that are decided so, with the mode it had`() throws {
    let box = try RollbackBox(target: .xml, held: [("rudder.app_build", 7)])
    try box.fileSystem.remove("/box/" + SampleBox.targetPath)
    #expect(throws: RunError.rollbackConflict(run: SampleBox.firstRun, keys: [RollbackBox.place("rudder.app_build")])) {
      try box.rollback()
    }
    try box.rollback(onConflict: .replace)
    #expect(box.values == ["rudder.app_build": 7])
    let bytes = try #require(box.fileSystem.target)
    #expect(try PropertyListDocument(bytes: bytes).format == .xml)
    guard case .file(0o600, _, _) = box.fileSystem.tree("/box")[SampleBox.targetPath] else {
      return #expect(Bool(false))
    }
  }

  @Test(arguments: ConflictPolicy.allCases)
  func `a file that is no property list any more is refused, whatever the policy`(policy: ConflictPolicy) throws {
    let box = try RollbackBox(target: .binary)
    try box.box.put(SampleBox.targetPath, Array("not a list".utf8), 0o600)
    let tree = box.fileSystem.tree("/")
    if policy == .keep {
      #expect(try box.rollback(onConflict: policy).runID == nil)
    } else {
      let error = try #require(throws: RunError.self) { try box.rollback(onConflict: policy) }
      guard case .rollbackUnreadable(SampleBox.firstRun, SampleBox.targetPath, let reason) = error else {
        return #expect(Bool(false), "\(error)")
      }
      #expect(reason.hasPrefix("It changed after the run"))
    }
    #expect(box.fileSystem.tree("/") == tree)
  }

  @Test func `what was shown and is not so any more is a stale plan; a foreign key is not`() throws {
    let box = try RollbackBox(target: .binary)
    let plan = try box.migrator.rollbackPlan(in: box.container)
    try box.edit(.set("session_id", "5"))
    let tree = box.fileSystem.tree("/")
    #expect(
      throws: RunError.stalePlan(
        [PlanBasis(store: SampleBox.targetPath, key: "session_id", value: "1763640000")], of: .rollback)
    ) {
      try box.migrator.rollback(plan, onConflict: .replace, in: box.container)
    }
    #expect(box.fileSystem.tree("/").filter { !$0.key.hasSuffix("lock") } == tree.filter { !$0.key.hasSuffix("lock") })
    let others: Set = ["anonymous_id", "rudder.app_build"]
    try box.edit(.set("app.key", 1))
    _ = try box.migrator.rollback(plan, only: Set(others.map(RollbackBox.place)), in: box.container)
    #expect(box.held == ["session_id", "is_manual_session"])
    #expect(box.values?["app.key"] == 1)
  }

  @Test func `only runs made a file that was absent before them and that nothing else has changed`() throws {
    let box = try RollbackBox(target: nil)
    func isMade(_ box: RollbackBox) throws -> Bool {
      try box.migrator.isMadeByRuns(SampleBox.targetPath, in: box.container)
    }
    #expect(try isMade(box))
    try box.rollback(["session_id"])
    #expect(try isMade(box))
    try box.apply()
    #expect(try isMade(box))
    try box.edit(.set("rudder.app_build", 1))
    #expect(try !isMade(box))
    try box.apply()
    #expect(try !isMade(box))
    #expect(try !isMade(RollbackBox(target: .binary)))
  }

  @Test func `in a file of both SDKs, runs made the fields that had no value before them`() throws {
    let box = try RollbackBox(target: .binary, held: [("rudder.app_build", 7)])
    func isMade(_ fields: [String]) throws -> Bool {
      let plan = box.box.plan(target: box.fileSystem.target)
      return try box.migrator.isMadeByRuns(
        SampleBox.targetPath, sharing: fields.map { try #require(plan.field($0)) }, in: box.container)
    }
    let fields = ["anonymous_id", "session_id", "is_manual_session"]
    #expect(try isMade(fields))
    #expect(try !isMade(fields + ["rudder.app_build"]), "it had a value before")
    try box.rollback(["session_id"])
    #expect(try isMade(fields))
    try box.edit(.set("app.key", 1))
    #expect(try !isMade(fields), "another program has written since")
  }

  @Test func `what was rolled back is not settled any more, until it is written again`() throws {
    let box = try RollbackBox(target: .binary)
    func settled() throws -> Set<String> {
      let fields = try box.migrator.settled(in: box.container, target: SampleBox.targetPath)
      #expect(Set(fields.keys) == Set(bytesOf: RollbackBox.keys))
      return Set(fields.filter { !$0.value.isRolledBack }.keys.map(\.text))
    }
    #expect(try settled() == Set(RollbackBox.keys))
    try box.rollback(["session_id"])
    #expect(try settled() == Set(RollbackBox.keys).subtracting(["session_id"]))
    #expect(try box.apply().runID == RollbackBox.run(3))
    #expect(box.held == RollbackBox.keys)
    #expect(try settled() == Set(RollbackBox.keys))
    // The newest run found this key as it was; the run that wrote it is the first.
    try box.rollback(["anonymous_id"], of: SampleBox.firstRun)
    #expect(try settled() == Set(RollbackBox.keys).subtracting(["anonymous_id"]))
    try box.rollback(of: RollbackBox.run(4))
    #expect(try settled() == Set(RollbackBox.keys))
  }

  @Test func `what another run has written again, to the byte, is not the first run's any more`() throws {
    let box = try RollbackBox(target: nil)
    let after = try #require(box.fileSystem.target)
    try box.rollback(["rudder.app_build"])
    try box.apply()
    try box.box.put(SampleBox.targetPath, after, 0o600)
    let report = try box.rollback(of: SampleBox.firstRun)
    #expect(report.outcomes.map(\.field) == ["anonymous_id", "session_id", "is_manual_session"])
    #expect(box.held == ["rudder.app_build"])
  }
}

struct RollbackBox {
  let fileSystem: MemoryFileSystem
  let box: SampleBox
  let before: [UInt8]?
  var migrator: Migrator { fileSystem.migrator }
  var container: Container { box.container }

  static let keys = ["anonymous_id", "session_id", "is_manual_session", "rudder.app_build"]

  /// - Parameter ids: the fields of the run; nil for all.
  init(target: PropertyListFormat?, held: [(String, PropertyListValue)] = [], only ids: [String]? = nil) throws {
    (fileSystem, box) = try MemoryFileSystem.sample(target: target)
    if let bytes = fileSystem.target, !held.isEmpty {
      let edits = held.map { PropertyListEdit.set($0.0, $0.1) }
      try box.put(SampleBox.targetPath, PropertyListDocument(bytes: bytes).editing(edits), 0o600)
    }
    before = fileSystem.target
    if let ids { try apply(only: ids) } else { try apply() }
  }

  init(copying other: RollbackBox) {
    fileSystem = MemoryFileSystem(copying: other.fileSystem)
    box = SampleBox.inMemory(fileSystem)
    before = other.before
  }

  @discardableResult
  func apply(_ decisions: Decisions = [:]) throws -> RunReport {
    try migrator.apply(box.plan(target: fileSystem.target), decisions: decisions, in: container, onConflict: .replace)
  }

  /// A run of these fields alone.
  @discardableResult
  func apply(only ids: [String]) throws -> RunReport {
    let fields = box.plan(target: fileSystem.target).fields.map(\.id)
    return try apply(Decisions(uniqueKeysWithValues: fields.map { ($0, ids.contains($0) ? .migrate : .omit) }))
  }

  func edit(_ edits: PropertyListEdit...) throws {
    let bytes = try #require(fileSystem.target)
    try box.put(SampleBox.targetPath, PropertyListDocument(bytes: bytes).editing(edits), 0o644)
  }

  @discardableResult
  func rollback(
    _ only: [String]? = nil, of runID: String? = nil, decisions: [String: RollbackDecision] = [:],
    onConflict: ConflictPolicy = .fail
  ) throws -> RunReport {
    try migrator.rollback(
      migrator.rollbackPlan(in: container, runID: runID), only: only.map { Set($0.map(Self.place)) },
      decisions: Dictionary(decisions.map { (Self.place($0.key), $0.value) }, uniquingKeysWith: { first, _ in first }),
      onConflict: onConflict, in: container)
  }

  static func place(_ key: String) -> KeyPlace { KeyPlace(file: SampleBox.targetPath, key: key) }

  static func run(_ number: Int) -> String { "20251120T120500Z-\(number)" }

  var values: PropertyListDictionary? { fileSystem.target.flatMap { try? PropertyListDocument(bytes: $0).dictionary } }

  var held: [String] { Self.keys.filter { values?[$0] != nil } }

  func standings() throws -> [RunStanding] { try migrator.runs(in: container).map(\.standing) }
}
