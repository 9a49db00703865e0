import Carryover
import CarryoverReview
import CarryoverTerminal
import PropertyLists

/// Recipes for a person to read.
enum RecipesText {
  /// Writes each recipe with what it migrates, and below it where it reads; nothing is cut.
  static func writeList(_ recipes: [Recipe], to page: inout TextPage) {
    let ink = page.ink
    var table = Table([Table.Column(.whole, "", .head), Table.Column(.path, "for")], glyphs: ink.glyphs)
    for recipe in recipes {
      let reference = recipe.reference
      table.add([Span(reference.id), Span(ink.words("\(reference.title), version \(reference.version)"))])
      for (index, source) in recipe.sources.enumerated() {
        table.add([Span(index == 0 ? "  reads" : ""), Span(ink.words(source.words))])
      }
    }
    page.add(table)
    page.blank()
    page.add("carryover recipe explain ID explains one rule by rule.")
  }

  /// Writes everything about a recipe, or about one of its fields.
  static func write(_ explained: ExplainedRecipe, to page: inout TextPage) {
    page.line(explained.recipe.reference.id)
    page.add("\(explained.recipe.reference.title), version \(explained.recipe.reference.version)")
    if let plan = explained.planned?.plan { page.add("Container: \(plan.container.name)") }
    for section in explained.sections {
      page.blank()
      if let heading = section.heading { page.add(heading) }
      var writer = SectionWriter(explained: explained, indent: section.heading == nil ? 0 : 2)
      for line in section.lines { writer.write(line, to: &page) }
    }
  }
}

/// Writes the lines of a section. The sources of a field come in their order.
private struct SectionWriter {
  let explained: ExplainedRecipe
  let indent: Int
  /// The field that the lines are about, and how many of its sources came before.
  private var name = ""
  private var sources = 0

  init(explained: ExplainedRecipe, indent: Int) {
    self.explained = explained
    self.indent = indent
  }

  mutating func write(_ line: RecipeLine, to page: inout TextPage) {
    switch (line.part, line.kind) {
    case (.recipe, .read), (.recipe, .write): page.paths(line.text, indent: indent)
    case (.recipe, .about):
      page.blank()
      page.add(line.text)
    case (.recipe, _): page.add(line.text, indent: indent)
    case (.field(let target), .key):
      sources = 0
      name = target
    case (_, .group): break
    case (_, .form): writeHead(line.text, to: &page)
    case (.field(let target), .from):
      page.add("← " + line.text, indent: indent + 2, hanging: indent + 4)
      if let trial = explained.trial(sources, of: target) { write(trial, to: &page) }
      sources += 1
    case (_, .model): page.add(line.text, indent: indent + 4, hanging: indent + 6)
    case (.notMigrated, .key): page.add(line.text, indent: indent)
    default: page.add(line.text, indent: indent + 2, hanging: indent + 4)
    }
  }

  /// The field with its form and, in a container, its state and its findings.
  private func writeHead(_ form: String, to page: inout TextPage) {
    let ink = page.ink
    let head = ink.name(name) + ink.words(" (\(form))")
    guard let field = explained.planned?.plan.field(name) else {
      return page.add([Span(head)], indent: indent, hanging: indent + 2)
    }
    let state = FieldState(field, nil)
    let value = FieldSummary.value(field, nil).map { ": " + ink.value($0, columns: page.paper.columns) } ?? ""
    page.add(
      [Span(head + "  "), state.span(ink), Span(" " + ink.words(state.word) + value)], indent: indent,
      hanging: indent + 2)
    let codes = field.findings.map(\.code.rawValue)
    if !codes.isEmpty {
      page.add("Findings: \(codes.joined(separator: ", "))", indent: indent + 2, hanging: indent + 4)
    }
  }

  private func write(_ trial: CandidateTrial, to page: inout TextPage) {
    let margin = indent + 4
    page.add(trial.outcome.sign, trial.words, indent: margin)
    guard let value = trial.value else { return }
    let ink = page.ink
    func text(_ value: PropertyListValue?) -> String {
      ink.value(value, of: trial.source.key, columns: page.paper.columns)
    }
    let result = trial.result.map { $0 == value ? "" : ink.words(" → ") + text($0) } ?? ""
    page.add([Span(ink.words("value: ") + text(value) + result)], indent: margin + 2, hanging: margin + 4)
    if let failure = trial.failure {
      page.add("step “\(failure.step)”: \(failure.sentence)", indent: margin + 2, hanging: margin + 4)
    }
  }
}

extension CandidateTrial.Outcome {
  fileprivate var sign: Sign {
    switch self {
    case .used: .done
    case .notConverted: .error
    case .notNeeded, .notMet, .refused, .outdated: .omitted
    case .absent: .nothing
    }
  }
}
