package import Carryover

extension FindingCode {
  /// There is a session, but no time of its last event.
  package static let sessionTimestampMissing = FindingCode(
    "session.timestamp-missing", .warning, .informs,
    Explanation(
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
      whatToDo: "Do nothing: the rest of the session is migrated."))
}

extension Observation {
  /// There is a session, but no time of its last event.
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
}

extension FindingCode {
  /// The time of the last event is not in the past.
  package static let sessionTimestampNotPast = FindingCode(
    "session.timestamp-not-past", .warning, .informs, brief: "not in the past",
    Explanation(
      title: "the last event's time is not a moment in the past",
      happens: "The time of the last event is zero, negative, later than the plan, or not a number.",
      legacyReads: "The legacy SDK writes and reads seconds since 1970.",
      guideSays: """
        The guide says to skip the last activity time unless it is greater than zero and not in the future. It says \
        that the device was rebooted after the last event, but a reboot does not change a time since 1970.
        """,
      helperWrites: """
        RudderStack's migrator drops the session id and the tracking status too; the one for the beta SDK 2 omits only \
        the time.
        """,
      weWrite:
        "Carryover does not migrate last_activity_time, as the guide says. The rest of the session is not affected.",
      whatToDo: """
        Edit last_activity_time if you know the time, in milliseconds since 1970. The other session fields are \
        migrated.
        """))
}

extension Observation {
  /// The time of the last event is not in the past.
  package static func sessionTimestampNotPast(_ text: String, _ defect: TimestampDefect, isBeta: Bool) -> Observation {
    let migrator: FindingText = isBeta ? "does the same." : "drops the whole session."
    return Observation(
      .sessionTimestampNotPast,
      """
      last_activity_time is not migrated: \(sourceKey: "rl_last_event_time_stamp") is \(value: text), which \
      \(words: defect.words). RudderStack's migrator \(migrator)
      """,
      remedy: "Edit the field if you know the time. The rest of the session is migrated.",
      verdict: .cause(
        isBeta
          ? "the time of its last event \(words: defect.words)"
          : "the time of its last event \(words: defect.words), so RudderStack's migrator drops all of it"))
  }
}

extension FindingCode {
  /// The time of the last event seems not to be in seconds since 1970.
  package static let sessionTimestampUnit = FindingCode(
    "session.timestamp-unit", .warning, .asks,
    Explanation(
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
      whatToDo: "Decide how to read the number: accept the proposal, edit the field, or skip it."))
}

extension Observation {
  /// The time of the last event seems not to be in seconds since 1970.
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
}

extension FindingCode {
  /// The target SDK version reads uptime, not the time of day.
  package static let sessionUptimeSDK = FindingCode(
    "session.uptime-sdk", .warning, .informs, brief: "SDK too old",
    Explanation(
      title: "--target-sdk is below 1.2.0",
      happens:
        "The legacy store has the time of the last event, and --target-sdk names a version of the new SDK below 1.2.0.",
      legacyReads: "The legacy SDK stores seconds since 1970, which do not tell when the device started.",
      guideSays: """
        The guide describes the new SDK's time as milliseconds since 1970, which is right since 1.2.0. Its row about a \
        rebooted device is right only for earlier versions.
        """,
      helperWrites:
        "RudderStack's migrator writes milliseconds since 1970, which is the wrong value for these versions.",
      weWrite: """
        Carryover does not migrate last_activity_time. Versions 1.0 and 1.1 read it as milliseconds since the device \
        started, and the container does not say when that was.
        """,
      whatToDo: "Ship version 1.2.0 or later of the new SDK, or skip the field."))
}

extension Observation {
  /// The target SDK version reads uptime, not the time of day.
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

/// The unit that a timestamp seems to have.
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
