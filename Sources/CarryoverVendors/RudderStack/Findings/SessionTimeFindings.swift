package import Carryover

extension FindingCode {
  /// There is a session, but no time of its last event.
  package static let sessionTimestampMissing = FindingCode(
    "session.timestamp-missing", .warning, .informs,
    Explanation(
      title: "a session without the time of its last event",
      happens: "There is a session id, but no rl_last_event_time_stamp.",
      legacyReads: """
        The legacy SDK writes the time only with automatic session tracking and lifecycle tracking both on. Manual \
        sessions, React Native apps and sessions without an event never have one.
        """,
      guideSays: """
        The guide skips the last activity time where it cannot be converted, and no other value. A time that is absent \
        has no row of its own.
        """,
      helperWrites: "The helper drops all session data; the one for the beta SDK 2 leaves out the time alone.",
      weWrite: "Carryover leaves out last_activity_time and carries the rest of the session over.",
      whatToDo: "Nothing has to be done: only the one field is left out."))
}

extension Observation {
  /// There is a session, but no time of its last event.
  /// - Parameter isBeta: whether it is one of the beta SDK 2.
  package static func sessionTimestampMissing(isBeta: Bool) -> Observation {
    Observation(
      .sessionTimestampMissing,
      isBeta
        ? """
        There is a session, but no rl_last_event_time_stamp, as before its first event. Only last_activity_time is left out, \
        as by the reference migrator.
        """
        : """
        There is a session, but no rl_last_event_time_stamp; manual sessions, React Native apps and sessions without an event \
        have none. Only last_activity_time is left out. The reference migrator drops the whole session.
        """,
      remedy: "Nothing to do: the rest of the session is migrated.")
  }
}

extension FindingCode {
  /// The time of the last event is not in the past.
  package static let sessionTimestampNotPast = FindingCode(
    "session.timestamp-not-past", .warning, .informs, brief: "not in the past",
    Explanation(
      title: "the last event's time is zero, negative, in the future, or no number",
      happens: "The time of the last event is zero, negative, after the moment of the plan, or no number.",
      legacyReads: "The legacy SDK writes seconds since 1970 and reads them back as such.",
      guideSays: """
        The guide says that the time must be greater than zero and not in the future, and to skip the last activity \
        time otherwise.
        """,
      helperWrites: """
        The helper drops the session id and the tracking status along with the time; the one for the beta SDK 2 leaves out \
        the time alone.
        """,
      weWrite: "Carryover leaves out last_activity_time alone, as the guide says.",
      whatToDo: """
        Edit last_activity_time if the time is known; it is in milliseconds since 1970. The rest of the session is \
        migrated.
        """))
}

extension Observation {
  /// The time of the last event is not in the past.
  package static func sessionTimestampNotPast(_ text: String, _ defect: TimestampDefect, isBeta: Bool) -> Observation {
    let helper: FindingText =
      isBeta ? ", as by the reference migrator." : ". The reference migrator drops the whole session."
    return Observation(
      .sessionTimestampNotPast,
      """
      \(sourceKey: "rl_last_event_time_stamp") is \(value: text): \(words: defect.words). Only last_activity_time is left out\(helper)
      """,
      remedy: "Edit the field if the time is known; the rest of the session is migrated.")
  }
}

extension FindingCode {
  /// The time of the last event is not in seconds since 1970, it seems.
  package static let sessionTimestampUnit = FindingCode(
    "session.timestamp-unit", .warning, .asks,
    Explanation(
      title: "the last event's time looks like milliseconds, or like uptime",
      happens: """
        The time of the last event does not look like seconds since 1970. Beyond 100000000000 it is thousands of years \
        away as seconds; below 1000000000 it looks like the time since the device was started.
        """,
      legacyReads: "The legacy SDK writes seconds since 1970 here and knows no other unit.",
      guideSays: """
        The guide takes the legacy time for seconds since 1970 and multiplies it by 1000. Other units do not occur in \
        it.
        """,
      helperWrites: "The helper trusts the number as seconds. One that then lies in the future costs all session data.",
      weWrite: """
        Carryover proposes the large number as milliseconds, where that moment is past, and the small one as seconds \
        since 1970. It asks in both cases.
        """,
      whatToDo: "Choose a reading: confirm the proposal, edit the field, or skip it."))
}

extension Observation {
  /// The time of the last event is not in seconds since 1970, it seems.
  package static func sessionTimestampUnit(_ text: String, _ unit: TimestampUnit) -> Observation {
    let remedy: FindingText = "Choose a reading: confirm the proposal, edit it, or skip the field."
    return switch unit {
    case .milliseconds:
      Observation(
        .sessionTimestampUnit,
        """
        \(sourceKey: "rl_last_event_time_stamp") is \(value: text), which is thousands of years away as seconds and in the past \
        as milliseconds. The proposal reads it as milliseconds.
        """, remedy: remedy)
    case .uptime:
      Observation(
        .sessionTimestampUnit,
        """
        \(sourceKey: "rl_last_event_time_stamp") is \(value: text), which as seconds since 1970 is before any of these SDKs: it \
        looks like the time since the device was started. The proposal reads it as seconds since 1970.
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
      happens: """
        There is a time of the last event, and the option --target-sdk names a version of the new SDK below 1.2.0.
        """,
      legacyReads: "The legacy SDK stores seconds since 1970, which do not tell when the device was started.",
      guideSays: """
        The guide describes the new SDK's time as milliseconds since 1970, which is true since 1.2.0. Its row about a \
        rebooted device is true of the versions before only.
        """,
      helperWrites: "The helper writes milliseconds since 1970, which is the wrong value for these versions.",
      weWrite: """
        Carryover leaves out last_activity_time and says why: versions 1.0 and 1.1 take it for milliseconds since the \
        device was started, which nothing in the container tells.
        """,
      whatToDo: "Ship version 1.2.0 or later of the new SDK, or do without the field."))
}

extension Observation {
  /// The target SDK version reads uptime, not the time of day.
  package static func sessionUptimeSDK(version: String) -> Observation {
    Observation(
      .sessionUptimeSDK,
      """
      Version \(version) of the new SDK takes last_activity_time for milliseconds since the device was \
      started, which nothing in the container tells. The field is left out.
      """,
      remedy:
        "Update the new SDK to 1.2.0 or later, or leave the field out.")
  }
}

/// What unit a timestamp seems to be in.
package enum TimestampUnit: Hashable, Sendable {
  case milliseconds, uptime
}

extension TimestampDefect {
  fileprivate var words: String {
    switch self {
    case .notPositive: "not a time after 1970"
    case .future: "a time in the future"
    case .notANumber: "not a number"
    }
  }
}
