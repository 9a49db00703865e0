package import Carryover
package import PropertyLists

extension FindingCode {
  /// The anonymous id is a string that no SDK would have made.
  package static let anonymousIDMalformed = FindingCode(
    "identity.anonymous-id-malformed", .error, .asks,
    Explanation(
      title: "the anonymous id is empty, not a UUID, or all zeros",
      happens: """
        The anonymous id is a string, but not one that the legacy SDK makes: it is empty, not a UUID, or all zeros. A UUID \
        in upper case is valid.
        """,
      legacyReads: """
        The legacy SDK reads the string as it is. By itself it makes lower-case UUIDs only; an app may give any text.
        """,
      guideSays: """
        The guide expects a UUID string and copies it without any transformation. It does not say what becomes of a \
        string of another form.
        """,
      helperWrites: "The helper copies the string, whatever it looks like.",
      weWrite: """
        Carryover proposes the string as it is, and asks. For the empty string it proposes nothing: the new SDK would keep \
        it for ever, and all such users would be one.
        """,
      whatToDo: """
        Confirm the id if events were sent under it, edit it, or skip it: the new SDK then makes an id of its own.
        """))
}

extension Observation {
  /// The anonymous id is a string that no SDK would have made.
  package static func anonymousIDMalformed(_ text: String, _ defect: AnonymousIDDefect) -> Observation {
    let what: FindingText =
      switch defect {
      case .empty:
        """
        The anonymous id is the empty string. The new SDK would keep it for ever, and all such users would be one.
        """
      case .notUUID: "The anonymous id \(quoted: text) is not a UUID, which is what the legacy SDK makes."
      case .allZero:
        "The anonymous id is all zeros: a placeholder that many devices share, not the id of a user."
      }
    return Observation(
      .anonymousIDMalformed, what,
      remedy: """
        Confirm it if events were sent under this id, edit it, or skip it: the new SDK then makes an id of its own.
        """)
  }
}

extension FindingCode {
  /// The anonymous id is stored with another type.
  package static let anonymousIDNotString = FindingCode(
    "identity.anonymous-id-not-string", .error, .asks,
    Explanation(
      title: "the anonymous id is stored as another type",
      happens: """
        The anonymous id is stored as another type than a string. Copied like that, the new SDK would read it as \
        absent and make a new id.
        """,
      legacyReads: "The legacy SDK writes a string here, and nothing else.",
      guideSays: "The guide expects a UUID string. It has no row for another type.",
      helperWrites: "The helper drops the value or turns it into text, depending on the store it reads.",
      weWrite: """
        Carryover proposes the exact text of a number, and nothing for other types. It offers the id in the traits \
        where there is one, and asks.
        """,
      whatToDo: """
        Confirm the text where one is proposed, edit the field to the id that events were sent under, or skip it.
        """))
}

extension Observation {
  /// The anonymous id is stored with another type.
  package static func anonymousIDNotString(_ value: PropertyListValue) -> Observation {
    Observation(
      .anonymousIDNotString,
      """
      The anonymous id is \(typed: value), where the legacy SDK writes a string. The new SDK would read \
      it as absent and make a new id.
      """,
      remedy:
        "Confirm the text where one is proposed, edit it, or skip it.")
  }
}

extension FindingCode {
  /// Only the traits hold an anonymous id.
  package static let anonymousIDOnlyInTraits = FindingCode(
    "identity.anonymous-id-only-in-traits", .error, .asks,
    Explanation(
      title: "only the traits hold an anonymous id",
      happens: "The key rl_anonymous_id is absent, but the traits hold an anonymousId.",
      legacyReads: "Before 1.0.10 the legacy SDK kept the anonymous id in the traits alone, and sent events under it.",
      guideSays: """
        The guide reads rl_anonymous_id and no other key for this field. It removes anonymousId from the traits.
        """,
      helperWrites: "The helper writes no anonymous id: the one in the traits is lost, and the user is counted twice.",
      weWrite: "Carryover proposes the id from the traits, and asks.",
      whatToDo: "Confirm it: this is the id that the events were sent under."))
}

extension Observation {
  /// Only the traits hold an anonymous id.
  package static func anonymousIDOnlyInTraits(_ id: String) -> Observation {
    Observation(
      .anonymousIDOnlyInTraits,
      """
      rl_anonymous_id is absent, but the traits hold the anonymous id \(quoted: id), where SDKs before \
      1.0.10 kept it. The reference migrator loses it: the user is counted twice.
      """,
      remedy:
        "Confirm it: the legacy SDK sent events under this id.")
  }
}

extension FindingCode {
  /// The key and the traits hold different anonymous ids.
  package static let anonymousIDsDiffer = FindingCode(
    "identity.anonymous-ids-differ", .warning, .informs,
    Explanation(
      title: "key and traits disagree on the anonymous id",
      happens: "Both rl_anonymous_id and the traits hold an anonymous id, and the two are not the same.",
      legacyReads: "The legacy SDK sends the key's id.",
      guideSays: """
        The guide copies the key's id and removes the one in the traits. It does not say that the two can differ.
        """,
      helperWrites: "The helper writes the key's id and says nothing of the other.",
      weWrite: "Carryover writes the key's id, shows both, and offers the one in the traits.",
      whatToDo: "Nothing has to be done. Edit the field if the events of this user stand under the other id."))
}

extension Observation {
  /// The key and the traits hold different anonymous ids.
  package static func anonymousIDsDiffer(key: String, traits: String) -> Observation {
    Observation(
      .anonymousIDsDiffer,
      """
      rl_anonymous_id is \(quoted: key), the traits say \(quoted: traits). The legacy SDK sends the \
      key's, and so does this proposal.
      """,
      remedy:
        "Edit the field if the events of this user stand under the id in the traits.")
  }
}

/// What is wrong with an anonymous id.
package enum AnonymousIDDefect: Hashable, Sendable {
  case empty, notUUID, allZero
}
