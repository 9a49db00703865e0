/// What is known about the findings on the target: what stands in it.
extension Explanation {
  static let targetConflict = Explanation(
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
      """)

  static let targetExists = Explanation(
    title: "the target file is there",
    happens: "The target's file is there already.",
    legacyReads: "The legacy SDK has no part in the target's file.",
    guideSays: """
      The guide says to run the migration only once. It does not say how to go on from a file that is half filled.
      """,
    helperWrites: "The helper skips the whole migration, for ever, even where the file is half filled.",
    weWrite: "Carryover compares the target key by key, writes what is missing, and keeps the target's other keys.",
    whatToDo: "Nothing has to be done: what the target holds already is left unchanged.")

  static let targetFreshIdentity = Explanation(
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
      """)

  static let targetUnreadable = Explanation(
    title: "the target's file is there and cannot be edited: damaged, a link, a folder",
    happens: "The target's file is there and cannot be edited: it is damaged, a link, a folder, or no dictionary.",
    legacyReads: "The legacy SDK never opens the target's file.",
    guideSays: "The guide does not mention a target that is damaged.",
    helperWrites: """
      The helper's treatment of such a file is not established; where it takes the target for present, it does \
      nothing.
      """,
    weWrite: "Carryover writes nothing at all, names the file with the reason, and leaves it as it is.",
    whatToDo: "Move the file away and make the plan again, or ask for the container again.")

  static let targetWrongType = Explanation(
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
    whatToDo: "Confirm the repair, edit the value, or keep the target as it is.")
}
