import CarryoverSystem
package import PropertyLists

extension Recipe {
  fileprivate func recognised(in container: Container) -> Set<StringByBytes> {
    var known: [String: String] = [:]
    for parameter in parameters {
      let values = values(of: parameter, in: container)
      guard values.count > 1 else {
        known[parameter.name] = values.first
        continue
      }
      // Any of them may be the app's.
      return values.prefix(8).reduce(into: []) { $0.formUnion(filled([parameter.name: $1]).recognised(in: container)) }
    }
    let sources = LegacySources(marksOf: filled(known), in: container)
    lazy var models = modelsByKey
    let keys = sources.stores.flatMap(\.keys).filter { key in
      sources.value(key).map { value in models[key]?.contains { $0.knows(value) } ?? true } ?? false
    }
    return Set(bytesOf: keys + documents(in: container))
  }

  fileprivate func documents(in container: Container) -> [String] {
    sources.compactMap { source in
      guard source.isJSON else { return nil }
      return source.paths(in: container, [:]).first { container.store($0) != nil }.map(FilePath.name)
    }
  }

  fileprivate func unrecognised(in container: Container) -> Set<StringByBytes> {
    guard hasModel else { return [] }
    return Set(bytesOf: LegacySources(marksOf: self, in: container).stores.flatMap(\.keys)).intersection(modelKeys)
  }

  /// The versioned models by their keys. A model is recognised by its members, because its name is not unique.
  private var modelsByKey: [StringByBytes: [ModelRule]] {
    var models: [StringByBytes: [ModelRule]] = [:]
    for candidate in rules.flatMap(\.candidates) {
      for case .model(let rule) in candidate.transforms { models[candidate.source.key, default: []].append(rule) }
    }
    return models
  }
}

extension ModelRule {
  /// Whether a value is data of the model in any version, including later ones.
  fileprivate func knows(_ value: PropertyListValue) -> Bool {
    do throws(TransformFailure) {
      _ = try stages(of: value)
      return true
    } catch {
      if case .model(.newer) = error { return true }
      return false
    }
  }
}

/// The keys of recipes in a container. Finding them takes about as long as a plan, so callers find them once.
package struct RecognisedKeys {
  /// Includes the values that cleanups removed.
  fileprivate let container: Container
  fileprivate private(set) var all: [(recipe: Recipe, keys: Set<StringByBytes>)]

  /// - Parameter recipes: in order of preference. Those that are followed only by name are ignored.
  package init(_ container: Container, of recipes: [Recipe], removed: [KeyPlace: PropertyListValue] = [:]) {
    let container = container.puttingBack(removed) ?? container
    let marked = container.keepingMarks(of: recipes)
    self.container = container
    all = recipes.filter { !$0.isOnlyByName }.map { ($0, $0.recognised(in: marked)) }
  }

  package func only(of recipes: [Recipe]) -> RecognisedKeys {
    let ids = Set(recipes.map(\.reference.id))
    var some = self
    some.all = all.filter { ids.contains($0.recipe.reference.id) }
    return some
  }

  /// The recipes with evidence, in order. Of recipes with the same target suite, only the chosen one.
  package var recipes: [Recipe] {
    all.filter { recipe, keys in
      guard !keys.isEmpty else { return !recipe.unreadPlaces(in: container).isEmpty }
      return RecipeDetection(only(of: [recipe] + recipe.rivals)).chosen?.reference.id == recipe.reference.id
    }.map(\.recipe)
  }
}

package struct RecipeDetection: Hashable, Sendable {
  package var chosen: Recipe?
  package var evidence: [RecipeEvidence]

  /// The other recipes whose SDK has left keys, if this one's has too.
  package func others(than recipe: Recipe) -> [Recipe] {
    let found = evidence.map(\.recipe.id)
    guard found.contains(recipe.reference.id) else { return [] }
    return recipe.rivals.filter { found.contains($0.reference.id) }
  }
}

extension RecipeDetection {
  /// Detects the recipe for a container among recipes in order of preference, by the keys in it. If several SDKs of a
  /// vendor have left keys, the newest one's recipe is chosen. If none has, but a versioned model's name has a value,
  /// the model's recipe is chosen, and reports what is wrong with the value.
  package init(_ container: Container, among recipes: [Recipe], removed: [KeyPlace: PropertyListValue] = [:]) {
    self.init(RecognisedKeys(container, of: recipes, removed: removed))
  }

  package init(_ recognised: RecognisedKeys) {
    let container = recognised.container
    func find(_ keys: (Recipe) -> Set<StringByBytes>) -> [(recipe: Recipe, keys: Set<StringByBytes>)] {
      recognised.all.map { ($0.recipe, keys($0.recipe)) }.filter { !$0.1.isEmpty }
    }
    var found = recognised.all.filter { !$0.keys.isEmpty }
    // Recipes for other SDKs and for the app's own data are chosen only by name, or if no other recipe matches.
    let suites = found.filter { !$0.recipe.isInPlace }
    if !suites.isEmpty { found = suites }
    // If no recipe matches, the name alone identifies data, so that damage is reported.
    if found.isEmpty { found = find { $0.unrecognised(in: container) } }
    if found.isEmpty { found = find { Set(bytesOf: $0.unreadPlaces(in: container).flatMap(\.names)) } }
    let newest = found.last { found in
      found.recipe.newestPrefix.map { prefix in found.keys.contains { $0.text.beginsWithBytes(of: prefix) } } ?? false
    }
    self.init(
      chosen: (newest ?? found.first)?.recipe,
      evidence: found.map { RecipeEvidence(recipe: $0.recipe.reference, keys: $0.keys.sorted().map(\.text)) })
  }

  /// The recipes for an SDK that has left keys or documents, with these, sorted by name. An app's own models are not one.
  package static func evidence(in container: Container, among recipes: [Recipe]) -> [(recipe: Recipe, keys: [String])] {
    let container = container.keepingMarks(of: recipes)
    return recipes.filter { !$0.hasModel }.map { ($0, $0.recognised(in: container).sorted().map(\.text)) }
      .filter { !$0.keys.isEmpty }
  }
}

extension Container {
  /// The container with only those keys of large property lists that detecting recipes reads, so that all others are
  /// read once, and not for each recipe.
  fileprivate func keepingMarks(of recipes: [Recipe]) -> Container {
    let large = stores.indices.filter { stores[$0].dictionary.map { $0.count > 1_000 } ?? false }
    guard !large.isEmpty else { return self }
    let keys = recipes.flatMap { $0.marks.map(\.text) + $0.parameterPlaces.map(\.key) }
    let whole = Set(bytesOf: keys)
    let patterns = keys.filter { $0.contains("${") }.map(KeyPattern.init)
    var result = self
    for index in large {
      guard case .document(let document) = stores[index].content, let entries = document.dictionary?.entries
      else { continue }
      let kept = entries.filter { entry in
        whole.contains(StringByBytes(entry.key)) || patterns.contains { $0.matches(entry.key) }
      }
      // Of several values of one key, readers take the first or the last.
      guard Set(bytesOf: kept.map(\.key)).count == kept.count,
        let bytes = try? PropertyListDocument.encode(
          .dictionary(PropertyListDictionary(entries: kept)), as: document.format),
        let narrowed = try? PropertyListDocument(bytes: bytes)
      else { continue }
      result.stores[index].content = .document(narrowed)
    }
    return result
  }
}

package struct RecipeEvidence: Hashable, Sendable {
  package var recipe: RecipeReference
  package var keys: [String]
}
