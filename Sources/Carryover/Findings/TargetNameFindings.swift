extension FindingCode {
  /// The bundle id is unknown, so the target cannot be named.
  package static let targetNoBundleID = FindingCode(
    "target.no-bundle-id", .error, .blocks,
    Explanation(
      title: "the bundle id is unknown, so the target has no name",
      happens: "The app's bundle id is unknown, and the name of the target's file begins with it.",
      legacyReads: "The legacy SDK uses the preferences of the app it runs in, and needs no bundle id.",
      guideSays: "The guide runs inside the app, where the bundle id is known.",
      helperWrites: "The helper does nothing without a bundle id, and says nothing.",
      weWrite: "Carryover shows what it can and applies nothing until the bundle id is named.",
      whatToDo: "Give the bundle id with --bundle-id."))
}

extension Observation {
  /// The bundle id is unknown, so the target cannot be named.
  package static var targetNoBundleID: Observation {
    Observation(
      .targetNoBundleID,
      "The app's bundle id is unknown, and the name of the target file begins with it.",
      remedy:
        "Give the bundle id with --bundle-id.")
  }
}

extension FindingCode {
  /// The write key is unknown, so the target cannot be named.
  package static let targetNoWriteKey = FindingCode(
    "target.no-write-key", .error, .blocks,
    Explanation(
      title: "the write key is unknown, so the target has no name",
      happens: "The write key is unknown, and the name of the target's file ends with it.",
      legacyReads: "The legacy SDK's stores do not depend on the write key.",
      guideSays: "The guide passes the write key of the iOS source to the migrator.",
      helperWrites: "The helper is given the write key by the app, so the case does not come up.",
      weWrite: """
        Carryover takes the write key from the only suite in the container, if there is one. Otherwise it applies \
        nothing until the key is named.
        """,
      whatToDo: "Give the write key of the new SDK's source with --write-key."))
}

extension Observation {
  /// The write key is unknown, so the target cannot be named.
  package static var targetNoWriteKey: Observation {
    Observation(
      .targetNoWriteKey,
      "The write key is unknown, and the name of the target file ends with it.",
      remedy:
        "Give the write key of the new SDK's source with --write-key.")
  }
}
