import ArgumentParser
import Carryover
import PropertyLists

struct InspectSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect", abstract: "Lists every store of a container with its keys, types and values.")

  @OptionGroup var container: ContainerArguments
  @Option(help: ArgumentHelp("Show only the stores whose path ends in this. Repeatable.", valueName: "name"))
  var store: [String] = []
  @OptionGroup var redacting: RedactionArguments
  @Flag(help: "Print JSON, schema carryover.inspect/1.") var json = false

  func run() throws {
    let masking = redacting.masking
    try reporting(masking) {
      let opened = try container.open(masking)
      let stores = opened.stores.filter { shown in
        store.isEmpty || store.contains { shown.path == $0 || shown.path.hasSuffix("/" + $0) }
      }
      guard !stores.isEmpty || store.isEmpty else {
        throw CommandFailure.usage("No store of the container is called \(store.joined(separator: " or ")).")
      }
      if json {
        try Console.printVerbatim(masking.document(InspectOutput.json(opened, stores: stores)).text(pretty: true))
      } else {
        try Console.print(
          masking.lines(InspectOutput.lines(opened, stores: stores, columns: Console.columns, masking)))
      }
      if let failure = Edge.recoveryNeeded(opened) { throw failure }
    }
  }
}
