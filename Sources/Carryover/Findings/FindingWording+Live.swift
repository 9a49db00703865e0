extension FindingWording {
  static func liveMessage(_ observation: Observation) -> String {
    switch observation {
    case .liveRunningStore(.simulator(let device)):
      "The container belongs to the simulator device \(device). The daemon for preferences there (cfprefsd) keeps files "
        + "in memory: what is written behind it is ignored, or overwritten."
    case .liveRunningStore(.home(let home)):
      "The container is in the library of this Mac, in the home folder \(quoted(home)). The daemon for preferences "
        + "(cfprefsd) keeps files in memory: what is written behind it is ignored, or overwritten."
    case .liveStoreChanged(let stores, let keys):
      "\(listed(stores.map(fileName))) changed after the plan was made\(keys.isEmpty ? "" : ", in \(listed(keys))")."
    default: ""
    }
  }

  static func liveRemedy(_ liveness: Liveness) -> String {
    switch liveness {
    case .simulator(let device):
      "Stop the app and work on a copy of the container; or stop the app and give --live. Reported to work, but not run by "
        + "us: xcrun simctl spawn \(device) launchctl kickstart -k user/501/com.apple.cfprefsd.xpc.daemon once the file is "
        + "written."
    case .home:
      "Quit the app and work on a copy of the container; or quit the app and give --live. What makes the daemon read the "
        + "file again was not tried by us."
    }
  }
}
