/// What is known about the findings on sessions: the time of the last event.
extension Explanation {
  static let sessionExpired = Explanation(
    title: "the last event is older than 5 minutes",
    happens: "The last event is older than five minutes, which is the time-out the new SDK has by default.",
    legacyReads: "The legacy SDK has the same data, and starts a new session too once the time-out is over.",
    guideSays: "The guide converts the time and does not mention the time-out.",
    helperWrites: "The helper writes the old session and says nothing.",
    weWrite: "Carryover writes the old session too, and notes that it is over.",
    whatToDo: "Nothing has to be done: a new session starts, as it would have.")

  static let sessionTimestampMissing = Explanation(
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
    whatToDo: "Nothing has to be done: only the one field is left out.")

  static let sessionTimestampNotPast = Explanation(
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
      """)

  static let sessionTimestampUnit = Explanation(
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
    whatToDo: "Choose a reading: confirm the proposal, edit the field, or skip it.")

  static let sessionUptimeSDK = Explanation(
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
    whatToDo: "Ship version 1.2.0 or later of the new SDK, or do without the field.")
}
