import ArgumentParser
import Carryover
import CarryoverRecipes
import CarryoverSystem
import CarryoverVendors

/// A file with decisions by finding.
struct PolicyArgument: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Decide fields by the findings that ask about them, as this policy file says. A decision that names the field takes precedence.",
      valueName: "file"), completion: .file())
  var policy: String?

  /// The policy; an empty one if none is named.
  /// - Throws: an error with the file's issues if it has errors.
  func read() throws -> DecisionPolicy {
    guard let policy else { return DecisionPolicy() }
    let (found, issues) = PolicyFile.read(try bytes(), codes: FindingCode.allCases)
    guard let found else {
      throw CommandFailure(LintedFile(path: policy, issues: issues))
    }
    return found
  }

  /// The SHA-256 of the file; nil if none is named.
  func digest() throws -> String? { policy == nil ? nil : SHA256.hexDigest(try bytes()) }

  private func bytes() throws -> [UInt8] {
    try RecipePath.bytes(of: policy ?? "")
  }
}

extension CommandFailure {
  /// What is wrong in a file that an option names.
  init(_ file: LintedFile) { self.init(LintOutput(files: [file]).lines.joined(separator: "\n"), .error) }
}
