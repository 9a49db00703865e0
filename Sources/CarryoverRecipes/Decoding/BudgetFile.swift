/// A file with a budget: limits of an audit, which an app's team keeps with its app.
package enum BudgetFile {
  /// The format that this version of Carryover reads, in the first line of a file.
  package static let format = "budget/1"

  /// Reads a file, and says what is wrong in it, by place.
  /// - Parameter add: adds a limit, or says in a sentence what is wrong with it.
  package static func read(_ bytes: [UInt8], _ add: (String) -> String?) -> [LintIssue] {
    let (root, issues) = RecipeReader.read(bytes)
    let log = LintLog()
    if let root, var map = RecipeMap(root, of: "A budget", format: format, log) {
      if let limits = map.require("limits") {
        let items = limits.items(log) ?? []
        if items.isEmpty { log.report(.wrongValue, limits.place, "A budget has at least one limit.") }
        for item in items {
          guard let limit = item.text(log), let problem = add(limit) else { continue }
          log.report(.unknownName, item.place, problem)
        }
      }
      map.end()
    }
    return (issues + log.issues).sorted { $0.place < $1.place }
  }
}
