import ArgumentParser
import CarryoverContainers
import CarryoverReview
import CarryoverSystem
import CarryoverTerminal

/// A command that opens a container.
protocol ContainerCommand: PathCommand {
  var container: ContainerArguments { get }
}

extension ContainerCommand {
  var firstPath: String { container.path }
}

extension AuditRunSubcommand: PathCommand {
  var firstPath: String { path.first ?? "" }
}
extension ApplySubcommand: ContainerCommand {}
extension BrowseSubcommand: ContainerCommand {}
extension CleanupSubcommand: ContainerCommand {}
extension DiagnoseSubcommand: ContainerCommand {}
extension ExtractSubcommand: ContainerCommand {}
extension HistoryListSubcommand: ContainerCommand {}
extension HistoryPruneSubcommand: ContainerCommand {}
extension InspectSubcommand: ContainerCommand {}
extension ListSubcommand: PathCommand {
  var firstPath: String { path }
}
extension PlanSubcommand: ContainerCommand {}
extension RecoverSubcommand: ContainerCommand {}
extension ReportSubcommand: ContainerCommand {}
extension ReviewSubcommand: ContainerCommand {}
extension RollbackSubcommand: ContainerCommand {}

/// The first of the arguments that is no subcommand, looked at before the parser says what is wrong with the others.
struct FirstWord {
  private let word: String
  /// The subcommand in front of it, or the command itself.
  private let command: any ParsableCommand.Type
  /// Its words: `carryover history`.
  private let name: String

  /// - Returns: nil where there is none, or it is an option.
  init?(_ arguments: [String], of root: any ParsableCommand.Type) {
    let (command, names, rest) = Self.rest(of: arguments, behind: root)
    guard let word = rest.first, !word.hasPrefix("-"), word != "help" else { return nil }
    self.word = word
    self.command = command
    name = (["carryover"] + names).joined(separator: " ")
  }

  /// The subcommand that arguments begin with, the words that name it, and the arguments behind them.
  static func rest(
    of arguments: [String], behind root: any ParsableCommand.Type
  ) -> (command: any ParsableCommand.Type, names: [String], arguments: [String]) {
    var (command, names) = (root, [String]())
    while let next = arguments.dropFirst(names.count).first,
      let found = subcommands(command).first(where: { $0.name == next })
    {
      command = found.type
      names.append(next)
    }
    return (command, names, Array(arguments.dropFirst(names.count)))
  }

  /// The subcommand that was meant, if a word is close to the name of one and there is no file of that name.
  var misspelling: CommandFailure? {
    let names = Self.subcommands(command).map(\.name)
    guard !word.contains("/"), let meant = Nearest.name(to: word, among: names), !takesPath || absence != nil else {
      return nil
    }
    return .usage("There is no subcommand “\(DisplayText.visible(word, limit: 60))”. Did you mean “\(name) \(meant)”?")
  }

  /// That there is nothing at the path; nil where there is something, or the command takes no path.
  var absence: CommandFailure? {
    takesPath ? ContainerOpener().absence(of: word).map { CommandFailure($0) } : nil
  }

  private var takesPath: Bool {
    command is any PathCommand.Type || command.configuration.defaultSubcommand is any PathCommand.Type
  }

  private static func subcommands(
    _ command: any ParsableCommand.Type
  ) -> [(name: String, type: any ParsableCommand.Type)] {
    command.configuration.subcommands.flatMap { type in
      ([type.configuration.commandName].compactMap(\.self) + type.configuration.aliases).map { ($0, type) }
    }
  }
}
