import ArgumentParser
import Carryover
import PropertyLists

struct RollbackSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rollback", abstract: "Takes back the last run: every file as it was before, bytes, mode and absence.")

  @OptionGroup var container: ContainerArguments
  @Option(
    name: .customLong("run"), help: ArgumentHelp("The run to take back, instead of the last one.", valueName: "id"))
  var runID: String?
  @Flag(help: "Do not ask before writing.") var yes = false
  @Flag(help: "Print what was done as JSON, schema carryover.report/1.") var json = false

  func run() throws {
    try reporting {
      let opened = try container.openRecovered()
      let migrator = Edge.migrator
      guard let last = try migrator.lastRun(in: opened) else { throw MigrationError.nothingToRollBack }
      let id = runID ?? last.id
      if !yes {
        guard Console.inputIsTerminal else {
          throw CommandFailure.usage("Without a terminal, rollback needs --yes; nothing was written.")
        }
        let files = id == last.id ? ", which wrote \(last.files.joined(separator: ", "))" : ""
        try Edge.askToGoOn("Take back run \(id)\(files)?")
      }
      try Edge.uninterrupted {
        try reporting { try write(id, opened) }
      }
    }
  }

  private func write(_ id: String, _ opened: Container) throws {
    let report = try Edge.migrator.rollback(in: opened, runID: id)
    if json {
      try Console.printVerbatim(ReportJSON.value(report).text(pretty: true))
    } else {
      let lines = ReportText.lines(report, stateDirectory: opened.stateDirectory, columns: Console.columns)
      try Console.print(lines.joined(separator: "\n"))
    }
  }
}
