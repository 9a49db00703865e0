extension FindingCode {
  /// The bundle identifier is unknown, so the target's name is unknown.
  package static let targetNoBundleID = FindingCode(
    "target.no-bundle-id", .error, .blocks,
    Explanation(
      title: "the bundle id is unknown, so the target has no name",
      happens: "The app's bundle id is unknown, and the target file's name begins with it.",
      legacyReads: "The legacy SDK uses the preferences of the app it runs in, and needs no bundle id.",
      guideSays: "The guide runs in the app, where the bundle id is known.",
      helperWrites: "The vendor's migrator silently does nothing without a bundle id.",
      weWrite: "Carryover shows the plan and applies nothing until you give the bundle id.",
      whatToDo: "Give the bundle id with --bundle-id."))
}

extension Observation {
  /// The bundle identifier is unknown, so the target's name is unknown.
  package static var targetNoBundleID: Observation {
    Observation(
      .targetNoBundleID, "The target file is unknown: the bundle id is missing. The file's name begins with it.",
      remedy: "Give the bundle id\(command: " with --bundle-id", app: "").")
  }
}

extension FindingCode {
  /// The container has suites of other write keys, but not of the given one.
  package static let targetOtherWriteKey = FindingCode(
    "target.other-write-key", .error, .informs,
    Explanation(
      title: "there are only suites of other write keys",
      happens: "The container has suites of other write keys, and none of the write key that you gave.",
      legacyReads: "The legacy SDK has no file with a write key in its name.",
      guideSays: "The guide passes one write key, and does not say what a wrong one does.",
      helperWrites: "The vendor's migrator writes the suite of the write key that the app passes.",
      weWrite: """
        Carryover creates the suite of the write key that you gave. An app that uses another write key does not read it.
        """,
      whatToDo: "Check the write key. If it is right, there is nothing to do."))
}

extension Observation {
  /// The container has suites of other write keys, but not of the given one.
  package static func targetOtherWriteKey(_ given: String, present: [String]) -> Observation {
    Observation(
      .targetOtherWriteKey,
      "No file of write key \(value: given) here, only of \(list: present.map { "\(value: $0)" }).",
      remedy: "Check the write key. If it is right, Carryover creates a file for it.")
  }
}

extension FindingCode {
  /// The write key is unknown, so the target's name is unknown.
  package static let targetNoWriteKey = FindingCode(
    "target.no-write-key", .error, .blocks,
    Explanation(
      title: "the write key is unknown or not valid, so the target has no name",
      happens: """
        The target file's name ends with the write key. The write key is unknown, or it cannot be a part of a file name.
        """,
      legacyReads: "The legacy SDK's stores do not depend on the write key.",
      guideSays: "The guide passes the write key of the iOS source to the migrator.",
      helperWrites: "The vendor's migrator gets the write key from the app, so this does not happen to it.",
      weWrite: """
        Carryover takes the write key from the container's only suite, if there is one. Otherwise it applies nothing \
        until you give the key.
        """,
      whatToDo: "Give the write key of the new SDK's source with --write-key."))
}

extension Observation {
  /// The given write key cannot be a part of the target's name.
  package static func targetInvalidWriteKey(_ given: String) -> Observation {
    Observation(
      .targetNoWriteKey,
      "The target file is unknown: \(quoted: given) cannot be a write key, because the file's name ends with it.",
      remedy: "Give the write key of the new SDK's source\(command: " with --write-key", app: "").")
  }

  /// The write key is unknown, so the target's name is unknown.
  package static var targetNoWriteKey: Observation {
    Observation(
      .targetNoWriteKey, "The target file is unknown: the write key is missing. The file's name ends with it.",
      remedy: "Give the write key of the new SDK's source\(command: " with --write-key", app: "").")
  }
}
