import Carryover
import CarryoverRecipes
import CarryoverReview
import CarryoverSystem
import CarryoverVendors

/// Rewrites what the tests in a recipe file expect, so that they expect what happens.
struct RecipeUpdating {
  let path: String
  /// The names of the tests to rewrite; empty for all.
  let cases: [String]
  /// Whether to ask about each test.
  let isInteractive: Bool

  /// - Returns: whether every test now expects what happens, or the user kept what it expects.
  /// - Throws: `FileSystemError`, and a failure if the file changed meanwhile.
  func run() throws -> Bool {
    let (bytes, file) = try RecipePath.sound(path)
    let update = ExpectationUpdate(bytes, file, vendors: vendors)
    let testing = RecipeTesting(file)
    var changes: [ExpectationUpdate.Change] = []
    var isComplete = true
    try Console.print(path)
    for (index, test) in file.tests.enumerated() where cases.isEmpty || cases.contains(test.name) {
      let result = try testing.run(test)
      func refuse(_ sentence: String) throws {
        isComplete = false
        try say(.error, test.name)
        try Console.print("      \(path):\(test.place.line): \(sentence)")
      }
      guard let plan = result.plan else {
        try refuse(result.problems.joined(separator: " "))
        continue
      }
      do {
        if let change = try update.change(test: index, to: plan) {
          guard try isWanted(change, test) else { continue }
          changes.append(change)
          try say(.done, test.name + ": updated")
        } else if result.problems.isEmpty {
          try say(.unchanged, test.name + ": unchanged")
        } else {
          // The plan is as expected. What an apply or a rollback does cannot be expected otherwise.
          try refuse(result.problems.joined(separator: " "))
        }
      } catch let refusal as ExpectationUpdate.Refusal {
        try refuse("Not changed. \(refusal.sentence)")
      }
    }
    if !changes.isEmpty { try RecipePath.replace(path, bytes, with: update.bytes(with: changes)) }
    return isComplete
  }

  private func say(_ sign: Sign, _ words: String) throws {
    try Console.print("  \(sign.text(ascii: !Console.localeIsUTF8)) \(words)")
  }

  /// Shows the old and the new lines, and asks.
  private func isWanted(_ change: ExpectationUpdate.Change, _ test: RecipeTest) throws -> Bool {
    guard isInteractive else { return true }
    try Console.print("  \(test.name)")
    for line in change.old { try Console.print("  - \(line)") }
    for line in change.new { try Console.print("  + \(line)") }
    guard case .text(let answer) = Console.ask("Expect this? [y/N] ") else { return false }
    return ["y", "yes"].contains(answer.lowercased())
  }
}
