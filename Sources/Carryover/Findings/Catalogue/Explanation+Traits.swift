/// What is known about the findings on traits.
extension Explanation {
  static let traitsDuplicateMember = Explanation(
    title: "a member's name occurs twice",
    happens: "A member of the traits occurs more than once.",
    legacyReads: "The legacy SDK takes the last of them, as readers of JSON do.",
    guideSays: "The guide says nothing about this.",
    helperWrites: "The helper keeps the last one and loses the others without a word.",
    weWrite: "Carryover keeps all of them, byte for byte, and names the members.",
    whatToDo: "Nothing has to be done: readers go on taking the last. Edit the traits if one of the values is wrong.")

  static let traitsEmptyAfterStrip = Explanation(
    title: "nothing but the ids stands in the traits",
    happens: "Nothing but the ids stands in the traits.",
    legacyReads: """
      The legacy SDK keeps anonymousId in the traits always, so a user without traits of their own has a text here \
      too.
      """,
    guideSays: "The guide removes the ids and stores the rest. It does not say what to store where nothing is left.",
    helperWrites: "The helper writes no traits.",
    weWrite: "Carryover writes no traits either, and says so: the new SDK reads absent traits as empty.",
    whatToDo: "Nothing has to be done.")

  static let traitsInvalidJSON = Explanation(
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
    whatToDo: "Migrate the rest. Edit traits and user_id if their values are known from elsewhere.")

  static let traitsLossyReencode = Explanation(
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
    whatToDo: "Nothing has to be done: the bytes are kept.")
}
