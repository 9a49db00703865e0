import ArgumentParser
import Carryover
import CarryoverVendors

/// The command `carryover`. Each subcommand has a file of its own; without one, the path is reviewed.
struct CarryoverCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "carryover",
    abstract: "Shows what a legacy app store holds, what becomes of it in the new one, and carries it over.",
    discussion: """
      PATH is a container downloaded with Xcode (.xcappdata), an app's data folder, a single property list, a device \
      backup, or an archive of any of these. It may lead on into the last two: Acme.zip/Acme.xcappdata. Without a \
      subcommand it is opened for review.

      Exit status: 0 done, 1 error, 2 decisions needed, 3 conflict, 4 stale plan, 5 recovery needed, 64 usage.
      """,
    version: Version.text,
    subcommands: [
      ReviewSubcommand.self, BrowseSubcommand.self, InspectSubcommand.self, ListSubcommand.self,
      ExtractSubcommand.self, PlanSubcommand.self, ApplySubcommand.self, RollbackSubcommand.self,
      CleanupSubcommand.self, HistorySubcommand.self, RecoverSubcommand.self, ReportSubcommand.self,
      ExplainSubcommand.self, RecipesSubcommand.self, ConfigSubcommand.self,
    ],
    defaultSubcommand: ReviewSubcommand.self)

  /// Parses and runs; what the parser says may quote an argument, so it is escaped like everything else.
  /// - Parameter arguments: what stands behind the program's name.
  static func main(_ arguments: [String]) -> Never {
    ThisProcess.prepareSignals()
    do {
      if arguments == ["--version"] {
        try Console.print(Version.text)
      } else {
        var command = try subcommand(arguments) ?? parseAsRoot(arguments)
        try command.run()
      }
    } catch {
      let status = exitCode(for: error)
      let message = fullMessage(for: error)
      if status == .success {
        try? Console.print(message)
      } else if !message.isEmpty {
        Console.error(isRedacted(arguments) ? Redaction(recipes: Recipe.builtIn).text(message) : message)
      }
      exit(withError: status)
    }
    exit()
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

/// What `main` calls, with the arguments that the system gives it.
@_cdecl("carryover_main")
package func carryoverMain(_ count: CInt, _ arguments: UnsafePointer<UnsafePointer<CChar>?>) -> CInt {
  CarryoverCommand.main((1..<max(1, Int(count))).compactMap { arguments[$0].map { String(cString: $0) } })
}

/// The version of the tool, as `--version` prints it and run records keep it.
enum Version {
  static let text = "0.1.0"
}
