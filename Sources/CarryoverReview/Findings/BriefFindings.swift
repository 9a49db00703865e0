import Carryover
import CarryoverTerminal

extension PageWriter {
  /// The findings of a field in brief, a line each: how grave, which, and its first sentence, the gravest first.
  ///
  /// While the cursor moves through the list, these lines are most of what is sent to the terminal. So all of them
  /// together have a bound, which a slow line still carries at the speed of the keys.
  /// - Parameter room: How many lines there are at most.
  mutating func brief(_ findings: [Finding], room: Int) {
    let sorted = Severity.allCases.sorted(by: >).flatMap { severity in findings.filter { $0.severity == severity } }
    let fitting = min(max(1, room), Self.briefLines)
    let shown = sorted.count <= fitting ? sorted : Array(sorted.prefix(max(1, fitting - 1)))
    let taken = lines.reduce(0) { $0 + Self.columns(of: $1) } + Self.lineCost * max(0, shown.count - 1)
    let share = (Self.briefColumns - taken) / max(1, shown.count)
    // One alone may take a second line.
    let most = shown.count == 1 && fitting > 1 ? 2 * columns - 4 : columns
    for finding in shown { brief(finding, columns: min(most, share)) }
    if sorted.count > shown.count, shown.count < fitting {
      add([Span(ink.words("… \(sorted.count - shown.count) more"), .muted)])
    }
  }

  private mutating func brief(_ finding: Finding, columns: Int) {
    let severity = finding.severity
    let mark = Span(severity.mark(ink.glyphs) + " ", style: Style(severity.role))
    var text = ink.words(finding.code.rawValue)
    let left = columns - DisplayWidth.columns(of: mark.text) - DisplayWidth.columns(of: text) - 2
    // Less than some words tells nothing.
    if left >= Self.leastWords {
      let sentence = ink.words(FirstSentence.of(finding.message))
      text += "  " + DisplayWidth.truncate(sentence, columns: left, glyphs: ink.glyphs).text
    }
    // In one style: a colour of its own for the code would cost a slow line more than it tells.
    add([mark, Span(text)], hanging: 2)
  }

  /// The most lines.
  private static let briefLines = 3
  /// The most columns of all lines together, and what each more than one takes of them, because it has to be gone to.
  private static let briefColumns = 120
  private static let lineCost = 36
  private static let leastWords = 16

  private static func columns(of spans: [Span]) -> Int {
    spans.reduce(0) { $0 + DisplayWidth.columns(of: $1.text) }
  }
}
