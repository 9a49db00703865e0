extension FindingCode {
  static let consentCodes: [FindingCode] = [.consentOptedOut, .consentMigrated]

  /// The user has opted out of tracking. It blocks until it is allowed.
  public static let consentOptedOut = FindingCode(
    "consent.opted-out", .error, .blocks,
    title: "one of the legacy stores says that the user has opted out",
    happens: "The opt-out status is true in one of the legacy stores: the user has opted out of tracking.",
    legacyReads: "The legacy SDK reads true as opted out.",
    guideSays: """
      The guide says that the new SDK does not support the opt-out status. It does not say how to keep such a user \
      opted out.
      """,
    helperWrites: "The vendor's migrator migrates the user without the status: they are tracked again.",
    weWrite: """
      Carryover applies nothing until you \(FindingText.permission), unless a field of the recipe migrates the opt-out and \
      you accept it. An opt-out in any store counts.
      """,
    whatToDo: """
      Keep the user opted out in your app before the new SDK starts, then \
      \(FindingText.permission).
      """,
    inTheApp: """
      Before the app creates the new SDK, read the status that the legacy SDK stored, and keep users who opted out from \
      being tracked.
      """)

  package static let consentMigrated = FindingCode(
    "consent.migrated", .warning, .asks,
    title: "the user has opted out, and the field migrates the opt-out",
    happens: "The legacy SDK stored that the user has opted out of tracking.",
    legacyReads: "The legacy SDK sends no events for such a user.",
    guideSays: "The guide of a vendor may or may not mention opt-outs.",
    helperWrites: "A migrator that does not migrate the status lets the new SDK track the user again.",
    weWrite: """
      Carryover proposes the same status for the new SDK, and asks. If the decision is another one, it applies nothing \
      until you \(FindingText.permission).
      """,
    whatToDo: "Accept the field, so that the new SDK does not track the user either.")
}

extension Observation {
  /// - Parameter isAllowed: whether the user may be migrated: nothing is left to allow.
  package static func consentOptedOut(store: String, isAllowed: Bool = false) -> Observation {
    Observation(
      .consentOptedOut,
      """
      The user has opted out: a migrated user would be tracked again. \(sourceKey: "A status") in \
      \(file: store) says so, and the new SDK has no such status.
      """,
      remedy: isAllowed
        ? "Keep the user opted out in your app before the new SDK starts."
        : """
        Keep the user opted out in your app before the new SDK starts, then \
        \(FindingText.permission).
        """,
      verdict: .loss(.trackedAgain, "the new SDK has no such status"))
  }

  package static func consentUnknown(store: String) -> Observation {
    Observation(
      .consentOptedOut,
      "The user may have opted out: \(file: store), which contains the opt-out status, cannot be read.",
      remedy: """
        Ask for the container again. If you know that the user has not opted out, \
        \(FindingText.permission).
        """,
      verdict: .doubt("\(file: store), which contains the opt-out status, cannot be read"))
  }

  package static func consentOptedOut(store: String, leftBehindBy field: String) -> Observation {
    Observation(
      .consentOptedOut,
      """
      The user has opted out: \(sourceKey: "a status") in \(file: store) says so, and the decision about \(field) does not \
      migrate it.
      """,
      remedy: "Accept \(field), or \(FindingText.permission).")
  }

  package static var consentMigrated: Observation {
    Observation(
      .consentMigrated, "The user has opted out of tracking. The proposal keeps the user opted out in the new SDK.",
      remedy: """
        Accept the field; to migrate the user without it, skip it and \
        \(FindingText.permission).
        """)
  }
}

extension FindingText {
  /// How an opted-out user may be migrated.
  fileprivate static var permission: FindingText {
    "\(command: "pass --allow-opted-out", app: "allow this finding", review: "allow it with %")"
  }
}
