package import Carryover
import CarryoverTerminal

/// A recipe rule by rule, and, of a container that it was planned for, what became of each field.
package struct RecipePage {
  private let sections: [RecipeSection]
  private let indent: Int

  package var field: (String) -> Field? = { _ in nil }
  package var decision: (Field) -> Decision? = { _ in nil }
  /// What became of a source of a field; nil if that is not known.
  package var trial: (_ source: Int, _ target: String) -> CandidateTrial? = { _, _ in nil }

  package init(_ sections: [RecipeSection], indent: Int = 0) { (self.sections, self.indent) = (sections, indent) }

  package var blocks: [Block] {
    sections.flatMap { section -> [Block] in
      let indent = indent + (section.heading == nil ? 0 : 2)
      var sources: (field: String, count: Int) = ("", 0)
      let heading: [Block] = section.heading.map { [.paragraph($0, .label, indent: self.indent)] } ?? []
      return [.blank] + heading
        + section.lines.flatMap { line -> [Block] in
          guard case (.field(let target), .from) = (line.part, line.kind) else { return blocks(line, indent) }
          if !sources.field.hasSameBytes(as: target) { sources = (target, 0) }
          defer { sources.count += 1 }
          return source(line, trial(sources.count, target), of: target, indent)
        }
    }
  }

  private func blocks(_ line: RecipeLine, _ indent: Int) -> [Block] {
    switch (line.part, line.kind) {
    case (.recipe, .read), (.recipe, .write): [.paths(line.text, indent: indent)]
    case (.recipe, .about): [.blank, .paragraph(line.text, indent: indent)]
    case (.recipe, .inTheApp): [.paragraph(line.isCode ? [.code(line.text)] : Piece.marked(line.text), indent: indent)]
    case (.recipe, _), (.notMigrated, .key): [.paragraph(line.text, indent: indent)]
    case (.field(let target), .form): head(target, line.text, indent)
    case (_, .model): [.paragraph(line.text, .muted, indent: indent + 4, hanging: indent + 6)]
    default: [.paragraph(line.text, .muted, indent: indent + 2, hanging: indent + 4)]
    }
  }

  private func head(_ target: String, _ form: String, _ indent: Int) -> [Block] {
    let name: Pieces = [.name(target, .value), .text(" (\(form))", .muted)]
    guard let field = field(target) else { return [.paragraph(name, indent: indent, hanging: indent + 2)] }
    let decision = decision(field)
    let state = FieldState(field, decision)
    let value: Pieces = FieldSummary.value(field, decision).map { [.text(": "), .value($0)] } ?? []
    let codes = field.findings.map(\.code.rawValue).joined(separator: ", ")
    return [
      .paragraph(
        name + [.text("  "), .sign(state.sign, state.role), .text(" " + state.word, state.role)] + value,
        indent: indent, hanging: indent + 2)
    ] + (codes.isEmpty ? [] : [.paragraph("Findings: \(codes)", indent: indent + 2, hanging: indent + 4)])
  }

  private func source(_ line: RecipeLine, _ trial: CandidateTrial?, of target: String, _ indent: Int) -> [Block] {
    let origin = field(target)?.origin?.source
    let isFound = trial == nil && origin != nil && line.source == origin
    let words: Pieces = [.text("← " + line.text)] + (isFound ? [.text("  found here", .ready)] : [])
    return [.paragraph(words, indent: indent + 2, hanging: indent + 4)]
      + (trial.map { blocks($0, indent + 4) } ?? [])
  }

  private func blocks(_ trial: CandidateTrial, _ indent: Int) -> [Block] {
    let outcome = Block.list([Item([.text(trial.words)], sign: trial.outcome.sign, indent: indent)])
    guard let value = trial.value else { return [outcome] }
    let key = trial.source.key
    let result: Pieces =
      trial.result.map { $0 == value ? [] : [.text(" → "), .value($0, of: key)] } ?? []
    return [
      outcome,
      .paragraph([.text("value: "), .value(value, of: key)] + result, indent: indent + 2, hanging: indent + 4),
    ]
      + (trial.failure.map {
        [.paragraph("step “\($0.step)”: \($0.sentence)", indent: indent + 2, hanging: indent + 4)]
      } ?? [])
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
