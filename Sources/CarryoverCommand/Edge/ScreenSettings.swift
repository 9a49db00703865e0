import Carryover
import CarryoverCurses
import CarryoverReview
import CarryoverSystem
import CarryoverTerminal

/// How the screen is to look and behave, and the way to it.
struct ScreenSettings {
  private let configuration: Configuration

  /// - Parameter configuration: what the file and the options say together.
  init(_ configuration: Configuration) { self.configuration = configuration }

  /// Takes the screen, does the work on it, and gives the terminal back as it was, however the work ends.
  func onTerminal<Result>(_ work: (any Terminal, Glyphs) throws -> Result) throws -> Result {
    let theme = configuration.applied(to: configuration.theme.theme(colorFGBG: Console.environment("COLORFGBG")))
    let options = ScreenOptions(
      theme: theme, color: theme != .mono, maximumColors: configuration.colors.limit,
      mouse: configuration.mouse)
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
}
