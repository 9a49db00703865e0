import CarryoverSystem
package import PropertyLists

extension RecipeDetection {
  /// Which of some recipes a container is for, by the keys that stand in it.
  ///
  /// Where several SDKs of a vendor have left something, the newest one's recipe is chosen. Where none has left a key, but
  /// something stands under the name of a versioned model, that model's is, and says what is wrong with it.
  /// - Parameters:
  ///   - recipes: those to choose from, in order of preference.
  ///   - removed: what cleanups that hold have removed; it counts as if it stood there.
  package init(_ container: Container, among recipes: [Recipe], removed: [KeyPlace: PropertyListValue] = [:]) {
    let container = container.puttingBack(removed) ?? container
    func of(_ evidence: [(recipe: Recipe, keys: Set<String>)]) -> [(recipe: Recipe, keys: Set<String>)] {
      evidence.filter { !$0.keys.isEmpty }
    }
    var found = of(recipes.map { ($0, $0.recognised(in: container)) })
    // What other makers' SDKs and the app itself have left is asked for by name, or where nothing else is there.
    let suites = found.filter { !$0.recipe.isInPlace }
    if !suites.isEmpty { found = suites }
    // Data that is nobody's else is what its name says, so that damage to it is not passed over.
    if found.isEmpty { found = of(recipes.map { ($0, $0.unrecognised(in: container)) }) }
    let newest = found.last { found in
      found.recipe.newestPrefix.map { prefix in found.keys.contains { $0.hasPrefix(prefix) } } ?? false
    }
    self.init(
      chosen: (newest ?? found.first)?.recipe,
      evidence: found.map { RecipeEvidence(recipe: $0.recipe.reference, keys: $0.keys.sorted()) })
  }
}

extension RecipeDetection {
  /// Every recipe of some for which a container has evidence, in their order. Of recipes that fill the same suite it is
  /// the one that would be chosen among them.
  package static func all(
    in container: Container, among recipes: [Recipe], removed: [KeyPlace: PropertyListValue] = [:]
  ) -> [Recipe] {
    let present = container.puttingBack(removed) ?? container
    return recipes.filter { recipe in
      guard !recipe.recognised(in: present).isEmpty else { return false }
      let rivals = recipes.filter { $0 == recipe || recipe.rivals.contains($0) }
      let chosen = RecipeDetection(container, among: rivals, removed: removed).chosen
      return chosen?.reference.id == recipe.reference.id
    }
  }
}

extension Recipe {
  /// The keys and documents in a container that only the recipe's SDK or app leaves.
  fileprivate func recognised(in container: Container) -> Set<String> {
    let sources = LegacySources(marksOf: self, in: container)
    let keys = Set(sources.stores.flatMap(\.keys)).filter { key in
      sources.value(key).map { recognises($0, under: key) } ?? false
    }
    return keys.union(documents(in: container))
  }

  /// The names of the recipe's documents that are there.
  fileprivate func documents(in container: Container) -> [String] {
    sources.compactMap { source in
      guard source.isJSON else { return nil }
      return source.paths(in: container, [:]).first { container.store($0) != nil }.map(PathName.last)
    }
  }

  /// The keys of versioned models under which something else stands.
  fileprivate func unrecognised(in container: Container) -> Set<String> {
    let models = modelKeys
    guard !models.isEmpty else { return [] }
    return Set(LegacySources(marksOf: self, in: container).stores.flatMap(\.keys)).intersection(models)
  }

  /// Whether a value is what the recipe's SDK or app leaves under a key. A model is known by its members: its name may
  /// be anybody's.
  fileprivate func recognises(_ value: PropertyListValue, under key: String) -> Bool {
    let transforms = rules.flatMap(\.candidates).filter { $0.source.key == key }.flatMap(\.transforms)
    let models = transforms.compactMap { transform -> ModelRule? in
      if case .model(let rule) = transform { rule } else { nil }
    }
    return models.isEmpty || models.contains { $0.knows(value) }
  }
}

extension ModelRule {
  /// Whether a value is data of the model in some version, later ones than the newest included.
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

/// Which recipe a container is for, and why.
package struct RecipeDetection: Hashable, Sendable {
  /// The recipe to use unless somebody names another; nil where nothing tells.
  package var chosen: Recipe?
  /// The recipes whose SDK has left something, each with the keys that say so.
  package var evidence: [RecipeEvidence]

  /// A detection from its parts.
  package init(chosen: Recipe?, evidence: [RecipeEvidence]) {
    self.chosen = chosen
    self.evidence = evidence
  }

  /// The other recipes whose SDK has left something, where this one's has too.
  package func others(than recipe: Recipe) -> [Recipe] {
    let found = evidence.map(\.recipe.id)
    guard found.contains(recipe.reference.id) else { return [] }
    return recipe.rivals.filter { found.contains($0.reference.id) }
  }
}

/// The keys and files by which an SDK is known to have run.
package struct RecipeEvidence: Hashable, Sendable {
  /// The recipe that reads them.
  package var recipe: RecipeReference
  /// The keys that no other SDK writes, in the order of their names.
  package var keys: [String]

  /// Evidence from its parts.
  package init(recipe: RecipeReference, keys: [String]) {
    self.recipe = recipe
    self.keys = keys
  }
}
