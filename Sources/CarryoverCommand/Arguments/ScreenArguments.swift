import ArgumentParser
import Carryover
import Containers
import CursesTerminal
import Review
import Terminal

/// The options of every command that takes the whole screen.
struct ScreenArguments: ParsableArguments {
  @Flag(help: "Use no colours (as NO_COLOR does).") var noColor = false
  @Flag(help: "Draw with ASCII characters only.") var ascii = false
  @Flag(help: "Leave the mouse to the terminal.") var noMouse = false

  /// Takes the screen, does the work on it, and gives the terminal back as it was, however the work ends.
  func onTerminal<Result>(_ work: (any Terminal, Glyphs) throws -> Result) throws -> Result {
    let terminal = try CursesTerminal(options: ScreenOptions(color: !noColor, mouse: !noMouse))
    defer { terminal.close() }
    return try work(terminal, ascii ? .ascii : terminal.capabilities.glyphs)
  }

  /// Opens the container; where there are several and a terminal to ask on, the one that is chosen there.
  /// - Returns: the container, and what to choose it by when it is opened again; nil where none was chosen.
  func open(
    _ container: ContainerArguments, _ masking: Masking
  ) throws -> (opened: OpenedContainer, selection: ContainerSelection?)? {
    guard Console.inputIsTerminal, Console.outputIsTerminal else {
      return (try container.open(masking), try container.choosing.selection())
    }
    return try container.openChoosing(masking) { candidates in
      let answer = try onTerminal { terminal, glyphs in
        let options = ReviewOptions(glyphs: glyphs, redaction: masking.redaction)
        return try Picker.choose(candidates, place: container.path, options: options, on: terminal)
      }
      switch answer {
      case .chosen(let candidate): return candidate
      case .signal(let number):
        Console.endBySignal(number)
        return nil
      }
    }
  }
}
