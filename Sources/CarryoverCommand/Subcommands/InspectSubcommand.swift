import ArgumentParser
import Carryover
import Containers
import PropertyLists

struct InspectSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect", abstract: "Lists every store of a container with its keys, types and values.")

  @OptionGroup var container: ContainerArguments
  @Option(help: ArgumentHelp("Show only the stores whose path ends in this. Repeatable.", valueName: "name"))
  var store: [String] = []
  @Flag(help: "Print JSON, schema carryover.inspect/1.") var json = false

  func run() throws {
    try reporting {
      let opened = try container.open()
      let stores = opened.container.stores.filter { shown in
        store.isEmpty || store.contains { shown.path == $0 || shown.path.hasSuffix("/" + $0) }
      }
      guard !stores.isEmpty || store.isEmpty else {
        throw CommandFailure.usage("No store of the container is called \(store.joined(separator: " or ")).")
      }
      if json {
        try Console.printVerbatim(InspectOutput.json(opened.container, stores: stores).text(pretty: true))
      } else {
        try Console.print(
          InspectOutput.lines(opened.container, stores: stores, columns: Console.columns).joined(separator: "\n"))
      }
      if let failure = Edge.recoveryNeeded(opened) { throw failure }
    }
  }
}
