package import Carryover
import CarryoverSystem

/// A file with a policy: decisions by finding, which an app's team keeps with its app.
package enum PolicyFile {
  /// The format that this version of Carryover reads, in the first line of a file.
  package static let format = "policy/1"

  /// Reads a file, and says what is wrong in it, by place. The policy is nil if an issue is an error.
  /// - Parameter codes: the codes of all findings.
  package static func read(_ bytes: [UInt8], codes: [FindingCode]) -> (policy: DecisionPolicy?, issues: [LintIssue]) {
    let (root, issues) = RecipeReader.read(bytes)
    let log = LintLog()
    let policy = root.flatMap { self.policy($0, codes, log) }
    let all = (issues + log.issues).sorted { $0.place < $1.place }
    return (all.contains { $0.code.severity == .error } ? nil : policy, all)
  }

  private static func policy(_ root: RecipeNode, _ codes: [FindingCode], _ log: LintLog) -> DecisionPolicy? {
    guard var map = RecipeMap(root, of: "A policy", format: format, log) else { return nil }
    let decide = map.require("decide")
    map.end()
    guard let decide else { return nil }
    guard case .map(let entries) = decide.content else {
      log.report(.wrongValue, decide.place, "Decisions are a map: the codes of findings with what to do.")
      return nil
    }
    var policy = DecisionPolicy()
    let asking = codes.filter(\.asks)
    for entry in entries {
      guard let code = asking.first(where: { $0.rawValue == entry.key }) else {
        let isKnown = codes.contains { $0.rawValue == entry.key }
        log.report(
          .unknownName, entry.place,
          isKnown
            ? "The finding \(entry.key) asks for no decision."
            : "There is no finding \(DisplayText.quoted(entry.key)). \(log.suggest(entry.key, asking.map(\.rawValue)))")
        continue
      }
      let choices = DecisionPolicy.Choice.choices(for: code)
      guard let choice = entry.value.text(log).flatMap({ name in choices.first { $0.rawValue == name } }) else {
        log.report(
          .unknownName, entry.value.place,
          "\(code.rawValue) can be decided with \(choices.map(\.rawValue).joined(separator: " or ")).")
        continue
      }
      policy.choices[code] = choice
    }
    return policy
  }
}
