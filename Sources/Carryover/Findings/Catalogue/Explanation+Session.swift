/// What is known about the findings on sessions: how they are tracked, and their ids.
extension Explanation {
  static let sessionAutoTrackAbsent = Explanation(
    title: "session data without the tracking status",
    happens: "There is session data, but no rl_session_auto_track_status.",
    legacyReads: "The legacy SDK reads the absent status as false: the session is a manual one.",
    guideSays: "The guide stores the status inverted. It does not say what to store where there is none.",
    helperWrites: "The helper writes no is_manual_session, and the new SDK takes the session for an automatic one.",
    weWrite: "Carryover proposes is_manual_session true, which is what the legacy SDK reads, and asks.",
    whatToDo: "Confirm manual, edit the field to false for an automatic session, or skip it.")

  static let sessionAutoTrackContradicted = Explanation(
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
    whatToDo: "Confirm the proposal, or edit the field: true if the app starts its sessions itself.")

  static let sessionIDInvalid = Explanation(
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
    whatToDo: "Edit session_id if the id is known. Otherwise leave it out: the new SDK starts a new session.")

  static let sessionManualWillBeReplaced = Explanation(
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
    whatToDo: "Turn automatic session tracking off in the new SDK's configuration if the session must go on.")
}
