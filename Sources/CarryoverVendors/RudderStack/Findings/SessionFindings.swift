package import Carryover

extension FindingCode {
  static let rudderStackSessionCodes: [FindingCode] = [
    .sessionAutoTrackAbsent, .sessionAutoTrackContradicted, .sessionExpired, .sessionIDInvalid,
    .sessionManualWillBeReplaced, .sessionTimestampMissing, .sessionTimestampNotPast, .sessionTimestampUnit,
    .sessionUptimeSDK,
  ]

  package static let sessionAutoTrackAbsent = FindingCode(
    "session.auto-track-absent", .warning, .asks,
    title: "session data without the tracking status",
    happens: "There is session data, but no rl_session_auto_track_status.",
    legacyReads: "The legacy SDK reads the absent status as false: the session is a manual one.",
    guideSays: "The guide stores the status inverted. It does not say what to store if there is none.",
    helperWrites: "RudderStack's migrator writes no is_manual_session, so the new SDK reads the session as automatic.",
    weWrite: "Carryover proposes is_manual_session true, because the legacy SDK reads the session as manual, and asks.",
    whatToDo: """
      Accept the proposal if the app starts its sessions itself. Otherwise skip the field: the new SDK then reads the \
      session as automatic.
      """)

  package static let sessionAutoTrackContradicted = FindingCode(
    "session.auto-track-contradicted", .warning, .asks,
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
    whatToDo: "Accept the proposal, or edit the field: true if the app starts its sessions itself.")

  package static let sessionExpired = FindingCode(
    "session.expired", .note, .informs,
    title: "the last event is older than 5 minutes",
    happens: "The last event is older than five minutes, the default timeout of the new SDK.",
    legacyReads: "The legacy SDK has the same data, and also starts a new session after the timeout.",
    guideSays: "The guide converts the time and does not mention the timeout.",
    helperWrites: "RudderStack's migrator writes the expired session.",
    weWrite: "Carryover writes it too, and notes that it has expired.",
    whatToDo: "Do nothing: a new session starts, as it would have in the legacy SDK.")

  package static let sessionIDInvalid = FindingCode(
    "session.id-invalid", .error, .informs, brief: "not a session id",
    title: "the session id is zero, negative, short, large, or not an integer",
    happens: "The session id is zero, negative, shorter than ten digits, a fraction, too large, or of another type.",
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
      boolean as 1 or 0. It writes short numbers as they are. The new SDK continues the session with any of these but \
      zero. The migrator does not migrate other types.
      """,
    weWrite: "Carryover writes no session_id, and says why.",
    whatToDo: "Edit session_id if you know the id. Otherwise do nothing: the new SDK starts a new session.")

  package static let sessionManualWillBeReplaced = FindingCode(
    "session.manual-will-be-replaced", .warning, .informs,
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
    whatToDo: "To continue the session, turn automatic session tracking off in the new SDK's configuration.",
    inTheApp: "To continue manual sessions, turn automatic session tracking off in the new SDK's configuration.")

  package static let sessionTimestampMissing = FindingCode(
    "session.timestamp-missing", .warning, .informs,
    title: "a session without the time of its last event",
    happens: "There is a session id, but no rl_last_event_time_stamp.",
    legacyReads: """
      The legacy SDK writes the time only if automatic session tracking and lifecycle tracking are both on. Manual \
      sessions, React Native apps and sessions without an event never have one.
      """,
    guideSays:
      "The guide skips only the last activity time if it cannot be converted. It does not mention an absent time.",
    helperWrites: "RudderStack's migrator drops all session data; the one for the beta SDK 2 omits only the time.",
    weWrite: "Carryover migrates the session without last_activity_time.",
    whatToDo: "Do nothing: the rest of the session is migrated.")

  package static let sessionTimestampNotPast = FindingCode(
    "session.timestamp-not-past", .warning, .informs, brief: "not in the past",
    title: "the last event's time is not a moment in the past",
    happens: "The time of the last event is zero, negative, later than the plan, or not a number.",
    legacyReads: "The legacy SDK writes and reads seconds since 1970.",
    guideSays: """
      The guide says to skip the last activity time unless it is greater than zero and not in the future. It says \
      that the device was rebooted after the last event, but a reboot does not change a time since 1970.
      """,
    helperWrites: """
      RudderStack's migrator drops the session id and the tracking status too; the one for the beta SDK 2 omits only \
      the time. Both write a boolean true as one second after 1970 began.
      """,
    weWrite:
      "Carryover does not migrate last_activity_time, as the guide says. The rest of the session is not affected.",
    whatToDo: """
      Edit last_activity_time if you know the time, in milliseconds since 1970. The other session fields are \
      migrated.
      """)

  package static let sessionTimestampUnit = FindingCode(
    "session.timestamp-unit", .warning, .asks,
    title: "the last event's time looks like milliseconds, or like uptime",
    happens: """
      The time of the last event does not look like seconds since 1970. In seconds, a number above 100000000000 is \
      thousands of years away. One below 1000000000 looks like the time since the device started.
      """,
    legacyReads: "The legacy SDK writes seconds since 1970 here and uses no other unit.",
    guideSays: """
      The guide multiplies the legacy time by 1000, because it is in seconds since 1970. It does not mention other \
      units.
      """,
    helperWrites: """
      RudderStack's migrator reads the number as seconds. If the result is in the future, it drops all session data.
      """,
    weWrite: """
      Carryover proposes a large number as milliseconds, if that time is in the past, and a small one as seconds \
      since 1970. It asks in both cases.
      """,
    whatToDo: "Decide how to read the number: accept the proposal, edit the field, or skip it.")

  package static let sessionUptimeSDK = FindingCode(
    "session.uptime-sdk", .warning, .informs, brief: "SDK too old",
    title: "--target-sdk is below 1.2.0",
    happens:
      "The legacy store has the time of the last event, and --target-sdk names a version of the new SDK below 1.2.0.",
    legacyReads: "The legacy SDK stores seconds since 1970, which do not tell when the device started.",
    guideSays: """
      The guide describes the new SDK's time as milliseconds since 1970, which is right since 1.2.0. Its row about a \
      rebooted device is right only for earlier versions.
      """,
    helperWrites: "RudderStack's migrator writes milliseconds since 1970, which is the wrong value for these versions.",
    weWrite: """
      Carryover does not migrate last_activity_time. Versions 1.0 and 1.1 read it as milliseconds since the device \
      started, and the container does not say when that was.
      """,
    whatToDo: "Ship version 1.2.0 or later of the new SDK, or skip the field.",
    inTheApp: "Ship version 1.2.0 or later of the new SDK.")
}

extension Observation {
  package static var sessionAutoTrackAbsent: Observation {
    Observation(
      .sessionAutoTrackAbsent,
      """
      The session counts as a manual one: rl_session_auto_track_status is absent. The legacy SDK reads that as false; \
      RudderStack's migrator writes nothing, which makes the session automatic.
      """)
  }

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
    return Observation(.sessionAutoTrackContradicted, what)
  }

  package static func sessionExpired(idleMilliseconds idle: Int64) -> Observation {
    Observation(
      .sessionExpired,
      """
      The session has expired: its last event is \(words: duration(idle)) old. The timeout is 5 minutes, so the \
      legacy SDK would start a new session.
      """,
      remedy: "Nothing to do: the new SDK also starts a new session.", verdict: .harmless)
  }

  /// - Parameters:
  ///   - migrated: the id with which the new SDK continues the session after RudderStack's migrator; nil for none.
  ///   - isLoss: whether there is a session, and the new SDK does not continue it with the legacy SDK's id.
  package static func sessionIDInvalid(
    _ text: String, _ defect: SessionIDDefect, migrated: UInt64?, isLoss: Bool
  ) -> Observation {
    let migrator: FindingText =
      if let migrated, String(migrated) == text {
        "RudderStack's migrator writes it as it is, and the new SDK would continue the session with it."
      } else if let migrated {
        """
        RudderStack's migrator turns it into \(value: String(migrated)), with which the new SDK would continue the \
        session.
        """
      } else {
        "The new SDK would not continue the session with it."
      }
    return Observation(
      .sessionIDInvalid,
      """
      The session id is not migrated: \(sourceKey: "rl_session_id") is \(value: text), \(words: defect.words). \
      \(migrator)
      """,
      remedy: "Edit the field if you know the session id. Otherwise the new SDK starts a new session.",
      verdict: isLoss ? .cause(defect.cause) : .harmless)
  }

  /// - Parameter isLoss: whether RudderStack's migrator writes the session as a manual one, too.
  package static func sessionManualWillBeReplaced(isLoss: Bool) -> Observation {
    Observation(
      .sessionManualWillBeReplaced,
      "The new SDK replaces this manual session when it starts. Its automatic session tracking is on by default.",
      verdict: isLoss
        ? .loss(.session, "the new SDK replaces manual sessions unless the app turns automatic tracking off") : nil)
  }

  /// - Parameter isBeta: whether the session is from the beta SDK 2.
  package static func sessionTimestampMissing(isBeta: Bool) -> Observation {
    Observation(
      .sessionTimestampMissing,
      isBeta
        ? """
        last_activity_time is not migrated: there is no rl_last_event_time_stamp. The session has no event yet; \
        RudderStack's migrator does the same.
        """
        : """
        RudderStack's migrator drops the session: there is no rl_last_event_time_stamp. Carryover migrates the \
        session without last_activity_time. Manual sessions, React Native apps and sessions without an event have no \
        such time.
        """,
      remedy: "Nothing to do: the rest of the session is migrated.",
      verdict: isBeta
        ? nil : .cause("it has no time of a last event, without which RudderStack's migrator drops all of it"))
  }

  /// - Parameters:
  ///   - written: the milliseconds that RudderStack's migrator writes anyway; nil for none.
  ///   - isBeta: whether the session is from the beta SDK 2.
  package static func sessionTimestampNotPast(
    _ text: String, _ defect: TimestampDefect, written: Int64?, isBeta: Bool
  ) -> Observation {
    let migrator: FindingText =
      if let written {
        "writes \(words: written), a time in 1970."
      } else {
        isBeta ? "does the same." : "drops the whole session."
      }
    let cause: FindingText =
      if written != nil {
        ", for which RudderStack's migrator writes a time in 1970"
      } else {
        isBeta ? "" : ", so RudderStack's migrator drops all of it"
      }
    return Observation(
      .sessionTimestampNotPast,
      """
      last_activity_time is not migrated: \(sourceKey: "rl_last_event_time_stamp") is \(value: text), which \
      \(words: defect.words). RudderStack's migrator \(migrator)
      """,
      remedy: "Edit the field if you know the time. The rest of the session is migrated.",
      verdict: .cause("the time of its last event \(words: defect.words)\(cause)"))
  }

  package static func sessionTimestampUnit(_ text: String, _ unit: TimestampUnit) -> Observation {
    let remedy: FindingText = "Accept the proposal, edit it, or skip the field."
    return switch unit {
    case .milliseconds:
      Observation(
        .sessionTimestampUnit,
        """
        The time of the last event looks like milliseconds: \(sourceKey: "rl_last_event_time_stamp") is \
        \(value: text). As seconds it is thousands of years away. Carryover reads it as milliseconds.
        """, remedy: remedy,
        verdict: .cause(
          "the time of its last event looks like milliseconds, which RudderStack's migrator takes for seconds"))
    case .uptime:
      Observation(
        .sessionTimestampUnit,
        """
        The time of the last event looks like an uptime: \(sourceKey: "rl_last_event_time_stamp") is \(value: text). \
        As seconds since 1970 it is before any of these SDKs. Carryover still proposes it as such.
        """, remedy: remedy)
    }
  }

  package static func sessionUptimeSDK(version: String) -> Observation {
    Observation(
      .sessionUptimeSDK,
      """
      last_activity_time is not migrated: version \(version) of the new SDK reads it as an uptime. It counts \
      milliseconds since the device started, and the container does not say when that was.
      """,
      remedy: "Update the new SDK to 1.2.0 or later, or skip the field.",
      verdict: .loss(
        .lost("the time of the last event", .session),
        "version \(version) of the new SDK counts it from the device's start"))
  }
}

package enum SessionEvidence: Hashable, Sendable {
  /// A session id without the time of a last event, which automatic tracking would have written.
  case sessionWithoutTimestamp
  /// A key that states it.
  case key(String)
  /// Equal statuses for automatic and for manual sessions, although exactly one of them must be true.
  case sameStatus(String, Bool)
}

package enum SessionIDDefect: Hashable, Sendable {
  case negative, zero, tooShort, fraction, outOfRange
  case kind(PropertyListValue.Kind)

  fileprivate var words: String {
    switch self {
    case .negative: "a negative number"
    case .zero: "zero, which is never a session id"
    case .tooShort: "fewer than ten digits, which the legacy SDK does not accept from an app"
    case .fraction: "not a whole number"
    case .outOfRange: "larger than a session id can be"
    case .kind(let kind): "\(ValueWording.name(kind)), where the legacy SDK writes an integer"
    }
  }

  fileprivate var cause: FindingText {
    self == .negative
      ? "its id is \(words: words), which RudderStack's migrator turns into one of twenty digits"
      : "its id is \(words: words)"
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
  fileprivate static let session = Loss.lost("the session", .session)
}

package enum TimestampUnit: Hashable, Sendable {
  case milliseconds, uptime
}

extension TimestampDefect {
  fileprivate var words: String {
    switch self {
    case .notPositive: "is not after 1970"
    case .future: "is in the future"
    case .notANumber: "is not a number"
    }
  }
}
