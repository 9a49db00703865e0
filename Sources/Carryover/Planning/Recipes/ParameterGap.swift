/// The reason that a container does not show the value of a recipe's parameter.
package enum ParameterGap: Error, Hashable, Sendable {
  /// It shows several values.
  case several(RecipeParameter, [String])
  /// It shows none, and the recipe with this id needs one.
  case unknown(RecipeParameter, recipe: String)
}

extension ParameterGap {
  /// The reason and what to do, as sentences.
  var text: FindingText {
    switch self {
    case .several(let parameter, let values):
      """
      The container has several values of the \(words: parameter.title): \(list: values.map { "\(value: $0)" }). Choose \
      one with -P \(words: parameter.name)=VALUE.
      """
    case .unknown(let parameter, let recipe):
      """
      The \(words: parameter.title) is unknown: recipe \(words: recipe) needs it. Give it with \
      -P \(words: parameter.name)=VALUE.
      """
    }
  }

  /// The same as text. Escape it before you print it.
  package var description: String { text.text(source: nil) }
}

extension Recipe {
  /// The recipe with values in place of all parameters that it needs: the given ones, and those that a container shows.
  package func filled(_ given: [String: String], in container: Container) throws(ParameterGap) -> Recipe {
    var values = given
    for parameter in parameters where values[parameter.name] == nil {
      let found = self.values(of: parameter, in: container)
      guard found.count <= 1 else { throw .several(parameter, found) }
      if found.isEmpty, requires(parameter) { throw .unknown(parameter, recipe: reference.id) }
      values[parameter.name] = found.first
    }
    var recipe = filled(values)
    // The files that other values name are not read, and may be newer than those that are.
    for parameter in parameters where !requires(parameter) {
      let shown = self.values(of: parameter, in: container)
      guard let value = given[parameter.name], !shown.isEmpty, !shown.containsBytes(of: value) else { continue }
      recipe.doubtIDs("The container has files of another \(parameter.title), and none of the given one.")
    }
    return recipe
  }

  private mutating func doubtIDs(_ reason: String) {
    for rule in rules.indices where rules[rule].group == .identity {
      for candidate in rules[rule].candidates.indices { rules[rule].candidates[candidate].doubt = reason }
    }
  }
}
