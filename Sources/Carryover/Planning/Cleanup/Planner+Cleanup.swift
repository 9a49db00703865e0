package import CarryoverSystem
import PropertyLists

extension Planner {
  /// The legacy values that could be removed from a container, because its target provably contains them.
  ///
  /// It reads every existing legacy store: the preferences and each file of the recipe, not only the first. Keys of the
  /// preferences that are not the legacy SDK's are not listed.
  /// - Parameters:
  ///   - container: the opened container.
  ///   - now: the current moment, as for ``plan(_:now:options:)``.
  ///   - options: the options with the target's name.
  package func cleanupPlan(
    _ container: Container, now: Moment, options: PlannerOptions = PlannerOptions()
  ) -> CleanupPlan {
    Planner(recipe.expanded(in: container, options)).madeCleanup(container, now: now, options: options)
  }

  /// The same for a recipe whose rules stand for one field each.
  private func madeCleanup(_ container: Container, now: Moment, options: PlannerOptions) -> CleanupPlan {
    let target = targetSummary(container, options)
    let targetStore = target.flatMap { container.store($0.path) }
    let held = recipe.target.cleanupProblem == nil ? targetStore?.dictionary?.indexed() : nil
    let proof = KeyProof(
      recipe: recipe, target: held,
      targetProblem: recipe.target.cleanupProblem ?? targetStore?.obstacle.map { "The target cannot be read: \($0)" },
      ambiguous: targetStore?.dictionary?.keysWithSeveralValues ?? [], now: now)
    var stores: [CleanupStore] = []
    var entries: [CleanupEntry] = []
    for place in recipe.places(in: container, options.parameters)
    where target?.holds(place.path) != true {
      guard let store = container.store(place.path) else { continue }
      stores.append(CleanupStore(id: place.path, isOwn: place.isOwn, problem: store.obstacle))
      entries += self.entries(store, proof)
    }
    return CleanupPlan(
      recipe: recipe.reference,
      container: ContainerSummary(kind: container.kind, bundleID: container.bundleID, name: container.name),
      target: target, stores: stores, entries: entries, basis: basis(entries, target, held))
  }

  private func entries(_ store: Store, _ proof: KeyProof) -> [CleanupEntry] {
    guard let dictionary = store.dictionary else { return [] }
    let known = recipe.knownKeys
    let prefixes = recipe.keyPrefixes
    let secrets = recipe.family.secretKeys
    let secretPrefixes = recipe.leftBehind.filter(\.secret).compactMap(\.prefix)
    var keys: [String] = []
    var values: [StringByBytes: [PropertyListValue]] = [:]
    for entry in dictionary.entries
    where known.contains(entry.key) || prefixes.contains(where: entry.key.beginsWithBytes) {
      if values[entry.key] == nil { keys.append(entry.key) }
      values[entry.key, default: []].append(entry.value)
    }
    return keys.compactMap { key in
      guard let found = values[key], let first = found.first else { return nil }
      return CleanupEntry(
        id: KeyPlace(file: store.path, key: key), value: first,
        secret: secrets.contains(key) || !known.contains(key) && secretPrefixes.contains(where: key.beginsWithBytes),
        verdict: proof.verdict(key, found))
    }
  }

  /// Every legacy value, and the target's value of each field, including missing ones.
  private func basis(
    _ entries: [CleanupEntry], _ target: TargetSummary?, _ held: PropertyListDictionaryIndex?
  ) -> [PlanBasis] {
    let found = entries.map { PlanBasis(store: $0.id.file, key: $0.id.key, value: $0.value) }
    guard let target else { return found }
    return found + recipe.rules.map { PlanBasis(store: target.path, key: $0.target, value: held?[$0.target]) }
  }
}

/// A possible place of a legacy store.
private struct LegacyPlace {
  var path: String
  /// Whether the file belongs to the legacy SDK alone.
  var isOwn: Bool
}

extension Recipe {
  /// The possible places of legacy stores in a container, most trusted first.
  fileprivate func places(in container: Container, _ parameters: [String: String]) -> [LegacyPlace] {
    // A single property list is the container itself, and must stay for a rollback.
    let isAlone = container.kind == .propertyList
    var places = isAlone ? [LegacyPlace(path: container.name, isOwn: false)] : []
    for source in sources where source.hasKeys {
      // A suite may contain the app's own values too.
      let isOwn = if case .plist = source { !isAlone } else { false }
      // A rollback must find the file again without the recipe: it opens property lists by this extension.
      // The apps of a group share its suites.
      for path in source.paths(in: container, parameters)
      where !container.isInAppGroup(path) && path.hasSuffix(NameTemplate.fileExtension)
        && !places.contains(where: { $0.path.hasSameBytes(as: path) })
      {
        places.append(LegacyPlace(path: path, isOwn: isOwn))
      }
    }
    return places
  }
}

extension PropertyListDictionary {
  /// The keys that occur more than once with different values. Readers differ in which value they use.
  fileprivate var keysWithSeveralValues: Set<StringByBytes> {
    var first: [StringByBytes: PropertyListValue] = [:]
    var several: Set<StringByBytes> = []
    for entry in entries {
      if let value = first.updateValue(entry.value, forKey: StringByBytes(entry.key)), value != entry.value {
        several.insert(entry.key)
      }
    }
    return several
  }
}

extension Store {
  /// The reason that no key can be looked up in the store, as a sentence; nil if keys can be.
  fileprivate var obstacle: String? {
    problem ?? (dictionary == nil ? "It is not a property list with a dictionary." : nil)
  }
}
