package import Carryover

extension FindingCode {
  static let rudderStackTraitsCodes: [FindingCode] = [
    .traitsDuplicateMember, .traitsEmptyAfterStrip, .traitsInvalidJSON, .traitsLossyReencode,
  ]

  package static let traitsDuplicateMember = FindingCode(
    "traits.duplicate-member", .note, .informs,
    title: "a member's name occurs twice",
    happens: "A member of the traits occurs more than once.",
    legacyReads: "The legacy SDK takes the last one, as JSON readers do.",
    guideSays: "The guide does not mention members that occur twice.",
    helperWrites: "RudderStack's migrator keeps the last one and silently loses the others.",
    weWrite: "Carryover keeps all of them, byte for byte, and names the members.",
    whatToDo: "Do nothing: readers still take the last one. Edit the traits if one of the values is wrong."
  )

  package static let traitsEmptyAfterStrip = FindingCode(
    "traits.empty-after-strip", .note, .informs, brief: "nothing left",
    title: "the traits contain nothing but the ids",
    happens: "The traits contain nothing but the ids.",
    legacyReads: "The legacy SDK always keeps anonymousId in the traits, so even a user without traits has text here.",
    guideSays: "The guide removes the ids and stores the rest. It does not say what to store if nothing is left.",
    helperWrites: "RudderStack's migrator writes no traits.",
    weWrite: "Carryover writes no traits either, and notes why: the new SDK reads absent traits as empty.",
    whatToDo: "Do nothing: no trait is lost.")

  package static let traitsInvalidJSON = FindingCode(
    "traits.invalid-json", .error, .informs, brief: "not a JSON object",
    title: "the traits are not text, not JSON, not an object, or not readable by any SDK",
    happens: """
      The traits are not text, not JSON or not an object. Or they contain something that no SDK reads: half of a \
      surrogate pair, or a number such as 1e400.
      """,
    legacyReads: "The legacy SDK can read neither the traits nor the ids in them.",
    guideSays: "The guide says to log the error and skip the traits: the other values are still migrated.",
    helperWrites: "RudderStack's migrator writes neither traits nor user id, and deletes the source.",
    weWrite: """
      Carryover migrates neither the traits nor the values that only they contain. It migrates everything else, and \
      never deletes the text.
      """,
    whatToDo: "Migrate the rest. Edit traits and user_id if you know their values from elsewhere.")

  package static let traitsLossyReencode = FindingCode(
    "traits.lossy-reencode", .note, .informs,
    title: "RudderStack's migrator would change the text by decoding and encoding it again",
    happens: """
      Decoding and encoding the traits again would change some of their text: 1.0, 4.10, 1E5, a slash, a repeated \
      member, the order of members, or an integer above 9223372036854775807.
      """,
    legacyReads: "The legacy SDK wrote this text, and reads its values.",
    guideSays: """
      The guide stores the traits as a JSON string after removing the ids. It does not say how to keep the other \
      text.
      """,
    helperWrites: "RudderStack's migrator decodes and re-encodes the traits, which changes that text.",
    weWrite: "Carryover cuts the ids out by byte range, so every byte of the other members stays.",
    whatToDo: "Do nothing: Carryover keeps the bytes.")
}

extension Observation {
  package static func traitsDuplicateMember(_ names: [String]) -> Observation {
    Observation(
      .traitsDuplicateMember,
      """
      The traits have \(words: names.count == 1 ? "a member" : "members") more than once: \(list: names). Carryover \
      keeps all; readers take the last one.
      """,
      remedy: "Nothing to do. Edit the traits if one of the values is wrong.")
  }

  package static var traitsEmptyAfterStrip: Observation {
    Observation(
      .traitsEmptyAfterStrip,
      "No traits are written: they contain nothing but the ids. The new SDK reads absent traits as empty.",
      remedy: "Nothing to do.")
  }

  package static func traitsInvalidJSON(_ defect: TraitsDefect, _ key: String = "rl_traits") -> Observation {
    let what = defect.sentence(key, form: key == "rs_traits" ? "a keyed archive" : "JSON text")
    return Observation(
      .traitsInvalidJSON, "The traits and their ids are not migrated: \(what)",
      remedy: "Edit the traits and the user id if you know their values. The other fields are migrated.",
      verdict: .cause("\(key) cannot be read as a JSON object"))
  }

  package static func traitsLossyReencode(_ pieces: [String]) -> Observation {
    // A number is a value; all other pieces are names.
    let changed = pieces.map { JSONNumber(lexeme: $0) == nil ? "\($0)" as FindingText : "\(value: $0)" }
    return Observation(
      .traitsLossyReencode,
      """
      RudderStack's migrator changes the text of the traits: \(list: changed). It decodes and re-encodes them; Carryover \
      keeps the bytes of every remaining member.
      """,
      remedy: "Nothing to do: Carryover keeps the bytes.")
  }
}
