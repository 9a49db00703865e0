import ArgumentParser
import Carryover
import CarryoverSystem
import CarryoverVendors

/// The command `carryover`. Without a subcommand, it reviews the path.
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
      ReviewSubcommand.self, BrowseSubcommand.self, InspectSubcommand.self, ListSubcommand.self,
      ExtractSubcommand.self, PlanSubcommand.self, ApplySubcommand.self, RollbackSubcommand.self,
      CleanupSubcommand.self, HistorySubcommand.self, RecoverSubcommand.self, DiagnoseSubcommand.self,
      ReportSubcommand.self, AuditSubcommand.self,
      ExplainSubcommand.self, RecipeSubcommand.self, ConfigSubcommand.self, DoctorSubcommand.self,
      CompletionSubcommand.self, VersionSubcommand.self,
    ],
    defaultSubcommand: ReviewSubcommand.self)

  /// Parses and runs; what the parser says may quote an argument, so it is escaped like everything else.
  /// - Parameter arguments: what stands behind the program's name.
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
      // Where nothing is at the path, nothing else is worth saying.
      guard exitCode(for: error) != .success, let absence = first?.absence else { throw error }
      throw absence.reported(Masking(isRedacted(arguments)))
    }
    try command.run()
  }

  /// Says what the parser refuses.
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

  /// The subcommand that the first argument names, where nothing is wrong with the others. From the root the parser looks at
  /// every option of the default subcommand too, which takes longer than making a plan.
  private static func subcommand(_ arguments: [String]) -> (any ParsableCommand)? {
    guard let name = arguments.first,
      let subcommand = configuration.subcommands.first(where: { $0.configuration.commandName == name })
    else { return nil }
    // Whatever is wrong, or asked for besides, is said from the root, in whose name it is.
    return try? subcommand.parseAsRoot(Array(arguments.dropFirst()))
  }

  /// Whether arguments ask for redaction, those that cannot be parsed too.
  private static func isRedacted(_ arguments: [String]) -> Bool {
    arguments.contains("--redact") || arguments.contains("report") && !arguments.contains("--no-redact")
  }
}

/// What `main` calls, with the arguments that the system gives it and what is known of the build: commit, date, compiler.
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
