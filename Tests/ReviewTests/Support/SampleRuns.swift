@testable import Carryover
@testable import CarryoverReview
@testable import CarryoverVendors

private let suite = "AppData/Library/Preferences/com.acme.shop.analytics.1xAcmeWriteKey.plist"
private let legacy = "AppData/Library/Preferences/com.acme.shop.plist"
private let recipe = RecipeReference(id: "rudderstack-objc", version: 1, title: "RudderStack Obj-C → Swift")

let sampleRuns: [RunSummary] = [
  run(
    "20251120T121500Z-5", .cleanup, 900, .interrupted, files: [legacy],
    fields: [field("rl_anonymous_id", legacy, "9f1c2a7e-6b0d-4c3a-9a58-0c1d2e3f4a5b", nil)]),
  run("20251120T121000Z-4", .apply, 600, .partlyTakenBack, files: [suite], fields: appliedFields),
  run(
    "20251120T120800Z-3", .rollback, 480, .holds, files: [suite],
    fields: [field("user_id", suite, "41", nil, .restored)], takenBack: "20251120T120500Z-2"),
  run("20251120T120500Z-2", .apply, 300, .takenBack, files: [suite], fields: [field("user_id", suite, nil, "41")]),
  run(
    "20251101T090000Z-1", .apply, -1_652_400, .holds, files: [suite, legacy],
    fields: [field("user_id", suite, nil, "40"), field("traits", suite, nil, "{}")], isPruned: true),
]

private let appliedFields = [
  field("anonymous_id", suite, nil, "9f1c2a7e-6b0d-4c3a-9a58-0c1d2e3f4a5b"), field("user_id", suite, nil, "42"),
  field("traits", suite, nil, #"{"email":"ada@acme.test","plan":{"tier":"gold"}}"#),
  field("session_id", suite, nil, "1763640000", isTakenBack: true),
  field("is_manual_session", suite, true, false), field("last_activity_time", suite, nil, "1763640123000"),
  field("rudder.app_version", suite, "4.1.9", "4.2.0"),
]

private func run(
  _ id: String, _ kind: RunKind, _ seconds: Int64, _ standing: RunStanding, files: [String], fields: [RunField],
  takenBack: String? = nil, isPruned: Bool = false
) -> RunSummary {
  RunSummary(
    id: id, kind: kind, moment: Moment(secondsSince1970: 1_763_640_000 + seconds), recipe: recipe, tool: "0.1.0",
    files: files, fields: fields, rolledBack: takenBack, standing: standing,
    backup: isPruned ? nil : "/cases/4711/Acme.xcappdata/.carryover/runs/\(id)/before", size: isPruned ? 2100 : 14_336)
}

private func field(
  _ key: String, _ file: String, _ before: PropertyListValue?, _ after: PropertyListValue?,
  _ outcome: Outcome = .migrated, isTakenBack: Bool = false
) -> RunField {
  RunField(id: KeyPlace(file: file, key: key), before: before, after: after, outcome: outcome, isTakenBack: isTakenBack)
}

/// Taking back a run of which one key is back already and, since the app ran, two hold something else.
let conflictedPlan = RollbackPlan(
  run: sampleRuns[1], files: [RollbackFile(id: suite, state: .changed)],
  entries: [
    entry("anonymous_id", .restorable), entry("user_id", .conflict, now: "43"), entry("traits", .restorable),
    entry("session_id", .back), entry("is_manual_session", .restorable),
    entry("last_activity_time", .conflict, now: "1763650456000"), entry("rudder.app_version", .restorable),
  ])

let cleanPlan = RollbackPlan(
  run: sampleRuns[1], files: [RollbackFile(id: suite, state: .asLeft)],
  entries: appliedFields.map { entry($0.id.key, .restorable) })

private func entry(_ key: String, _ state: RollbackEntryState, now: PropertyListValue? = nil) -> RollbackEntry {
  let field = appliedFields.first { $0.id.key == key }
  let current = state == .conflict ? now : state == .back ? field?.before : field?.after
  return RollbackEntry(
    id: KeyPlace(file: suite, key: key), before: field?.before, after: field?.after, current: current, state: state)
}

let sampleRecovered = [
  RecoveredRun(id: "20251120T121500Z-5", kind: .cleanup, ending: .takenBack, files: [legacy]),
  RecoveredRun(id: "20251120T121000Z-4", kind: .apply, ending: .finished, files: [suite]),
]

let sampleRecoveryFailure = ReviewFailure(
  message: RunError.interrupted(
    run: "20251120T121000Z-4", paths: [suite], backup: ".carryover/runs/20251120T121000Z-4/before"
  ).description, remedy: "")

func manyRuns(_ count: Int) -> [RunSummary] {
  (0..<count).map { index in
    var run = sampleRuns[1]
    run.id = "20251120T121000Z-\(count - index)"
    return run
  }
}

func largeRollback(_ count: Int) -> RollbackPlan {
  RollbackPlan(
    run: sampleRuns[1], files: [RollbackFile(id: suite, state: .changed)],
    entries: (0..<count).map { index in
      RollbackEntry(
        id: KeyPlace(file: suite, key: "key_\(index)"), before: nil, after: "a", current: index % 10 == 3 ? "b" : "a",
        state: index % 10 == 3 ? .conflict : .restorable)
    })
}

/// A plan made by hand, so that tests of the review do not depend on the planner: an identified user with a numeric user
/// id and a build that is no integer.
func acmePlan() -> Plan {
  Plan(
    recipe: .rudderStackObjC,
    container: ContainerSummary(kind: .xcappdata, bundleID: "com.acme.shop", name: "Acme.xcappdata"),
    target: TargetSummary(path: "AppData/Library/Preferences/com.acme.shop.analytics.2Kx9mQ7abcd.plist", exists: false),
    now: Moment(secondsSince1970: 1_763_640_200), fields: acmeFields(),
    containerFindings: [Finding(.droppedExternalIDs([ExternalID(type: "brazeExternalId", id: "b-42")]))],
    dropped: [
      DroppedKey(
        key: "rl_external_id", value: #"[{"type":"brazeExternalId","id":"b-42"}]"#,
        reason: "The new SDK does not store external ids; pass them with each event."),
      DroppedKey(key: "rl_auth_token", reason: "A secret of the legacy SDK; the new one makes its own.", secret: true),
      DroppedKey(
        key: "rl_server_last_updated", value: 1_763_600_000,
        reason: "The new SDK fetches its own configuration."),
    ])
}

private let preferences = "AppData/Library/Preferences/com.acme.shop.plist"
private let persistence = "AppData/Library/rsDefaultsPersistence.plist"
let acmeTraits =
  #"{"anonymousId":"9f1c2a7e-6b0d-4f3c-9a58-0c1d2e3f4a5b","userId":42,"id":"42","email":"a@b.co","plan":{"tier":"gold","since":2019},"ratio":1.0}"#
let acmeStrippedTraits = #"{"email":"a@b.co","plan":{"tier":"gold","since":2019},"ratio":1.0}"#

private func acmeFields() -> [Field] {
  [
    field(
      "anonymous_id", .identity, "rl_anonymous_id", "9f1c2a7e-6b0d-4f3c-9a58-0c1d2e3f4a5b",
      "9f1c2a7e-6b0d-4f3c-9a58-0c1d2e3f4a5b", .string),
    userID(),
    field(
      "traits", .traits, "rl_traits", .string(acmeTraits), .string(acmeStrippedTraits), .jsonObjectString,
      steps: [("without anonymousId, id, userId", .string(acmeStrippedTraits))]),
    field(
      "session_id", .session, "rl_session_id", 1_763_640_000, "1763640000", .decimalString,
      steps: [("a whole number", 1_763_640_000), ("as text", "1763640000")]),
    field(
      "is_manual_session", .session, "rl_session_auto_track_status", true, false, .boolean,
      steps: [("true or false", true), ("inverted", false)]),
    field(
      "last_activity_time", .session, "rl_last_event_time_stamp", 1_763_640_123, "1763640123000", .decimalString,
      steps: [("seconds → milliseconds, a moment not in the future", 1_763_640_123_000), ("as text", "1763640123000")]),
    field("rudder.app_version", .app, "rl_application_version_key", "4.2.0", "4.2.0", .string),
    appBuild(),
  ]
}

private func field(
  _ id: String, _ group: FieldGroup, _ source: String, _ legacy: PropertyListValue, _ proposed: PropertyListValue,
  _ form: TargetForm, steps: [(String, PropertyListValue?)] = []
) -> Field {
  Field(
    id: id, group: group, sources: [SourceKey(source)],
    origin: FieldOrigin(source: SourceKey(source), store: preferences), legacy: legacy, proposed: proposed,
    status: .ready, form: form, steps: steps.map { TransformStep(title: $0.0, result: $0.1) },
    readings: FourWayReadings(
      legacy: .value(legacy, note: nil), guide: .value(proposed, note: nil), helper: .value(proposed, note: nil),
      plan: .value(proposed, note: nil)))
}

private func userID() -> Field {
  let source = SourceKey("rl_traits", member: "userId")
  return Field(
    id: "user_id", group: .identity, sources: [source], origin: FieldOrigin(source: source, store: preferences),
    legacy: 42, proposed: "42", status: .needsDecision, form: .string,
    steps: [TransformStep(title: "as text", result: "42")],
    alternatives: [Alternative(label: "from rsDefaultsPersistence.plist", value: "41")],
    findings: [Finding(.userIDNotString(kind: "number", text: "42"), field: "user_id")],
    readings: FourWayReadings(
      legacy: .value("42", note: "as text"), guide: .value("42", note: nil),
      helper: .nothing("it takes strings only; the user is logged out"), plan: .value("42", note: nil)))
}

private func appBuild() -> Field {
  let source = SourceKey("rl_application_build_key")
  return Field(
    id: "rudder.app_build", group: .app, sources: [source],
    origin: FieldOrigin(source: source, store: persistence), legacy: "4.2.0-rc1", proposed: nil, status: .dropped,
    form: .integer, steps: [TransformStep(title: "the integer it spells", result: nil)],
    findings: [Finding(.appBuildNotInteger("4.2.0-rc1", normalised: nil), field: "rudder.app_build")],
    readings: FourWayReadings(
      legacy: .value("4.2.0-rc1", note: nil), guide: .nothing("only an integer is migrated"),
      helper: .nothing("skipped silently"), plan: .nothing("not an integer")))
}

extension Session {
  mutating func applySample(_ result: Result<RunReport, ReviewFailure> = .success(acmeReport)) {
    send(.clock(Moment(secondsSince1970: 1_763_640_299)))
    type("n ay")
    send(.clock(Moment(millisecondsSince1970: 1_763_640_300_120)))
    send(.applied(result))
  }

  mutating func answer(_ errand: Errand, _ text: String) { send(.answer(errand.answer(text))) }

  var lastErrand: Errand? { effects.last?.errand }
}

/// The plan of one of the containers in `Examples/`, three minutes after its last event.
func samplePlan(_ name: String, recipe: String? = nil, writeKey: String? = "1xAcmeWriteKey") throws -> Plan {
  let container = try sampleContainer(name)
  let recipe = recipe.flatMap { Recipe(id: $0) } ?? Recipe.detect(in: container).recipe
  return Planner(try recipe.filled([:], in: container)).plan(
    container, now: Moment(secondsSince1970: 1_763_640_300),
    options: writeKey.map { PlannerOptions(writeKey: $0) } ?? PlannerOptions())
}

func sampleContainer(_ name: String) throws -> Container {
  try ContainerOpener(fileSystem: POSIXFileSystem()).open(
    packageRoot.appending(path: "Examples/\(name).xcappdata").path)
}

/// Containers in a folder: exports of one app, of which one is not named as the others are.
let sampleFleet: [ContainerCandidate] = ["Ada", "Bob", "Cleo", "Dora", "Emil", "Finn", "Gil\u{1B}[2J", "Hanna"].map {
  ContainerCandidate(
    path: "exports/\($0).xcappdata", kind: .xcappdata, bundleID: "com.acme.shop", name: "\($0).xcappdata")
}

let sampleStates: [Int: ContainerState] = [
  0: planned([.ready, .ready, .ready, .absent], user: user()),
  1: planned(
    [.ready, .needsDecision, .absent], asking: .userIDNotString, user: user([.loggedOut: .undecided])),
  2: planned(
    [.ready, .conflict, .needsDecision], asking: .userIDNotString, user: user([.newUser: .undecided], .past, .certain)),
  3: planned([.unchanged, .unchanged, .dropped], findings: [.droppedUnknownKey]),
  4: planned([.absent, .absent]),
  5: .failed("cannot be read: damaged"),
  6: planned([.ready, .dropped], findings: [.sourcePartial]),
]

/// A container whose fields have these statuses. A field that asks has the finding, and one in conflict the target's.
func planned(
  _ statuses: [FieldStatus], asking code: FindingCode = .sourceDisagree, findings: [FindingCode] = [],
  isBlocked: Bool = false, user: AffectedUser? = nil
) -> ContainerState {
  let fields = statuses.map { status in
    PlannedContainer.Field(
      status, .identity,
      findings: status == .conflict ? [.targetConflict] : status == .needsDecision ? [code] : [], hasProposal: true)
  }
  let all = findings + Set(fields.flatMap(\.asking)).sorted { $0.rawValue < $1.rawValue }
  return .planned(
    PlannedContainer(
      fields, findings: all, severities: Dictionary(grouping: all, by: \.severity).mapValues(\.count),
      isBlocked: isBlocked, users: user.map { [$0] } ?? []))
}

/// A user of RudderStack, who loses nothing, or this.
func user(
  _ effects: [AffectedUser.Effect: AffectedUser.Remedy] = [:], _ time: AffectedUser.Time = .ahead,
  _ certainty: Verdict.Certainty = .likely
) -> AffectedUser {
  AffectedUser(.init(recipe: "rudderstack-objc", time: time, migrator: nil), certainty, losing: effects)
}

extension Errand {
  /// How a world would answer in which every file is there already, and every editor leaves this text.
  fileprivate func answer(_ text: String) -> ErrandAnswer {
    switch self {
    case .page: .done(nil)
    case .save(_, let path, let isReplacing): isReplacing ? .done("Saved.") : .exists(path)
    case .edit: .edited(text)
    }
  }
}

extension LineTalk {
  mutating func answer(_ errand: Errand, _ text: String) { send(.answer(errand.answer(text))) }

  var lastErrand: Errand? { effects.last?.errand }
}
