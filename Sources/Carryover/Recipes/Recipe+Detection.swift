public import PropertyLists

extension Recipe {
  /// Every recipe that comes with Carryover, in the order of the SDKs they read.
  public static let builtIn: [Recipe] = [.rudderStackObjC, .rudderStackSwiftV2, .convertIOS, .person]

  /// The recipe with this stable name; nil where there is none.
  public init?(id: String) {
    guard let recipe = Recipe.builtIn.first(where: { $0.reference.id == id }) else { return nil }
    self = recipe
  }

  /// Keys whose values no output may show, of any recipe: a container may hold the stores of several SDKs.
  public static let secretKeys: Set<String> = Set(builtIn.flatMap(\.leftBehind).filter(\.secret).map(\.key))

  /// Which recipe a container is for, by the keys that stand in it.
  ///
  /// The beta SDK 2 came after the Objective-C SDK: where its own `rs_` keys stand, it ran last and is chosen. Where no
  /// SDK has left a key, the recipe of the Objective-C SDK is, and finds nothing to carry over; but where something stands
  /// under the name of a versioned model, that model's is, and says what is wrong with it.
  /// - Parameter removed: what cleanups that hold have removed; it counts as if it stood there.
  public static func detect(
    in container: Container, removed: [KeyPlace: PropertyListValue] = [:]
  ) -> RecipeDetection {
    let container = container.puttingBack(removed) ?? container
    var evidence = builtIn.compactMap { recipe -> RecipeEvidence? in
      let sources = LegacySources(marksOf: recipe, in: container)
      let keys = Set(sources.stores.flatMap(\.keys)).filter { key in
        sources.value(key).map { recipe.recognises($0, under: key) } ?? false
      }
      .union(recipe.documents(in: container))
      return keys.isEmpty ? nil : RecipeEvidence(recipe: recipe.reference, keys: keys.sorted())
    }
    // What other makers' SDKs and the app itself have left is asked for by name, or where nothing else is there.
    let suites = evidence.filter { Recipe(id: $0.recipe.id)?.target == .analyticsSuite }
    if !suites.isEmpty { evidence = suites }
    // Data that is nobody's else is what its name says, so that damage to it is not passed over.
    if evidence.isEmpty { evidence = builtIn.compactMap { $0.unrecognised(in: container) } }
    let chosen = evidence.last { found in found.keys.contains { $0.hasPrefix("rs_") } } ?? evidence.first
    return RecipeDetection(
      recipe: chosen.flatMap { Recipe(id: $0.recipe.id) } ?? .rudderStackObjC, evidence: evidence)
  }
}

extension Recipe {
  /// The names of the recipe's documents that are there.
  fileprivate func documents(in container: Container) -> [String] {
    sources.compactMap { source in
      guard case .document(let path) = source, container.store(container.dataPath(path)) != nil else { return nil }
      return PathName.last(of: path)
    }
  }

  /// The keys of versioned models under which something else stands; nil where there are none.
  fileprivate func unrecognised(in container: Container) -> RecipeEvidence? {
    let models = modelKeys
    guard !models.isEmpty else { return nil }
    let found = Set(LegacySources(marksOf: self, in: container).stores.flatMap(\.keys)).intersection(models)
    return found.isEmpty ? nil : RecipeEvidence(recipe: reference, keys: found.sorted())
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
public struct RecipeDetection: Hashable, Sendable {
  /// The recipe to use unless somebody names another.
  public var recipe: Recipe
  /// The recipes whose SDK has left something, each with the keys that say so.
  public var evidence: [RecipeEvidence]

  /// A detection from its parts.
  public init(recipe: Recipe, evidence: [RecipeEvidence]) {
    self.recipe = recipe
    self.evidence = evidence
  }

  /// The other recipes whose SDK has left something, where this one's has too.
  func others(than recipe: Recipe) -> [Recipe] {
    let found = evidence.map(\.recipe.id)
    guard found.contains(recipe.reference.id) else { return [] }
    return recipe.rivals.filter { found.contains($0.reference.id) }
  }
}

/// The keys and files by which an SDK is known to have run.
public struct RecipeEvidence: Hashable, Sendable {
  /// The recipe that reads them.
  public var recipe: RecipeReference
  /// The keys that no other SDK writes, in the order of their names.
  public var keys: [String]

  /// Evidence from its parts.
  public init(recipe: RecipeReference, keys: [String]) {
    self.recipe = recipe
    self.keys = keys
  }
}
