import ArgumentParser
import Carryover
import PropertyLists

struct InspectSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect", abstract: "Lists every store of a container with its keys, types and values.")

  @OptionGroup var container: ContainerArguments
  @Flag(help: "Print JSON, schema carryover.inspect/1.") var json = false

  func run() throws {
    try reporting {
      let opened = try container.open()
      if json {
        Console.printVerbatim(InspectOutput.json(opened).text(pretty: true))
      } else {
        Console.print(InspectOutput.lines(opened, columns: Console.columns).joined(separator: "\n"))
      }
    }
  }
}
