import ArgumentParser
import Carryover
import CarryoverSystem
import CarryoverTerminal

/// Values of a recipe's parameters on the command line.
struct ParameterArguments: ParsableArguments {
  @Option(
    name: [.customShort("P"), .customLong("parameter")],
    help: ArgumentHelp(
      "The value of a recipe's parameter, if the container does not show it: -P token=0123abcd. Repeatable.",
      valueName: "name=value"))
  var given: [ParameterArgument] = []

  /// Of several values for one parameter, the last.
  var values: ParameterValues {
    ParameterValues(values: Dictionary(given.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 }))
  }

  /// The options as words of a command line.
  var words: [String] { given.flatMap { ["-P", $0.text] } }
}

/// A parameter with its value on the command line.
struct ParameterArgument: ExpressibleByArgument {
  var name: String
  var value: String

  init?(argument: String) {
    guard let equals = argument.firstIndex(of: "=") else { return nil }
    name = String(argument[..<equals])
    value = String(argument[argument.index(after: equals)...])
  }

  /// As it was typed.
  var text: String { "\(name)=\(value)" }
}

/// Values of parameters by name, which fill recipes together with the values that a container shows.
struct ParameterValues {
  var values: [String: String]

  /// Recipes with all their parameters.
  /// - Throws: a usage error for a value that is missing, ambiguous, not valid, or of no parameter, and an error if a
  ///   filled recipe cannot be followed.
  func fill(_ recipes: [Recipe], in container: Container) throws -> [Recipe] {
    try check(for: recipes)
    return try recipes.map { try filled($0, in: container) }
  }

  /// A recipe with these values alone; other parameters stay.
  /// - Throws: a usage error for a value that is not valid, or of no parameter.
  func fill(_ recipe: Recipe) throws -> Recipe {
    try check(for: [recipe])
    return recipe.filled(values)
  }

  private func check(for recipes: [Recipe]) throws {
    let parameters = recipes.flatMap(\.parameters)
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      let known = parameters.filter { $0.name == name }
      guard !known.isEmpty else {
        throw CommandFailure.usage("-P \(DisplayText.visible(name, limit: 60)): no recipe here has such a parameter.")
      }
      if let parameter = known.first(where: { !$0.accepts(value) }) {
        throw CommandFailure.usage("-P \(name): this is not a valid \(DisplayText.visible(parameter.title)).")
      }
    }
  }

  /// A recipe with all its parameters.
  /// - Throws: the same.
  func fill(_ recipe: Recipe, in container: Container) throws -> Recipe {
    try fill([recipe], in: container).first ?? recipe
  }

  private func filled(_ recipe: Recipe, in container: Container) throws -> Recipe {
    let filled: Recipe
    do throws(ParameterGap) {
      filled = try recipe.filled(values, in: container)
    } catch {
      throw CommandFailure.usage(error.description)
    }
    if let clash = filled.clash {
      throw CommandFailure("Recipe \(recipe.reference.id): \(DisplayText.visible(clash))", .error)
    }
    if case .file = filled.origin, filled.target.belongsToSystem {
      throw CommandFailure("Recipe \(recipe.reference.id) would write a file of the system. It is not used.", .error)
    }
    return filled
  }
}
