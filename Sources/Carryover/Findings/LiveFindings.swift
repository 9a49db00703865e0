extension FindingCode {
  static let liveCodes: [FindingCode] = [.liveRunningStore, .liveStoreChanged]

  /// The container belongs to a simulator or a Mac whose app may be running. It blocks until it is allowed.
  public static let liveRunningStore = FindingCode(
    "live.running-store", .error, .blocks,
    title: "the container's real path is in a simulator or in a Mac's own library",
    happens: """
      A simulator, or this Mac itself, uses the container in place. The preferences daemon (cfprefsd) keeps files in \
      memory: it ignores or overwrites what other programs write.
      """,
    legacyReads: "The legacy SDK reads its preferences through that daemon.",
    guideSays: "The guide runs the migration in the app, which asks the daemon, and does not mention files.",
    helperWrites: "The vendor's migrator runs in the app, so this does not happen to it.",
    weWrite: """
      Carryover only reads such a container and writes nothing until --live is given. It refuses rollback, cleanup, \
      recover and history prune too.
      """,
    whatToDo: """
      Stop the app, then work on a copy of the container or give --live. For a simulator, the command's \
      documentation lists steps that others have reported as working; Carryover's authors have not tested them.
      """)

  package static let liveStoreChanged = FindingCode(
    "live.store-changed", .error, .blocks,
    title: "files changed after the plan was made",
    happens: """
      A value that the plan depends on changed between the plan and the write: the app, or another program, wrote to \
      the container.
      """,
    legacyReads: "The legacy SDK writes to its stores while the app runs.",
    guideSays: "The guide runs the migration in the app before the new SDK starts, and does not mention other writers.",
    helperWrites: "The vendor's migrator makes no plan beforehand, so this does not happen to it.",
    weWrite: "Carryover refuses the stale plan, names the stores and keys that changed, and writes nothing.",
    whatToDo: "Make the plan again, and read what changed before you apply it.")
}

extension Observation {
  package static func liveRunningStore(_ liveness: Liveness) -> Observation {
    switch liveness {
    case .simulator(let device):
      Observation(
        .liveRunningStore,
        """
        What is written may be lost: the container is on the simulator device \(device, limit: .max). The preferences \
        daemon there (cfprefsd) keeps files in memory, and ignores or overwrites what others write.
        """,
        remedy: """
          Stop the app and work on a copy of the container; or stop the app and \
          \(command: "give --live", app: "allow this finding", review: "start Carryover with --live"). Others report \
          that this works, but we have not tested it: xcrun simctl spawn \(device, limit: .max) launchctl kickstart -k \
          user/501/com.apple.cfprefsd.xpc.daemon once the file is written.
          """)
    case .home(let home):
      Observation(
        .liveRunningStore,
        """
        What is written may be lost: the container is in this Mac's own library, in the home folder “\(home)”. The \
        preferences daemon (cfprefsd) keeps files in memory, and ignores or overwrites what others write.
        """,
        remedy: """
          Quit the app and work on a copy of the container; or quit the app and \
          \(command: "give --live", app: "allow this finding", review: "start Carryover with --live"). How to make the daemon read \
          the file again is not tested.
          """)
    }
  }

  package static func liveStoreChanged(stores: [String], keys: [String], previewed what: String? = nil) -> Observation {
    let place: FindingText = keys.isEmpty ? "" : "\(list: keys) in "
    let moment: FindingText = what.map { "the \(words: $0) was previewed" } ?? "the plan was made"
    let remedy: FindingText = what.map { "Preview the \(words: $0) again." } ?? "Make the plan again."
    return Observation(
      .liveStoreChanged, "\(place)\(list: stores.map { "\(file: $0)" }) changed after \(moment).",
      remedy: remedy)
  }
}
