package import Carryover
package import PropertyLists

extension FindingCode {
  /// There is session data, but not the session's kind.
  package static let sessionAutoTrackAbsent = FindingCode(
    "session.auto-track-absent", .warning, .asks,
    Explanation(
      title: "session data without the tracking status",
      happens: "There is session data, but no rl_session_auto_track_status.",
      legacyReads: "The legacy SDK reads the absent status as false: the session is a manual one.",
      guideSays: "The guide stores the status inverted. It does not say what to store where there is none.",
      helperWrites: "The helper writes no is_manual_session, and the new SDK takes the session for an automatic one.",
      weWrite: "Carryover proposes is_manual_session true, which is what the legacy SDK reads, and asks.",
      whatToDo: "Confirm manual, edit the field to false for an automatic session, or skip it."))
}

extension Observation {
  /// There is session data, but not the session's kind.
  package static var sessionAutoTrackAbsent: Observation {
    Observation(
      .sessionAutoTrackAbsent,
      """
      There is session data, but no rl_session_auto_track_status. The legacy SDK reads that as false, \
      which makes the session a manual one; the reference migrator writes nothing, which makes it \
      automatic.
      """,
      remedy:
        "Confirm manual, edit the field to false for an automatic session, or skip it.")
  }
}

extension FindingCode {
  /// The configuration says automatic, the evidence says manual.
  package static let sessionAutoTrackContradicted = FindingCode(
    "session.auto-track-contradicted", .warning, .asks,
    Explanation(
      title: "the tracking status and the evidence contradict each other",
      happens: """
        The tracking status is true, but something else in the store speaks for a session started by hand: it has no \
        time of a last event, or a manual tracking status is true. Or two statuses of which one must be true are both false.
        """,
      legacyReads: """
        The legacy SDK stores the status as configured at launch. It stays true if the app later starts a session by hand.
        """,
      guideSays: "The guide takes the status alone and inverts it.",
      helperWrites: """
        The helper writes is_manual_session false, as long as the time of the last event is valid, and does not look \
        at the evidence.
        """,
      weWrite: "Carryover proposes what follows from the status alone, says what contradicts it, and asks.",
      whatToDo: "Confirm the proposal, or edit the field: true if the app starts its sessions itself."))
}

extension Observation {
  /// The configuration says automatic, the evidence says manual.
  package static func sessionAutoTrackContradicted(_ evidence: SessionEvidence) -> Observation {
    let status: FindingText = "\(sourceKey: "rl_session_auto_track_status")"
    let what: FindingText =
      switch evidence {
      case .sessionWithoutTimestamp:
        """
        \(status) is true, but the session has no time of a last event, which automatic tracking writes: the session may have \
        been started by hand.
        """
      case .key(let key): "\(status) is true, but \(key) says that the session was started by hand."
      case .sameStatus(let key, let value):
        """
        \(status) and \(key) are both \(words: value), where a session is either automatic or started by hand.
        """
      }
    return Observation(
      .sessionAutoTrackContradicted, what,
      remedy: "Confirm the proposal, or edit the field: true if the app starts its sessions itself.")
  }
}

extension FindingCode {
  /// The last activity is longer ago than the time-out.
  package static let sessionExpired = FindingCode(
    "session.expired", .note, .informs,
    Explanation(
      title: "the last event is older than 5 minutes",
      happens: "The last event is older than five minutes, which is the time-out the new SDK has by default.",
      legacyReads: "The legacy SDK has the same data, and starts a new session too once the time-out is over.",
      guideSays: "The guide converts the time and does not mention the time-out.",
      helperWrites: "The helper writes the old session and says nothing.",
      weWrite: "Carryover writes the old session too, and notes that it is over.",
      whatToDo: "Nothing has to be done: a new session starts, as it would have."))
}

extension Observation {
  /// The last activity is longer ago than the time-out.
  package static func sessionExpired(idleMilliseconds idle: Int64) -> Observation {
    Observation(
      .sessionExpired,
      """
      The last event is \(words: duration(idle)) old, more than the time-out of 5 minutes. The new SDK \
      will start a new session, as the legacy SDK would have.
      """,
      remedy:
        "Nothing to do: the new SDK starts a new session.")
  }
}

extension FindingCode {
  /// The session id cannot be a session id of the new SDK.
  package static let sessionIDInvalid = FindingCode(
    "session.id-invalid", .error, .informs, brief: "not a session id",
    Explanation(
      title: "the session id is zero, negative, too short or large, or no integer",
      happens: """
        The session id is zero, negative, shorter than ten digits, a fraction, too large, or of another type.
        """,
      legacyReads: """
        The legacy SDK writes a whole number here: the second since 1970 at which the session began, or any number with at \
        least ten digits that the app set. If the key is absent, there is no session.
        """,
      guideSays: """
        The guide converts the id to a string. It expects an unsigned 64-bit integer and does not say what to do with \
        anything else.
        """,
      helperWrites: """
        The helper wraps a negative number to one of twenty digits, truncates a fraction, reads a boolean as 1 or 0, and \
        writes zero and short numbers as they are. It drops other types.
        """,
      weWrite: "Carryover refuses the value, says why, and writes no session_id.",
      whatToDo: "Edit session_id if the id is known. Otherwise leave it out: the new SDK starts a new session."))
}

extension Observation {
  /// The session id cannot be a session id of the new SDK.
  package static func sessionIDInvalid(_ text: String, _ defect: SessionIDDefect) -> Observation {
    Observation(
      .sessionIDInvalid,
      """
      \(sourceKey: "rl_session_id") is \(value: text): \(words: defect.words). The new SDK would not \
      read it as the session it was.
      """,
      remedy:
        "Edit the field if the session id is known, or leave it: the new SDK starts a new session.")
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
      legacyReads: "The legacy SDK reads a tracking status of false, or none: that is a manual session.",
      guideSays: """
        The guide stores the inverted status. It does not say that the new SDK's default replaces a manual session at \
        launch.
        """,
      helperWrites: "The helper says nothing of what the new SDK does to such a session.",
      weWrite: "Carryover writes the session as it is, and warns that the new SDK replaces it.",
      whatToDo: "Turn automatic session tracking off in the new SDK's configuration if the session must go on."))
}

extension Observation {
  /// A manual session that the new SDK's default configuration will replace.
  package static var sessionManualWillBeReplaced: Observation {
    Observation(
      .sessionManualWillBeReplaced,
      """
      The session is a manual one. With automatic session tracking on, which is its default, the new SDK \
      replaces it when it starts.
      """,
      remedy:
        """
        Turn automatic session tracking off in the new SDK's configuration if the session must go on.
        """)
  }
}

/// What speaks for a manual session.
package enum SessionEvidence: Hashable, Sendable {
  /// A session id without the time of a last event, which automatic tracking would have written.
  case sessionWithoutTimestamp
  /// A key that says so.
  case key(String)
  /// A status for automatic and one for manual sessions that say the same, where one of them must be true.
  case sameStatus(String, Bool)
}

/// Why a value is no session id.
package enum SessionIDDefect: Hashable, Sendable {
  case negative, zero, tooShort, fraction, outOfRange
  /// Another type.
  case kind(PropertyListValue.Kind)
}

extension SessionIDDefect {
  fileprivate var words: String {
    switch self {
    case .negative: "a negative number, which the reference migrator turns into one of twenty digits"
    case .zero: "zero, which means no session"
    case .tooShort: "fewer than ten digits, which the legacy SDK does not accept from an app"
    case .fraction: "not a whole number"
    case .outOfRange: "larger than a session id can be"
    case .kind(let kind): "\(ValueWording.name(kind)), where the legacy SDK writes an integer"
    }
  }
}

private func duration(_ milliseconds: Int64) -> String {
  let minutes = milliseconds / 60_000
  return switch minutes {
  case ..<120: "\(minutes) minutes"
  case ..<2880: "\(minutes / 60) hours"
  default: "\(minutes / 1440) days"
  }
}
