package import Carryover

extension FindingCode {
  /// The beta SDK 2 ran, and its anonymous id stands nowhere; `stored` are ids that others have left.
  package static let v2AnonymousIDNotStored = FindingCode(
    "v2.anonymous-id-not-stored", .error, .asks, brief: "not stored",
    Explanation(
      title: "the beta SDK 2 does not store its anonymous id",
      happens: """
        The beta SDK 2 sends the device's vendor id (identifierForVendor), in lower case, as its anonymous id; on macOS \
        the MAC address. It stores the id nowhere, so it is in no container.
        """,
      legacyReads: "The legacy SDK asks the system for the id whenever it starts.",
      guideSays: "The guide for the beta says that the id is not stored anywhere.",
      helperWrites: """
        The helper writes the vendor's id of whatever device it runs on: the same one on the user's own device, another \
        after a restore to a new one or once all apps of the vendor were removed.
        """,
      weWrite: """
        Carryover proposes nothing and asks. An id that the Objective-C SDK or the app has stored is offered, though \
        events of the beta were not sent under it.
        """,
      whatToDo: """
        Give the id with --set anonymous_id=ID if the events on the server tell it. Skip the field otherwise: the new SDK \
        then makes an id, and a known user is still told by the user id.
        """))
}

extension Observation {
  /// The beta SDK 2 ran, and its anonymous id stands nowhere; `stored` are ids that others have left.
  package static func v2AnonymousIDNotStored(stored: [StoredID]) -> Observation {
    let ids = stored.map { "\($0.source.label) holds \(quoted: $0.id)" as FindingText }
    let others: FindingText =
      ids.isEmpty
      ? "" : " But \(list: ids, limit: .max): not the id that the beta sent, unless the app saw to it."
    let choice = ids.isEmpty ? "" : "; take a stored one in the same way if earlier events matter more"
    return Observation(
      .v2AnonymousIDNotStored,
      """
      The beta SDK 2 does not store its anonymous id: it is the device's vendor id, on macOS its MAC address, which is in no \
      container. The reference migrator writes the id of the device that it runs on.\(others)
      """,
      remedy: """
        Give the id that events were sent under, from the server's data, with --set anonymous_id=ID\(words: choice); or skip \
        the field, and the new SDK makes an id of its own.
        """)
  }
}

extension FindingCode {
  /// The beta SDK 2's session was ended.
  package static let v2SessionStopped = FindingCode(
    "v2.session-stopped", .warning, .informs, brief: "session ended",
    Explanation(
      title: "the app had ended the session",
      happens: """
        The key rl_session_stopped_status is true: the app ended the session of the beta SDK 2, and no other was started.
        """,
      legacyReads: "The legacy SDK sends events without a session as long as the status is true.",
      guideSays: "The guide for the beta does not mention this key, as far as Carryover's authors have read it.",
      helperWrites: "The helper does not look at the status, writes the ended session, and the new SDK revives it.",
      weWrite: "Carryover leaves out session_id, is_manual_session and last_activity_time.",
      whatToDo: "Nothing has to be done: a new session starts when the app, or the new SDK by itself, starts one."))
}

extension Observation {
  /// The beta SDK 2's session was ended.
  package static var v2SessionStopped: Observation {
    Observation(
      .v2SessionStopped,
      """
      rl_session_stopped_status is true: the app ended the session. No session is carried over; the \
      reference migrator revives it.
      """,
      remedy:
        "Nothing to do: the new SDK starts a new session.")
  }
}

extension FindingCode {
  /// The archive of traits holds what JSON cannot say, or says in another way.
  package static let v2TraitsArchive = FindingCode(
    "v2.traits-archive", .error, .asks,
    Explanation(
      title: "the archive of traits holds what JSON cannot say",
      happens: """
        The traits of the beta SDK 2 are a keyed archive of a dictionary. This one holds objects of other classes, or \
        dates, data and sets, for which JSON has no type; or it cannot be opened at all.
        """,
      legacyReads: "The legacy SDK opens the archive with all the classes of the app, so that any object comes back.",
      guideSays: "The guide for the beta says that the traits are stored as keyed-archived dictionary data.",
      helperWrites: """
        The helper opens dictionaries, arrays, strings, numbers and null only: with one value of another class all traits \
        are lost, and their source is deleted.
        """,
      weWrite: """
        Carryover decodes what can be decoded, without making an object of any class, names the rest by place and class, \
        and asks. Dates become ISO 8601 text, data base64 text, sets arrays.
        """,
      whatToDo: "Confirm the proposal if what is missing does not matter; edit the traits, or skip the field."))
}

extension Observation {
  /// The archive of traits holds what JSON cannot say, or says in another way.
  package static func v2TraitsArchive(leftOut: [ArchivedPart], reshaped: [ArchivedPart]) -> Observation {
    func parts(_ parts: [ArchivedPart]) -> FindingText {
      "\(list: parts.map { "\($0.path.isEmpty ? "the whole" : $0.path, limit: 40) (\($0.what, limit: 40))" })"
    }
    let missing: FindingText = leftOut.isEmpty ? "" : " Left out: \(parts(leftOut))."
    let changed: FindingText = reshaped.isEmpty ? "" : " Written as text or as an array: \(parts(reshaped))."
    return Observation(
      .v2TraitsArchive,
      """
      rs_traits is an archive with more in it than JSON can say.\(missing)\(changed) The reference migrator loses all traits.
      """,
      remedy: "Confirm the proposal, edit it to have what is missing, or skip the field.")
  }

  /// The data under the traits is neither a keyed archive nor a property list: why.
  package static func v2TraitsUnreadable(_ reason: String) -> Observation {
    Observation(
      .v2TraitsArchive,
      """
      rs_traits is data that can be read neither as a keyed archive nor as a property list. \(reason, limit: 160)
      """,
      remedy: "Give the traits as JSON if they are known from elsewhere, or skip the field.")
  }
}

/// An anonymous id that something else than the recipe's SDK has stored.
package struct StoredID: Hashable, Sendable {
  /// Where it stands: a key, or a member of one.
  package var source: SourceKey
  /// The id.
  package var id: String

  /// A stored id from its parts.
  package init(source: SourceKey, id: String) {
    self.source = source
    self.id = id
  }
}
