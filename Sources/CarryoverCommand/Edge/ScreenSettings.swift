import Carryover
import Containers
import CursesTerminal
import Review
import Terminal

/// How the screen is to look and behave, and the way to it.
struct ScreenSettings {
  private let configuration: Configuration

  /// - Parameter configuration: what the file and the options say together.
  init(_ configuration: Configuration) { self.configuration = configuration }

  /// Takes the screen, does the work on it, and gives the terminal back as it was, however the work ends.
  /// - Parameter mouse: whether the work has a use for the mouse.
  func onTerminal<Result>(mouse: Bool, _ work: (any Terminal, Glyphs) throws -> Result) throws -> Result {
    let theme = configuration.applied(to: configuration.theme.theme(colorFGBG: Console.environment("COLORFGBG")))
    let options = ScreenOptions(
      theme: theme, color: theme != .mono, maximumColors: configuration.colors.limit,
      mouse: mouse && configuration.mouse)
    let terminal = try CursesTerminal(options: options)
    defer { terminal.close() }
    return try work(terminal, configuration.glyphs.glyphs(terminal.capabilities.glyphs))
  }

  /// The characters that were chosen, or else the usual ones.
  func glyphs(_ usual: Glyphs) -> Glyphs { configuration.glyphs.glyphs(usual) }

  /// What drawing depends on.
  /// - Parameter moment: the moment at which local time's offset from UTC counts.
  func options(_ glyphs: Glyphs, at moment: Moment, _ masking: Masking) -> ReviewOptions {
    ReviewOptions(
      glyphs: glyphs, zoneOffset: Console.secondsFromUTC(at: moment), redaction: masking.redaction,
      layout: configuration.layout, keymap: configuration.keymap)
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
      let answer = try onTerminal(mouse: false) { terminal, glyphs in
        try Picker.choose(
          candidates, place: container.path, options: options(glyphs, at: Console.now, masking), on: terminal)
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
