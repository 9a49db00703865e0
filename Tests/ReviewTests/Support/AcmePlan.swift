@testable import Carryover
import CarryoverSystem
@testable import CarryoverVendors
import PropertyLists

/// A plan made by hand, so that tests of the review do not depend on the planner: an identified user with a numeric user
/// id and a build that is no integer.
func acmePlan() -> Plan {
  Plan(
    recipe: .rudderStackObjC,
    container: ContainerSummary(kind: .xcappdata, bundleID: "com.acme.shop", name: "Acme.xcappdata"),
    target: TargetSummary(
      path: "AppData/Library/Preferences/com.acme.shop.analytics.2Kx9mQ7abcd.plist", exists: false),
    now: Moment(secondsSince1970: 1_763_640_200), fields: acmeFields(),
    containerFindings: [
      Finding(.droppedExternalIDs([ExternalID(type: "brazeExternalId", id: "b-42")]))
    ],
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
