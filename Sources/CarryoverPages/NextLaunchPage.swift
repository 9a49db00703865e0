package import Carryover
import CarryoverTerminal

extension PageWriter {
  /// What the new SDK reads and does in each form of the container: side by side where every word fits, else a line
  /// each.
  package mutating func nextLaunch(
    _ launch: NextLaunch?, _ plan: Plan, _ assumptions: NextLaunch.Assumptions = NextLaunch.Assumptions(),
    isSideBySide: Bool = true
  ) {
    guard let launch else { return words("Recipe \(plan.recipe.id) cannot simulate the next launch.") }
    words("Simulated for \(MomentText.seconds(plan.now)) UTC. " + assumptions.sentence, .muted)
    for play in launch.plays {
      for note in play.notes { add([Span(ink.words("\(play.form.title): "), .label), Span(ink.sentence(note))]) }
    }
    blank()
    if isSideBySide, let columns = LaunchColumns(launch, columns: columns, ink) {
      for line in columns.lines { add(line, exact: true) }
    } else {
      for (topic, facts) in launch.topics { self.facts(facts, about: topic) }
    }
  }

  /// A line for each form, behind the topic if there is room for it, else below.
  private mutating func facts(_ facts: [(form: NextLaunch.Form, fact: NextLaunch.Fact)], about topic: String) {
    let lead = columns < 72 ? 2 : 14
    if lead == 2 { add([Span(topic, .title)]) }
    for (index, (form, fact)) in facts.enumerated() {
      let name = Span((lead > 2 && index == 0 ? topic : "").padded(lead, gap: 0), .title)
      add([name, Span(ink.words(form.title.padded(16)), .label)] + fact.spans(ink), hanging: lead + 20)
    }
  }
}

extension NextLaunch.Fact {
  /// The sign of a loss, or room for it, and the sentence.
  fileprivate func spans(_ ink: Ink) -> [Span] {
    let sign = isLoss ? Severity.warning.sign : .nothing
    return [
      Span(sign.text(ascii: ink.glyphs == .ascii) + " ", style: Style(isLoss ? Severity.warning.role : .plain)),
      Span(ink.sentence(sentence)),
    ]
  }
}

private struct LaunchColumns {
  private(set) var lines: [[Span]] = []
  private static let gap = 2
  private static let narrowest = 24

  /// Nil if a word does not fit its column.
  init?(_ launch: NextLaunch, columns: Int, _ ink: Ink) {
    let first = launch.topics.map { DisplayWidth.columns(of: $0.name) + Self.gap }.max() ?? 0
    let count = max(1, launch.plays.count)
    let width = (columns - first) / count - Self.gap
    let words = launch.plays.flatMap(\.facts).flatMap { ink.sentence($0.sentence).split(separator: " ") }
    let widest = words.map { DisplayWidth.columns(of: String($0)) + Self.gap }.max() ?? 0
    guard width >= max(Self.narrowest, widest) else { return nil }
    append("", launch.plays.map { [[Span(ink.words("  " + $0.form.title), .label)]] }, first, width)
    for (topic, facts) in launch.topics {
      let cells = facts.map { fact in
        Wrapping.wrap(fact.fact.spans(ink), first: width, rest: width - Self.gap, exact: false)
      }
      append(topic, cells.map { cell in cell.enumerated().map { $0 == 0 ? $1 : [Span("  ")] + $1 } }, first, width)
    }
  }

  /// A row of cells, each in as many lines as it needs.
  private mutating func append(_ topic: String, _ cells: [[[Span]]], _ first: Int, _ width: Int) {
    for row in 0..<(cells.map(\.count).max() ?? 0) {
      var line = [Span((row == 0 ? topic : "").padded(first, gap: 0), .title)]
      for (index, cell) in cells.enumerated() {
        let spans = cell.element(row) ?? []
        line += spans
        guard cells[(index + 1)...].contains(where: { $0.count > row }) else { break }
        let used = spans.reduce(0) { $0 + DisplayWidth.columns(of: $1.text) }
        line.append(Span(String(repeating: " ", count: max(0, width - used) + Self.gap)))
      }
      lines.append(line)
    }
  }
}
