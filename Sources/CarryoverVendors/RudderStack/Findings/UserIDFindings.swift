package import Carryover

extension FindingCode {
  /// The traits hold an `id` of their own, which stripping removes.
  package static let customIDStripped = FindingCode(
    "identity.custom-id-stripped", .warning, .asks,
    Explanation(
      title: "the traits hold an id that is not the user id",
      happens: """
        The traits hold an id of their own, which is not the user id. It comes from an alias call or from the app.
        """,
      legacyReads: "The legacy SDK keeps the member id among the traits, beside anonymousId and userId.",
      guideSays: "The guide removes anonymousId, id and userId from the traits, whatever they hold.",
      helperWrites: "The helper removes the member without a word, and nothing else holds its value.",
      weWrite: """
        Carryover proposes the traits without it, as the guide says, and asks. It offers the traits with the id kept \
        under the name customId.
        """,
      whatToDo: """
        Confirm to strip it if nobody needs it; otherwise choose the traits that keep it as customId, or edit them.
        """))
}

extension Observation {
  /// The traits hold an `id` of their own, which stripping removes.
  /// - Parameter isBeta: whether they are those of the beta SDK 2, of which the guide does not speak.
  package static func customIDStripped(id: String, userID: String?, isBeta: Bool = false) -> Observation {
    let other: FindingText = if let userID { " \(quoted: userID)" } else { "" }
    let stripper = isBeta ? "The reference migrator" : "The guide"
    return Observation(
      .customIDStripped,
      """
      The traits hold an id of their own, \(quoted: id), which is not the user id\(other). \(words: stripper) strips it, and \
      nothing else holds it.
      """,
      remedy: "Confirm to strip it, or edit the traits to keep it under another name.")
  }
}

extension FindingCode {
  /// The user id is the empty string.
  package static let userIDEmpty = FindingCode(
    "identity.user-id-empty", .warning, .informs, brief: "empty",
    Explanation(
      title: "the user id is the empty string",
      happens: "The member userId of the traits is the empty string.",
      legacyReads: "The legacy SDK stores what the app passes. What it sends for the empty string is not established.",
      guideSays: "The guide extracts the userId from the traits. The empty string does not occur in it.",
      helperWrites: "The helper writes the empty string as user_id.",
      weWrite: "Carryover takes it for absent and writes no user_id.",
      whatToDo: "Nothing is written, and nothing has to be. Edit user_id if it is known who the user is."))
}

extension Observation {
  /// The user id is the empty string.
  package static func userIDEmpty(_ key: String = inTraits) -> Observation {
    Observation(
      .userIDEmpty,
      "\(key) is the empty string. The reference migrator writes it; here it counts as absent.",
      remedy:
        "Nothing is written. Edit the field if the user is known.")
  }
}

extension FindingCode {
  /// There is neither a user id nor traits.
  package static let userIDMissing = FindingCode(
    "identity.user-id-missing", .note, .informs,
    Explanation(
      title: "there is neither a user id nor traits",
      happens: "The legacy SDK has left values, but no user id, and no traits beside the ids.",
      legacyReads: "The legacy SDK has no user id then: the app never identified the user, or reset the SDK.",
      guideSays: "The guide says that no action is needed: the user id stays nil until the user is identified.",
      helperWrites: "The helper writes no user_id.",
      weWrite: "Carryover writes no user_id either, and notes why.",
      whatToDo: "Do nothing. Edit user_id if you know who the user is."))
}

extension Observation {
  /// There is neither a user id nor traits.
  package static var userIDMissing: Observation {
    Observation(
      .userIDMissing,
      "There is no user id: the user was never identified, or was reset.",
      remedy:
        "Nothing to do: the user id stays empty until the app identifies the user.")
  }
}

extension FindingCode {
  /// Traits remain, but there is no user id.
  package static let userIDMissingWithTraits = FindingCode(
    "identity.user-id-missing-with-traits", .warning, .informs,
    Explanation(
      title: "traits remain without a user id",
      happens: "The traits hold members of the app, but there is no user id to go with them.",
      legacyReads: """
        The legacy SDK reads the traits as they are. Without a userId in them the user was never identified, or was \
        reset.
        """,
      guideSays: """
        The guide needs no action for a missing user id: it stays nil until the user is identified. It does not say \
        what the next identify call does to the traits.
        """,
      helperWrites: """
        The helper writes the traits without a user id and says nothing. The next identify call counts as a change of \
        user and wipes them.
        """,
      weWrite: "Carryover writes the traits, no user_id, and warns.",
      whatToDo: "Edit user_id if the user is known, so that the next identify call keeps the traits."))
}

extension Observation {
  /// Traits remain, but there is no user id.
  package static var userIDMissingWithTraits: Observation {
    Observation(
      .userIDMissingWithTraits,
      """
      Traits remain, but there is no user id. The new SDK takes the next identify call for a change of \
      user and wipes the traits.
      """,
      remedy:
        "Edit user_id if the user is known, so that the next identify call keeps the traits.")
  }
}

extension FindingCode {
  /// The user id is no string; `text` is the exact text of a number.
  package static let userIDNotString = FindingCode(
    "identity.user-id-not-string", .error, .asks,
    Explanation(
      title: "userId is a number, boolean, null, array or object",
      happens: """
        The member userId of the traits is a number, a boolean, null, an array or an object, because the app gave it \
        as that and the app's members are merged last.
        """,
      legacyReads: """
        The legacy SDK parses the number and sends its description: 42 goes out as "42", 4.10 as "4.1", 1e3 as "1000".
        """,
      guideSays: "The guide expects a string in userId. It does not say what becomes of a number, or of anything else.",
      helperWrites: """
        The helper drops the id and removes it from the traits: the user is logged out. Then it deletes the source.
        """,
      weWrite: """
        Carryover proposes the text that the legacy SDK sent for a number, and asks. Null counts as absent and asks \
        nothing; a boolean, array or object has no proposal.
        """,
      whatToDo: """
        Confirm the text, or edit it to the id your app passes to identify. Skip the field to leave the user unknown.
        """))
}

extension Observation {
  /// The user id is no string; `text` is the exact text of a number.
  package static func userIDNotString(kind: String, text: String?, _ key: String = inTraits) -> Observation {
    guard let text else {
      let article = kind == "object" || kind == "array" ? "an" : "a"
      return Observation(
        .userIDNotString,
        kind == "null"
          ? "\(key) is null, which counts as absent: the user was never identified, or was reset."
          : """
          \(key) is \(words: article) \(words: kind), from which no user id follows. The reference migrator drops it: the user is \
          logged out.
          """,
        remedy: "Edit the field to the id your app passes to identify, or skip it.")
    }
    return Observation(
      .userIDNotString,
      key == "rs_user_id"
        ? """
        \(key) is the \(words: kind) \(value: text), which the beta SDK 2 and the reference migrator read as text; so does this \
        proposal.
        """
        : """
        \(key) is the \(words: kind) \(value: text). The reference migrator drops it: the user is logged out. The legacy SDK \
        sent \(quoted: text); so does this proposal.
        """,
      remedy: "Confirm the text, or edit it to the id your app passes to identify.")
  }
}

/// Where the Objective-C SDK keeps the user id.
package let inTraits = "traits.userId"
