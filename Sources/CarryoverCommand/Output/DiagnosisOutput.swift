import Carryover
import CarryoverPages
import CarryoverReview
import CarryoverSystem
import CarryoverTerminal
import PropertyLists

enum DiagnosisOutput {
  static func write(_ diagnosis: ContainerDiagnosis, to page: inout PageWriter) {
    page.add(diagnosis.page.blocks)
    page.blank()
    page.add(title(diagnosis))
  }

  private static func title(_ diagnosis: ContainerDiagnosis) -> String {
    ([diagnosis.container.bundleID ?? "unknown app", diagnosis.container.name, diagnosis.plan.recipe.title])
      .joined(separator: " · ")
  }

  static func json(_ diagnosis: ContainerDiagnosis) -> JSONValue {
    let (container, plan) = (diagnosis.container, diagnosis.plan)
    return [
      "schema": "carryover.diagnosis/1", "tool": .string(Version.text),
      "container": [
        "kind": .string(container.kind.rawValue), "name": .string(container.name),
        "bundleID": JSONValue(container.bundleID),
      ], "recipe": ["id": .string(plan.recipe.id), "version": JSONValue(plan.recipe.version)],
      "now": .string(plan.now.text), "target": JSONValue(plan.target?.path), "verdict": verdict(diagnosis.verdict),
      "others": others(diagnosis.others), "losses": .array(diagnosis.verdict.losses.map { loss($0, diagnosis) }),
      "timeline": .array(
        diagnosis.timeline.map {
          ["moment": .string($0.moment.text), "what": .string($0.what), "place": .string($0.place)]
        }), "cautions": .array(diagnosis.cautions.map(JSONValue.string)),
      "advice": .array(diagnosis.advice.map(JSONValue.string)),
      "commands": .array(diagnosis.commands.map { .string($0.text) }),
      "field": JSONValue(diagnosis.verdict.isSound ? nil : diagnosis.mending.field),
    ]
  }

  static func verdict(_ verdict: Verdict) -> JSONValue {
    [
      "certainty": .string(verdict.certainty.rawValue), "outcome": .string(verdict.outcome),
      "situation": .string(verdict.situation.word), "sentence": .string(verdict.text),
      "reason": .string(verdict.reasonText),
    ]
  }

  static func others(_ others: [OtherVerdict]) -> JSONValue {
    .array(
      others.map { other in
        [
          "recipe": .string(other.recipe.id), "title": .string(other.recipe.title), "sentence": .string(other.text),
          "verdict": other.verdict.map(verdict) ?? .null,
        ]
      })
  }

  private static func loss(_ lost: LostValue, _ diagnosis: ContainerDiagnosis) -> JSONValue {
    [
      "kind": .string(lost.loss.kind.rawValue), "what": .string(lost.loss.what), "cause": .string(lost.causeText),
      "code": JSONValue(lost.finding?.code.rawValue),
      "fields": .array(
        diagnosis.plan.evidence(of: lost.fields).map { row in
          [
            "id": .string(row.field.id), "source": .string(row.field.sourceLabel), "legacy": JSONValue(row.legacy),
            "target": JSONValue(row.current),
          ]
        }),
    ]
  }
}
