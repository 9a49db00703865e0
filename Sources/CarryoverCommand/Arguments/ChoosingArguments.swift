import ArgumentParser
import CarryoverContainers

/// Which container is meant, where there are several at PATH.
struct ChoosingArguments: ParsableArguments {
  @Option(
    name: .customLong("container"),
    help: ArgumentHelp(
      "The container to open, below PATH as carryover list prints it. For a saved plan, the path of its container.",
      valueName: "path"))
  var container: String?

  @Option(
    help: ArgumentHelp("Open this app's container, if PATH contains several.", valueName: "bundle-id"))
  var app: String?

  /// What was chosen; nil where nothing was.
  /// - Throws: a usage error for two choices, and for a path that is not below another.
  func selection() throws -> ContainerSelection? {
    guard container == nil || app == nil else {
      throw CommandFailure.usage("--container and --app both choose a container: give one of them.")
    }
    if let app { return .app(app) }
    guard let container else { return nil }
    guard !container.hasPrefix("/"), !container.isEmpty else {
      throw CommandFailure.usage(
        "--container names a container below PATH, as carryover list prints it, unless PATH is a saved plan: “\(container)” "
          + "is none.")
    }
    return .path(container)
  }
}
