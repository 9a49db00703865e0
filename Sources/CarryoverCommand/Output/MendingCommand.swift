import Carryover

/// The command line that fixes a container, as a person can paste it.
struct MendingCommand {
  /// The arguments that name the container: its path, and what chooses and describes it.
  let path: String
  let choosing: [String]
  /// The arguments that the plan was made with.
  let planning: [String]

  /// The lines, none of which needs another; empty where nothing can be applied.
  func lines(for mending: Mending, _ container: Container, isInterrupted: Bool, needsKey: Bool) -> [ShellCommand] {
    if isInterrupted { return [Self.line(["recover", path] + choosing)] }
    guard mending.applies, mending.blockers.allSatisfy({ Self.options[$0.code] != nil }) else { return [] }
    var decisions = mending.accept.flatMap { ["--accept", $0] }
    decisions += mending.edit.flatMap { ["--set", $0 + "=VALUE"] }
    decisions += mending.replace.flatMap { ["--replace", $0] }
    var options = planning
    for finding in mending.blockers where finding.code != .targetNoWriteKey || needsKey {
      options += Self.options[finding.code] ?? []
    }
    guard container.wrapper != nil else { return [Self.line(["apply", path] + choosing + options + decisions)] }
    return [
      Self.line(["extract", path] + choosing + ["--output", "FOLDER"]),
      Self.line(["apply", "FOLDER"] + options + decisions),
    ]
  }

  /// What stands for a write key that is not known, or not shown.
  static let writeKey = "WRITE_KEY"

  /// What lifts a block, where an option does.
  private static let options: [FindingCode: [String]] = [
    .targetNoWriteKey: ["--write-key", writeKey], .targetNoBundleID: ["--bundle-id", "BUNDLE_ID"],
    .consentOptedOut: ["--allow-opted-out"],
  ]

  /// - Parameter arguments: the subcommand and the path, then options, each with its value behind it.
  private static func line(_ arguments: [String]) -> ShellCommand {
    let end = arguments.firstIndex { $0.hasPrefix("--") } ?? arguments.endIndex
    var command = ShellCommand(["carryover"] + arguments[..<end])
    var option: [String] = []
    for word in arguments[end...] {
      if word.hasPrefix("--"), !option.isEmpty {
        command.add(option)
        option = []
      }
      option.append(word)
    }
    if !option.isEmpty { command.add(option) }
    return command
  }
}
