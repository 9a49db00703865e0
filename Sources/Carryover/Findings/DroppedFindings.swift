extension FindingCode {
  /// Keys that hold secrets.
  package static let droppedSecrets = FindingCode(
    "dropped.secrets", .warning, .informs,
    Explanation(
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
        """))
}

extension Observation {
  /// Keys that hold secrets.
  package static func droppedSecrets(_ keys: [String]) -> Observation {
    let (are, them, values) = keys.count == 1 ? ("is", "it", "value is") : ("are", "them", "values are")
    return Observation(
      .droppedSecrets,
      """
      \(list: keys) \(words: are) not migrated: the new SDK does not read \(words: them). The \(words: values) not shown.
      """,
      remedy: """
        Nothing to do. If your app still needs the token or the advertising id, store it in the app.
        """)
  }
}

extension FindingCode {
  /// Legacy keys that no rule knows.
  package static let droppedUnknownKey = FindingCode(
    "dropped.unknown-key", .note, .informs,
    Explanation(
      title: "legacy keys that no rule knows",
      happens: "The legacy store contains keys with a prefix of the legacy SDK, and no recipe knows these keys.",
      legacyReads: """
        The legacy SDK, SDK 2 and React Native use these prefixes. Which of them reads such a key is not established.
        """,
      guideSays: "The guide has no row for these keys.",
      helperWrites: "The helper ignores them, and they go when it deletes the file.",
      weWrite: "Carryover lists the keys and leaves them where they are.",
      whatToDo: "Nothing has to be done. Look through the list if the app used another SDK of the vendor."))
}

extension Observation {
  /// Legacy keys that no rule knows.
  package static func droppedUnknownKey(_ keys: [String]) -> Observation {
    Observation(
      .droppedUnknownKey,
      "No rule knows \(list: keys): left behind.",
      remedy:
        "Nothing to do: they stay in the legacy store.")
  }
}

extension FindingCode {
  /// Events that were never sent.
  package static let droppedUnsentEvents = FindingCode(
    "dropped.unsent-events", .warning, .informs,
    Explanation(
      title: "a database contains, or may contain, unsent events",
      happens: """
        A database of the legacy SDK holds events that were not sent, or may hold some where they cannot be counted.
        """,
      legacyReads: """
        The legacy SDK keeps events in a database of its own until they are sent. Since 1.14.0 each row \
        has a status: 2 and 3 mean that the event was sent.
        """,
      guideSays: "The guide says that events are not migrated.",
      helperWrites: "The helper says nothing of them.",
      weWrite: "Carryover counts the events that are not sent, where that is possible, and migrates none of them.",
      whatToDo: "Let the old version of the app send them before the update, or accept the loss."))
}

extension Observation {
  /// Events that were never sent.
  package static func droppedUnsentEvents(path: String, count: Int?) -> Observation {
    let held: FindingText =
      if let count {
        "\(file: path) holds \(count: count, "event") that the legacy SDK had not sent."
      } else {
        "\(file: path) may hold events that the legacy SDK had not sent; they cannot be counted."
      }
    return Observation(
      .droppedUnsentEvents, "\(held) The new SDK does not read them.",
      remedy: "Let the old version of the app send them before the update, or accept the loss.")
  }
}
