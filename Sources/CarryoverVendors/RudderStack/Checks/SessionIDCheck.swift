import Carryover
import PropertyLists

/// Whether the new SDK can use the session's id.
struct SessionIDCheck: FieldCheck {
  let name = "session-id"

  func amend(_ draft: inout FieldDraft, _ context: PlanningContext) {
    guard !draft.leavesOutStopped(context), let legacy = draft.legacy else { return }
    guard let defect = SessionIDDefect(legacy) else { return }
    draft.note(.sessionIDInvalid(ValueWording.shown(legacy), defect))
    draft.withdraw("not a session id")
  }

  func findings(_ rule: FieldRule, of recipe: Recipe) -> [FindingCode] {
    [.sessionIDInvalid] + recipe.findingsOfStoppedSessions
  }

  func readings(_ draft: FieldDraft, _ context: PlanningContext) -> FourWayReadings {
    if context.isBeta { return .beta(\.sessionID, \.sessionID, context) }
    return FourWayReadings(
      legacy: LegacySDK(context).sessionID, guide: .of(draft.transformed, else: "no session"),
      helper: ReferenceHelper(context).sessionID)
  }
}

extension SessionIDDefect {
  /// The defect of a value as a session id; nil if there is none.
  init?(_ value: PropertyListValue) {
    let integer: PropertyListInteger
    switch value {
    case .integer(let number): integer = number
    case .real(let real):
      guard let whole = Int64(exactly: real.value) else {
        self = .fraction
        return
      }
      integer = PropertyListInteger(whole)
    default:
      self = .kind(value.kind)
      return
    }
    if integer.isNegative {
      self = .negative
    } else if let number = integer.uint64 {
      if number >= 1_000_000_000 { return nil }
      self = number == 0 ? .zero : .tooShort
    } else {
      self = .outOfRange
    }
  }
}

extension Recipe {
  /// What a check can find if the app ended the session.
  var findingsOfStoppedSessions: [FindingCode] { isBeta ? [.v2SessionStopped] : [] }
}

extension FieldDraft {
  /// Withdraws a session field if the app ended the beta SDK 2's session, and returns whether it did.
  mutating func leavesOutStopped(_ context: PlanningContext) -> Bool {
    guard context.sessionIsStopped else { return false }
    if legacy != nil {
      note(.v2SessionStopped)
      withdraw("the session was ended")
    }
    return true
  }
}
