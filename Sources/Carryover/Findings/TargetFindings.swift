package import PropertyLists

extension FindingCode {
  static let targetCodes: [FindingCode] = [
    .targetConflict, .targetExists, .targetFreshIdentity, .targetManyWriteKeys, .targetOtherUser, .targetRolledBack,
    .targetUnreadable, .targetWrongType, .targetNoBundleID, .targetOtherWriteKey, .targetNoWriteKey,
    .targetLegacyWriteKey,
  ]

  package static let targetConflict = FindingCode(
    "target.conflict", .error, .asks,
    title: "the new SDK's file has a different value",
    happens: "The new SDK's file has a value of the right type for a field, but not the one that Carryover proposes.",
    legacyReads: "The legacy SDK does not read the new SDK's file.",
    guideSays: """
      The guide runs the migration once, before the new SDK starts. It does not say what to do with values that are \
      already there.
      """,
    helperWrites:
      "The vendor's migrator does nothing at all if the new SDK's file exists, so the new SDK's value stays.",
    weWrite:
      "Carryover proposes the legacy value, offers the new SDK's, recommends neither, and asks.",
    whatToDo: """
      Find out which of the two is right, then replace the new SDK's value, keep it, or edit it. The option \
      --on-conflict decides for all fields that no other finding flags.
      """)

  package static let targetExists = FindingCode(
    "target.exists", .note, .informs,
    title: "the file to write exists",
    happens: "The file to write already exists: the new SDK has started, or others write to the same file.",
    legacyReads: "The legacy SDK does not read the new SDK's keys in it.",
    guideSays: """
      The guide may say to run the migration only once. It does not say how to continue with a file that is half \
      filled.
      """,
    helperWrites: "A vendor's migrator may skip the whole migration, even if the file is half filled.",
    weWrite: "Carryover compares the file key by key, writes what is missing, and keeps the file's other keys.",
    whatToDo: "Do nothing: the file's other keys do not change.")

  package static let targetFreshIdentity = FindingCode(
    "target.fresh-identity", .error, .asks,
    title: "the new SDK's file has a new anonymous id and neither a user id nor traits",
    happens: """
      The new SDK's file has another anonymous id, and neither a user id nor traits. The new SDK made its own id: it \
      started before the migration or before the device was first unlocked, or the app has logged the user out since.
      """,
    legacyReads: "The legacy SDK still has the id of the user's earlier events.",
    guideSays: """
      The guide warns that the migration must run before the new SDK starts. It does not say what to do if the new \
      SDK started first.
      """,
    helperWrites: "The vendor's migrator does nothing because the file exists: the user still counts as a new one.",
    weWrite:
      """
      Carryover proposes the legacy id, recommends replacing the new one, and asks.\
      \(command: " --on-conflict does not decide it.", app: "")
      """,
    whatToDo:
      "Replace the new id to give the user their history back. Keep it if the events since the update matter more.")

  package static let targetManyWriteKeys = FindingCode(
    "target.many-write-keys", .warning, .informs,
    title: "the new SDK has files for several write keys",
    happens: "The container has files of the new SDK for several write keys.",
    legacyReads: "The legacy SDK has one set of values, whatever the write key.",
    guideSays: "The guide initialises one migrator with one write key. It does not say what to do with several.",
    helperWrites:
      "The vendor's migrator fills the file for its write key and deletes the source, so the others get nothing.",
    weWrite: "Carryover lists the write keys, fills the file that you name, and keeps the source.",
    whatToDo: """
      Choose a file\(command: " with --write-key", app: "", review: " with %"), then run again for another.
      """)

  package static let targetOtherUser = FindingCode(
    "target.other-user", .warning, .informs,
    title: "a field describes a user other than the new SDK's",
    happens:
      "The new SDK's user id differs from the legacy one, and a field such as the traits describes the legacy user.",
    legacyReads: "The legacy SDK reads its own user id and the traits that belong to it.",
    guideSays: "The guide does not say what to do with a user who has logged in since the update.",
    helperWrites:
      "The vendor's migrator does nothing if the new SDK's file exists: the new SDK's user stays, without traits.",
    weWrite: """
      Carryover writes the field if it writes the legacy user id. If you keep the new SDK's user id, Carryover skips \
      the field unless you accept it.
      """,
    whatToDo: """
      Find out who uses the app now. Replace the user id to restore the legacy user, or keep it for the current user.
      """)

  package static let targetRolledBack = FindingCode(
    "target.rolled-back", .warning, .asks,
    title: "the field was rolled back",
    happens: "A run wrote the field, the field was rolled back, and other fields of that run are in effect.",
    legacyReads: "The legacy SDK still has its own value.",
    guideSays: "The guide has no rollback.",
    helperWrites: "The vendor's migrator has no rollback, and does nothing if the new SDK's file exists.",
    weWrite: "Carryover proposes the value again, asks, and writes it only if you accept it.",
    whatToDo: "Accept the proposal to write it. Skip it to leave the field as the rollback left it.")

  package static let targetUnreadable = FindingCode(
    "target.unreadable", .error, .blocks,
    title: "the new SDK's file exists and cannot be edited: damaged, a link, a folder",
    happens: "The new SDK's file exists and cannot be edited: it is damaged, a link, a folder, or not a dictionary.",
    legacyReads: "The legacy SDK never opens the new SDK's file.",
    guideSays: "The guide does not mention a damaged file.",
    helperWrites:
      "The vendor's migrator does nothing if it finds the file. What it does with a folder or a link is unknown.",
    weWrite: "Carryover writes nothing, reports the file and the reason, and does not change the file.",
    whatToDo: "Move the file away and make the plan again, or ask for the container again.")

  package static let targetWrongType = FindingCode(
    "target.wrong-type", .warning, .asks,
    title: "the new SDK's file has a value of a type that the SDK reads as absent",
    happens: """
      The new SDK's file has a value of a type, or in a form, that the new SDK reads as absent, such as a session id \
      stored as an integer. The recipe says what the new SDK reads: some SDKs read a number as text.
      """,
    legacyReads: "The legacy SDK stores its values elsewhere, some with types other than those that the new SDK needs.",
    guideSays: """
      The guide names the type of each value: text for the session id, an integer for the build. It does not say \
      what to do with a wrong type.
      """,
    helperWrites: "The vendor's migrator does not look at existing values.",
    weWrite: """
      Carryover proposes the legacy value in the right form, and asks. Without a legacy value, it proposes the \
      new SDK's own value in that form, if possible.
      """,
    whatToDo: "Accept the repair, edit the value, or keep the new SDK's value.")

  package static let targetNoBundleID = FindingCode(
    "target.no-bundle-id", .error, .blocks,
    title: "the bundle id is unknown, so the new SDK's file has no name",
    happens: "The app's bundle id is unknown, and the name of the new SDK's file begins with it.",
    legacyReads: "The legacy SDK uses the preferences of the app it runs in, and needs no bundle id.",
    guideSays: "The guide runs in the app, where the bundle id is known.",
    helperWrites: "The vendor's migrator silently does nothing without a bundle id.",
    weWrite: "Carryover shows the plan and applies nothing until you give the bundle id.",
    whatToDo: "Give the bundle id\(command: " with --bundle-id", app: "", review: " with %").")

  package static let targetOtherWriteKey = FindingCode(
    "target.other-write-key", .error, .informs,
    title: "the new SDK has files only for other write keys",
    happens: "The container has files of the new SDK for other write keys, and none for the one that you gave.",
    legacyReads: "The legacy SDK has no file with a write key in its name.",
    guideSays: "The guide passes one write key, and does not say what a wrong one does.",
    helperWrites: "The vendor's migrator writes the file for the write key that the app passes.",
    weWrite: """
      Carryover creates the file for the write key that you gave. An app that uses another write key does not read it.
      """,
    whatToDo: "Check the write key. If it is right, there is nothing to do.")

  package static let targetNoWriteKey = FindingCode(
    "target.no-write-key", .note, .blocks,
    title: "the write key is unknown or not valid, so the new SDK's file has no name",
    happens: """
      The name of the new SDK's file ends with the write key. The write key is unknown, or it cannot be a part of a \
      file name. The container is not at fault.
      """,
    legacyReads: "The legacy SDK's stores do not depend on the write key.",
    guideSays: "The guide passes the write key of the iOS source to the migrator.",
    helperWrites: "The vendor's migrator gets the write key from the app, so this does not happen to it.",
    weWrite: """
      Carryover takes the write key from the container's only file of the new SDK. Without one, it takes the one that \
      the legacy files state. Otherwise it applies nothing until you give the key.
      """,
    whatToDo: "Give the write key of the new SDK's source\(command: " with --write-key", app: "", review: " with %").")

  package static let targetLegacyWriteKey = FindingCode(
    "target.legacy-write-key", .warning, .informs,
    title: "the legacy SDK had another write key",
    happens: """
      The legacy files state a write key, and you gave another one. The new SDK has no file for either.
      """,
    legacyReads: "The legacy SDK sent its events to the source of the write key that its files state.",
    guideSays: "The guide passes the write key of the new SDK's source, and does not say if that is the legacy one.",
    helperWrites:
      "The vendor's migrator fills the file for the app's write key, and does not compare it with the legacy one.",
    weWrite: "Carryover writes to the file for the write key that you gave, and does not look at the stated one.",
    whatToDo: "Check that the app's new version uses this write key. If it does, there is nothing to do.")
}

extension Observation {
  package static func targetConflict(current: PropertyListValue, proposed: PropertyListValue) -> Observation {
    Observation(
      .targetConflict, "The new SDK's file has a different value: \(shown: current), not \(shown: proposed).",
      remedy: "Replace it with the proposal, keep it, or edit the field.")
  }

  package static func targetExists(path: String, keys: Int) -> Observation {
    Observation(
      .targetExists,
      "\(file: path) already exists, with \(count: keys, "key"). Carryover compares it key by key.",
      remedy: "Nothing to do: the file's other keys do not change.")
  }

  package static func targetFreshIdentity(current: String, legacy: String) -> Observation {
    Observation(
      .targetFreshIdentity,
      """
      The user is counted as a new one: the new SDK made the id \(quoted: current). The legacy id is \
      \(quoted: legacy). The new SDK started before the migration or before the device was first unlocked, or the app \
      has logged the user out since.
      """)
  }

  /// - Parameter isChosen: whether one of them names the target.
  package static func targetManyWriteKeys(_ keys: [String], isChosen: Bool) -> Observation {
    Observation(
      .targetManyWriteKeys,
      """
      The new SDK has files for \(words: keys.count) write keys: \(list: keys.map { "\(value: $0)" }).
      """,
      remedy: isChosen
        ? """
        Run again with another \(command: "--write-key", app: "write key", review: "write key (%)") to fill its file too.
        """
        : """
        With \(command: "--write-key", app: "the write key", review: "the write key (%)"), choose the file that the app reads.
        """)
  }

  package static func targetOtherUser(_ current: PropertyListValue, named: String) -> Observation {
    Observation(
      .targetOtherUser,
      """
      The new SDK's file has a different user (\(words: named): \(shown: current)); this value does not describe that \
      user.
      """,
      remedy: "Decide \(named) first. If you keep that user, this field is skipped unless you accept it.")
  }

  package static func targetRolledBack(_ field: String) -> Observation {
    Observation(
      .targetRolledBack, "A run wrote the field, and it was rolled back.",
      remedy: "Accept the proposal to write it, or skip the field.", verdict: .cause("\(words: field) was rolled back"))
  }

  package static func targetUnreadable(path: String, reason: String) -> Observation {
    Observation(
      .targetUnreadable, "Nothing can be written: \(file: path) cannot be edited. \(reason, limit: 300)",
      remedy: "Move the file away, or ask for the container again. Carryover does not change the file.")
  }

  package static func targetWrongType(_ value: PropertyListValue, needs form: TargetForm) -> Observation {
    Observation(
      .targetWrongType,
      """
      The new SDK reads its own value as absent: it is \(kindOf: value) (\(shown: value)), not \
      \(words: form.words).
      """,
      remedy: "Accept the repair, edit it, or keep the value as it is.")
  }

  package static var targetNoBundleID: Observation {
    Observation(
      .targetNoBundleID, "The new SDK's file is unknown: the bundle id is missing. The file's name begins with it.",
      remedy: "Give the bundle id\(command: " with --bundle-id", app: "", review: " with %").")
  }

  package static func targetOtherWriteKey(_ given: String, present: [String]) -> Observation {
    Observation(
      .targetOtherWriteKey,
      "No file of write key \(value: given) here, only of \(list: present.map { "\(value: $0)" }).",
      remedy: """
        Check the write key\(command: "", app: "", review: ", which % changes"). If it is right, Carryover creates a file \
        for it.
        """)
  }

  package static func targetLegacyWriteKey(_ stated: String, used: String) -> Observation {
    Observation(
      .targetLegacyWriteKey,
      "The legacy SDK had the write key \(value: stated), but the new SDK's file is for \(value: used).",
      remedy: "Check that the app's new version uses \(value: used). If it does, there is nothing to do.")
  }

  package static func targetInvalidWriteKey(_ given: String) -> Observation {
    Observation(
      .targetNoWriteKey,
      "Needs: write key. \(quoted: given) is not valid: the name of the new SDK's file ends with the write key.",
      remedy: "Give the write key of the new SDK's source\(command: " with --write-key", app: "", review: " with %").")
  }

  package static var targetNoWriteKey: Observation {
    Observation(
      .targetNoWriteKey, "Needs: write key. The name of the new SDK's file ends with it.",
      remedy: """
        Give the write key of the new SDK's source\
        \(command: " with --write-key; with several SDKs, -P RECIPE/write-key=KEY", app: "", review: " with %").
        """)
  }
}
