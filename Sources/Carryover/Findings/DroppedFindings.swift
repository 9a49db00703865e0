extension FindingCode {
  static let droppedCodes: [FindingCode] = [.droppedSecrets, .droppedUnknownKey, .droppedUnsentEvents]

  package static let droppedSecrets = FindingCode(
    "dropped.secrets", .note, .informs,
    title: "there is a token, an advertising id or a server configuration",
    happens: "The legacy store contains an authentication token, an advertising id or a server configuration.",
    legacyReads: """
      The legacy SDK keeps the token (putAuthToken) and the advertising id that the app gave it, and the \
      configuration that it fetched.
      """,
    guideSays: """
      The guide says that the new SDK manages the server configuration by itself. It does not mention the token or \
      the advertising id.
      """,
    helperWrites: "The vendor's migrator does not migrate them, and deletes them with the source.",
    weWrite: "Carryover names the keys, does not migrate them, and never shows their values.",
    whatToDo: """
      Do nothing for the configuration: the new SDK fetches its own. It has no counterpart for the token and the \
      advertising id; store them in your app if it still needs them.
      """)

  package static let droppedUnknownKey = FindingCode(
    "dropped.unknown-key", .note, .informs,
    title: "legacy keys that no rule knows",
    happens: "The legacy store contains keys with a prefix of the legacy SDK, and no recipe knows these keys.",
    legacyReads: "The vendor's legacy SDKs use these prefixes. Which of them reads such a key is unknown.",
    guideSays: "The guide has no row for these keys.",
    helperWrites: "The vendor's migrator ignores the keys, and deletes them with the file.",
    weWrite: "Carryover lists the keys and does not change them.",
    whatToDo: "Do nothing. If the app used another SDK of the vendor, check the list.")

  package static let droppedUnsentEvents = FindingCode(
    "dropped.unsent-events", .warning, .informs,
    title: "a database contains, or may contain, unsent events",
    happens: "A database of the legacy SDK contains unsent events, or may contain some that cannot be counted.",
    legacyReads: """
      The legacy SDK keeps events in its own database until they are sent. Since 1.14.0 each row has a status: 2 and \
      3 mean that the event was sent.
      """,
    guideSays: "The guide says that events are not migrated.",
    helperWrites: "The vendor's migrator does not read the database.",
    weWrite: "Carryover counts the unsent events if possible, and migrates none of them.",
    whatToDo: "Let the old version of the app send them before the update, or accept the loss.")
}

extension Observation {
  package static func droppedSecrets(_ keys: [String]) -> Observation {
    let isOne = keys.count == 1
    let (them, values) = isOne ? ("it", "Its value is") : ("them", "Their values are")
    return Observation(
      .droppedSecrets,
      """
      \(notMigrated: keys.count, "secret key"): \(list: keys). The new SDK does not read \(words: them). \(words: values) \
      not shown.
      """,
      remedy: isOne
        ? "Nothing to do. If your app still needs this value, store it in the app."
        : "Nothing to do. If your app still needs one of these values, your app must store it.")
  }

  package static func droppedUnknownKey(_ keys: [String]) -> Observation {
    Observation(
      .droppedUnknownKey,
      "\(notMigrated: keys.count, "key"): \(list: keys). No rule of the recipe reads \(words: keys.count == 1 ? "it" : "them").",
      remedy: "Nothing to do: the legacy store does not change.")
  }

  package static func droppedUnsentEvents(path: String, count: Int?) -> Observation {
    let what: FindingText =
      if let count {
        "\(notMigrated: count, "unsent event"): the new SDK does not read \(file: path)."
      } else {
        "Unsent events may be lost: those in \(file: path) cannot be counted. The new SDK does not read it."
      }
    return Observation(
      .droppedUnsentEvents, what,
      verdict: count == nil
        ? .loss(.uncountedEvents, "those in \(file: path) cannot be counted")
        : .loss(.lost("unsent events"), "the new SDK does not read \(file: path)"))
  }
}

extension Loss {
  fileprivate static let uncountedEvents = Loss(
    .data, "unsent events", ahead: "the update may lose unsent events", past: "the update may have lost unsent events")
}
