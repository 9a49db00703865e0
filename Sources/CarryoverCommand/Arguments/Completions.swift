import ArgumentParser
import Carryover
import CarryoverReview
import CarryoverSystem
import CarryoverVendors

/// What the command answers when a shell completes a word: names from the container that is on the line already.
enum Completions {
  /// The fields of the line's plan.
  static let fields = names { line in try line.fields() }

  /// The same, and the codes of findings that ask for a decision.
  static let fieldsAndCodes = names { line in
    try line.fields() + FindingCode.allCases.filter(\.asks).map(\.rawValue)
  }

  /// The fields of the line's plan, to give a value to.
  static let assignments = names { line in try line.fields().map { $0 + "=" } }

  /// The keys that the line's run changed.
  static let changedKeys = names { line in try line.rollback().entries.map(\.name) }

  /// The keys that a cleanup may remove.
  static let removableKeys = names { line in try line.cleanup().removable.map(\.id.key) }

  /// The ids of the container's runs, newest first.
  static let runs = names { line in try line.history().runs.map(\.id) }

  /// A container's path in an archive or a backup. Shells complete the names of files themselves.
  static let paths = names { line in try line.pathsInside() }

  /// The containers below the line's path.
  static let containers = names { line in try line.candidates().map(\.path) }

  /// The bundle ids of the containers below the line's path.
  static let apps = names { line in try line.candidates().compactMap(\.bundleID) }

  /// The ids of the built-in recipes. Shells complete the names of recipe files themselves.
  static let recipes = names { _ in builtIn }

  /// The same, and the name of all recipes together.
  static let severalRecipes = names { _ in builtIn + [PlanChoices.allRecipes] }

  /// The fields of the recipe that the line names.
  static let fieldsOfRecipe = names { line in try line.recipe().rules.map(\.target) }

  private static let builtIn = Recipe.builtIn.map(\.reference.id)

  /// What a shell is told: names only, and nothing if anything fails.
  private static func names(_ names: @escaping @Sendable (CompletedLine) throws -> [String]) -> CompletionKind {
    .custom { words, _, _ in
      var told: Set<String> = []
      let harmless = ((try? names(CompletedLine(words))) ?? []).filter { isHarmless($0) && told.insert($0).inserted }
      let shown = harmless.prefix(mostNames)
      // zsh takes what follows a colon for a description.
      return CompletionShell.requesting == .zsh ? shown.map { $0.replacing(":", with: "\\:") } : Array(shown)
    }
  }

  /// More than anyone reads.
  private static let mostNames = 1_000

  /// Whether shells read a name as a name alone, even without quotes, except for its spaces. bash expands each candidate
  /// like a command line.
  static func isHarmless(_ name: String) -> Bool {
    !name.isEmpty && !name.hasPrefix("-")
      && name.unicodeScalars.allSatisfy { scalar in
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", " ", ".", "_", "-", "+", "@", ",", ":", "/", "=", "%": true
        default: !scalar.isASCII && DisplayText.isShown(scalar, ascii: false)
        }
      }
  }
}
