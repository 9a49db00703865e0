extension FindingCode {
  /// The user has opted out of tracking. It blocks until it is allowed.
  public static let consentOptedOut = FindingCode(
    "consent.opted-out", .error, .blocks,
    Explanation(
      title: "one of the legacy stores says that the user has opted out",
      happens: "The opt-out status is true in one of the legacy stores: the user has opted out of tracking.",
      legacyReads: "The legacy SDK reads true as opted out.",
      guideSays: """
        The guide says that the new SDK does not support the opt-out status. It does not say how to keep such a user \
        opted out.
        """,
      helperWrites: "The vendor's migrator migrates the user without the status: they are tracked again.",
      weWrite: """
        Carryover applies nothing until you pass --allow-opted-out, and never copies the status. An opt-out in any \
        store counts.
        """,
      whatToDo: "Keep the user opted out in your app before the new SDK starts, then pass --allow-opted-out."))
}

extension Observation {
  /// The user has opted out of tracking.
  package static func consentOptedOut(store: String) -> Observation {
    Observation(
      .consentOptedOut,
      """
      The user has opted out: a migrated user would be tracked again. \(sourceKey: "A status") in \
      \(file: store) says so, and the new SDK has no such status.
      """,
      remedy: "Keep the user opted out in your app before the new SDK starts, then pass --allow-opted-out.",
      verdict: .loss(.trackedAgain, "the new SDK has no such status"))
  }
}
