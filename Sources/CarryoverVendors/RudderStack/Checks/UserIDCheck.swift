import Carryover
import PropertyLists

/// Whether there is a user id, and whether the app could have passed it.
struct UserIDCheck: FieldCheck {
  let name = "user-id"

  func amend(_ draft: inout FieldDraft, _ context: PlanningContext) {
    if case .json(let defect)? = draft.failure { return draft.note(defect) }
    let source = draft.origin?.source
    if source?.member == nil, case .string(let text)? = context.traits?.member("userId"), !text.isEmpty {
      draft.offer("the id in the traits", .string(text))
    }
    let key = (source ?? draft.rule.candidates.first?.source)?.label ?? inTraits
    func notString(_ kind: String, _ text: String? = nil) -> Observation {
      .userIDNotString(kind: kind, text: text, key)
    }
    switch draft.legacy {
    case .string("")?:
      draft.note(.userIDEmpty(key))
      draft.withdraw("an empty id is not an id")
      draft.countsAsAbsent = true
    case .string?: break
    case .integer?, .real?:
      if case .string(let text)? = draft.proposed { draft.note(notString("number", text)) }
      if let text = draft.legacyText { draft.offer("the text in the file", .string(text)) }
    case .null?:
      draft.note(notString("null"))
      draft.countsAsAbsent = true
    case .boolean?: draft.note(notString("boolean"))
    case .array?: draft.note(notString("array"))
    case .some: draft.note(notString("object"))
    case nil: break
    }
    guard draft.legacy == nil || draft.countsAsAbsent else { return }
    if context.traits?.removing(TraitsCheck.ids) != nil {
      draft.note(.userIDMissingWithTraits)
    } else if draft.legacy == nil, context.hasLegacyValues, context.target[draft.rule.target] == nil {
      draft.note(.userIDMissing)
    }
  }

  func findings(_ rule: FieldRule, of recipe: Recipe) -> [FindingCode] {
    [.userIDEmpty, .userIDMissing, .userIDMissingWithTraits, .userIDNotString, .traitsInvalidJSON]
  }

  func readings(_ draft: FieldDraft, _ context: PlanningContext) -> FourWayReadings {
    if context.isBeta { return .beta(\.userID, \.userID, context) }
    let guide: Reading =
      switch draft.legacy {
      case .string?: .of(draft.legacy)
      case .null?, nil: .nothing("the user was never identified")
      default: .nothing("it expects a string")
      }
    return FourWayReadings(legacy: LegacySDK(context).userID, guide: guide, helper: ReferenceHelper(context).userID)
  }
}
