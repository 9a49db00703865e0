import Carryover
import PropertyLists

/// Whether the legacy SDK could have created the anonymous id, and whether it sends this id.
struct AnonymousIDCheck: FieldCheck {
  let name = "anonymous-id"

  func amend(_ draft: inout FieldDraft, _ context: PlanningContext) {
    if case .json(let defect)? = draft.failure { return draft.note(defect) }
    let inTraits: String? = if case .string(let text)? = context.traits?.member("anonymousId") { text } else { nil }
    switch (draft.legacy, draft.origin?.source.member) {
    case (.string(let text)?, .some):
      draft.note(.anonymousIDOnlyInTraits(text))
      checkShape(text, &draft)
    case (.string(let text)?, nil):
      checkShape(text, &draft)
      if let inTraits, inTraits != text {
        draft.note(.anonymousIDsDiffer(key: text, traits: inTraits))
        draft.offer("the id in the traits", .string(inTraits))
      }
    case (let value?, _):
      draft.note(.anonymousIDNotString(value))
      if let inTraits { draft.offer("the id in the traits", .string(inTraits)) }
    case (nil, _): break
    }
  }

  func findings(_ rule: FieldRule, of recipe: Recipe) -> [FindingCode] {
    [.anonymousIDMalformed, .anonymousIDNotString, .anonymousIDOnlyInTraits, .anonymousIDsDiffer, .traitsInvalidJSON]
  }

  func readings(_ draft: FieldDraft, _ context: PlanningContext) -> FourWayReadings {
    FourWayReadings(
      legacy: LegacySDK(context).anonymousID,
      guide: .of(context.sources.value("rl_anonymous_id"), else: "rl_anonymous_id is absent"),
      helper: ReferenceHelper(context).anonymousID)
  }

  private func checkShape(_ text: String, _ draft: inout FieldDraft) {
    guard let defect = AnonymousIDDefect(text) else { return }
    draft.note(.anonymousIDMalformed(text, defect))
    switch defect {
    case .empty: draft.withdraw("an empty id is not an id")
    case .notUUID, .allZero: break
    }
  }
}

extension AnonymousIDDefect {
  /// The legacy SDK creates lowercase UUIDs; an uppercase UUID is valid too.
  init?(_ text: String) {
    guard !text.isEmpty else {
      self = .empty
      return
    }
    let groups = text.utf8.split(separator: 0x2D, omittingEmptySubsequences: false)
    let isUUID =
      groups.map(\.count) == [8, 4, 4, 4, 12]
      && groups.allSatisfy { $0.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit } }
    if !isUUID {
      self = .notUUID
    } else if text.utf8.allSatisfy({ $0 == 0x30 || $0 == 0x2D }) {
      self = .allZero
    } else {
      return nil
    }
  }
}

/// The beta SDK 2 sent the device's vendor id and did not store it. Ids that other SDKs have stored are alternatives.
struct UnstoredAnonymousIDCheck: FieldCheck {
  let name = "unstored-anonymous-id"

  func amend(_ draft: inout FieldDraft, _ context: PlanningContext) {
    guard context.hasLegacyValues else { return }
    var stored: [StoredID] = []
    for key in ["rs_anonymous_id", "rl_anonymous_id"] {
      if case .string(let text)? = context.sources.value(key), !text.isEmpty {
        stored.append(StoredID(source: SourceKey(key), id: text))
        draft.offer(key, .string(text))
      }
    }
    if let key = context.traitsKey, case .string(let text)? = context.traits?.member("anonymousId"), !text.isEmpty {
      stored.append(StoredID(source: SourceKey(key, member: "anonymousId"), id: text))
      draft.offer("the id in the traits", .string(text))
    }
    draft.note(.v2AnonymousIDNotStored(stored: stored))
  }

  func findings(_ rule: FieldRule, of recipe: Recipe) -> [FindingCode] {
    [.v2AnonymousIDNotStored]
  }

  func readings(_ draft: FieldDraft, _ context: PlanningContext) -> FourWayReadings {
    .beta(\.anonymousID, \.anonymousID, context)
  }
}
