import ArgumentParser
import Carryover
import Containers
import Review

struct BrowseSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "browse",
    abstract: "Opens the stores of a container to look around: every key and value, nested ones in place.")

  @OptionGroup var container: ContainerArguments
  @OptionGroup var redacting: RedactionArguments
  @OptionGroup var screen: ScreenArguments

  func run() throws {
    let masking = redacting.masking
    try reporting(masking) {
      guard let opened = try screen.open(container, masking)?.opened else { return }
      guard Console.inputIsTerminal, Console.outputIsTerminal else {
        throw CommandFailure.usage("Browsing needs a terminal; use carryover inspect, which does not.")
      }
      let ending = try screen.onTerminal { terminal, glyphs in
        let options = ReviewOptions(
          glyphs: glyphs, zoneOffset: Console.secondsFromUTC(at: Console.now), redaction: masking.redaction)
        return try ScreenLoop.browse(opened.container, options: options, on: terminal)
      }
      if case .signal(let number) = ending { Console.endBySignal(number) }
    }
  }
}
