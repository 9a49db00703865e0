package import Carryover
package import PropertyLists

extension FindingCode {
  /// There is session data, but not the kind of the session.
  package static let sessionAutoTrackAbsent = FindingCode(
    "session.auto-track-absent", .warning, .asks,
    Explanation(
      title: "session data without the tracking status",
      happens: "There is session data, but no rl_session_auto_track_status.",
      legacyReads: "The legacy SDK reads the absent status as false: the session is a manual one.",
      guideSays: "The guide stores the status inverted. It does not say what to store if there is none.",
      helperWrites: """
        RudderStack's migrator writes no is_manual_session, so the new SDK reads the session as automatic.
        """,
      weWrite:
        "Carryover proposes is_manual_session true, because the legacy SDK reads the session as manual, and asks.",
      whatToDo: "Accept the proposal, edit the field to false for an automatic session, or skip it."))
}

extension Observation {
  /// There is session data, but not the kind of the session.
  package static var sessionAutoTrackAbsent: Observation {
    Observation(
      .sessionAutoTrackAbsent,
      """
      The session counts as a manual one: rl_session_auto_track_status is absent. The legacy SDK reads that as false; \
      RudderStack's migrator writes nothing, which makes the session automatic.
      """,
      remedy:
        "Accept the proposal, edit the field to false for an automatic session, or skip it.")
  }
}

extension FindingCode {
  /// The configuration says automatic, but the evidence says manual.
  package static let sessionAutoTrackContradicted = FindingCode(
    "session.auto-track-contradicted", .warning, .asks,
    Explanation(
      title: "the tracking status and the evidence contradict each other",
      happens: """
        The tracking status is true, but the app seems to have started the session. Either there is no time of a last \
        event, or a manual tracking status is true. Or both statuses are false, although one must be true.
        """,
      legacyReads: """
        The legacy SDK stores the status as configured at launch. It stays true even if the app later starts a session \
        itself.
        """,
      guideSays: "The guide inverts the status and looks at nothing else.",
      helperWrites: """
        RudderStack's migrator writes is_manual_session false if the time of the last event is valid, and ignores the \
        evidence.
        """,
      weWrite: "Carryover proposes what the status alone says, names what contradicts it, and asks.",
      whatToDo: "Accept the proposal, or edit the field: true if the app starts its sessions itself."))
}

extension Observation {
  /// The configuration says automatic, but the evidence says manual.
  package static func sessionAutoTrackContradicted(_ evidence: SessionEvidence) -> Observation {
    let status: FindingText = "\(sourceKey: "rl_session_auto_track_status")"
    let what: FindingText =
      switch evidence {
      case .sessionWithoutTimestamp:
        """
        The app may have started the session: it has no time of a last event. \(status) is true, but automatic \
        tracking writes that time.
        """
      case .key(let key): "The app may have started the session: \(key) says so. But \(status) is true."
      case .sameStatus(let key, let value):
        """
        The session's kind is uncertain: \(status) and \(key) are both \(words: value). A session is either automatic \
        or started by the app.
        """
      }
    return Observation(
      .sessionAutoTrackContradicted, what,
      remedy: "Accept the proposal, or edit the field: true if the app starts its sessions itself.")
  }
}

extension FindingCode {
  /// The last activity is longer ago than the timeout.
  package static let sessionExpired = FindingCode(
    "session.expired", .note, .informs,
    Explanation(
      title: "the last event is older than 5 minutes",
      happens: "The last event is older than five minutes, the default timeout of the new SDK.",
      legacyReads: "The legacy SDK has the same data, and also starts a new session after the timeout.",
      guideSays: "The guide converts the time and does not mention the timeout.",
      helperWrites: "RudderStack's migrator writes the expired session.",
      weWrite: "Carryover writes it too, and notes that it has expired.",
      whatToDo: "Do nothing: a new session starts, as it would have in the legacy SDK."))
}

extension Observation {
  /// The last activity is longer ago than the timeout.
  package static func sessionExpired(idleMilliseconds idle: Int64) -> Observation {
    Observation(
      .sessionExpired,
      """
      The session has expired: its last event is \(words: duration(idle)) old. The timeout is 5 minutes, so the \
      legacy SDK would start a new session.
      """,
      remedy: "Nothing to do: the new SDK also starts a new session.", verdict: .harmless)
  }
}

extension FindingCode {
  /// The new SDK cannot use the session id.
  package static let sessionIDInvalid = FindingCode(
    "session.id-invalid", .error, .informs, brief: "not a session id",
    Explanation(
      title: "the session id is zero, negative, short, large, or not an integer",
      happens: """
        The session id is zero, negative, shorter than ten digits, a fraction, too large, or of another type.
        """,
      legacyReads: """
        The legacy SDK writes a whole number here: when the session began, in seconds since 1970. The app may set any \
        number of ten or more digits. An absent key means no session.
        """,
      guideSays: """
        The guide converts the id to a string. It expects an unsigned 64-bit integer and does not say what to do with \
        anything else.
        """,
      helperWrites: """
        RudderStack's migrator turns a negative number into one with twenty digits, truncates a fraction, and reads a \
        boolean as 1 or 0. It writes zero and short numbers as they are, and does not migrate other types.
        """,
      weWrite: "Carryover writes no session_id, and says why.",
      whatToDo: "Edit session_id if you know the id. Otherwise do nothing: the new SDK starts a new session."))
}

extension Observation {
  /// The new SDK cannot use the session id.
  package static func sessionIDInvalid(_ text: String, _ defect: SessionIDDefect) -> Observation {
    Observation(
      .sessionIDInvalid,
      """
      The session id is not migrated: \(sourceKey: "rl_session_id") is \(value: text), \(words: defect.words). The \
      new SDK would not continue the session with it.
      """,
      remedy: "Edit the field if you know the session id. Otherwise the new SDK starts a new session.",
      verdict: .cause("its id is \(words: defect.words)"))
  }
}

extension FindingCode {
  /// A manual session that the new SDK's default configuration will replace.
  package static let sessionManualWillBeReplaced = FindingCode(
    "session.manual-will-be-replaced", .warning, .informs,
    Explanation(
      title: "the session is a manual one",
      happens: """
        The session is a manual one, and the new SDK starts with automatic session tracking unless the app turns it \
        off.
        """,
      legacyReads: "The legacy SDK reads a tracking status of false, or none, as a manual session.",
      guideSays: """
        The guide stores the inverted status. It does not say that the new SDK's default replaces a manual session at \
        launch.
        """,
      helperWrites: "RudderStack's migrator writes the session, and does not warn that the new SDK replaces it.",
      weWrite: "Carryover writes the session as it is, and warns that the new SDK replaces it.",
      whatToDo: "To continue the session, turn automatic session tracking off in the new SDK's configuration."))
}

extension Observation {
  /// A manual session that the new SDK's default configuration will replace.
  package static var sessionManualWillBeReplaced: Observation {
    Observation(
      .sessionManualWillBeReplaced,
      """
      The new SDK replaces this manual session when it starts. Its automatic session tracking is on by default.
      """,
      remedy:
        """
        To continue the session, turn automatic session tracking off in the new SDK's configuration.
        """,
      verdict: .loss(
        .session, "the new SDK replaces manual sessions unless the app turns automatic tracking off"))
  }
}

/// The evidence for a manual session.
package enum SessionEvidence: Hashable, Sendable {
  /// A session id without the time of a last event, which automatic tracking would have written.
  case sessionWithoutTimestamp
  /// A key that states it.
  case key(String)
  /// Equal statuses for automatic and for manual sessions, although exactly one of them must be true.
  case sameStatus(String, Bool)
}

/// The reason that a value is not a session id.
package enum SessionIDDefect: Hashable, Sendable {
  case negative, zero, tooShort, fraction, outOfRange
  /// Another type.
  case kind(PropertyListValue.Kind)
}

extension SessionIDDefect {
  fileprivate var words: String {
    switch self {
    case .negative: "a negative number, which RudderStack's migrator turns into one of twenty digits"
    case .zero: "zero, which means no session"
    case .tooShort: "fewer than ten digits, which the legacy SDK does not accept from an app"
    case .fraction: "not a whole number"
    case .outOfRange: "larger than a session id can be"
    case .kind(let kind): "\(ValueWording.name(kind)), where the legacy SDK writes an integer"
    }
  }
}

func duration(_ milliseconds: Int64) -> String {
  let minutes = milliseconds / 60_000
  return switch minutes {
  case ..<120: "\(minutes) minutes"
  case ..<2880: "\(minutes / 60) hours"
  default: "\(minutes / 1440) days"
  }
}

extension Loss {
  /// The session: the new SDK starts another one.
  fileprivate static let session = Loss.lost("the session", .session)
}
