import ArgumentParser
import Carryover
import CarryoverContainers
import CarryoverSystem
import PropertyLists

struct ListSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Lists the containers at a path: in a folder, an archive or a device backup.",
    discussion: """
      What it prints as path is what --container takes; the app is what --app takes. Nothing is written.
      """)

  @Argument(help: "A folder, an archive or a device backup.")
  var path: String
  @OptionGroup var redacting: RedactionArguments
  @Flag(help: "Print JSON, schema carryover.list/1.") var json = false

  func run() throws {
    let masking = redacting.masking
    try reporting(masking) {
      let listing = try Edge.observed { observer in
        try ContainerOpener(fileSystem: POSIXFileSystem(), observer: observer).containers(at: path)
      }
      if json {
        try Console.printDocument(masking.document(ListOutput.json(listing)))
      } else {
        try Console.print(masking.lines(ListOutput.lines(listing, columns: Console.columns)))
      }
    }
  }
}
