extension FindingCode {
  /// Apple's readers refuse a property list that Carryover reads.
  package static let sourceRefused = FindingCode(
    "source.refused-by-apple", .warning, .asks,
    Explanation(
      title: "Apple's readers refuse a file",
      happens: """
        Carryover reads a property list that Apple's readers refuse. A tool wrote or changed it. On the \
        device, an app and its SDKs find no values in the file.
        """,
      legacyReads: "The legacy SDK reads with Apple's readers, so it finds no values in the file.",
      guideSays: "The guide does not mention such files.",
      helperWrites: "The vendor's migrator reads with Apple's readers, too, and migrates nothing from the file.",
      weWrite: "Carryover proposes the file's values and asks about each of them.",
      whatToDo: """
        If the container is as the device had it, the app has already lost these values: accept them to give them back. \
        If a tool changed the file, use the original.
        """))
}

extension Observation {
  /// Apple's readers refuse a property list that Carryover reads.
  package static func sourceRefused(store: String, reason: String) -> Observation {
    Observation(
      .sourceRefused, "An app finds no values in \(file: store). \(reason, limit: 300)",
      remedy: "Accept the value to give it back, or skip it. If a tool changed the file, use the original.",
      verdict: .doubt("Apple's readers refuse \(file: store), so the app reads nothing from it"))
  }
}
