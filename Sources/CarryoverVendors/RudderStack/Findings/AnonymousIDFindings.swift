package import Carryover
package import PropertyLists

extension FindingCode {
  /// The anonymous id is a string that no SDK creates.
  package static let anonymousIDMalformed = FindingCode(
    "identity.anonymous-id-malformed", .error, .asks,
    Explanation(
      title: "the anonymous id is empty, not a UUID, or all zeros",
      happens: """
        The anonymous id is a string that the legacy SDK does not make: it is empty, not a UUID, or all zeros. A UUID \
        in upper case is valid.
        """,
      legacyReads: """
        The legacy SDK reads the string as it is. It makes only lower-case UUIDs itself; an app may set any text.
        """,
      guideSays: "The guide expects a UUID string and copies it unchanged. It does not mention other strings.",
      helperWrites: "RudderStack's migrator copies the string, whatever it is.",
      weWrite: """
        Carryover proposes the string as it is, and asks. It proposes nothing for the empty string: the new SDK would \
        keep it for ever and count all users with it as one.
        """,
      whatToDo: "Accept the id if events were sent under it, edit it, or skip it: the new SDK then makes its own id."))
}

extension Observation {
  /// The anonymous id is a string that no SDK creates.
  package static func anonymousIDMalformed(_ text: String, _ defect: AnonymousIDDefect) -> Observation {
    let what: FindingText =
      switch defect {
      case .empty:
        """
        The anonymous id is the empty string: all users with it would count as one. The new SDK would keep it for ever.
        """
      case .notUUID: "The anonymous id \(quoted: text) is not a UUID. The legacy SDK makes nothing else; an app may."
      case .allZero: "The anonymous id is all zeros: a placeholder that many devices share."
      }
    return Observation(
      .anonymousIDMalformed, what,
      remedy: """
        Accept it if events were sent under this id, edit it, or skip it: the new SDK then makes an id of its own.
        """,
      verdict: defect == .empty ? .loss(.emptyID, "RudderStack's migrator copies the empty one") : nil)
  }
}

extension FindingCode {
  /// The anonymous id is stored with another type.
  package static let anonymousIDNotString = FindingCode(
    "identity.anonymous-id-not-string", .error, .asks,
    Explanation(
      title: "the anonymous id is not stored as a string",
      happens: """
        The anonymous id is not stored as a string. If it were copied unchanged, the new SDK would read it as absent \
        and make a new id.
        """,
      legacyReads: "The legacy SDK writes only a string here.",
      guideSays: "The guide expects a UUID string. It does not mention another type of anonymous id.",
      helperWrites: "RudderStack's migrator drops the value or turns it into text, depending on the store it reads.",
      weWrite: """
        Carryover proposes the exact text of a number, and nothing for other types. It offers the id in the traits if \
        there is one, and asks.
        """,
      whatToDo: """
        Accept the text if there is a proposal, edit the field to the id that events were sent under, or skip it.
        """))
}

extension Observation {
  /// The anonymous id is stored with another type.
  package static func anonymousIDNotString(_ value: PropertyListValue) -> Observation {
    Observation(
      .anonymousIDNotString,
      "The new SDK would make a new anonymous id: the legacy one is \(typed: value), not a string.",
      remedy: "Accept the text if there is a proposal, edit the field, or skip it.",
      verdict: .cause("it is \(kindOf: value), which RudderStack's migrator drops"))
  }
}

extension FindingCode {
  /// Only the traits contain an anonymous id.
  package static let anonymousIDOnlyInTraits = FindingCode(
    "identity.anonymous-id-only-in-traits", .error, .asks,
    Explanation(
      title: "only the traits contain an anonymous id",
      happens: "The key rl_anonymous_id is absent, but the traits contain an anonymousId.",
      legacyReads: "Before 1.0.10 the legacy SDK kept the anonymous id only in the traits, and sent events under it.",
      guideSays: """
        The guide reads rl_anonymous_id and no other key for this field. It removes anonymousId from the traits.
        """,
      helperWrites:
        "RudderStack's migrator writes no anonymous id: the one in the traits is lost, and the user is counted twice.",
      weWrite: "Carryover proposes the id from the traits, and asks.",
      whatToDo: "Accept it: events were sent under this id."))
}

extension Observation {
  /// Only the traits contain an anonymous id.
  package static func anonymousIDOnlyInTraits(_ id: String) -> Observation {
    Observation(
      .anonymousIDOnlyInTraits,
      """
      RudderStack's migrator loses the anonymous id: the user is counted twice. \(quoted: id) is in the traits alone, \
      where SDKs before 1.0.10 kept it.
      """,
      remedy: "Accept it: the legacy SDK sent events under this id.",
      verdict: .cause("it is in the traits alone, where RudderStack's migrator does not look"))
  }
}

extension FindingCode {
  /// The key and the traits contain different anonymous ids.
  package static let anonymousIDsDiffer = FindingCode(
    "identity.anonymous-ids-differ", .warning, .informs,
    Explanation(
      title: "the key and the traits disagree on the anonymous id",
      happens: "Both rl_anonymous_id and the traits contain an anonymous id, and the two differ.",
      legacyReads: "The legacy SDK sends the key's id.",
      guideSays: """
        The guide copies the key's id and removes the one in the traits. It does not say that the two can differ.
        """,
      helperWrites: "RudderStack's migrator writes the key's id and ignores the other.",
      weWrite: "Carryover writes the key's id, shows both, and offers the one in the traits.",
      whatToDo: "Do nothing. Edit the field if this user's events were sent under the other id."))
}

extension Observation {
  /// The key and the traits contain different anonymous ids.
  package static func anonymousIDsDiffer(key: String, traits: String) -> Observation {
    Observation(
      .anonymousIDsDiffer,
      """
      rl_anonymous_id is \(quoted: key), but the traits have \(quoted: traits). Carryover proposes the first, which \
      the legacy SDK sends.
      """,
      remedy: "Nothing to do. Edit the field if this user's events were sent under the id in the traits.")
  }
}

/// A defect of an anonymous id.
package enum AnonymousIDDefect: Hashable, Sendable {
  case empty, notUUID, allZero
}

extension Loss {
  /// The anonymous id is the empty string.
  fileprivate static let emptyID = Loss(
    .newUser, "the anonymous id", ahead: "the update would give this user an empty anonymous id for ever",
    past: "this user has an empty anonymous id since the update")
}
