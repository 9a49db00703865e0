import ArgumentParser
import Carryover
import CarryoverContainers
import CarryoverPages
import CarryoverSystem

struct ContainerArguments: ParsableArguments {
  @Argument(
    help: "A container (.xcappdata), an app's data folder, a property list, a device backup or an archive.",
    completion: .file())
  var path: String

  @Option(help: "The app's bundle id, if the container does not contain it.")
  var bundleID: String?

  @Option(help: "The folder for backups and records, instead of .carryover in the container.", completion: .directory)
  var stateDir: String?

  @OptionGroup var choosing: ChoosingArguments

  /// For commands that write: refuses a read-only container, and recovers an interrupted run.
  /// - Parameters:
  ///   - asking: whether the user can be asked about a run that came with the container.
  ///   - onlyWriting: whether to refuse a live container at once unless it is allowed.
  func openRecovered(
    allowing allowed: Set<FindingCode>, asking: Bool, reading files: [StoreFile], onlyWriting: Bool = false,
    _ masking: Masking
  ) throws -> (opened: OpenedContainer, recovered: Recovered) {
    let opened = try open(reading: files, masking)
    try onlyWriting ? opened.container.requireWritable(allowing: allowed) : opened.container.requireUnwrapped()
    let recovered = try Edge.recoverFirst(opened, allowing: allowed, asking: asking, masking)
    return (recovered.runs.isEmpty ? opened : try open(reading: files, masking), recovered)
  }

  /// The same for commands that only write.
  func openWritable(
    _ live: LiveArguments, asking: Bool, reading files: [StoreFile] = [], _ masking: Masking
  ) throws -> (opened: OpenedContainer, recovered: Recovered) {
    try openRecovered(allowing: live.allowed, asking: asking, reading: files, onlyWriting: true, masking)
  }

  /// - Parameters:
  ///   - files: what the recipe files on the command line read, whatever its name.
  ///   - tables: whether the tables of databases will be read: see ``ContainerOptions``.
  func open(reading files: [StoreFile] = [], tables: Bool = false, _ masking: Masking) throws -> OpenedContainer {
    try open(choosing.selection(), reading: files, tables: tables, masking)
  }

  /// - Parameter quietly: shows no progress, because something else is on the screen, or lines are read aloud.
  func open(
    _ selection: ContainerSelection?, reading files: [StoreFile] = [], tables: Bool = false, _ masking: Masking,
    quietly: Bool = false
  ) throws -> OpenedContainer {
    let opened = try opened(selection, files, tables: tables, quietly: quietly)
    masking.learn(opened.container)
    if !quietly, let closed = Edge.migrator(opened).closedState(of: opened.container) {
      Console.error(masking.notice(closed.description))
    }
    return opened
  }

  /// The container, also with what planning does not need: the tables of its databases and the count of other files.
  /// - Parameter planned: the same as it was opened for planning. A lone property list has nothing else.
  func whole(
    _ selection: ContainerSelection?, planned: Container? = nil, reading files: [StoreFile], _ masking: Masking
  ) throws -> Container {
    if let planned, planned.kind == .propertyList { return planned }
    var opened = try open(selection, reading: files, tables: true, masking, quietly: true)
    try Edge.countUnread(&opened, masking, quietly: true)
    return opened.container
  }

  func opened(
    _ selection: ContainerSelection?, _ files: [StoreFile], tables: Bool = false, quietly: Bool = false
  ) throws -> OpenedContainer {
    try Edge.observed(quietly: quietly) { observer in
      try located(files, tables: tables, observer).opened(selection)
    }
  }

  /// Finds the place of the path. An archive there is read once for all its containers.
  /// - Parameter containers: how many to find there; nil for as many as a person looks through.
  func located(
    _ files: [StoreFile] = [], tables: Bool = false, containers: Int? = nil,
    on fileSystem: any FileSystem = POSIXFileSystem(), _ observer: OpeningObserver
  ) throws -> LocatedPath {
    var options = try options()
    if let containers { options.limits.search.candidates = containers }
    options.files += files
    options.readsTables = tables
    return try ContainerOpener(fileSystem: fileSystem, observer: observer).located(path, options: options)
  }

  func options() throws -> ContainerOptions {
    if let bundleID, !Container.isValidBundleID(bundleID) {
      throw CommandFailure.usage("“\(bundleID)” is not a bundle id; give one such as com.example.app.")
    }
    return ContainerOptions(bundleID: bundleID, stateDirectory: stateDir, home: Console.environment("HOME"))
  }

  func command(_ name: String) -> ShellCommand {
    var command = ShellCommand("carryover", name, ShellCommand.argument(path))
    command.add("--bundle-id", ifGiven: bundleID)
    command.add("--state-dir", ifGiven: stateDir)
    command.add("--container", ifGiven: choosing.container)
    command.add("--app", ifGiven: choosing.app)
    return command
  }

  /// The same for the container that was chosen.
  func command(_ name: String, _ selection: ContainerSelection?) -> ShellCommand {
    var chosen = self
    (chosen.choosing.container, chosen.choosing.app) =
      switch selection {
      case .path(let path)?: (path, nil)
      case .app(let app)?: (nil, app)
      case nil: (nil, nil)
      }
    return chosen.command(name)
  }

  func rollback(_ live: LiveArguments) -> ShellCommand {
    var command = command("rollback")
    command.add("--live", if: live.live)
    return command
  }

  func rollback(_ live: LiveArguments?, ofBatchAt paths: [String]) -> ShellCommand {
    var command = ShellCommand("carryover", "rollback")
    for path in paths { command.add(ShellCommand.argument(path)) }
    command.add("--bundle-id", ifGiven: bundleID)
    command.add("--state-dir", ifGiven: stateDir)
    command.add("--live", if: live?.live == true)
    return command
  }
}

extension ContainerArguments {
  init(_ path: String, bundleID: String?, choosing: ChoosingArguments) {
    self.init()
    (self.path, self.bundleID, self.stateDir, self.choosing) = (path, bundleID, nil, choosing)
  }
}

struct ChoosingArguments: ParsableArguments {
  @Option(
    name: .customLong("container"),
    help: ArgumentHelp(
      "The container to open, below PATH as carryover list prints it. For a saved plan, the path of its container.",
      valueName: "path"))
  var container: String?

  @Option(help: ArgumentHelp("Open this app's container, if PATH contains several.", valueName: "bundle-id"))
  var app: String?

  func selection() throws -> ContainerSelection? {
    guard container == nil || app == nil else {
      throw CommandFailure.usage("--container and --app both choose a container: give only one of them.")
    }
    if let app { return .app(app) }
    guard let container else { return nil }
    guard container.utf8.first != FilePath.slash, !container.isEmpty else {
      throw CommandFailure.usage(
        "--container names a container below PATH, as carryover list prints it, unless PATH is a saved plan: “\(container)” "
          + "is not one.")
    }
    return .path(container)
  }
}

/// The permission to write to a container that may be in use.
struct LiveArguments: ParsableArguments {
  @Flag(help: "Write even to a container of a simulator or of this Mac's own library. Stop the app first.")
  var live = false

  var allowed: Set<FindingCode> { live ? [.liveRunningStore] : [] }
}

struct PrintingArguments: ParsableArguments {
  @Option(help: ArgumentHelp("When to colour the text; auto: on a terminal.", valueName: "when"))
  var color: ColorWhen = .auto

  var paper: Paper { Paper(color) }
}

extension ColorWhen: ExpressibleByArgument {}

struct RedactionArguments: ParsableArguments {
  @Flag(help: "Mask personal data: ids, e-mail addresses, traits, tokens and texts. Equal values get equal masks.")
  var redact = false

  var masking: Masking { Masking(redact) }
}

extension ParsableCommand {
  /// Runs a command whose sentences and output go through a masking.
  func reporting(_ redacting: RedactionArguments, _ work: (Masking) throws -> Void) throws {
    let masking = redacting.masking
    try reporting(masking) { try work(masking) }
  }
}
