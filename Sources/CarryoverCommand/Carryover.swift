import ArgumentParser
import Carryover
import CarryoverContainers
import CarryoverPages
import CarryoverReview
import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors

struct CarryoverCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "carryover",
    abstract: "Shows what an app's legacy SDK has stored on a device, and migrates it.",
    discussion: """
      PATH is a container downloaded with Xcode (.xcappdata), an app's data folder, a single property list, a device \
      backup, or an archive of any of these. A path can continue inside a backup or an archive: Acme.zip/Acme.xcappdata. Without a \
      subcommand it is opened for review.

      Exit status: 0 done, 1 error, 2 decisions needed, 3 conflict, 4 stale plan, 5 recovery needed, 64 usage.
      """,
    version: Version.text,
    subcommands: [
      ReviewSubcommand.self, BrowseSubcommand.self, InspectSubcommand.self, DiffSubcommand.self, WatchSubcommand.self,
      ListSubcommand.self, ExtractSubcommand.self, PlanSubcommand.self, ApplySubcommand.self, RollbackSubcommand.self,
      CleanupSubcommand.self, HistorySubcommand.self, RecoverSubcommand.self, GetSubcommand.self, SetSubcommand.self,
      DeleteSubcommand.self, DiagnoseSubcommand.self, ReportSubcommand.self, AuditSubcommand.self,
      ExplainSubcommand.self, RecipeSubcommand.self, ConfigSubcommand.self, DoctorSubcommand.self,
      CompletionSubcommand.self, VersionSubcommand.self,
    ],
    defaultSubcommand: ReviewSubcommand.self)

  /// What the parser says may quote an argument, so it is escaped like everything else.
  static func main(_ arguments: [String]) -> Never {
    ThisProcess.prepareSignals()
    ThisProcess.printsJSON = arguments.prefix { $0 != "--" }.contains("--json")
    do {
      switch arguments {
      case []: try StartPage.print()
      case ["--version"], ["-v"]: try Console.print(Version.text)
      default: try run(arguments)
      }
    } catch {
      let status = exitCode(for: error)
      if status == .success {
        // Help and completion scripts are text of our own.
        try? Console.printVerbatim(CompletionScript.adapted(fullMessage(for: error)))
      } else if !(error is ExitCode) {
        report(error, arguments)
      }
      exit(withError: status)
    }
    exit()
  }

  private static func run(_ arguments: [String]) throws {
    let first = FirstWord(arguments, of: Self.self)
    if let misspelling = first?.misspelling { throw misspelling.reported(Masking(isRedacted(arguments))) }
    var command: any ParsableCommand
    do {
      command = try subcommand(arguments) ?? parseAsRoot(arguments)
    } catch {
      // If there is nothing at the path, only that is reported.
      guard exitCode(for: error) != .success, let absence = first?.absence else { throw error }
      throw absence.reported(Masking(isRedacted(arguments)))
    }
    try command.run()
  }

  private static func report(_ error: any Error, _ arguments: [String]) {
    let masking = Masking(isRedacted(arguments))
    if let failure = error as? CommandFailure {
      _ = failure.reported(masking)
    } else if ThisProcess.printsJSON {
      _ = CommandFailure.usage(DisplayText.harmless(message(for: error))).reported(masking)
    } else {
      let message = fullMessage(for: error)
      if !message.isEmpty { Console.error(masking.text(message)) }
    }
  }

  /// The subcommand that the first argument names; nil if anything is wrong with the others. From the root, the parser
  /// looks at every option of the default subcommand too, which takes longer than making a plan.
  private static func subcommand(_ arguments: [String]) -> (any ParsableCommand)? {
    guard let name = arguments.first,
      let subcommand = configuration.subcommands.first(where: { $0.configuration.commandName == name })
    else { return nil }
    // Errors and help come from the root, in whose name they are.
    return try? subcommand.parseAsRoot(Array(arguments.dropFirst()))
  }

  /// Whether arguments ask for redaction, those that cannot be parsed too.
  private static func isRedacted(_ arguments: [String]) -> Bool {
    arguments.contains("--redact") || arguments.contains("report") && !arguments.contains("--no-redact")
  }
}

/// What `main` calls, with the arguments that the system gives it and what is known of the build: commit, date,
/// compiler.
@_cdecl("carryover_main")
package func carryoverMain(
  _ count: CInt, _ arguments: UnsafePointer<UnsafePointer<CChar>?>, _ build: UnsafePointer<UnsafePointer<CChar>?>
) -> CInt {
  let facts = (0..<3).map { build[$0].map { String(cString: $0) } }
  Version.build = Version.Build(commit: facts[0], date: facts[1], compiler: facts[2])
  // A name as `list --json` prints it is UTF-8; one that the shell completes has the file's own bytes.
  let words = (0..<Int(count)).compactMap { arguments[$0].map { String(validatingCString: $0) ?? SystemName.text($0) } }
  if let name = words.first { ThisProcess.name = name }
  CarryoverCommand.main(Array(words.dropFirst()))
}

protocol ContainerCommand: PathCommand {
  var container: ContainerArguments { get }
}

extension ContainerCommand {
  var firstPath: String { container.path }
}

/// The first argument that is not a subcommand, checked before the parser reports errors in the others.
struct FirstWord {
  private let word: String
  private let command: any ParsableCommand.Type
  /// Its words: `carryover history`.
  private let name: String

  init?(_ arguments: [String], of root: any ParsableCommand.Type) {
    var (command, names) = (root, ["carryover"])
    var rest = arguments[...]
    while let next = rest.first, let found = Self.subcommands(command).first(where: { $0.name == next }) {
      command = found.type
      names.append(next)
      rest.removeFirst()
    }
    guard let word = rest.first, !word.hasPrefix("-"), word != "help" else { return nil }
    (self.word, self.command, name) = (word, command, names.joined(separator: " "))
  }

  /// The subcommand that was meant, if a word is close to the name of one and there is no file of that name.
  var misspelling: CommandFailure? {
    let names = Self.subcommands(command).map(\.name)
    guard !word.contains("/"), let meant = Nearest.name(to: word, among: names),
      !Self.takesPath(command) || absence != nil
    else {
      return nil
    }
    return .usage("There is no subcommand “\(DisplayText.visible(word, limit: 60))”. Did you mean “\(name) \(meant)”?")
  }

  var absence: CommandFailure? {
    Self.takesPath(command) ? ContainerOpener().absence(of: word).map { CommandFailure($0) } : nil
  }

  static func takesPath(_ command: any ParsableCommand.Type) -> Bool {
    command is any PathCommand.Type || command.configuration.defaultSubcommand is any PathCommand.Type
  }

  static func subcommands(_ command: any ParsableCommand.Type) -> [(name: String, type: any ParsableCommand.Type)] {
    command.configuration.subcommands.compactMap { type in type.configuration.commandName.map { ($0, type) } }
  }
}

enum StartPage {
  static func print() throws {
    try Paper().print { write(containers(), to: &$0) }
  }

  private static func write(_ listing: ContainerListing?, to page: inout PageWriter) {
    page.add("Carryover \(Version.text) shows what an app's legacy SDK has stored on a device, and migrates it.")
    let found = listing?.candidates ?? []
    if !found.isEmpty {
      page.blank()
      page.add("In this folder:")
      var table = Table([.init(.whole, "", .head), .init(.whole, "", .head)], indent: 2)
      for candidate in found.prefix(most) {
        table.add([
          .name(path(candidate)), candidate.bundleID.map { .name($0, .muted) } ?? .text("unknown app", .muted),
        ])
      }
      page.add(table)
      let more = max(0, found.count - most) + (listing?.more ?? 0)
      if more > 0 { page.add("and \(more) more: carryover list .", indent: 2) }
    }
    page.blank()
    page.add("To begin:")
    let path = found.first.map { ShellCommand.quoted(Self.path($0)) } ?? "PATH"
    for (command, does) in [
      ("carryover \(path)", "reviews a container in the terminal"),
      ("carryover plan \(path)", "shows what would be migrated, and writes nothing"),
      ("carryover help", "lists every command"),
    ] {
      page.line([Span("  " + command)])
      page.add([Span(does, .muted)], indent: 6)
    }
  }

  /// Nil if finding them takes long.
  private static func containers() -> ContainerListing? {
    let start = ContinuousClock.now
    let observer = OpeningObserver { _ in ContinuousClock.now - start < .milliseconds(300) }
    return try? ContainerOpener(fileSystem: POSIXFileSystem(), observer: observer).containers(at: ".")
  }

  private static func path(_ candidate: ContainerCandidate) -> String {
    candidate.path.isEmpty ? "." : candidate.path
  }

  private static let most = 5
}
