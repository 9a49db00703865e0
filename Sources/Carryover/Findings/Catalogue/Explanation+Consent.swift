/// What is known about the findings on consent, on live containers, and on changes after the plan.
extension Explanation {
  static let consentOptedOut = Explanation(
    title: "rl_opt_status is true in any store",
    happens: "The key rl_opt_status is true in one of the legacy stores: the user has opted out of tracking.",
    legacyReads: "The legacy SDK reads true as opted out.",
    guideSays: """
      The guide says that the new SDK does not support the opt status. It does not say how to keep such a user out.
      """,
    helperWrites: "The helper carries the user over without the status: they are tracked again.",
    weWrite: """
      Carryover applies nothing until --allow-opted-out is given, and never copies the status. The word of any store \
      counts.
      """,
    whatToDo: "Keep the user opted out in your app before the new SDK starts; give --allow-opted-out then.")

  static let liveRunningStore = Explanation(
    title: "the container belongs to a simulator or to a Mac's own library, by its real path",
    happens: """
      The container lies where a simulator or this Mac itself uses it. The daemon for preferences (cfprefsd) keeps files \
      in memory: what is written behind it is ignored, or overwritten.
      """,
    legacyReads: "The legacy SDK reads its preferences through that daemon.",
    guideSays: "The guide runs the migration in the app, where the daemon is asked, and does not mention files.",
    helperWrites: "The helper runs in the app, so the case does not come up for it.",
    weWrite: """
      Carryover only reads such a container and writes nothing until --live is given. Rollback, cleanup, recover and \
      history prune are refused as well.
      """,
    whatToDo: """
      Stop the app and work on a copy of the container; or stop the app and give --live. What is reported to work on a \
      simulator afterwards is in the documentation of the command; it was not run by us.
      """)

  static let liveStoreChanged = Explanation(
    title: "files changed after the plan was made",
    happens: """
      A value that the plan rests on changed between the plan and the write: the app, or somebody else, wrote to the \
      container.
      """,
    legacyReads: "The legacy SDK writes to its stores while the app runs.",
    guideSays: """
      The guide runs the migration in the app before the new SDK starts, and does not mention other writers.
      """,
    helperWrites: "The helper makes no plan beforehand, so the case does not come up for it.",
    weWrite: "Carryover refuses the stale plan, names the stores and keys that changed, and writes nothing.",
    whatToDo: "Make the plan again, and look at what changed before you apply it.")
}
