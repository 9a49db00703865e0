import Carryover

/// A file with a budget: limits of an audit, which an app's team keeps with its app.
package enum BudgetFile {
  /// The format that this version of Carryover reads, in the first line of a file.
  package static let format = "budget/1"

  /// Reads a file, and says what is wrong in it, by place. There are no limits if an issue is an error.
  /// - Parameter problem: what is wrong with a limit, as a sentence; nil if it is valid.
  package static func read(
    _ bytes: [UInt8], problem: (String) -> String?
  ) -> (limits: [String]?, issues: [LintIssue]) {
    let (root, issues) = RecipeReader.read(bytes)
    let log = LintLog()
    var limits: [String] = []
    if let root, var map = RecipeMap(root, of: "A budget", format: format, log) {
      for node in map.require("limits")?.items(log) ?? [] {
        guard let limit = node.text(log) else { continue }
        if let problem = problem(limit) { log.report(.unknownName, node.place, problem) }
        limits.append(limit)
      }
      map.end()
    }
    let all = (issues + log.issues).sorted { $0.place < $1.place }
    return (all.contains { $0.code.severity == .error } ? nil : limits, all)
  }
}
