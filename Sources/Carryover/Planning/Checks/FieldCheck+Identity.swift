import PropertyLists

extension FieldDraft {
  mutating func checkAnonymousID(_ context: PlanningContext) {
    if case .json(let defect)? = failure { return note(defect) }
    let inTraits: String? = if case .string(let text)? = context.traits?.member("anonymousId") { text } else { nil }
    switch (legacy, origin?.source.member) {
    case (.string(let text)?, .some):
      note(.anonymousIDOnlyInTraits(text))
      checkShape(text)
    case (.string(let text)?, nil):
      checkShape(text)
      if let inTraits, inTraits != text {
        note(.anonymousIDsDiffer(key: text, traits: inTraits))
        offer("the id in the traits", .string(inTraits))
      }
    case (let value?, _):
      note(.anonymousIDNotString(value))
      if let inTraits { offer("the id in the traits", .string(inTraits)) }
    case (nil, _): break
    }
  }

  private mutating func checkShape(_ text: String) {
    guard let defect = Self.defect(ofAnonymousID: text) else { return }
    note(.anonymousIDMalformed(text, defect))
    switch defect {
    case .empty: withdraw("an empty id is no id")
    case .notUUID, .allZero: break
    }
  }

  /// The legacy SDK makes UUIDs in lower case; one in upper case is a UUID too.
  static func defect(ofAnonymousID text: String) -> AnonymousIDDefect? {
    guard !text.isEmpty else { return .empty }
    let groups = text.utf8.split(separator: 0x2D, omittingEmptySubsequences: false)
    let isUUID =
      groups.map(\.count) == [8, 4, 4, 4, 12]
      && groups.allSatisfy { $0.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit } }
    guard isUUID else { return .notUUID }
    return text.utf8.allSatisfy({ $0 == 0x30 || $0 == 0x2D }) ? .allZero : nil
  }

  /// The beta SDK 2 sent the vendor's id of the device. Ids that stand somewhere all the same are offered.
  mutating func checkUnstoredAnonymousID(_ context: PlanningContext) {
    guard context.recipe.rules.flatMap(\.candidates).contains(where: { context.sources.value($0.source.key) != nil })
    else { return }
    var stored: [StoredID] = []
    for key in ["rs_anonymous_id", "rl_anonymous_id"] {
      if case .string(let text)? = context.sources.value(key), !text.isEmpty {
        stored.append(StoredID(source: SourceKey(key), id: text))
        offer(key, .string(text))
      }
    }
    if let key = context.recipe.traitsKey, case .string(let text)? = context.traits?.member("anonymousId"),
      !text.isEmpty
    {
      stored.append(StoredID(source: SourceKey(key, member: "anonymousId"), id: text))
      offer("the id in the traits", .string(text))
    }
    note(.v2AnonymousIDNotStored(stored: stored))
  }

  mutating func checkUserID(_ context: PlanningContext) {
    if case .json(let defect)? = failure { return note(defect) }
    if origin?.source.member == nil, case .string(let text)? = context.traits?.member("userId"), !text.isEmpty {
      offer("the id in the traits", .string(text))
    }
    switch legacy {
    case .string("")?:
      note(.userIDEmpty)
      withdraw("an empty id is no id")
      countsAsAbsent = true
    case .string?: break
    case .integer?, .real?:
      if case .string(let text)? = proposed { note(.userIDNotString(kind: "number", text: text)) }
      if let legacyText { offer("the text in the file", .string(legacyText)) }
    case .null?:
      note(.userIDNotString(kind: "null", text: nil))
      countsAsAbsent = true
    case .boolean?: note(.userIDNotString(kind: "boolean", text: nil))
    case .array?: note(.userIDNotString(kind: "array", text: nil))
    case .some: note(.userIDNotString(kind: "object", text: nil))
    case nil: break
    }
    guard legacy == nil || countsAsAbsent else { return }
    if context.traits?.removing(["anonymousId", "id", "userId"]) != nil {
      note(.userIDMissingWithTraits)
    } else if legacy == nil, context.hasLegacyValues, context.target[rule.target] == nil {
      note(.userIDMissing)
    }
  }

  mutating func checkTraits(_ context: PlanningContext) {
    switch failure {
    case .json(let defect)?: return note(defect)
    case .empty?:
      note(.traitsEmptyAfterStrip)
      countsAsAbsent = true
    default: break
    }
    guard let traits = context.traits else { return }
    checkCustomID(traits, context)
    if let archive = archive(context) {
      if !archive.isExact { note(.v2TraitsArchive(leftOut: archive.leftOut, reshaped: archive.reshaped)) }
      if !traits.duplicateMembers.isEmpty { note(.traitsDuplicateMember(traits.duplicateMembers)) }
      return
    }
    if !traits.duplicateMembers.isEmpty { note(.traitsDuplicateMember(traits.duplicateMembers)) }
    if !traits.lossyPieces.isEmpty { note(.traitsLossyReencode(traits.lossyPieces)) }
  }

  /// The traits as they were stored as data, of which the text is our own; nil where they were stored as text.
  private func archive(_ context: PlanningContext) -> ArchivedTraits? {
    guard rule.candidates.contains(where: { $0.transforms.contains(.archivedJSON) }), let legacy else { return nil }
    return try? ArchivedTraits(legacy)
  }

  private mutating func note(_ defect: TraitsDefect) {
    if case .archive(let reason) = defect { return note(.v2TraitsUnreadable(reason)) }
    note(.traitsInvalidJSON(defect))
  }

  private mutating func checkCustomID(_ traits: TraitsText, _ context: PlanningContext) {
    guard let id = traits.member("id").flatMap(Self.idText) else { return }
    let userID = Self.storedUserID(context) ?? traits.member("userId").flatMap(Self.idText)
    guard id != userID else { return }
    note(.customIDStripped(id: id, userID: userID))
    if let kept = traits.renaming("id", to: "customId")?.removing(["anonymousId", "id", "userId"]) {
      offer("with id kept as customId", .string(kept))
    }
  }

  /// The user id where it has a key of its own.
  private static func storedUserID(_ context: PlanningContext) -> String? {
    let rule = context.recipe.rules.first { $0.check == .userID }
    guard let own = rule?.candidates.first(where: { $0.source.member == nil }),
      let value = context.sources.value(own.source.key),
      case .string(let text)? = try? Transform.exactText(value, now: context.now)
    else { return nil }
    return text
  }

  /// An id as text, so that 42 and "42" are the same; nil for null.
  private static func idText(_ value: JSONValue) -> String? {
    switch value {
    case .string(let text): text
    case .number(let number): Transform.numberText(ofJSON: number.lexeme)
    case .null: nil
    default: value.text()
    }
  }
}
