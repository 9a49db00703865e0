import ArgumentParser
import Carryover
import CarryoverContainers
import CarryoverPages
import CarryoverReview
import CarryoverSystem

struct WatchSubcommand: ContainerCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Prints what changes in the stores of a container while the app runs, until Ctrl-C.",
    discussion: """
      PATH may also be a folder with containers, such as one for downloads: new containers are watched as they arrive. \
      Nothing is written. Keys of Apple's frameworks are left out; --all shows them.
      """)

  @OptionGroup var container: ContainerArguments
  @OptionGroup var shownFiles: ShownFilesArgument
  @Option(
    help: ArgumentHelp(
      "Watch only this store: its path, the end of it, or its suite's name. Repeatable.", valueName: "name"))
  var store: [String] = []
  @Flag(help: "Also print changes of keys of Apple's frameworks.") var all = false
  @OptionGroup var redacting: RedactionArguments
  @OptionGroup var printing: PrintingArguments
  @Flag(help: "Print JSON, a line for each change, schema carryover.watch/1.") var json = false

  func run() throws {
    try reporting(redacting) { masking in
      var watch = try Edge.watch(container, files: shownFiles.files)
      for (_, container) in watch.containers { masking.learn(container) }
      Console.error(masking.notice(words(for: watch)))
      var output = WatchOutput(
        isOfFolder: watch.isOfFolder, comparing: .init(stores: store, listsSystemKeys: all),
        on: json ? nil : printing.paper, masking)
      try watch.run(.system) { _, moment, news in
        for item in news { try output.write(item, at: moment) }
      }
    }
  }

  private func words(for watch: ContainerWatch) -> String {
    let containers = watch.containers
    let stores = ValueWording.counted(containers.reduce(0) { $0 + $1.container.stores.count }, "store")
    let what =
      watch.isOfFolder
      ? "\(ValueWording.counted(containers.count, "container")) with \(stores)"
      : "\(containers.first?.container.name ?? container.path), \(stores)"
    let rest =
      switch watch.notWatched {
      case 0: ""
      case 1: " 1 more container is not watched: there are too many."
      case let count: " \(count) more containers are not watched: there are too many."
      }
    return "Watching \(what).\(rest) Ctrl-C stops."
  }
}

extension Edge {
  static func watch(
    _ arguments: ContainerArguments, selection: ContainerSelection? = nil, files: [StoreFile]
  ) throws -> ContainerWatch {
    var options = try arguments.options()
    options.selection = try selection ?? arguments.choosing.selection()
    options.files += files
    options.limits.tables = .comparing
    options.readsTables = true
    return try ContainerWatch(arguments.path, options: options, fileSystem: POSIXFileSystem(), now: Console.now)
  }
}

extension WatchClock {
  static var system: WatchClock {
    WatchClock(
      now: { Console.now }, processorTime: { Console.processorTime },
      sleep: { duration in
        Console.sleep(duration)
        return true
      })
  }
}
