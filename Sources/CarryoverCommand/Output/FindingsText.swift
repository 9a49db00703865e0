import Carryover
import CarryoverRecipes
import CarryoverReview
import CarryoverTerminal
import CarryoverVendors

/// The catalogue of findings for a person to read.
enum FindingsText {
  /// Every code by group, a line each.
  static func writeList(to page: inout TextPage) {
    let ink = page.ink
    for group in FindingGroup.allCases {
      page.add("\(group.name): \(group.title)")
      var table = Table(
        [
          Table.Column(.whole, "", .head), Table.Column(.whole, "", .head), Table.Column(.whole, "", .head),
          Table.Column(.sentence, "when"),
        ], indent: 2, glyphs: ink.glyphs)
      for code in group.codes {
        table.add([
          Span(code.rawValue), Span(code.severity.rawValue, style: code.severity.sign.span(ink).style),
          Span(code.weight ?? ""),
          Span(ink.words(code.explanation.title)),
        ])
      }
      page.add(table)
      page.blank()
    }
    page.add("recipe files: what recipe lint finds")
    var table = Table(
      [Table.Column(.whole, "", .head), Table.Column(.whole, "", .head), Table.Column(.sentence, "when")], indent: 2,
      glyphs: ink.glyphs)
    for code in LintCode.allCases {
      table.add([
        Span(code.rawValue), Span(code.severity.rawValue, style: code.severity.sign.span(ink).style),
        Span(ink.words(code.words.title)),
      ])
    }
    page.add(table)
    page.blank()
    page.add("carryover explain CODE tells everything about one of them.")
  }

  /// Everything about one code.
  static func write(_ code: FindingCode, to page: inout TextPage) {
    page.line(code.rawValue)
    page.add(code.standing)
    for part in code.explanation.parts {
      page.blank()
      page.add(part.title, .title)
      page.add(part.text, indent: 2)
    }
  }
}

extension FindingsText {
  /// Everything about a code of a recipe file.
  static func write(_ code: LintCode, to page: inout TextPage) {
    page.line(code.rawValue)
    let severity = code.severity.rawValue
    page.add("\(severity.prefix(1).uppercased())\(severity.dropFirst()): \(code.words.title).")
    for (title, text) in [("What happened", code.words.happens), ("What to do", code.words.whatToDo)] {
      page.blank()
      page.add(title, .title)
      page.add(text, indent: 2)
    }
  }
}

extension FindingCode {
  /// Whether it asks or blocks, in the word of the documentation; nil where it does neither.
  var weight: String? { blocks ? "blocks" : asks ? "asks" : nil }
}
