import Carryover

/// Recipes for a person to read.
enum RecipesText {
  /// Each recipe with what it carries over, and below it where it reads; nothing is cut.
  static func list(_ recipes: [Recipe], columns: Int) -> [String] {
    let ids = recipes.reduce(0) { max($0, $1.reference.id.count) }
    let blocks = recipes.flatMap { recipe -> [String] in
      let reference = recipe.reference
      let name = reference.id + String(repeating: " ", count: ids - reference.id.count)
      let reads = recipe.sources.enumerated().map { index, source in
        (index == 0 ? "  reads " : "        ") + source.words
      }
      return ["\(name)  \(reference.title), version \(reference.version)"] + reads + [""]
    }
    return blocks + ["carryover recipes show ID shows one rule by rule."]
  }

  /// Everything about one.
  static func lines(_ recipe: Recipe, columns: Int) -> [String] {
    var lines = [
      recipe.reference.id, "\(recipe.reference.title), version \(recipe.reference.version)", "",
      "Reads, key by key, the first that has it:",
    ]
    lines += recipe.sources.map { "  " + $0.words }
    lines += ["", "Writes:", "  " + recipe.target.words]
    for group in FieldGroup.allCases {
      let rules = recipe.rules.filter { $0.group == group }
      if !rules.isEmpty { lines += ["", "Fields: \(group.rawValue)"] }
      for rule in rules {
        lines.append("  \(rule.target) (\(rule.form.words))")
        if rule.candidates.isEmpty { lines.append("    ← nothing that is stored: it is asked for") }
        for candidate in rule.candidates {
          lines += PlanText.wrapped(candidate.words, columns: columns - 6).enumerated().map { index, line in
            index == 0 ? "    ← " + line : "      " + line
          }
          lines += candidate.modelSteps.map { "      " + $0 }
        }
      }
    }
    if !recipe.leftBehind.isEmpty { lines += ["", "Left behind:"] }
    for key in recipe.leftBehind {
      lines.append("  " + key.key + (key.secret ? " (never shown)" : ""))
      lines += PlanText.wrapped(key.reason, columns: columns - 4).map { "    " + $0 }
    }
    return lines
  }
}
