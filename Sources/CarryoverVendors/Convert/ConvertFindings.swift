package import Carryover

extension FindingCode {
  static let convertCodes: [FindingCode] = [
    .convertConfigCorrupt, .convertConfigKeyCollision, .convertDecisionsCorrupt, .convertIDsDiffer,
    .convertQueueCorrupt, .convertUploading, .convertDecisionsElsewhere, .convertIDElsewhere,
  ]

  package static let convertConfigCorrupt = FindingCode(
    "convert.config-corrupt", .warning, .informs,
    title: "a cached configuration cannot be read",
    happens: "A file config-….json in the folder of Convert's SDK is not valid JSON.",
    legacyReads: """
      The legacy SDK (Convert's) reads the configuration from the file when it starts, and uses it until it has \
      fetched a newer one.
      """,
    guideSays: "The guide says that the file is replaced atomically. It does not mention a damaged one.",
    helperWrites: "There is no migrator: the SDK replaces the file when it has fetched the configuration.",
    weWrite:
      "Carryover does not change the file. In an app, its library reports the damage and replaces the whole file.",
    whatToDo: """
      Do nothing if the app can go online: the next fetch replaces the file. If it is damaged again, find out what \
      truncates it; the SDK writes the file in one piece.
      """)

  package static let convertConfigKeyCollision = FindingCode(
    "convert.config-key-collision", .note, .informs,
    title: "a cached configuration may belong to another key",
    happens: "The name of a cached configuration contains an underscore, which can stand for a slash in the SDK key.",
    legacyReads:
      "The legacy SDK (Convert's) reads the file named after its key, and does not check whose configuration it is.",
    guideSays: """
      The guide says that the file's name is config- and a sanitised key. It does not mention keys with the same \
      file name.
      """,
    helperWrites: "There is no migrator: the SDK replaces the file with each fetch.",
    weWrite: "Carryover names the files and changes none of them.",
    whatToDo: "Do nothing if the app has one SDK key. If it has several, use keys that differ in more than a slash.")

  package static let convertDecisionsCorrupt = FindingCode(
    "convert.decisions-corrupt", .warning, .informs,
    title: "the file of decisions cannot be read",
    happens: "The file convert-decision-store.json is not valid JSON, or not in the form that Convert's SDK writes.",
    legacyReads:
      "The legacy SDK (Convert's) reads the variations, counted goals and segments of every visitor from it.",
    guideSays: """
      The guide says that the SDK reads a stored decision before it calculates one. It does not mention a damaged \
      file.
      """,
    helperWrites: "There is no migrator: the SDK starts without decisions and writes a new file.",
    weWrite: "Carryover leaves the file as it is. In an app, its library sets the file aside and never deletes it.",
    whatToDo: """
      Take the file from an older container of the same user. Without one, the visitors get new decisions: note the \
      time for the analysis of the experiment.
      """)

  package static let convertIDsDiffer = FindingCode(
    "convert.ids-differ", .error, .asks, brief: "ids differ",
    title: "the visitor's id and the decisions do not match",
    happens: """
      The visitor's id in the preferences is not among the ids of the decisions and waiting events. Or it is \
      missing, and the decisions and events have several ids.
      """,
    legacyReads: """
      The legacy SDK (Convert's) reads the id in the keychain first, and the one in the preferences if there is \
      none. A container does not include the keychain.
      """,
    guideSays: "The guide says that both stores have the same id, and that an id set by the app is not stored.",
    helperWrites:
      "There is no migrator: the SDK copies the id from the preferences to the keychain, never the other way.",
    weWrite: "Carryover proposes no id, offers those in the files, and asks.",
    whatToDo: """
      Find out whether the app passes its own ids to createContext. If so, the ids in the files are those of users. \
      Otherwise choose the id that the decisions have.
      """)

  package static let convertQueueCorrupt = FindingCode(
    "convert.queue-corrupt", .warning, .informs,
    title: "the queue of events cannot be read",
    happens: "The file event-queue.json is not valid JSON, or not a queue in the form that Convert's SDK writes.",
    legacyReads: "The legacy SDK (Convert's) reads the queue when it starts, to send the events from the last launch.",
    guideSays: "The guide says that the SDK discards a corrupt queue with a warning and starts with an empty one.",
    helperWrites: "There is no migrator: the SDK deletes the file with its events.",
    weWrite: """
      Carryover does not change the file in the container. In an app, its library moves the file aside, under a name \
      derived from its bytes.
      """,
    whatToDo:
      "If the events matter, copy the file before the app starts again, and look for the last complete batch in it."
  )

  package static let convertUploading = FindingCode(
    "convert.uploading", .note, .informs,
    title: "the queue of events was being sent",
    happens: "The file event-queue.uploading is beside the queue: an upload was under way.",
    legacyReads: "The legacy SDK (Convert's) does not touch the queue while this file is there.",
    guideSays: "The guide does not mention this file.",
    helperWrites: "There is no migrator: the SDK removes the file when the upload has ended.",
    weWrite: "Carryover does not check the queue, and writes neither file.",
    whatToDo: """
      If the events matter, ask for a container made while the app is idle. A file that stays for days is from an \
      interrupted upload.
      """)

  package static let convertDecisionsElsewhere = FindingCode(
    "convert.decisions-elsewhere", .warning, .informs,
    title: "decisions are in a file that the SDK does not read",
    happens: """
      The folder com.convertexperiments.sdk has a file convert-decision-store.json with decisions. The SDK's \
      documentation names this place.
      """,
    legacyReads:
      "The legacy SDK (Convert's) reads the file of this name in Application Support itself, never this one.",
    guideSays: "The guide puts the decisions into the folder com.convertexperiments.sdk.",
    helperWrites: "There is no migrator: the SDK neither moves nor merges the files.",
    weWrite: "Carryover changes neither file.",
    whatToDo: """
      Find out which code wrote the file. In an app, ConvertFiles reads it as long as the SDK's own file is missing, \
      and updateDecisions writes the decisions where the SDK reads them.
      """)

  package static let convertIDElsewhere = FindingCode(
    "convert.id-elsewhere", .warning, .asksWithoutAdvice,
    title: "the visitor's id is only in a file that the SDK does not read",
    happens:
      "The preferences have no visitor id. The only one is in decisions in the folder com.convertexperiments.sdk.",
    legacyReads:
      "The legacy SDK (Convert's) does not read these decisions, so the id may be another visitor's, or an old one.",
    guideSays: "The guide puts the decisions into this folder.",
    helperWrites: "There is no migrator: the SDK makes a new id if the keychain has none.",
    weWrite: "Carryover proposes the id and asks.",
    whatToDo: "Accept the id if you know that it is this visitor's. Otherwise skip the field.")
}

extension Observation {
  package static func convertConfigCorrupt(path: String, reason: String) -> Observation {
    Observation(
      .convertConfigCorrupt,
      "The app has no experiments until its next fetch: \(file: path) is damaged. \(reason, limit: 300)",
      remedy: "Nothing to do if the app can reach Convert's server: the next fetch replaces the file.",
      verdict: .loss(
        .convert("the configuration", "the app has no experiments until its next fetch"), "\(file: path) is damaged"))
  }

  package static func convertConfigKeyCollision(files: [String]) -> Observation {
    Observation(
      .convertConfigKeyCollision,
      """
      \(list: files.map { "\(file: $0)" }) may belong to more than one SDK key. A slash in a key is an underscore in \
      the file's name, so 100/200 and 100_200 share a file. The SDK reads whatever was cached last.
      """,
      remedy: "Nothing to do if the app uses one SDK key. Otherwise use keys that differ in more than a slash.")
  }

  package static func convertDecisionsCorrupt(path: String, reason: String) -> Observation {
    Observation(
      .convertDecisionsCorrupt,
      """
      Visitors may see other variations: \(file: path) is damaged. \(reason, limit: 300) Convert's SDK decides anew, \
      and goals count again.
      """,
      remedy: "Restore the file from an older container before the app starts, or accept the loss.",
      verdict: .loss(.convert("the decisions", "visitors may see other variations"), "\(file: path) is damaged"))
  }

  /// The mirror of a visitor's id is not among the ids of the decisions and events; nil if it is lost.
  package static func convertIDsDiffer(mirror: String?, stored: [String]) -> Observation {
    let ids = stored.map { "\(quoted: $0)" as FindingText }
    guard let mirror else {
      return Observation(
        .convertIDsDiffer,
        "The visitor's id is unknown: the preferences have none, and the files have several. They are \(list: ids).",
        remedy: "Choose the id of the visitor who is not logged in, or skip the field.",
        verdict: .loss(.visitor, "the preferences have no visitor id, and the files have several"))
    }
    return Observation(
      .convertIDsDiffer,
      """
      The visitor may get new decisions: the preferences have the id \(quoted: mirror), and the files have others. The \
      decisions or events are of \(list: ids).
      """,
      remedy: """
        Choose an id of the files if the visitor has lost theirs. Keep the one in the preferences if the app sets ids \
        itself.
        """,
      verdict: .loss(.visitor, "the preferences and the files have different visitor ids"))
  }

  package static func convertQueueCorrupt(path: String, reason: String) -> Observation {
    Observation(
      .convertQueueCorrupt,
      """
      The waiting events are lost at the next start: \(file: path) is damaged. \(reason, limit: 300) Convert's SDK \
      deletes the file when it starts.
      """,
      remedy: "Copy the file before the app starts again if its events matter.",
      verdict: .loss(
        .convert("the waiting events", "the waiting events are lost at the next start"), "\(file: path) is damaged"))
  }

  package static func convertUploading(path: String) -> Observation {
    Observation(
      .convertUploading,
      "The waiting events may be sent already: \(file: path) shows that an upload was under way.",
      remedy: "If the events matter, ask for a container made while the app was at rest.")
  }

  package static func convertDecisionsElsewhere(path: String, read: String) -> Observation {
    Observation(
      .convertDecisionsElsewhere,
      "Visitors may see other variations: \(file: path) has decisions, but Convert's SDK reads \(file: read) instead.",
      remedy:
        "Find out which code wrote the file. In an app, ConvertFiles can write its decisions where the SDK reads them.",
      verdict: .doubt("\(file: path) has decisions that the SDK does not read"))
  }

  package static func convertIDElsewhere(_ id: String, path: String) -> Observation {
    Observation(
      .convertIDElsewhere,
      "The visitor's id \(quoted: id) is only in \(file: path), which Convert's SDK does not read.",
      remedy: "Accept it if you know that it is this visitor's id. Otherwise skip the field.")
  }
}

extension Loss {
  fileprivate static let visitor = Loss(
    .newUser, "the visitor's id", ahead: "this visitor may get new decisions",
    past: "this visitor may get new decisions")

  fileprivate static func convert(_ what: String, _ words: String) -> Loss {
    Loss(.data, what, ahead: words, past: words)
  }
}
