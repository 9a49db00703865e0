import PropertyLists

/// A value that a recipe's keys and file names contain and that differs between apps, such as a project token. A key
/// names it as `${token}`.
package struct RecipeParameter: Hashable, Sendable {
  /// The characters of its values.
  package enum Form: String, CaseIterable, Hashable, Sendable {
    /// Those of a part of a file name: see `Container.isValidParameter(_:)`.
    case name
    /// Hexadecimal digits in lower case.
    case hexadecimal = "hex"
  }

  /// The name in keys and on the command line: `token`.
  package var name: String
  /// The name in sentences: "project token".
  package var title: String
  /// The characters of its values.
  package var form: Form

  /// A parameter from its parts.
  package init(_ name: String, _ title: String, form: Form = .name) {
    self.name = name
    self.title = title
    self.form = form
  }

  /// Whether a text can be its value.
  package func accepts(_ value: String) -> Bool {
    switch form {
    case .name: Container.isValidParameter(value)
    case .hexadecimal:
      (1...64).contains(value.utf8.count)
        && value.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
  }

  /// Its place in a key.
  package var place: String { "${\(name)}" }

  /// The value in a key that a template describes; nil for other keys.
  fileprivate func value(in key: String, as template: String) -> String? {
    guard let range = template.firstRange(of: place) else { return nil }
    let (before, after) = (template[..<range.lowerBound], template[range.upperBound...])
    guard key.utf8.count > before.utf8.count + after.utf8.count, key.hasPrefix(before), key.hasSuffix(after) else {
      return nil
    }
    let value = String(key.dropFirst(before.count).dropLast(after.count))
    return accepts(value) && template.replacing(place, with: value) == key ? value : nil
  }
}

extension Recipe {
  /// The recipe with values in place of its parameters. Those without a value stay.
  package func filled(_ values: [String: String]) -> Recipe {
    let known = parameters.filter { parameter in values[parameter.name].map(parameter.accepts) ?? false }
    guard !known.isEmpty else { return self }
    func key(_ key: String) -> String {
      known.reduce(key) { $0.replacing($1.place, with: values[$1.name] ?? "") }
    }
    func template(_ template: NameTemplate) -> NameTemplate {
      NameTemplate(
        template.parts.map { part in
          guard case .parameter(let name) = part, known.contains(where: { $0.name == name }) else { return part }
          return .text(values[name] ?? "")
        })
    }
    var recipe = self
    recipe.parameters.removeAll(where: known.contains)
    recipe.target =
      switch target {
      case .suite(let name): .suite(template(name))
      case .plist(let path): .plist(template(path))
      }
    recipe.sources = sources.map { source in
      switch source {
      case .suite(let name): .suite(template(name))
      case .plist(let paths): .plist(paths.map(template))
      case .json(let path): .json(template(path))
      }
    }
    recipe.rules = rules.map { rule in
      var rule = rule
      rule.target = key(rule.target)
      rule.freshWithout = rule.freshWithout.map(key)
      rule.describes = rule.describes.map(key)
      for index in rule.candidates.indices {
        rule.candidates[index].source.key = key(rule.candidates[index].source.key)
      }
      return rule
    }
    for index in leftBehind.indices { recipe.leftBehind[index].key = key(leftBehind[index].key) }
    recipe.legacyPrefixes = legacyPrefixes.map(key)
    recipe.marks = Set(marks.map(key))
    recipe.optOutKeys = optOutKeys.map(key)
    recipe.comparedKeys = comparedKeys.map(key)
    return recipe
  }

  /// The values of a parameter that the SDK's own keys in a container show, sorted.
  package func values(of parameter: RecipeParameter, in container: Container) -> [String] {
    let templates = marks.filter { $0.contains(parameter.place) }
    let paths = sources.flatMap { $0.paths(in: container, [:]) }
    let keys = Set(paths).compactMap { container.store($0)?.dictionary }.flatMap { $0.entries.map(\.key) }
    return Set(keys.flatMap { key in templates.compactMap { parameter.value(in: key, as: $0) } }).sorted()
  }

  /// The recipe with the values that the container itself shows. A parameter with several possible values stays.
  func inferred(in container: Container) -> Recipe {
    guard !parameters.isEmpty else { return self }
    return filled(
      parameters.reduce(into: [:]) { known, parameter in
        let values = values(of: parameter, in: container)
        if values.count == 1 { known[parameter.name] = values[0] }
      })
  }
}
