import Carryover
import PropertyLists

/// A diagnosis as `carryover.diagnosis/1`, the published form of `diagnose --json`.
enum DiagnosisJSON {
  static func value(_ diagnosis: ContainerDiagnosis) -> JSONValue {
    let (container, plan) = (diagnosis.container, diagnosis.plan)
    return .object([
      JSONMember("schema", .string("carryover.diagnosis/1")),
      JSONMember("tool", .string(Version.text)),
      JSONMember(
        "container",
        .object([
          JSONMember("kind", .string(container.kind.rawValue)), JSONMember("name", .string(container.name)),
          JSONMember("bundleID", JSONValue(container.bundleID)),
        ])),
      JSONMember(
        "recipe",
        .object([JSONMember("id", .string(plan.recipe.id)), JSONMember("version", JSONValue(plan.recipe.version))])),
      JSONMember("now", .string(plan.now.text)),
      JSONMember("target", JSONValue(plan.target?.path)),
      JSONMember("verdict", verdict(diagnosis.verdict)),
      JSONMember("others", others(diagnosis.others)),
      JSONMember("losses", .array(diagnosis.verdict.losses.map { loss($0, diagnosis) })),
      JSONMember(
        "timeline",
        .array(
          diagnosis.timeline.map {
            ["moment": .string($0.moment.text), "what": .string($0.what), "place": .string($0.place)]
          })),
      JSONMember("cautions", .array(diagnosis.cautions.map(JSONValue.string))),
      JSONMember("advice", .array(diagnosis.advice.map(JSONValue.string))),
      JSONMember("commands", .array(diagnosis.commands.map { .string($0.text) })),
      JSONMember("field", JSONValue(diagnosis.verdict.isSound ? nil : diagnosis.mending.field)),
    ])
  }

  static func verdict(_ verdict: Verdict) -> JSONValue {
    .object([
      JSONMember("certainty", .string(verdict.certainty.rawValue)),
      JSONMember("outcome", .string(verdict.outcome)),
      JSONMember("situation", .string(verdict.situation.word)),
      JSONMember("sentence", .string(verdict.text)),
      JSONMember("reason", .string(verdict.reasonText)),
    ])
  }

  /// The verdicts on the other SDKs.
  static func others(_ others: [OtherVerdict]) -> JSONValue {
    .array(
      others.map { other in
        .object([
          JSONMember("recipe", .string(other.recipe.id)), JSONMember("title", .string(other.recipe.title)),
          JSONMember("sentence", .string(other.text)),
          JSONMember("verdict", other.verdict.map(verdict) ?? .null),
        ])
      })
  }

  private static func loss(_ lost: LostValue, _ diagnosis: ContainerDiagnosis) -> JSONValue {
    .object([
      JSONMember("kind", .string(lost.loss.kind.rawValue)),
      JSONMember("what", .string(lost.loss.what)),
      JSONMember("cause", .string(lost.causeText)),
      JSONMember("code", JSONValue(lost.finding?.code.rawValue)),
      JSONMember(
        "fields",
        .array(
          diagnosis.evidence(of: lost.fields).map { row in
            .object([
              JSONMember("id", .string(row.field.id)), JSONMember("source", .string(row.field.sourceLabel)),
              JSONMember("legacy", JSONValue(row.legacy)), JSONMember("target", JSONValue(row.current)),
            ])
          })),
    ])
  }
}
