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
      guideSays: "The guide stores the status inverted. It does not say what to store if there is none.",
      helperWrites: """
        RudderStack's migrator writes no is_manual_session, so the new SDK reads the session as automatic.
        """,
      weWrite: "Carryover proposes is_manual_session true, which is what the legacy SDK reads, and asks.",
      whatToDo: "Accept manual, edit the field to false for an automatic session, or skip it."))
}

extension Observation {
  /// There is session data, but not the session's kind.
  package static var sessionAutoTrackAbsent: Observation {
    Observation(
      .sessionAutoTrackAbsent,
      """
      The session counts as a manual one: rl_session_auto_track_status is absent. The legacy SDK reads that as false; \
      RudderStack's migrator writes nothing, which makes the session automatic.
      """,
      remedy:
        "Accept manual, edit the field to false for an automatic session, or skip it.")
  }
}

extension FindingCode {
  /// The configuration says automatic, the evidence says manual.
  package static let sessionAutoTrackContradicted = FindingCode(
    "session.auto-track-contradicted", .warning, .asks,
    Explanation(
      title: "the tracking status and the evidence contradict each other",
      happens: """
        The tracking status is true, but the session has no time of a last event, or a manual tracking status is true: \
        the app seems to have started the session. Or two statuses of which one must be true are both false.
        """,
      legacyReads: """
        The legacy SDK stores the status as configured at launch. It stays true if the app starts a session itself \
        later.
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
  /// The configuration says automatic, the evidence says manual.
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
      remedy: "Nothing to do: the new SDK also starts a new session.")
  }
}

extension FindingCode {
  /// The session id cannot be a session id of the new SDK.
  package static let sessionIDInvalid = FindingCode(
    "session.id-invalid", .error, .informs, brief: "not a session id",
    Explanation(
      title: "the session id is zero, negative, short, large, or not an integer",
      happens: """
        The session id is zero, negative, shorter than ten digits, a fraction, too large, or of another type.
        """,
      legacyReads: """
        The legacy SDK writes a whole number here: the second since 1970 when the session began, or any number of ten \
        or more digits that the app set. An absent key means no session.
        """,
      guideSays: """
        The guide converts the id to a string. It expects an unsigned 64-bit integer and does not say what to do with \
        anything else.
        """,
      helperWrites: """
        RudderStack's migrator wraps a negative number to one of twenty digits, truncates a fraction, reads a boolean \
        as 1 or 0, and writes zero and short numbers as they are. It does not migrate other types.
        """,
      weWrite: "Carryover writes no session_id, and says why.",
      whatToDo: "Edit session_id if you know the id. Otherwise do nothing: the new SDK starts a new session."))
}

extension Observation {
  /// The session id cannot be a session id of the new SDK.
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
      helperWrites: "RudderStack's migrator writes the session and does not mention that it is replaced.",
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
