package import PropertyLists

extension FindingCode {
  /// The target holds another value.
  package static let targetConflict = FindingCode(
    "target.conflict", .error, .asks,
    Explanation(
      title: "the target holds another value",
      happens: """
        The target holds a value of the right type for a field, and it is not the one that the legacy value becomes.
        """,
      legacyReads: "The legacy SDK does not read the target.",
      guideSays: """
        The guide wants the migration to run once, before the new SDK starts. It does not say what to do with values \
        that are there.
        """,
      helperWrites: "The helper does nothing at all where the target is there, so the target's value stays.",
      weWrite: """
        Carryover proposes the legacy value, offers the target's, and asks. Without a decision nothing is written.
        """,
      whatToDo: """
        Replace the target's value, keep it, or edit it. The option --on-conflict decides for all fields that are \
        flagged for nothing else.
        """))
}

extension Observation {
  /// The target holds another value.
  package static func targetConflict(current: PropertyListValue, proposed: PropertyListValue) -> Observation {
    Observation(
      .targetConflict,
      """
      The target already holds \(shown: current), where the legacy value becomes \(shown: proposed).
      """,
      remedy:
        "Migrate to replace it, keep the target's value, or edit.")
  }
}

extension FindingCode {
  /// The target file is already there.
  package static let targetExists = FindingCode(
    "target.exists", .note, .informs,
    Explanation(
      title: "the target file is there",
      happens: "The target's file is there already.",
      legacyReads: "The legacy SDK has no part in the target's file.",
      guideSays: """
        The guide says to run the migration only once. It does not say how to go on from a file that is half filled.
        """,
      helperWrites: "The helper skips the whole migration, for ever, even where the file is half filled.",
      weWrite: "Carryover compares the target key by key, writes what is missing, and keeps the target's other keys.",
      whatToDo: "Nothing has to be done: what the target holds already is left unchanged."))
}

extension Observation {
  /// The target file is already there.
  package static func targetExists(path: String, keys: Int) -> Observation {
    Observation(
      .targetExists,
      """
      \(file: path) is already there, with \(count: keys, "key"). The reference migrator then does \
      nothing at all, even where the file is half filled.
      """,
      remedy:
        "Nothing to do: the target is compared key by key, and its other keys stay.")
  }
}

extension FindingCode {
  /// The target looks like that of a user the new SDK took for a new one.
  package static let targetFreshIdentity = FindingCode(
    "target.fresh-identity", .error, .asks,
    Explanation(
      title: "the target holds a new anonymous id and neither user nor traits",
      happens: """
        The target holds another anonymous id, and neither user nor traits: the new SDK started before the migration, \
        or before the device was first unlocked, and made an id of its own.
        """,
      legacyReads: "The legacy SDK still has the id that the user's history stands under.",
      guideSays: """
        The guide warns that the migration must run before the new SDK starts. It does not say how to repair a start \
        that came too early.
        """,
      helperWrites: "The helper finds the target there and leaves the new id in place: the user stays a new one.",
      weWrite: "Carryover proposes the legacy id as a replacement, explains the mark, and asks.",
      whatToDo: """
        Replace the new id to give the user back their history, or keep it if events since the update matter more.
        """))
}

extension Observation {
  /// The target looks like that of a user the new SDK took for a new one.
  package static func targetFreshIdentity(current: String, legacy: String) -> Observation {
    Observation(
      .targetFreshIdentity,
      """
      The new SDK has already started and made an id of its own, \(quoted: current), instead of \
      \(quoted: legacy): it ran before the migration, or before the device was first unlocked.
      """,
      remedy:
        """
        Replace the new id to give the user back their history, or keep it if events since the update \
        matter more.
        """)
  }
}

extension FindingCode {
  /// There are suites of several write keys.
  package static let targetManyWriteKeys = FindingCode(
    "target.many-write-keys", .warning, .informs,
    Explanation(
      title: "there are suites of several write keys",
      happens: "The container holds suites of several write keys, and each is a target of its own.",
      legacyReads: "The legacy SDK has one set of values, whatever the write key.",
      guideSays: "The guide initialises one migrator with one write key. It does not say what to do for several.",
      helperWrites: """
        The helper fills the suite of its write key and deletes the source, so that nothing is left for the others.
        """,
      weWrite: "Carryover lists the write keys, fills the suite that was named, and keeps the source.",
      whatToDo: "Choose a suite with --write-key, and run again for another."))
}

extension Observation {
  /// There are suites of several write keys.
  package static func targetManyWriteKeys(_ keys: [String]) -> Observation {
    Observation(
      .targetManyWriteKeys,
      """
      The container holds suites of several write keys: \(list: keys.map { "\(value: $0)" }). Each is a \
      target of its own.
      """,
      remedy:
        "Name another one with --write-key to fill its suite too.")
  }
}

extension FindingCode {
  /// The target's file is there and cannot be read, so it cannot be edited either.
  package static let targetUnreadable = FindingCode(
    "target.unreadable", .error, .blocks,
    Explanation(
      title: "the target's file is there and cannot be edited: damaged, a link, a folder",
      happens: "The target's file is there and cannot be edited: it is damaged, a link, a folder, or no dictionary.",
      legacyReads: "The legacy SDK never opens the target's file.",
      guideSays: "The guide does not mention a target that is damaged.",
      helperWrites: """
        The helper's treatment of such a file is not established; where it takes the target for present, it does \
        nothing.
        """,
      weWrite: "Carryover writes nothing at all, names the file with the reason, and leaves it as it is.",
      whatToDo: "Move the file away and make the plan again, or ask for the container again."))
}

extension Observation {
  /// The target's file is there and cannot be read, so it cannot be edited either.
  package static func targetUnreadable(path: String, reason: String) -> Observation {
    Observation(
      .targetUnreadable,
      "\(file: path) is there and cannot be edited. \(reason, limit: 300)",
      remedy:
        "Move the file away, or ask for the container again; the file is left as it is.")
  }
}

extension FindingCode {
  /// The target holds a value of a type or form its reader takes for absent.
  package static let targetWrongType = FindingCode(
    "target.wrong-type", .warning, .asks,
    Explanation(
      title: "the target holds a type the new SDK reads as absent",
      happens: """
        The target holds a value of a type, or in a form, that the new SDK reads as absent: a session id stored as an \
        integer, for instance.
        """,
      legacyReads: "The legacy SDK stores its values elsewhere, some of them with other types than the new SDK needs.",
      guideSays: """
        The guide names the type of each value it stores: text for the session id, an integer for the build. It does \
        not say what to do with a wrong one that is there.
        """,
      helperWrites: "The helper does not look at values that are there.",
      weWrite: "Carryover proposes the legacy value in the right form, else the target's own value repaired, and asks.",
      whatToDo: "Confirm the repair, edit the value, or keep the target as it is."))
}

extension Observation {
  /// The target holds a value of a type or form its reader takes for absent.
  package static func targetWrongType(_ value: PropertyListValue, needs form: TargetForm) -> Observation {
    Observation(
      .targetWrongType,
      """
      The target holds \(kindOf: value) (\(shown: value)), where the new SDK needs \(form.words): it \
      reads this as absent.
      """,
      remedy:
        "Confirm the repair, edit it, or keep the value as it is.")
  }
}
