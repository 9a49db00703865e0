extension FindingCode {
  /// The user has opted out of tracking.
  public static let consentOptedOut = FindingCode(
    "consent.opted-out", .error, .blocks,
    Explanation(
      title: "the user has opted out, by the word of any store",
      happens: "The opt-out status is true in one of the legacy stores: the user has opted out of tracking.",
      legacyReads: "The legacy SDK reads true as opted out.",
      guideSays: """
        The guide says that the new SDK does not support the opt status. It does not say how to keep such a user out.
        """,
      helperWrites: "The helper carries the user over without the status: they are tracked again.",
      weWrite: """
        Carryover applies nothing until --allow-opted-out is given, and never copies the status. The word of any store \
        counts.
        """,
      whatToDo: "Keep the user opted out in your app before the new SDK starts; give --allow-opted-out then."))
}

extension Observation {
  /// The user has opted out of tracking.
  package static func consentOptedOut(store: String) -> Observation {
    Observation(
      .consentOptedOut,
      """
      The user has opted out of tracking (\(sourceKey: "its status") in \(file: store)). The new SDK has \
      no such status: a migrated user would be tracked again.
      """,
      remedy:
        """
        Keep the user opted out in your app before the new SDK starts; give --allow-opted-out to migrate \
        all the same.
        """)
  }
}
