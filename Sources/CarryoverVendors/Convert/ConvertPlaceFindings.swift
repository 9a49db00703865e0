package import Carryover

extension FindingCode {
  /// Decisions are in a file that Convert's SDK does not read.
  package static let convertDecisionsElsewhere = FindingCode(
    "convert.decisions-elsewhere", .warning, .informs,
    Explanation(
      title: "decisions are in a file that the SDK does not read",
      happens: """
        The folder com.convertexperiments.sdk has a file convert-decision-store.json with decisions. The SDK's \
        documentation names this place.
        """,
      legacyReads: """
        The legacy SDK (Convert's) reads the file of this name in Application Support itself, never this one.
        """,
      guideSays: "The guide puts the decisions into the folder com.convertexperiments.sdk.",
      helperWrites: "There is no migrator: the SDK neither moves nor merges the files.",
      weWrite: "Carryover changes neither file.",
      whatToDo: """
        Find out which code wrote the file. In an app, ConvertFiles reads it as long as the SDK's own file is missing, \
        and updateDecisions writes the decisions where the SDK reads them.
        """))

  /// The only id is in a file that Convert's SDK does not read.
  package static let convertIDElsewhere = FindingCode(
    "convert.id-elsewhere", .warning, .asks,
    Explanation(
      title: "the visitor's id is only in a file that the SDK does not read",
      happens: """
        The preferences have no visitor id. The only one is in decisions in the folder com.convertexperiments.sdk.
        """,
      legacyReads: """
        The legacy SDK (Convert's) does not read these decisions, so the id may be another visitor's, or an old one.
        """,
      guideSays: "The guide puts the decisions into this folder.",
      helperWrites: "There is no migrator: the SDK makes a new id if the keychain has none.",
      weWrite: "Carryover proposes the id and asks.",
      whatToDo: "Accept the id if you know that it is this visitor's. Otherwise skip the field."))
}

extension Observation {
  /// Decisions are in a file that Convert's SDK does not read.
  /// - Parameter read: the path that the SDK reads.
  package static func convertDecisionsElsewhere(path: String, read: String) -> Observation {
    Observation(
      .convertDecisionsElsewhere,
      "Visitors may see other variations: \(file: path) has decisions, but Convert's SDK reads \(file: read) instead.",
      remedy: """
        Find out which code wrote the file. In an app, ConvertFiles can write its decisions where the SDK reads them.
        """,
      verdict: .doubt("\(file: path) has decisions that the SDK does not read"))
  }

  /// The only id is in a file that Convert's SDK does not read.
  package static func convertIDElsewhere(_ id: String, path: String) -> Observation {
    Observation(
      .convertIDElsewhere,
      "The visitor's id \(quoted: id) is only in \(file: path), which Convert's SDK does not read.",
      remedy: "Accept it if you know that it is this visitor's id. Otherwise skip the field.")
  }
}
