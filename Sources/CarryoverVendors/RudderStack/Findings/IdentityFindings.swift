package import Carryover

extension FindingCode {
  static let rudderStackIdentityCodes: [FindingCode] = [
    .anonymousIDMalformed, .anonymousIDNotString, .anonymousIDOnlyInTraits, .anonymousIDsDiffer, .customIDStripped,
    .userIDEmpty, .userIDMissing, .userIDMissingWithTraits, .userIDNotString,
  ]

  package static let anonymousIDMalformed = FindingCode(
    "identity.anonymous-id-malformed", .error, .asks,
    title: "the anonymous id is empty, not a UUID, or all zeros",
    happens: """
      The anonymous id is a string that the legacy SDK does not make: it is empty, not a UUID, or all zeros. A UUID \
      in upper case is valid.
      """,
    legacyReads:
      "The legacy SDK reads the string as it is. It makes only lower-case UUIDs itself; an app may set any text.",
    guideSays: "The guide expects a UUID string and copies it unchanged. It does not mention other strings.",
    helperWrites: "RudderStack's migrator copies the string, whatever it is.",
    weWrite: """
      Carryover proposes the string as it is, and asks. It proposes nothing for the empty string: the new SDK would \
      keep it for ever and count all users with it as one.
      """,
    whatToDo: "Accept the id if events were sent under it, edit it, or skip it: the new SDK then makes its own id.")

  package static let anonymousIDNotString = FindingCode(
    "identity.anonymous-id-not-string", .error, .asks,
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
    whatToDo:
      "Accept the text if there is a proposal, set the field to the id that events were sent under, or skip it.")

  package static let anonymousIDOnlyInTraits = FindingCode(
    "identity.anonymous-id-only-in-traits", .error, .asks,
    title: "only the traits contain an anonymous id",
    happens: "The key rl_anonymous_id is absent, but the traits contain an anonymousId.",
    legacyReads: "Before 1.0.10 the legacy SDK kept the anonymous id only in the traits, and sent events under it.",
    guideSays:
      "The guide reads rl_anonymous_id and no other key for this field. It removes anonymousId from the traits.",
    helperWrites:
      "RudderStack's migrator writes no anonymous id: the one in the traits is lost, and the user is counted twice.",
    weWrite: "Carryover proposes the id from the traits, and asks.",
    whatToDo: "Accept it: events were sent under this id.")

  package static let anonymousIDsDiffer = FindingCode(
    "identity.anonymous-ids-differ", .warning, .informs,
    title: "the key and the traits disagree on the anonymous id",
    happens: "Both rl_anonymous_id and the traits contain an anonymous id, and the two differ.",
    legacyReads: "The legacy SDK sends the key's id.",
    guideSays:
      "The guide copies the key's id and removes the one in the traits. It does not say that the two can differ.",
    helperWrites: "RudderStack's migrator writes the key's id and ignores the other.",
    weWrite: "Carryover writes the key's id, shows both, and offers the one in the traits.",
    whatToDo: "Do nothing. Edit the field if this user's events were sent under the other id.")

  package static let customIDStripped = FindingCode(
    "identity.custom-id-stripped", .warning, .asks,
    title: "the traits contain an id that is not the user id",
    happens: """
      The traits have a member named id whose value is not the user id. It comes from an alias call or from the app.
      """,
    legacyReads: "The legacy SDK keeps the member id among the traits, beside anonymousId and userId.",
    guideSays: "The guide removes anonymousId, id and userId from the traits, whatever their values are.",
    helperWrites: "RudderStack's migrator silently removes the member, and no other value contains it.",
    weWrite: """
      Carryover proposes the traits without it, as the guide says, and asks. It offers the traits with the id under \
      the name customId.
      """,
    whatToDo: """
      Accept the proposal if nobody needs the id. Otherwise choose the traits that keep it as customId, or edit them.
      """,
    inTheApp: """
      If the app needs the id in the traits, pass it again with the next identify(), under another name such as \
      customId.
      """)

  package static let userIDEmpty = FindingCode(
    "identity.user-id-empty", .warning, .informs, brief: "empty",
    title: "the user id is the empty string",
    happens: "The member userId of the traits is the empty string.",
    legacyReads: "The legacy SDK stores what the app passes. What it sends for the empty string is unknown.",
    guideSays: "The guide extracts the userId from the traits. It does not mention the empty string.",
    helperWrites: "RudderStack's migrator writes the empty string as user_id.",
    weWrite: "Carryover reads it as absent and writes no user_id.",
    whatToDo: "Do nothing. Edit user_id if you know the user's id.")

  package static let userIDMissing = FindingCode(
    "identity.user-id-missing", .note, .informs,
    title: "there is neither a user id nor traits",
    happens: "The legacy SDK has left values, but no user id, and no traits except the ids.",
    legacyReads: "The legacy SDK has no user id: the app never identified the user, or reset the SDK.",
    guideSays: "The guide says that no action is needed: the user id stays nil until the user is identified.",
    helperWrites: "RudderStack's migrator writes no user_id.",
    weWrite: "Carryover writes no user_id either, and notes why.",
    whatToDo: "Do nothing. Edit user_id if you know who the user is.")

  package static let userIDMissingWithTraits = FindingCode(
    "identity.user-id-missing-with-traits", .warning, .informs,
    title: "traits remain without a user id",
    happens: "The app has added members to the traits, but there is no user id.",
    legacyReads: """
      The legacy SDK reads the traits as they are. They have no userId if the app never identified the user, or \
      reset the SDK.
      """,
    guideSays: """
      The guide says that a missing user id needs no action: it stays nil until the user is identified. It does not \
      say that the next identify call wipes the traits.
      """,
    helperWrites: """
      RudderStack's migrator writes the traits without a user id. The next identify call counts as a change of user \
      and wipes them.
      """,
    weWrite: "Carryover writes the traits and no user_id, and warns.",
    whatToDo: "Edit user_id if you know the user, so that the next identify call keeps the traits.",
    // rudder-sdk-swift 1.3.1: SetUserIdAndTraitsAction.swift:67.
    inTheApp: """
      Pass the traits again with the user id: without a stored user id, the new SDK deletes the stored traits at the \
      next identify().
      """)

  package static let userIDNotString = FindingCode(
    "identity.user-id-not-string", .error, .asks,
    title: "userId is a number, boolean, null, array or object",
    happens: """
      The traits' userId is a number, a boolean, null, an array or an object. The app passed it, and the SDK merges \
      the app's members over its own.
      """,
    legacyReads: """
      The legacy SDK parses the number and sends it as text: 42 as "42", 4.10 as "4.1", 1e3 as "1000".
      """,
    guideSays: "The guide expects a string in userId. It does not mention other types.",
    helperWrites: """
      RudderStack's migrator drops the id and removes it from the traits: the user is logged out. Then it deletes \
      the source.
      """,
    weWrite: """
      Carryover asks. For a number, it proposes the text that the legacy SDK sent. Null counts as absent and needs \
      no decision. A boolean, array or object has no proposal.
      """,
    whatToDo: """
      Accept the text, or edit it to match the id your app passes to identify(). Skip the field to leave the user unknown.
      """,
    // rudder-sdk-ios 1.31.0: RSTraits.m:165 adds the app's members last.
    inTheApp: """
      The app passed identify() traits with a userId that is not text, and the Objective-C SDK stores it over the user \
      id. Pass the user id as text, and no userId in the traits.
      """)
}

extension Observation {
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
      remedy:
        "Accept it if events were sent under this id, edit it, or skip it: the new SDK then makes an id of its own.",
      verdict: defect == .empty ? .loss(.emptyID, "RudderStack's migrator copies the empty one") : nil)
  }

  package static func anonymousIDNotString(_ value: PropertyListValue) -> Observation {
    Observation(
      .anonymousIDNotString,
      "The new SDK would make a new anonymous id: the legacy one is \(typed: value), not a string.",
      remedy: "Accept the text if there is a proposal, edit the field, or skip it.",
      verdict: .cause("it is \(kindOf: value), which RudderStack's migrator drops"))
  }

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

  package static func anonymousIDsDiffer(key: String, traits: String) -> Observation {
    Observation(
      .anonymousIDsDiffer,
      """
      rl_anonymous_id is \(quoted: key), but the traits have \(quoted: traits). Carryover proposes the first, which \
      the legacy SDK sends.
      """,
      remedy: "Nothing to do. Edit the field if this user's events were sent under the id in the traits.")
  }

  /// The traits contain their own `id`, which the migration removes.
  /// - Parameter isBeta: whether the traits are from the beta SDK 2, which the guide does not cover.
  package static func customIDStripped(id: String, userID: String?, isBeta: Bool = false) -> Observation {
    let other: FindingText = if let userID { " \(quoted: userID)" } else { "" }
    let stripper = isBeta ? "RudderStack's migrator" : "The guide"
    return Observation(
      .customIDStripped,
      """
      The id \(quoted: id) in the traits is not migrated. It is not the user id\(other), and no other value contains \
      it. \(words: stripper) removes it.
      """,
      remedy: "Accept to remove it, or edit the traits to keep it under another name.",
      verdict: .loss(.lost("the id in the traits"), "RudderStack's migrator removes it"))
  }

  package static func userIDEmpty(_ key: String = inTraits) -> Observation {
    Observation(
      .userIDEmpty, "No user id is written: \(key) is the empty string. RudderStack's migrator writes it.",
      remedy: "Nothing to do. Edit the field if you know the user's id.")
  }

  package static var userIDMissing: Observation {
    Observation(
      .userIDMissing, "There is no user id: the user was never identified, or was reset.",
      remedy: "Nothing to do: the user id stays empty until the app identifies the user.")
  }

  package static var userIDMissingWithTraits: Observation {
    Observation(
      .userIDMissingWithTraits,
      "The next identify call wipes the traits: there is no user id. The new SDK takes the call for a change of user.",
      remedy: "Edit user_id if you know the user's id, so that the call keeps the traits.",
      verdict: .loss(.lost("the traits"), "they have no user id, so the next identify call wipes them"))
  }

  /// The user id is not a string; `text` is the exact text of a number.
  package static func userIDNotString(kind: String, text: String?, _ key: String = inTraits) -> Observation {
    let article = kind == "object" || kind == "array" ? "an" : "a"
    let cause = Consequence.cause("\(key) is \(words: article) \(words: kind), which RudderStack's migrator drops")
    guard let text else {
      let isNull = kind == "null"
      return Observation(
        .userIDNotString,
        isNull
          ? "There is no user id: \(key) is null. The user was never identified, or was reset."
          : """
          RudderStack's migrator drops the user id: the user is logged out. \(key) is \(words: article) \
          \(words: kind), which is not an id.
          """,
        remedy: "Set the field to the id your app passes to identify(), or skip it.", verdict: isNull ? nil : cause)
    }
    let isBeta = key == "rs_user_id"
    return Observation(
      .userIDNotString,
      isBeta
        ? """
        The user id is not stored as text: \(key) is the \(words: kind) \(value: text). The beta SDK 2 and \
        RudderStack's migrator read it as text, and Carryover proposes the same text.
        """
        : """
        RudderStack's migrator drops the user id: the user is logged out. \(key) is the \(words: kind) \
        \(value: text). The legacy SDK sent \(quoted: text); Carryover proposes the same text.
        """,
      remedy: "Accept the text, or edit it to match the id your app passes to identify().",
      verdict: isBeta ? nil : cause)
  }
}

package enum AnonymousIDDefect: Hashable, Sendable {
  case empty, notUUID, allZero
}

extension Loss {
  fileprivate static let emptyID = Loss(
    .newUser, "the anonymous id", ahead: "the update would give this user an empty anonymous id for ever",
    past: "this user has an empty anonymous id")
}

/// The Objective-C SDK's place of the user id.
package let inTraits = "rl_traits.userId"
