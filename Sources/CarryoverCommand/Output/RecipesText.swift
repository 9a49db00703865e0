import Carryover

/// Recipes for a person to read.
enum RecipesText {
  /// A line a recipe.
  static func list(_ recipes: [Recipe], columns: Int) -> [String] {
    var table = Table(limits: [30, 12, 40, nil])
    table.add(["recipe", "version", "", "reads"])
    for recipe in recipes {
      table.add([
        recipe.reference.id, String(recipe.reference.version), recipe.reference.title,
        recipe.sources.map(\.text).joined(separator: "; "),
      ])
    }
    return table.lines(columns: columns) + ["", "carryover recipes show ID shows one rule by rule."]
  }

  /// Everything about one.
  static func lines(_ recipe: Recipe, columns: Int) -> [String] {
    var lines = [
      recipe.reference.id, "\(recipe.reference.title), version \(recipe.reference.version)", "",
      "Reads, key by key, the first that has it:",
    ]
    lines += recipe.sources.map { "  " + $0.text }
    for group in FieldGroup.allCases {
      let rules = recipe.rules.filter { $0.group == group }
      if !rules.isEmpty { lines += ["", "Fields: \(group.rawValue)"] }
      for rule in rules {
        lines.append("  \(rule.target) (\(rule.form.text))")
        if rule.candidates.isEmpty { lines.append("    ← nothing that is stored: it is asked for") }
        for candidate in rule.candidates {
          lines += PlanText.wrapped(candidate.text, columns: columns - 6).enumerated().map { index, line in
            index == 0 ? "    ← " + line : "      " + line
          }
        }
      }
    }
    lines += ["", "Left behind:"]
    for key in recipe.leftBehind {
      lines.append("  " + key.key + (key.secret ? " (never shown)" : ""))
      lines += PlanText.wrapped(key.reason, columns: columns - 4).map { "    " + $0 }
    }
    return lines
  }
}

extension SourceStore {
  /// Where it lies, in the words of the documentation.
  fileprivate var text: String {
    switch self {
    case .preferences: "Library/Preferences/<bundle id>.plist"
    case .file(let paths): paths.joined(separator: " or ")
    }
  }
}

extension Candidate {
  /// The key and its way, step by step.
  fileprivate var text: String {
    source.label + (transforms.isEmpty ? "" : ": " + transforms.map(\.title).joined(separator: ", then "))
  }
}

extension TargetForm {
  fileprivate var text: String {
    switch self {
    case .string: "a string"
    case .decimalString: "a string of decimal digits"
    case .jsonObjectString: "a string holding a JSON object"
    case .boolean: "a boolean"
    case .integer: "an integer"
    }
  }
}
