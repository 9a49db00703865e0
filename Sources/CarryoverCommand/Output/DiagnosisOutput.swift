import Carryover
import CarryoverPages
import CarryoverReview
import CarryoverSystem
import CarryoverTerminal
import PropertyLists

enum DiagnosisOutput {
  static func write(_ diagnosis: ContainerDiagnosis, to page: inout PageWriter, _ masking: Masking) {
    let verdict = diagnosis.verdict
    page.add(verdict.text)
    page.add("\(verdict.certainty.words.capitalised): \(verdict.reasonText)")
    writeLost(diagnosis, to: &page, masking)
    writeOthers(diagnosis, to: &page)
    page.blank()
    page.add("Timeline")
    var table = Table([.init(.whole, "", .head), .init(.sentence, "what"), .init(.sentence, "where")], indent: 2)
    for entry in diagnosis.timeline {
      table.add([.text(entry.moment.text), .place(entry.what), .place(entry.place)])
    }
    page.add(table)
    page.blank()
    page.add("What to do")
    for sentence in diagnosis.cautions { page.add(sentence, indent: 2) }
    for command in diagnosis.commands {
      for line in command.lines(columns: page.columns) { page.line([Span(masking.text(line))]) }
    }
    for sentence in diagnosis.advice { page.add(sentence, indent: 2) }
    page.blank()
    page.add(title(diagnosis))
  }

  private static func writeLost(_ diagnosis: ContainerDiagnosis, to page: inout PageWriter, _ masking: Masking) {
    guard !diagnosis.verdict.losses.isEmpty else { return }
    page.blank()
    page.add(heading(diagnosis.verdict))
    for lost in diagnosis.verdict.losses {
      page.add(.error, "\(lost.loss.what): \(lost.causeText)", indent: 2)
      for row in diagnosis.evidence(of: lost.fields) {
        for line in row.lines(masking) { page.add(line, indent: 6, hanging: 8) }
      }
    }
  }

  private static func writeOthers(_ diagnosis: ContainerDiagnosis, to page: inout PageWriter) {
    guard !diagnosis.others.isEmpty else { return }
    page.blank()
    page.add(othersHeading)
    for other in diagnosis.others { page.add(other.sign, other.line(option: "--recipe "), indent: 2) }
  }

  static let othersHeading = "Other SDKs that left data here"

  static func heading(_ verdict: Verdict) -> String {
    switch verdict.situation {
    case _ where verdict.certainty == .cannotTell: "What may be lost"
    case .ahead, .begun, .migrated: "What the update would lose"
    case .past: "What is lost"
    case .inPlace: "What is wrong"
    case .unknown: "What is, or would be, lost"
    }
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
        diagnosis.evidence(of: lost.fields).map { row in
          [
            "id": .string(row.field.id), "source": .string(row.field.sourceLabel), "legacy": JSONValue(row.legacy),
            "target": JSONValue(row.current),
          ]
        }),
    ]
  }
}

extension ContainerDiagnosis.Evidence {
  /// "rl_traits.userId is a number of 2 digits: 42".
  func lines(_ masking: Masking) -> [String] {
    func text(_ value: PropertyListValue?) -> String {
      DisplayText.visible(FieldSummary.text(masking.value(value)), limit: 60)
    }
    let own = legacy.map { "\(field.sourceLabel) is \($0): \(text(field.legacy))" }
    let new = current.map { "\(field.id) is \($0): \(text(field.current))" }
    return [own, new].compactMap(\.self)
  }
}

extension String {
  var capitalised: String { prefix(1).uppercased() + dropFirst() }
}
