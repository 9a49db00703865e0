import ArgumentParser
import Carryover
import CarryoverContainers
import CarryoverSystem
import PropertyLists

struct ExtractSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "extract",
    abstract: "Extracts one app's files from a backup or an archive into a folder.",
    discussion: """
      The folder gets its name when it is complete. Skipped files are listed at the end.
      """)

  @OptionGroup var container: ContainerArguments
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("The folder to make; it must not exist yet.", valueName: "dir"), completion: .directory)
  var output: String
  @Flag(help: "Extract .carryover folders too: the runs, backups and decisions of the archive's or backup's author.")
  var withState = false
  @OptionGroup var redacting: RedactionArguments
  @OptionGroup var printing: PrintingArguments
  @Flag(help: "Print what was done as JSON, schema carryover.extract/1.") var json = false

  func run() throws {
    let masking = redacting.masking
    try reporting(masking) {
      let opened = try container.open(masking)
      let report = try Edge.endable { observer in
        try ContainerExtractor(fileSystem: POSIXFileSystem(), observer: observer).extract(
          opened, to: output, withState: withState)
      }
      if json {
        try Console.printDocument(masking.document(ExtractOutput.json(report)))
      } else {
        try printing.paper.print(masking) { ExtractOutput.write(report, to: &$0) }
      }
    }
  }
}
