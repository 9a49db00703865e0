import ArgumentParser
import Carryover
import CarryoverContainers
import CarryoverSystem
import PropertyLists

struct ExtractSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "extract",
    abstract: "Takes one app's files out of a backup or an archive, as a folder to work on.",
    discussion: """
      The folder is made beside its place under another name, complete, before it gets its own. What cannot be taken out \
      is listed at the end.
      """)

  @OptionGroup var container: ContainerArguments
  @Option(help: ArgumentHelp("The folder to make. Nothing may stand there.", valueName: "dir"))
  var output: String
  @Flag(help: "Extract .carryover folders too: the runs, backups and decisions of the archive's or backup's author.")
  var withState = false
  @OptionGroup var redacting: RedactionArguments
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
        try Console.print(masking.lines(ExtractOutput.lines(report, columns: Console.columns)))
      }
    }
  }
}
