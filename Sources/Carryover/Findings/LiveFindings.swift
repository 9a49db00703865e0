extension FindingCode {
  /// The container belongs to what may be running.
  public static let liveRunningStore = FindingCode(
    "live.running-store", .error, .blocks,
    Explanation(
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
        """))
}

extension Observation {
  /// The container belongs to what may be running.
  package static func liveRunningStore(_ liveness: Liveness) -> Observation {
    switch liveness {
    case .simulator(let device):
      Observation(
        .liveRunningStore,
        """
        The container belongs to the simulator device \(device, limit: .max). The daemon for preferences there (cfprefsd) \
        keeps files in memory: what is written behind it is ignored, or overwritten.
        """,
        remedy: """
          Stop the app and work on a copy of the container; or stop the app and give --live. Reported to work, but not run \
          by us: xcrun simctl spawn \(device, limit: .max) launchctl kickstart -k user/501/com.apple.cfprefsd.xpc.daemon \
          once the file is written.
          """)
    case .home(let home):
      Observation(
        .liveRunningStore,
        """
        The container is in the library of this Mac, in the home folder “\(home)”. The daemon for preferences (cfprefsd) \
        keeps files in memory: what is written behind it is ignored, or overwritten.
        """,
        remedy: """
          Quit the app and work on a copy of the container; or quit the app and give --live. What makes the daemon read the \
          file again was not tried by us.
          """)
    }
  }
}

extension FindingCode {
  /// Stores changed after the plan was made, in these keys.
  package static let liveStoreChanged = FindingCode(
    "live.store-changed", .error, .blocks,
    Explanation(
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
      whatToDo: "Make the plan again, and look at what changed before you apply it."))
}

extension Observation {
  /// Stores changed after the plan was made, in these keys.
  package static func liveStoreChanged(stores: [String], keys: [String]) -> Observation {
    let place: FindingText = keys.isEmpty ? "" : ", in \(list: keys)"
    return Observation(
      .liveStoreChanged, "\(list: stores.map { "\(file: $0)" }) changed after the plan was made\(place).",
      remedy: "Make the plan again.")
  }
}
