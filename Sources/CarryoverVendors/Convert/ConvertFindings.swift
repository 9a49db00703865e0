package import Carryover

extension FindingCode {
  /// A configuration that Convert's SDK has cached is there and cannot be read.
  package static let convertConfigCorrupt = FindingCode(
    "convert.config-corrupt", .warning, .informs,
    Explanation(
      title: "a cached configuration cannot be read",
      happens: "A file config-….json in the folder of Convert's SDK is no JSON.",
      legacyReads: """
        The legacy SDK, Convert's, reads the configuration of its key from it at its start, so that it can decide before it \
        has fetched a newer one.
        """,
      guideSays:
        "The guide says that the file is replaced atomically, and nothing of one that is damaged all the same.",
      helperWrites: "The helper here is the SDK, which replaces the file when it has fetched the configuration.",
      weWrite: "Carryover leaves the file where it is; the library's types report it and replace it whole.",
      whatToDo: """
        Leave it where the app comes to be online: the next fetch mends it. Ask how the file came to be cut off where it \
        happens again, since the SDK writes it in one go.
        """))
}

extension Observation {
  /// A configuration that Convert's SDK has cached is there and cannot be read.
  package static func convertConfigCorrupt(path: String, reason: String) -> Observation {
    Observation(
      .convertConfigCorrupt,
      """
      \(file: path) is damaged. \(reason, limit: 300) Convert's SDK has no experiments to decide about \
      until it has fetched its configuration.
      """,
      remedy:
        "Nothing to do where the app can reach Convert's server: the next fetch replaces the file.")
  }
}

extension FindingCode {
  /// Files of cached configurations whose names can be those of several SDK keys.
  package static let convertConfigKeyCollision = FindingCode(
    "convert.config-key-collision", .note, .informs,
    Explanation(
      title: "a cached configuration may be another key's",
      happens: """
        The name of a cached configuration has an underscore in it, which can stand for a slash in the SDK key.
        """,
      legacyReads: """
        The legacy SDK, Convert's, reads the file that its key's name comes to, and does not look whose configuration it is.
        """,
      guideSays:
        "The guide names the file config- with a sanitised key, and says nothing of keys that come to the same.",
      helperWrites: "The helper for this is the SDK itself, which replaces the file with each fetch.",
      weWrite: "Carryover names the files and changes none of them.",
      whatToDo: "Do nothing if the app has one SDK key. If it has several, use keys that differ in more than a slash."))
}

extension Observation {
  /// Files of cached configurations whose names can be those of several SDK keys.
  package static func convertConfigKeyCollision(files: [String]) -> Observation {
    Observation(
      .convertConfigKeyCollision,
      """
      \(list: files.map { "\(file: $0)" }) may belong to more than one SDK key: a slash in the key is an \
      underscore in the name, so that 100/200 and 100_200 share a file. The SDK takes what was cached \
      last, whosever it is.
      """,
      remedy:
        "Nothing to do where the app uses one SDK key; give keys that differ otherwise.")
  }
}

extension FindingCode {
  /// Convert's decisions are there and cannot be read.
  package static let convertDecisionsCorrupt = FindingCode(
    "convert.decisions-corrupt", .warning, .informs,
    Explanation(
      title: "the file of decisions cannot be read",
      happens: "The file convert-decision-store.json is no JSON, or JSON of another form than Convert's SDK writes.",
      legacyReads: "The legacy SDK, Convert's, reads variations, counted goals and segments of every visitor from it.",
      guideSays:
        "The guide says that a stored decision is read before any is calculated, and nothing of a damaged file.",
      helperWrites: "The helper for decisions is the SDK, which starts without any and writes the file anew.",
      weWrite: "Carryover leaves the file where it is; the library's types set it aside and never delete it.",
      whatToDo: """
        Take the file out of an older container of the same user. Without one, the visitors are decided for anew: mark that \
        moment in the analysis of the experiment.
        """))
}

extension Observation {
  /// Convert's decisions are there and cannot be read.
  package static func convertDecisionsCorrupt(path: String, reason: String) -> Observation {
    Observation(
      .convertDecisionsCorrupt,
      """
      \(file: path) is damaged. \(reason, limit: 300) Convert's SDK decides anew: visitors may see other \
      variations, and goals count again.
      """,
      remedy:
        "Restore the file from an older container before the app starts, or accept the loss.")
  }
}

extension FindingCode {
  /// The mirror of a visitor's id is not among the ids of the decisions and events; nil where it is lost.
  package static let convertIDsDiffer = FindingCode(
    "convert.ids-differ", .error, .asks, brief: "ids differ",
    Explanation(
      title: "the visitor's id and the decisions do not belong together",
      happens: """
        The mirror of the visitor's id in the preferences is not among the ids that decisions and waiting events stand \
        under; or it is lost, and there are several.
        """,
      legacyReads: """
        The legacy SDK, Convert's, takes the keychain's id first and the mirror's where the keychain has none. No container \
        holds the keychain.
        """,
      guideSays: "The guide says that both stores hold the same id, and that an id the app gives is stored nowhere.",
      helperWrites:
        "The helper is the SDK's own look-up, which fills the keychain from the mirror and never the mirror.",
      weWrite: "Carryover proposes no id, offers those of the files, and asks.",
      whatToDo: """
        Find out whether the app gives ids of its own to createContext: the ids of the files are those of users then. \
        Otherwise take the id that the decisions stand under.
        """))
}

extension Observation {
  /// The mirror of a visitor's id is not among the ids of the decisions and events; nil where it is lost.
  package static func convertIDsDiffer(mirror: String?, stored: [String]) -> Observation {
    let ids = stored.map { "\(quoted: $0)" as FindingText }
    guard let mirror else {
      return Observation(
        .convertIDsDiffer,
        """
        The mirror of the visitor's id is empty, and Convert's decisions and events stand under several ids: \(list: ids).
        """,
        remedy: "Choose the id of the visitor who is not logged in, or skip the field.")
    }
    return Observation(
      .convertIDsDiffer,
      """
      The mirror holds \(quoted: mirror), and none of Convert's decisions and events stand under it, but under \
      \(list: ids). A visitor of this id would be decided for anew.
      """,
      remedy: """
        Take an id of the files where the visitor has lost theirs; keep the mirror where the app gives ids itself.
        """)
  }
}

extension FindingCode {
  /// Convert's queue of events is there and cannot be read.
  package static let convertQueueCorrupt = FindingCode(
    "convert.queue-corrupt", .warning, .informs,
    Explanation(
      title: "the queue of events cannot be read",
      happens: "The file event-queue.json is no JSON, or JSON of another form than a queue of Convert's SDK.",
      legacyReads: "The legacy SDK, Convert's, reads the queue at its start, to send what the last launch left.",
      guideSays: "The guide says that a corrupt queue is discarded with a warning, and that the queue is empty then.",
      helperWrites: "The helper here is the SDK, which removes the file and what is in it.",
      weWrite: "Carryover never touches the file; the library's types move it aside, under a name made of its bytes.",
      whatToDo:
        "Copy the file before the app starts again if its events matter, and look for the last whole batch in it."
    ))
}

extension Observation {
  /// Convert's queue of events is there and cannot be read.
  package static func convertQueueCorrupt(path: String, reason: String) -> Observation {
    Observation(
      .convertQueueCorrupt,
      """
      \(file: path) is damaged. \(reason, limit: 300) Convert's SDK deletes it at its next start, and \
      the events in it with it.
      """,
      remedy:
        "Keep a copy of the file before the app starts again, if its events matter.")
  }
}

extension FindingCode {
  /// Convert's queue of events was being sent.
  package static let convertUploading = FindingCode(
    "convert.uploading", .note, .informs,
    Explanation(
      title: "the queue of events was being sent",
      happens: "The file event-queue.uploading stands beside the queue: an upload was under way.",
      legacyReads: "The legacy SDK, Convert's, leaves the queue alone as long as this file is there.",
      guideSays: "The guide does not mention this file.",
      helperWrites: "The helper, that is the SDK, removes the sign once the upload has ended.",
      weWrite: "Carryover does not judge the queue then, and writes neither file.",
      whatToDo: """
        Ask for a container made while the app is at rest if the events matter. A sign that stays for days was left by an \
        upload that was cut off.
        """))
}

extension Observation {
  /// Convert's queue of events was being sent.
  package static func convertUploading(path: String) -> Observation {
    Observation(
      .convertUploading,
      """
      \(file: path) says that the queue of events was being sent when the container was made. What is in \
      the queue may be sent already.
      """,
      remedy:
        "Leave the queue alone; ask for a container that was made when the app was at rest.")
  }
}
