import Carryover
import CarryoverReview
import CarryoverTerminal

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
    page.add("carryover recipe show ID shows one rule by rule.")
  }

  /// Writes everything about one.
  static func write(_ recipe: Recipe, to page: inout TextPage) {
    page.line(recipe.reference.id)
    page.add("\(recipe.reference.title), version \(recipe.reference.version)")
    page.blank()
    page.add("Reads each key from the first of these files that contains it:")
    for source in recipe.sources { page.paths(source.words, indent: 2) }
    page.blank()
    page.add("Writes:")
    page.paths(recipe.target.words, indent: 2)
    for group in FieldGroup.allCases {
      let rules = recipe.rules.filter { $0.group == group }
      guard !rules.isEmpty else { continue }
      page.blank()
      page.add("Fields: \(group.rawValue)")
      for rule in rules {
        page.add("\(rule.target) (\(rule.form.words))", indent: 2, hanging: 4)
        if rule.candidates.isEmpty { page.add("← not stored: you supply it", indent: 4, hanging: 6) }
        for candidate in rule.candidates {
          page.add("← " + candidate.words, indent: 4, hanging: 6)
          for step in candidate.modelSteps { page.add(step, indent: 6, hanging: 8) }
        }
      }
    }
    guard !recipe.leftBehind.isEmpty else { return }
    page.blank()
    page.add("Not migrated:")
    for key in recipe.leftBehind {
      page.add(key.key + (key.secret ? " (secret)" : ""), indent: 2)
      page.add(key.reason, indent: 4)
    }
  }
}
