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

  /// Takes the screen, does the work on it, and gives the terminal back as it was, however the work ends.
  func onTerminal<Result>(mouse: Bool, _ work: (any Terminal, Glyphs) throws -> Result) throws -> Result {
    let terminal = try CursesTerminal(options: ScreenOptions(color: !noColor, mouse: mouse))
    defer { terminal.close() }
    return try work(terminal, ascii ? .ascii : terminal.capabilities.glyphs)
  }
}
