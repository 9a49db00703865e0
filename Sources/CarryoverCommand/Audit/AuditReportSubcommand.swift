import ArgumentParser
import CarryoverSystem
import CarryoverTerminal
import PropertyLists

struct AuditReportSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Prints the rows of an audit as a report: HTML, JUnit, Markdown, CSV, JSON or text.",
    discussion: """
      The audit must be complete. A report has no values of the containers, and names the paths that the rows name. \
      Exit status: 0 printed and within every limit, 1 error, 2 a limit is exceeded, 64 usage.
      """)

  enum Form: String, CaseIterable, ExpressibleByArgument {
    case text, html, markdown, junit, csv, json
  }

  @Argument(
    help: ArgumentHelp("The folder of an audit, or a file with its rows.", valueName: "audit"), completion: .file())
  var audit: String
  @Option(
    help: "How to print: text, html (one file without scripts), markdown, junit (XML), csv or json.")
  var format = Form.text
  @Option(
    name: .shortAndLong, help: ArgumentHelp("Write the report to this file, and replace it.", valueName: "file"),
    completion: .file())
  var output: String?
  @OptionGroup var limiting: AuditLimitArguments
  @OptionGroup var printing: PrintingArguments
  @Flag(help: "Print JSON: the same as --format json, schema carryover.audit/1.") var json = false

  func run() throws {
    try reporting {
      guard output != "" else { throw CommandFailure.usage("-o needs the file to write; “” is not a file.") }
      let source = try AuditSource(audit)
      let form = json ? .json : format
      var summary: AuditOutput?
      try ThisProcess.uninterrupted {
        try PieceOutput.write(to: output) { summary = try write(form, source, &$0) }
      }
      try summary?.requireLimits()
    }
  }

  private func write(
    _ form: Form, _ source: AuditSource, _ output: inout PieceOutput
  ) throws -> AuditOutput {
    if form == .csv { try output.print(AuditCSV.head) }
    var totals = AuditTotals()
    var junit = AuditJUnit()
    try source.rows.forEachUnit { unit in
      try totals.add(unit)
      switch form {
      case .csv: for line in AuditCSV.lines(unit) { try output.print(line) }
      case .junit: junit.add(unit)
      default: break
      }
    }
    let summary = AuditOutput(totals: totals, limits: try limiting.limits(of: totals))
    switch form {
    case .html: try output.print(AuditReportPage(totals, about: source.about, in: .html).text)
    case .markdown:
      let form = ReportForm.markdown(marker: "carryover audit report")
      try output.print(AuditReportPage(totals, about: source.about, in: form).text)
    case .junit: for line in junit.lines(totals) { try output.print(line) }
    case .json: try output.print(summary.json.text(pretty: true, visible: true))
    case .csv: break
    case .text:
      var page = (self.output == nil ? printing.paper : .file).page()
      summary.write(to: &page)
      for line in page.lines { try output.print(page.paper.text(line)) }
    }
    return summary
  }
}

extension Paper {
  /// A file: as wide as a page without a terminal, and without colours.
  static var file: Paper { Paper(columns: 120, glyphs: .unicode, hasColors: false) }
}
