import Carryover
import CarryoverPages
import CarryoverSystem
import CarryoverTerminal

extension Console {
  static func print(_ page: PageWriter, on paper: Paper) throws {
    try printVerbatim(page.lines.map(paper.text).joined(separator: "\n"))
  }

  static func error(_ masking: Masking, _ write: (inout PageWriter) -> Void) {
    let paper = Paper.error
    var page = paper.page(masking)
    write(&page)
    errorText(page.lines.map { paper.text($0) + "\n" }.joined())
  }
}

struct Paper {
  let columns: Int
  let glyphs: Glyphs
  let hasColors: Bool

  init(columns: Int = Console.columns, glyphs: Glyphs = Console.glyphs, hasColors: Bool) {
    (self.columns, self.glyphs, self.hasColors) = (columns, glyphs, hasColors)
  }

  init(_ color: ColorWhen = .auto) { self.init(hasColors: color.isOn(isTerminal: Console.outputIsTerminal)) }

  static var error: Paper { Paper(hasColors: ColorWhen.auto.isOn(isTerminal: Console.errorIsTerminal)) }

  func ink(_ masking: Masking) -> Ink { Ink(glyphs: glyphs, redaction: masking.redaction) }

  func page(_ masking: Masking = Masking(false)) -> PageWriter {
    PageWriter(columns: columns, ink: ink(masking), keepsWords: true)
  }

  /// Escapes what could control the terminal.
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

  /// - Parameters:
  ///   - masking: must have learned what is on the page.
  ///   - most: the most columns.
  func print(
    _ masking: Masking = Masking(false), columns most: Int = .max, _ write: (inout PageWriter) throws -> Void
  ) throws {
    let paper = Paper(columns: min(columns, most), glyphs: glyphs, hasColors: hasColors)
    var page = paper.page(masking)
    try write(&page)
    try Console.print(page, on: paper)
  }

  func print(
    json: Bool, _ document: @autoclosure () throws -> JSONValue, _ masking: Masking = Masking(false),
    _ write: (inout PageWriter) throws -> Void
  ) throws {
    guard json else { return try print(masking, write) }
    try Console.printDocument(masking.document(try document()))
  }
}

enum ColorWhen: String, CaseIterable {
  case auto, always, never

  func isOn(isTerminal: Bool) -> Bool {
    switch self {
    case .always: return true
    case .never: return false
    case .auto:
      if Console.variable("NO_COLOR") != nil { return false }
      if let forced = Console.variable("CLICOLOR_FORCE"), forced != "0" { return true }
      return isTerminal && (Console.variable("TERM") ?? "dumb") != "dumb"
    }
  }
}

extension Role {
  /// The escape sequence's parameter, of the 16 colours that every terminal has.
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
