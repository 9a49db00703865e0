import ArgumentParser
import Carryover
import CarryoverContainers

struct DoctorSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract:
      "Checks the terminal, the locale, the file system and your files, and says how to fix problems.",
    discussion: "Tests the file system in a private folder, which is removed again. It opens no container.")

  @Argument(help: "The path whose file system to test; by default that of your state key.", completion: .file())
  var path: String?
  @OptionGroup var configuration: ConfigurationArguments
  @Flag(help: "Print JSON, schema carryover.doctor/1.") var json = false

  func run() throws {
    try reporting {
      let report = DoctorReport(try Surroundings.facts(path, configuration))
      if json {
        try Console.printDocument(report.json)
      } else {
        try Paper(.auto).print { report.write(to: &$0) }
      }
      guard report.works else {
        throw CommandFailure("Problems found: see the errors above.", .error)
      }
    }
  }
}
