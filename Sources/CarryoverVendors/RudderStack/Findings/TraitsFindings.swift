package import Carryover
import PropertyLists

extension FindingCode {
  /// A member name occurs more than once.
  package static let traitsDuplicateMember = FindingCode(
    "traits.duplicate-member", .note, .informs,
    Explanation(
      title: "a member's name occurs twice",
      happens: "A member of the traits occurs more than once.",
      legacyReads: "The legacy SDK takes the last of them, as readers of JSON do.",
      guideSays: "The guide says nothing about this.",
      helperWrites: "The helper keeps the last one and loses the others without a word.",
      weWrite: "Carryover keeps all of them, byte for byte, and names the members.",
      whatToDo: "Nothing has to be done: readers go on taking the last. Edit the traits if one of the values is wrong.")
  )
}

extension Observation {
  /// A member name occurs more than once.
  package static func traitsDuplicateMember(_ names: [String]) -> Observation {
    let members = names.count == 1 ? "a member" : "members"
    return Observation(
      .traitsDuplicateMember,
      """
      The traits hold \(words: members) more than once: \(list: names). Readers take the last one; all are kept as they are.
      """,
      remedy: "Nothing to do: both are kept. Edit the traits if one of them is wrong.")
  }
}

extension FindingCode {
  /// Nothing is left of the traits once the ids are stripped.
  package static let traitsEmptyAfterStrip = FindingCode(
    "traits.empty-after-strip", .note, .informs, brief: "nothing left",
    Explanation(
      title: "nothing but the ids stands in the traits",
      happens: "Nothing but the ids stands in the traits.",
      legacyReads: """
        The legacy SDK keeps anonymousId in the traits always, so a user without traits of their own has a text here \
        too.
        """,
      guideSays: "The guide removes the ids and stores the rest. It does not say what to store where nothing is left.",
      helperWrites: "The helper writes no traits.",
      weWrite: "Carryover writes no traits either, and says so: the new SDK reads absent traits as empty.",
      whatToDo: "Nothing has to be done."))
}

extension Observation {
  /// Nothing is left of the traits once the ids are stripped.
  package static var traitsEmptyAfterStrip: Observation {
    Observation(
      .traitsEmptyAfterStrip,
      """
      Nothing but the ids stood in the traits, so nothing is written. The new SDK reads absent traits as \
      empty.
      """,
      remedy:
        "Nothing to do.")
  }
}

extension FindingCode {
  /// The traits are not the text of a JSON object.
  package static let traitsInvalidJSON = FindingCode(
    "traits.invalid-json", .error, .informs, brief: "not a JSON object",
    Explanation(
      title: "the traits are not text, not JSON, no object, or not readable by any SDK",
      happens: """
        The traits are not text, not JSON, no object, or hold what no reader takes: half of a surrogate pair, or a \
        number such as 1e400.
        """,
      legacyReads: "The legacy SDK cannot read traits from it, nor the ids in them.",
      guideSays: "The guide says to log the error and skip the traits: the other values can still be migrated.",
      helperWrites: "The helper writes neither traits nor user id, and deletes the source.",
      weWrite: """
        Carryover leaves out the traits and what only they hold, carries over everything else, and never deletes the \
        text.
        """,
      whatToDo: "Migrate the rest. Edit traits and user_id if their values are known from elsewhere."))
}

extension Observation {
  /// The traits are not the text of a JSON object.
  package static func traitsInvalidJSON(_ defect: TraitsDefect, _ key: String = "rl_traits") -> Observation {
    let form = key == "rs_traits" ? "a keyed archive" : "JSON text"
    let what: FindingText =
      switch defect {
      case .notText(let kind):
        "\(key) is \(words: ValueWording.name(kind)), where the legacy SDK writes \(words: form)."
      case .syntax(let error): "\(key) is not JSON. \(error: error, limit: 160)"
      case .notObject: "\(key) is JSON, but not an object."
      case .loneSurrogate(let position):
        """
        \(key) holds half of a surrogate pair at column \(words: position.column ?? position.offset + 1), which no SDK reads.
        """
      case .numberOutOfRange(let lexeme): "\(key) holds the number \(value: lexeme), which no SDK reads."
      case .archive(let reason): "\(key) cannot be opened. \(reason, limit: 160)"
      }
    return Observation(
      .traitsInvalidJSON, "\(what) Neither traits nor the ids in them can be migrated; everything else can.",
      remedy: "The other fields can still be migrated. Edit this one if its value is known from elsewhere.")
  }
}

extension FindingCode {
  /// Decoding and encoding again would change these pieces of text.
  package static let traitsLossyReencode = FindingCode(
    "traits.lossy-reencode", .note, .informs,
    Explanation(
      title: "decoding and encoding again would change the text, as the helper does",
      happens: """
        The traits have pieces that decoding and encoding again would change: 1.0, 4.10, 1E5, a slash, a member twice, \
        the order of members, an integer above 9223372036854775807.
        """,
      legacyReads: "The legacy SDK wrote this text, and reads its values.",
      guideSays: """
        The guide stores the traits as a JSON string after removing the ids. It does not say how to keep the rest as \
        it is.
        """,
      helperWrites: "The helper decodes the traits and encodes them again, which rewrites those pieces.",
      weWrite: "Carryover cuts the ids out by byte range, so that every byte of the other members stays.",
      whatToDo: "Nothing has to be done: the bytes are kept."))
}

extension Observation {
  /// Decoding and encoding again would change these pieces of text.
  package static func traitsLossyReencode(_ pieces: [String]) -> Observation {
    // A number is a value, anything else is said about names.
    let changed = pieces.map { JSONNumber(lexeme: $0) == nil ? "\($0)" as FindingText : "\(value: $0)" }
    return Observation(
      .traitsLossyReencode,
      """
      Decoding the traits and encoding them again, as the reference migrator does, would change \(list: changed). Here every \
      byte that stays is kept.
      """,
      remedy: "Nothing to do: the text of every member that stays is kept byte for byte.")
  }
}
