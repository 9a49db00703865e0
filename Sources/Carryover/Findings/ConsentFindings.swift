extension FindingCode {
  /// The user has opted out of tracking.
  public static let consentOptedOut = FindingCode(
    "consent.opted-out", .error, .blocks,
    Explanation(
      title: "the user has opted out, in any store",
      happens: "The opt-out status is true in one of the legacy stores: the user has opted out of tracking.",
      legacyReads: "The legacy SDK reads true as opted out.",
      guideSays: """
        The guide says that the new SDK does not support the opt-out status. It does not say how to keep such a user \
        out.
        """,
      helperWrites: "The vendor's migrator migrates the user without the status: they are tracked again.",
      weWrite: """
        Carryover applies nothing until --allow-opted-out is given, and never copies the status. The status in any \
        store counts.
        """,
      whatToDo: "Keep the user opted out in your app before the new SDK starts, then give --allow-opted-out."))
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
      remedy: "Keep the user opted out in your app before the new SDK starts, then give --allow-opted-out.",
      verdict: .loss(.trackedAgain, "the new SDK has no such status"))
  }
}
