import ArgumentParser
import Carryover
import CarryoverContainers
import CarryoverReview
import CarryoverSystem
import PropertyLists

struct ExtractSubcommand: ContainerCommand {
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
    try reporting(redacting) { masking in
      let opened = try container.open(masking)
      let report = try Edge.endable { observer in
        try ContainerExtractor(fileSystem: POSIXFileSystem(), observer: observer).extract(
          opened, to: output, withState: withState)
      }
      try printing.paper.print(json: json, ExtractOutput.json(report), masking) { ExtractOutput.write(report, to: &$0) }
    }
  }
}

enum ExtractOutput {
  static func json(_ report: ExtractionReport) -> JSONValue {
    [
      "schema": "carryover.extract/1", "output": .string(report.destination), "bundleID": JSONValue(report.bundleID),
      "files": JSONValue(report.files), "bytes": JSONValue(report.bytes),
      "leftOut": .array(
        report.leftOut.map { left in
          ["path": .string(left.path), "reason": .string(left.reason.word), "sentence": .string(left.description)]
        }),
    ]
  }

  static func write(_ report: ExtractionReport, to page: inout TextPage) {
    let files = ValueWording.counted(report.files, "file")
    page.add("\(files), \(ByteCount.text(report.bytes)), are in \(report.destination).")
    guard !report.leftOut.isEmpty else { return }
    page.blank()
    page.add("Skipped: \(report.leftOut.count)")
    for left in report.leftOut.prefix(shown) { page.add(.omitted, left.description, indent: 2) }
    if report.leftOut.count > shown {
      page.add("and \(report.leftOut.count - shown) more; --json has them all", indent: 2)
    }
  }

  private static let shown = 200
}
