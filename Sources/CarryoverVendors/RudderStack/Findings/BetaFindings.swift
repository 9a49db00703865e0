package import Carryover

extension FindingCode {
  static let rudderStackBetaCodes: [FindingCode] = [.v2AnonymousIDNotStored, .v2SessionStopped, .v2TraitsArchive]

  package static let v2AnonymousIDNotStored = FindingCode(
    "v2.anonymous-id-not-stored", .error, .asks, brief: "not stored",
    title: "the beta SDK 2 does not store its anonymous id",
    happens: """
      The beta SDK 2 sends the device's vendor id (identifierForVendor), in lower case, as its anonymous id, and on \
      macOS the MAC address. It does not store the id, so no container has it.
      """,
    legacyReads: "The legacy SDK asks the system for the id whenever it starts.",
    guideSays: "The guide for the beta says that the id is not stored anywhere.",
    helperWrites: """
      RudderStack's migrator writes the vendor id of the device it runs on. On the user's own device, that is the \
      same id. It differs after a restore to a new device, or after all apps of the vendor were removed.
      """,
    weWrite: """
      Carryover proposes nothing and asks. It offers any id that the Objective-C SDK or the app has stored, although \
      the beta did not send events under it.
      """,
    whatToDo: """
      Give the id with --set anonymous_id=ID if the events on the server contain it. Otherwise skip the field: the \
      new SDK makes an id, and the user id still identifies a known user.
      """)

  package static let v2SessionStopped = FindingCode(
    "v2.session-stopped", .warning, .informs, brief: "session ended",
    title: "the app had ended the session",
    happens:
      "The key rl_session_stopped_status is true: the app ended the session of the beta SDK 2 and started no other.",
    legacyReads: "The legacy SDK sends events without a session while the status is true.",
    guideSays: "The guide for the beta does not mention this key, as far as Carryover's authors know.",
    helperWrites: "RudderStack's migrator ignores the status and writes the ended session, and the new SDK revives it.",
    weWrite: "Carryover does not migrate session_id, is_manual_session or last_activity_time.",
    whatToDo: "Do nothing: the app, or the new SDK itself, starts a new session.")

  package static let v2TraitsArchive = FindingCode(
    "v2.traits-archive", .error, .asks,
    title: "the archive of traits contains what JSON cannot express",
    happens: """
      The traits of the beta SDK 2 are a keyed archive of a dictionary. This one cannot be opened, or it contains \
      values for which JSON has no type: dates, data, sets or objects of other classes.
      """,
    legacyReads: "The legacy SDK opens the archive with all the app's classes, so any object can be read.",
    guideSays: "The guide for the beta says that the traits are stored as keyed-archived dictionary data.",
    helperWrites: """
      RudderStack's migrator opens dictionaries, arrays, strings, numbers and null only. If one value is of another \
      class, it loses all traits and deletes the source.
      """,
    weWrite: """
      Carryover decodes what it can without creating an object of any class, names the rest by place and class, and \
      asks. Dates become ISO 8601 text, data becomes base64 text, and sets become arrays.
      """,
    whatToDo: "Accept the proposal if the missing values do not matter. Otherwise edit the traits, or skip the field.")
}

extension Observation {
  /// The beta SDK 2 ran but did not store its anonymous id. `stored` contains ids that other SDKs stored.
  package static func v2AnonymousIDNotStored(stored: [StoredID]) -> Observation {
    let ids = stored.map { "\($0.source.label) is \(quoted: $0.id)" as FindingText }
    let others: FindingText =
      ids.isEmpty
      ? "" : " \(list: ids, limit: .max), which the beta did not send unless the app made it."
    let choice = ids.isEmpty ? "" : ", or a stored one if earlier events matter more"
    return Observation(
      .v2AnonymousIDNotStored,
      """
      The anonymous id is not in the container: the beta SDK 2 does not store it. It is the device's vendor id, on \
      macOS the MAC address. RudderStack's migrator writes the id of the device that it runs on.\(others)
      """,
      remedy: """
        Give the id that events were sent under\(command: " with --set anonymous_id=ID", app: "")\(words: choice). Otherwise skip the field: \
        the new SDK then makes its own id.
        """)
  }

  package static var v2SessionStopped: Observation {
    Observation(
      .v2SessionStopped,
      """
      The session is not migrated: the app ended it. rl_session_stopped_status is true. RudderStack's migrator \
      revives the session.
      """,
      remedy: "Nothing to do: the new SDK starts a new session.",
      verdict: .harmless)
  }

  package static func v2TraitsArchive(leftOut: [ArchivedPart], reshaped: [ArchivedPart]) -> Observation {
    func parts(_ parts: [ArchivedPart]) -> FindingText {
      "\(list: parts.map { "\($0.path.isEmpty ? "the whole" : $0.path, limit: 40) (\($0.what, limit: 40))" })"
    }
    let missing: FindingText = leftOut.isEmpty ? "" : " Not migrated: \(parts(leftOut))."
    let changed: FindingText = reshaped.isEmpty ? "" : " Written as text or as an array: \(parts(reshaped))."
    return Observation(
      .v2TraitsArchive,
      "RudderStack's migrator loses all traits: rs_traits contains more than JSON can express.\(missing)\(changed)",
      remedy: "Accept the proposal, edit it to add what is missing, or skip the field.",
      verdict: .cause("rs_traits contains more than RudderStack's migrator reads"))
  }

  /// The data of the traits is neither a keyed archive nor a property list, with the reason.
  package static func v2TraitsUnreadable(_ reason: String) -> Observation {
    Observation(
      .v2TraitsArchive,
      "The traits are not migrated: rs_traits is neither a keyed archive nor a property list. \(reason, limit: 160)",
      remedy: "Edit the field if you know the traits, or skip it.",
      verdict: .cause("rs_traits is data that cannot be opened"))
  }
}

/// An anonymous id that another SDK than the recipe's has stored.
package struct StoredID: Hashable, Sendable {
  package var source: SourceKey
  package var id: String
}
