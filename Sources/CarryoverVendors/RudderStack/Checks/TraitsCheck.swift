import Carryover
import PropertyLists

/// Whether the traits can be read, and what removing the ids from them loses.
struct TraitsCheck: FieldCheck {
  let name = "traits"

  /// The members that the new SDK stores elsewhere.
  static let ids = ["anonymousId", "id", "userId"]

  func amend(_ draft: inout FieldDraft, _ context: PlanningContext) {
    switch draft.failure {
    case .json(let defect)?: return draft.note(defect)
    case .empty?:
      draft.note(.traitsEmptyAfterStrip)
      draft.countsAsAbsent = true
    default: break
    }
    guard let traits = context.traits else { return }
    checkCustomID(traits, &draft, context)
    if let archive = Self.archive(draft) {
      if !archive.isExact { draft.note(.v2TraitsArchive(leftOut: archive.leftOut, reshaped: archive.reshaped)) }
      if !traits.duplicateMembers.isEmpty { draft.note(.traitsDuplicateMember(traits.duplicateMembers)) }
      return
    }
    if !traits.duplicateMembers.isEmpty { draft.note(.traitsDuplicateMember(traits.duplicateMembers)) }
    if !traits.lossyPieces.isEmpty { draft.note(.traitsLossyReencode(traits.lossyPieces)) }
  }

  func findings(_ rule: FieldRule, of recipe: Recipe) -> [FindingCode] {
    [.customIDStripped, .traitsDuplicateMember, .traitsEmptyAfterStrip, .traitsInvalidJSON, .traitsLossyReencode]
      + (rule.candidates.contains { $0.transforms.contains(.archivedJSON) } ? [.v2TraitsArchive] : [])
  }

  func readings(_ draft: FieldDraft, _ context: PlanningContext) -> FourWayReadings {
    if context.isBeta { return .beta(\.traits, \.traits, context) }
    return FourWayReadings(
      legacy: LegacySDK(context).traits,
      guide: .of(draft.proposed ?? draft.transformed, else: "unreadable: skip the traits"),
      helper: ReferenceHelper(context).traits)
  }

  /// The traits if they are stored as data, whose text Carryover writes; nil if they are stored as text.
  private static func archive(_ draft: FieldDraft) -> ArchivedTraits? {
    guard draft.rule.candidates.contains(where: { $0.transforms.contains(.archivedJSON) }), let legacy = draft.legacy
    else { return nil }
    return try? ArchivedTraits(legacy)
  }

  private func checkCustomID(_ traits: TraitsText, _ draft: inout FieldDraft, _ context: PlanningContext) {
    guard let id = traits.member("id").flatMap(Self.idText) else { return }
    let userID = Self.storedUserID(context) ?? traits.member("userId").flatMap(Self.idText)
    guard id != userID else { return }
    draft.note(.customIDStripped(id: id, userID: userID, isBeta: context.isBeta))
    if let kept = traits.renaming("id", to: "customId")?.removing(Self.ids) {
      draft.offer("with id kept as customId", .string(kept))
    }
  }

  /// The user id, if it has its own key.
  private static func storedUserID(_ context: PlanningContext) -> String? {
    let rule = context.rule(for: "user_id")
    guard let own = rule?.candidates.first(where: { $0.source.member == nil }),
      let value = context.sources.value(own.source.key),
      case .string(let text)? = try? Transform.exactText(value, now: context.now)
    else { return nil }
    return text
  }

  /// An id as text, so that 42 and "42" are equal; nil for null.
  private static func idText(_ value: JSONValue) -> String? {
    switch value {
    case .string(let text): text
    case .number(let number): Transform.numberText(ofJSON: number.lexeme)
    case .null: nil
    default: value.text()
    }
  }
}

extension FieldDraft {
  /// Adds the finding that the traits, or the ids in them, cannot be read.
  mutating func note(_ defect: TraitsDefect) {
    if case .archive(let reason) = defect { return note(.v2TraitsUnreadable(reason)) }
    note(.traitsInvalidJSON(defect, sourceKey ?? "rl_traits"))
  }

  /// The key that supplied the value or would have supplied it.
  var sourceKey: String? { (origin?.source ?? rule.candidates.first?.source)?.key }
}
