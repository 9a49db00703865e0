@testable import Carryover
import CarryoverReview
import CarryoverSystem
import PropertyLists

private let suite = "AppData/Library/Preferences/com.acme.shop.analytics.1xAcmeWriteKey.plist"
private let legacy = "AppData/Library/Preferences/com.acme.shop.plist"
private let recipe = RecipeReference(id: "rudderstack-objc", version: 1, title: "RudderStack Obj-C → Swift")

/// The runs of a container that saw some work: one of each standing, a pruned one, and one of each kind.
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
  RunField(
    id: KeyPlace(file: file, key: key), before: before, after: after, outcome: outcome, isTakenBack: isTakenBack)
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

/// The runs and the plan of a container with this many of both, every tenth key in conflict.
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
