import ArgumentParser
import Carryover
import CarryoverContainers
import CarryoverSystem
import PropertyLists

struct ListSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Lists the containers at a path: in a folder, an archive or a device backup.",
    discussion: """
      --container takes a path of the list, --app an app. Nothing is written.
      """)

  @Argument(help: "A folder, an archive or a device backup.", completion: Completions.paths)
  var path: String
  @OptionGroup var redacting: RedactionArguments
  @OptionGroup var printing: PrintingArguments
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
        try printing.paper.print(masking) { ListOutput.write(listing, to: &$0) }
      }
    }
  }
}
