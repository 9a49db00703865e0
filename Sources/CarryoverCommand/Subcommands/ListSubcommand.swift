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

  @Argument(help: "A folder, an archive or a device backup.", completion: .file())
  var path: String
  @Option(
    help: ArgumentHelp(
      "List only containers whose bundle id matches this, including empty ones. * stands for any text: 'com.acme*'.",
      valueName: "pattern"))
  var app: String?
  @OptionGroup var redacting: RedactionArguments
  @OptionGroup var printing: PrintingArguments
  @Flag(help: "Print JSON, schema carryover.list/1.") var json = false

  func run() throws {
    let masking = redacting.masking
    try reporting(masking) {
      var options = ContainerOptions()
      // The pattern shortens the list, so the search may find more.
      if app != nil { options.limits.search.candidates = 20_000 }
      var listing = try Edge.observed { observer in
        try ContainerOpener(fileSystem: POSIXFileSystem(), observer: observer).containers(at: path, options: options)
      }
      if let app {
        let (glob, all) = (Glob(app), listing.candidates)
        listing.candidates = all.filter { $0.bundleID.map(glob.matches) ?? false }
        if listing.candidates.isEmpty { throw ContainerError(path, .noSuchApp(app, all)) }
      }
      if json {
        try Console.printDocument(masking.document(ListOutput.json(listing)))
      } else {
        try printing.paper.print(masking) { ListOutput.write(listing, withEmpty: app != nil, to: &$0) }
      }
    }
  }
}
