extension FindingWording {
  static func convertMessage(_ observation: Observation) -> String {
    switch observation {
    case .convertQueueCorrupt(let path, let reason):
      "\(fileName(path)) is damaged. \(cut(reason, to: 300)) Convert's SDK deletes it at its next start, and the events "
        + "in it with it."
    case .convertDecisionsCorrupt(let path, let reason):
      "\(fileName(path)) is damaged. \(cut(reason, to: 300)) Convert's SDK decides anew: visitors may see other "
        + "variations, and goals count again."
    case .convertConfigCorrupt(let path, let reason):
      "\(fileName(path)) is damaged. \(cut(reason, to: 300)) Convert's SDK has no experiments to decide about until it has "
        + "fetched its configuration."
    case .convertUploading(let path):
      "\(fileName(path)) says that the queue of events was being sent when the container was made. What is in the queue may "
        + "be sent already."
    case .convertConfigKeyCollision(let files):
      "\(listed(files.map(fileName))) may belong to more than one SDK key: a slash in the "
        + "key is an underscore in the name, so that 100/200 and 100_200 share a file. "
        + "The SDK takes what was cached last, whosever it is."
    case .convertIDsDiffer(let mirror?, let stored):
      "The mirror holds \(quoted(mirror)), and none of Convert's decisions and events stand under it, but under "
        + "\(listed(stored.map(quoted))). A visitor of this id would be decided for anew."
    case .convertIDsDiffer(nil, let stored):
      "The mirror of the visitor's id is empty, and Convert's decisions and events stand under several ids: "
        + "\(listed(stored.map(quoted)))."
    default: ""
    }
  }

  static func convertRemedy(_ observation: Observation) -> String {
    switch observation {
    case .convertQueueCorrupt: "Keep a copy of the file before the app starts again, if its events matter."
    case .convertDecisionsCorrupt: "Restore the file from an older container before the app starts, or accept the loss."
    case .convertConfigCorrupt:
      "Nothing to do where the app can reach Convert's server: the next fetch replaces the file."
    case .convertUploading: "Leave the queue alone; ask for a container that was made when the app was at rest."
    case .convertConfigKeyCollision: "Nothing to do where the app uses one SDK key; give keys that differ otherwise."
    case .convertIDsDiffer(.some, _):
      "Take an id of the files where the visitor has lost theirs; keep the mirror where the app gives ids itself."
    case .convertIDsDiffer: "Choose the id of the visitor who is not logged in, or skip the field."
    default: ""
    }
  }
}
