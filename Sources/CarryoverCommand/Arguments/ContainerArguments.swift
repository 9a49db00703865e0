import ArgumentParser
import Carryover
import CarryoverContainers
import CarryoverSystem

/// The path and the options that every command which opens a container shares.
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

  /// The container, brought into order first where a run was interrupted: for commands that write. One that can never be
  /// written to is refused before anything else.
  /// - Parameter asking: whether the user can be asked about a run that came with the container.
  /// - Returns: with it, what was done about earlier runs.
  func openRecovered(
    allowing allowed: Set<FindingCode>, asking: Bool, reading files: [StoreFile], _ masking: Masking
  ) throws -> (opened: OpenedContainer, recovered: Recovered) {
    let opened = try open(reading: files, masking)
    try opened.container.requireUnwrapped()
    return try recovered(opened, allowing: allowed, asking: asking, reading: files, masking)
  }

  /// The same for commands that do nothing but write: a live container is refused at once where it is not allowed.
  func openWritable(
    _ live: LiveArguments, asking: Bool, reading files: [StoreFile] = [], _ masking: Masking
  ) throws -> (opened: OpenedContainer, recovered: Recovered) {
    let opened = try open(reading: files, masking)
    try opened.container.requireWritable(allowing: live.allowed)
    return try recovered(opened, allowing: live.allowed, asking: asking, reading: files, masking)
  }

  private func recovered(
    _ opened: OpenedContainer, allowing allowed: Set<FindingCode>, asking: Bool, reading files: [StoreFile],
    _ masking: Masking
  ) throws -> (opened: OpenedContainer, recovered: Recovered) {
    let recovered = try Edge.recoverFirst(opened, allowing: allowed, asking: asking, masking)
    return (recovered.runs.isEmpty ? opened : try open(reading: files, masking), recovered)
  }

  /// The container, its values known to what masks them.
  /// - Parameter files: the files that recipe files of the command line read whatever their names are.
  func open(reading files: [StoreFile] = [], _ masking: Masking) throws -> OpenedContainer {
    try open(choosing.selection(), reading: files, masking)
  }

  /// The container that a selection means, its values known to what masks them.
  /// - Parameter quietly: whether to show no progress, because something else is on the screen, or lines are read aloud.
  func open(
    _ selection: ContainerSelection?, reading files: [StoreFile] = [], _ masking: Masking, quietly: Bool = false
  ) throws -> OpenedContainer {
    let opened = try open(selection, files, quietly: quietly)
    masking.learn(opened.container)
    if !quietly, let closed = Edge.migrator(opened).closedState(of: opened.container) {
      Console.error(masking.notice(closed.description))
    }
    return opened
  }

  /// The container that a selection means.
  private func open(_ selection: ContainerSelection?, _ files: [StoreFile], quietly: Bool) throws -> OpenedContainer {
    var options = try options()
    options.selection = selection
    options.files += files
    return try Edge.observed(quietly: quietly) { observer in
      try ContainerOpener(fileSystem: POSIXFileSystem(), observer: observer).opened(path, options: options)
    }
  }

  /// What is known of the container beside its path; what chooses it aside.
  func options() throws -> ContainerOptions {
    if let bundleID, !Container.isValidBundleID(bundleID) {
      throw CommandFailure.usage("“\(bundleID)” is not a bundle id; give one such as com.example.app.")
    }
    return ContainerOptions(bundleID: bundleID, stateDirectory: stateDir, home: Console.environment("HOME"))
  }
}

extension ContainerArguments {
  /// The container of a command that has other arguments for it, as every other command opens it.
  init(_ path: String, bundleID: String?, choosing: ChoosingArguments) {
    self.init()
    (self.path, self.bundleID, self.stateDir, self.choosing) = (path, bundleID, nil, choosing)
  }

  /// The path and the options that open the same container again, as words of a command line.
  func words(_ selection: ContainerSelection?) -> [String] {
    // No path may look like an option.
    var words = [path.hasPrefix("-") ? "./" + path : path]
    if let bundleID { words += ["--bundle-id", bundleID] }
    if let stateDir { words += ["--state-dir", stateDir] }
    switch selection {
    case .path(let path)?: words += ["--container", path]
    case .app(let app)?: words += ["--app", app]
    case nil: break
    }
    return words
  }
}

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

/// The permission to write to a container that may be in use, for every command that writes.
struct LiveArguments: ParsableArguments {
  @Flag(help: "Write even to a container of a simulator or of this Mac's own library. Stop the app first.")
  var live = false

  /// Codes of blocking findings that are allowed by name.
  var allowed: Set<FindingCode> { live ? [.liveRunningStore] : [] }
}
