import Carryover
import CarryoverReview
import CarryoverSystem
import CarryoverTerminal

/// What a command prints on: its columns, its characters, and whether it has colours.
struct Paper {
  let columns: Int
  let glyphs: Glyphs
  let hasColors: Bool

  init(columns: Int, glyphs: Glyphs, hasColors: Bool) {
    self.columns = columns
    self.glyphs = glyphs
    self.hasColors = hasColors
  }

  /// Standard output.
  init(_ color: ColorWhen = .auto) {
    self.init(
      columns: Console.columns, glyphs: Console.glyphs,
      hasColors: color.isOn(isTerminal: Console.outputIsTerminal))
  }

  /// Standard error.
  static var error: Paper {
    Paper(
      columns: Console.columns, glyphs: Console.glyphs,
      hasColors: ColorWhen.auto.isOn(isTerminal: Console.errorIsTerminal))
  }

  /// An empty page of it.
  /// - Parameter masking: what names, values and sentences go through. It must have learned them.
  func page(_ masking: Masking = Masking(false)) -> TextPage { TextPage(on: self, masking) }

  /// A line as it is written. Whatever could steer a terminal is shown as an escape.
  func text(_ line: [Span]) -> String {
    line.reduce(into: "") { text, span in
      let shown = DisplayText.harmless(span.text)
      if hasColors, let look = span.style.role.look, shown.contains(where: { $0 != " " }) {
        text += "\u{1B}[\(look)m\(shown)\u{1B}[0m"
      } else {
        text += shown
      }
    }
  }
}

/// When text is coloured.
enum ColorWhen: String, CaseIterable {
  case auto, always, never

  /// - Parameter isTerminal: whether a terminal shows it.
  func isOn(isTerminal: Bool) -> Bool {
    switch self {
    case .always: return true
    case .never: return false
    case .auto:
      if Console.isSet("NO_COLOR") { return false }
      if Console.isSet("CLICOLOR_FORCE"), Console.environment("CLICOLOR_FORCE") != "0" { return true }
      return isTerminal && Console.isSet("TERM") && Console.environment("TERM") != "dumb"
    }
  }
}

extension Role {
  /// The parameter of the escape sequence that shows it, of the 16 colours that every terminal has; nil where none does.
  fileprivate var look: String? {
    switch self {
    case .error, .conflict: "31"
    case .flagged: "33"
    case .ready, .confirmed: "32"
    case .muted, .skipped: "2"
    case .title: "1"
    default: nil
    }
  }
}

extension Sign {
  /// The sign in its colour.
  func span(_ ink: Ink) -> Span {
    Span(text(ascii: ink.glyphs == .ascii), role)
  }

  private var role: Role {
    switch self {
    case .error: .error
    case .warning, .undecided: .flagged
    case .conflict: .conflict
    case .ready, .done: .confirmed
    case .omitted, .unchanged: .skipped
    case .note, .nothing: .plain
    }
  }
}
