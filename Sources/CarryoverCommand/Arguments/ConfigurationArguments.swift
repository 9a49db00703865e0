import ArgumentParser
import CarryoverReview

/// Which configuration file is read.
struct ConfigurationArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Read this configuration, instead of $CARRYOVER_CONFIG or ~/.config/carryover/config.", valueName: "file"),
    completion: .file())
  var config: String?
  @Flag(help: "Read no configuration.") var noConfig = false

  /// The configuration, from where it is looked for.
  /// - Throws: a usage error that says everything that is wrong.
  func read() throws -> LoadedConfiguration {
    guard !(noConfig && config != nil) else {
      throw CommandFailure.usage("--config and --no-config contradict each other: give one of them.")
    }
    return try ConfigurationFile(named: config, isWanted: !noConfig).load()
  }
}
