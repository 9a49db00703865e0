/// The migrator that a vendor offers to apps, or that its SDK runs by itself.
package struct VendorMigrator: Hashable, Sendable {
  /// When the migrator runs, and with that, what it can still write. The raw value is the word in recipe files.
  package enum Runs: String, CaseIterable, Sendable {
    /// The app calls it. It does nothing if the new SDK's file exists.
    case whenCalled = "when-called"
    /// The new SDK calls it when it first starts. It fills what is missing or empty in the new SDK's file.
    case atFirstStart = "at-first-start"
    /// The new SDK calls it at each start. It fills what is missing in the new SDK's file.
    case atEachStart = "at-each-start"
  }

  /// The name in sentences: "Acme's migrator".
  package var name: String
  package var runs: Runs
  /// Whether it deletes the legacy values that it has read. Where they are still there, it has not run.
  package var removes: Bool
  /// Legacy keys that it moves, and that no field has. Where one of them is still there, it has not run.
  package var moves: [String]

  package init(_ name: String, runs: Runs = .whenCalled, removes: Bool = false, moves: [String] = []) {
    self.name = name
    self.runs = runs
    self.removes = removes
    self.moves = moves
  }

  /// What the recipe says of it.
  package var words: String {
    let when =
      switch runs {
      case .whenCalled: "the app calls it, and it does nothing if the new SDK's file exists"
      case .atFirstStart: "the new SDK calls it when it first starts, to fill what is missing or empty in its file"
      case .atEachStart: "the new SDK calls it at each start, to fill what is missing in its file"
      }
    let gone =
      if removes { "; it deletes what it has read" } else if !moves.isEmpty {
        "; it moves \(moves.joined(separator: ", "))"
      } else { "" }
    return "\(name): \(when)\(gone)."
  }
}
