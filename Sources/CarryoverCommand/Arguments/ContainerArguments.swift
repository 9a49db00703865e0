import ArgumentParser
import Carryover
import Containers
import PropertyLists

/// The path and the options that every command which opens a container shares.
struct ContainerArguments: ParsableArguments {
  @Argument(help: "A container (.xcappdata), an app's data folder or a property list.")
  var path: String

  @Option(help: "The app's bundle id, where the container does not tell it.")
  var bundleID: String?

  @Option(help: "The folder for backups and records, instead of .carryover in the container.")
  var stateDir: String?

  /// The container, brought into order first where a run was interrupted: for commands that write.
  /// - Returns: with it, the runs that were brought to their end.
  func openRecovered(
    allowing allowed: Set<FindingCode>, _ masking: Masking
  ) throws -> (container: Container, recovered: [RecoveredRun]) {
    try recovered(try open(masking), allowing: allowed, masking)
  }

  /// The same for commands that do nothing but write: a live container is refused at once where it is not allowed.
  func openWritable(
    _ live: LiveArguments, _ masking: Masking
  ) throws -> (container: Container, recovered: [RecoveredRun]) {
    let opened = try open(masking)
    try opened.requireWritable(allowing: live.allowed)
    return try recovered(opened, allowing: live.allowed, masking)
  }

  private func recovered(
    _ opened: Container, allowing allowed: Set<FindingCode>, _ masking: Masking
  ) throws -> (container: Container, recovered: [RecoveredRun]) {
    guard let recovered = try Edge.recoverFirst(opened, allowing: allowed, masking) else { return (opened, []) }
    return (try open(masking), recovered)
  }

  /// The container, its values known to what masks them.
  func open(_ masking: Masking) throws -> Container {
    let opened = try open()
    masking.learn(opened)
    return opened
  }

  func open() throws -> Container {
    if let bundleID, !Container.isValidBundleID(bundleID) {
      throw CommandFailure.usage("“\(bundleID)” is not a bundle id; give one such as com.example.app.")
    }
    return try ContainerOpener(fileSystem: POSIXFileSystem()).open(
      path, options: ContainerOptions(bundleID: bundleID, stateDirectory: stateDir, home: Console.environment("HOME")))
  }
}

/// The options that a plan depends on.
struct PlanningArguments: ParsableArguments {
  @Option(help: "The write key of the new SDK's source; names the target file.")
  var writeKey: String?

  @Option(
    help: ArgumentHelp(
      "The moment to plan for, instead of now: 2025-11-20T12:05:00Z, or seconds since 1970.", valueName: "time"))
  var now: MomentArgument?

  @Option(help: ArgumentHelp("The version of the new SDK the app ships with.", valueName: "version"))
  var targetSDK: VersionArgument?

  @Flag(help: "Let a user who has opted out of tracking be migrated.")
  var allowOptedOut = false

  @OptionGroup var choosing: RecipeArgument

  @OptionGroup var live: LiveArguments

  /// Codes of blocking findings that are allowed by name.
  var allowed: Set<FindingCode> { live.allowed.union(allowOptedOut ? [.consentOptedOut] : []) }

  /// The plan for a container, with what earlier runs settled taken into account.
  func plan(_ container: Container) throws -> Plan { try plan(container, options: options(container)) }

  /// The same, with options that were made for the container.
  func plan(_ container: Container, options: PlannerOptions) throws -> Plan {
    var options = options
    options.removed = try Edge.migrator.removedByCleanups(in: container)
    if let target = Planner.targetPath(in: container, options: options) {
      options.settled = try Edge.migrator.settled(in: container, target: target)
    }
    let recipe = try choosing.recipe(for: container, removed: options.removed)
    return Planner(recipe).plan(container, now: now?.moment ?? Console.now, options: options)
  }

  /// The options for a container; earlier runs aside.
  func options(_ container: Container) throws -> PlannerOptions {
    PlannerOptions(
      writeKey: try Self.chosenWriteKey(writeKey, container), targetSDK: targetSDK?.version, allowed: allowed)
  }

  /// The write key given, or the only one the container holds a suite of.
  static func chosenWriteKey(_ writeKey: String?, _ container: Container) throws -> String? {
    if let writeKey {
      guard Container.isValidWriteKey(writeKey) else {
        throw CommandFailure.usage("“\(writeKey)” cannot be a write key: a file name is made of it.")
      }
      return writeKey
    }
    guard container.bundleID != nil else { return nil }
    let keys = container.writeKeys
    guard keys.count <= 1 else {
      throw CommandFailure.usage(
        "The container holds suites of several write keys (\(keys.prefix(8).joined(separator: ", "))\(keys.count > 8 ? " and \(keys.count - 8) more" : "")); choose one with --write-key."
      )
    }
    guard let only = keys.first else {
      throw CommandFailure.usage(
        "The write key is unknown: the container holds no suite of the new SDK yet. Give your source's with --write-key; carryover browse shows the stores without it."
      )
    }
    return only
  }
}

/// A moment on the command line.
struct MomentArgument: ExpressibleByArgument {
  var moment: Moment

  init?(argument: String) {
    if let seconds = Int64(argument) {
      moment = Moment(secondsSince1970: seconds)
    } else if let date = PropertyListDate(iso8601: argument),
      let milliseconds = Int64(exactly: (date.secondsSince1970 * 1000).rounded())
    {
      moment = Moment(millisecondsSince1970: milliseconds)
    } else {
      return nil
    }
  }
}

/// A version of an SDK on the command line.
struct VersionArgument: ExpressibleByArgument {
  var version: SDKVersion

  init?(argument: String) {
    guard let version = SDKVersion(argument) else { return nil }
    self.version = version
  }
}
