/// What is known about the findings on what is left behind.
extension Explanation {
  static let droppedExternalIDs = Explanation(
    title: "there are external ids",
    happens: "The key rl_external_id holds external ids, such as those of another service for the same user.",
    legacyReads: "The legacy SDK stores external ids as the text of a JSON array of types and ids.",
    guideSays: "The guide says that external ids need no migration, because the new SDK does not store them.",
    helperWrites: "The helper leaves them out without a word.",
    weWrite: "Carryover prints each with its type, and writes none of them.",
    whatToDo: "Pass them with each event, in the options of the new SDK's calls.")

  static let droppedSecrets = Explanation(
    title: "tokens, advertising id or server configuration are there",
    happens: "The legacy store holds an authentication token, an advertising id or a server configuration.",
    legacyReads: """
      The legacy SDK keeps the token (putAuthToken) and the advertising id that the app gave it, and the configuration \
      that it fetched.
      """,
    guideSays: """
      The guide says that the new SDK manages the server configuration by itself. It does not mention the token or \
      the advertising id.
      """,
    helperWrites: "The helper does not carry them over; they go when it deletes the source.",
    weWrite: "Carryover names the keys, does not migrate them, and never shows their values.",
    whatToDo: """
      Nothing has to be done for the configuration: the new SDK fetches its own. It has no counterpart for the token \
      and the advertising id; keep them in your app if it still needs them.
      """)

  static let droppedUnknownKey = Explanation(
    title: "legacy keys that no rule knows",
    happens: "The legacy store holds keys beginning with rl_, rs_ or rn_ that no recipe knows.",
    legacyReads: """
      The legacy SDK, SDK 2 and React Native use these prefixes. Which of them reads such a key is not established.
      """,
    guideSays: "The guide has no row for these keys.",
    helperWrites: "The helper ignores them, and they go when it deletes the file.",
    weWrite: "Carryover lists the keys and leaves them where they are.",
    whatToDo: "Nothing has to be done. Look through the list if the app used another SDK of the vendor.")

  static let droppedUnsentEvents = Explanation(
    title: "a database contains, or may contain, unsent events",
    happens: """
      A database of the legacy SDK holds events that were not sent, or may hold some where they cannot be counted.
      """,
    legacyReads: """
      The legacy SDK keeps events in rl_persistence.sqlite or rl_persistence_encrypted.sqlite. Since 1.14.0 each row \
      has a status: 2 and 3 mean that the event was sent.
      """,
    guideSays: "The guide says that events are not migrated.",
    helperWrites: "The helper says nothing of them.",
    weWrite: "Carryover counts the events that are not sent, where that is possible, and migrates none of them.",
    whatToDo: "Let the old version of the app send them before the update, or accept the loss.")
}
