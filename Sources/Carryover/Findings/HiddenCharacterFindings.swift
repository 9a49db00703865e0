extension FindingCode {
  /// An id has hidden characters.
  package static let identityHiddenCharacters = FindingCode(
    "identity.hidden-characters", .warning, .asks,
    Explanation(
      title: "an id has blanks at its edges, or hidden characters",
      happens: """
        An id begins or ends with white space, or contains a line break or a character that no screen shows, such as a \
        zero-width space. Such ids come from pasting, or from files that were read with their line ends.
        """,
      legacyReads: "The legacy SDK sends the id as it is, so its server knows the user under just this id.",
      guideSays: "The guide does not mention such ids.",
      helperWrites: "The vendor's migrator writes the id as it is.",
      weWrite: """
        Carryover shows the id with these characters, proposes it as it is, offers it without them, and asks.
        """,
      whatToDo: """
        Look the user up on the server. Accept the proposal if the server knows the id with these characters. Choose \
        the id without them if the app now removes them.
        """))
}

extension Observation {
  /// An id has hidden characters.
  package static func identityHiddenCharacters(_ id: String) -> Observation {
    Observation(
      .identityHiddenCharacters,
      """
      The id \(quoted: id) has blanks at its edges, or hidden characters. With and without them, it is the id of two \
      different users.
      """,
      remedy: "Accept the id if the server knows the user under just this id. Otherwise choose the one without them.")
  }
}
