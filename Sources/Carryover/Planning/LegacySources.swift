import CarryoverStorage
import CarryoverSystem
package import PropertyLists

/// The legacy stores of a container in the recipe's order of precedence, by key. Each store is read once.
package struct LegacySources {
  /// A value and its place.
  package struct Found {
    package let store: String
    package let value: PropertyListValue
    /// The value read as traits; nil for keys that are not read as JSON text.
    package let traits: Result<TraitsText, TraitsDefect>?
    /// The stored version beside a model's data.
    var versionBeside: PropertyListValue?

    init(store: String, value: PropertyListValue, readAs form: TraitsForm?) {
      self.store = store
      self.value = value
      traits = form.map { TraitsText.read(value, as: $0) }
    }
  }

  /// The legacy keys of one store, without duplicates, in its order.
  package struct StoreKeys {
    package let path: String
    package fileprivate(set) var keys: [String]
    /// The values of keys that no recipe names, as the legacy SDK reads them. There may be any number of them.
    fileprivate(set) var unnamed: [String: PropertyListValue] = [:]
    fileprivate var named: Set<String> = []

    package func contains(_ key: String) -> Bool { named.contains(key) || unnamed[key] != nil }
  }

  /// The readable stores, most trusted first.
  package private(set) var stores: [StoreKeys] = []
  /// The existing stores that could not be read.
  package private(set) var unreadable: [(path: String, reason: String)] = []
  /// All possible places of the sources, existing or not.
  package private(set) var places: [String] = []
  private var found: [String: [Found]] = [:]
  /// The first value of each key in a store, as in a plain look-up.
  private var first: [String: [String: PropertyListValue]] = [:]

  init(_ recipe: Recipe, in container: Container, _ options: PlannerOptions, target: String?) {
    var named = recipe.knownKeys.union(recipe.optOutKeys).union(recipe.comparedKeys)
    for other in recipe.family { named.formUnion(other.knownKeys.filter(recipe.isLegacy)) }
    self.init(
      recipe, in: container, options.parameters, target: target,
      LegacyKeys(
        named: named, prefixes: recipe.legacyPrefixes, forms: recipe.traitsForms, models: recipe.modelKeys))
  }

  /// Reads only the keys that identify the SDK of a container, without parsing JSON in text.
  init(marksOf recipe: Recipe, in container: Container) {
    self.init(recipe, in: container, [:], target: nil, LegacyKeys(named: recipe.marks, prefixes: [], forms: [:]))
  }

  private init(
    _ recipe: Recipe, in container: Container, _ parameters: [String: String], target: String?, _ wanted: LegacyKeys
  ) {
    var read: Set<String> = []
    for path in Self.places(recipe, container, parameters) where path != target || recipe.readsTarget {
      places.append(path)
      guard let store = container.store(path), read.insert(path).inserted else { continue }
      switch store.content {
      case .unreadable(let reason): unreadable.append((path, reason))
      case .json: unreadable.append((path, "It is JSON, not a property list."))
      case .document(let document):
        if let dictionary = store.dictionary {
          add(dictionary, document, path, wanted)
        } else {
          unreadable.append((path, "Its root is not a dictionary."))
        }
      }
    }
  }

  /// The values of a named key in each store that has it, in order of precedence. If a file contains the key more than
  /// once, all its values are included.
  package func values(_ key: String) -> [Found] { found[key] ?? [] }

  /// The value that the legacy SDK reads: that of the first store with the key.
  package func value(_ key: String) -> PropertyListValue? {
    if let found = found[key] { return found.first?.value }
    for store in stores {
      if let value = store.unnamed[key] { return value }
    }
    return nil
  }

  /// The first value of a named key in one store.
  package func value(_ key: String, in store: String) -> PropertyListValue? { first[store]?[key] }

  private mutating func add(
    _ dictionary: PropertyListDictionary, _ document: PropertyListDocument, _ path: String, _ wanted: LegacyKeys
  ) {
    // Of several pairs, Foundation uses the first in a binary file and the last in XML.
    let isLastTaken = document.format == .xml
    var here: [String: [Found]] = [:]
    var store = StoreKeys(path: path, keys: [])
    for entry in dictionary.entries {
      let key = entry.key
      if wanted.named.contains(key) {
        if store.named.insert(key).inserted { store.keys.append(key) }
        here[key, default: []].append(Found(store: path, value: entry.value, readAs: wanted.forms[key]))
      } else if wanted.prefixes.contains(where: { key.hasPrefix($0) }) {
        guard let earlier = store.unnamed.updateValue(entry.value, forKey: key) else {
          store.keys.append(key)
          continue
        }
        if !isLastTaken { store.unnamed[key] = earlier }
      }
    }
    for key in wanted.models where here[key] != nil {
      let version = dictionary[ModelVersionKey.schemaVersion.name(for: key)]
      for index in here[key, default: []].indices { here[key]?[index].versionBeside = version }
    }
    for (key, values) in here {
      first[path, default: [:]][key] = values.first?.value
      found[key, default: []] += isLastTaken ? values.reversed() : values
    }
    stores.append(store)
  }

  /// The paths of a recipe's sources in a container, most trusted first.
  private static func places(
    _ recipe: Recipe, _ container: Container, _ parameters: [String: String]
  ) -> [String] {
    var places: [String] = []
    for source in recipe.sources where !source.isJSON {
      var candidates = source.paths(in: container, parameters)
      if let index = candidates.firstIndex(where: { container.store($0) != nil }) {
        candidates.removeSubrange((index + 1)...)
      }
      for candidate in candidates where !places.contains(candidate) { places.append(candidate) }
    }
    // A single property list is the source, regardless of the other files in its folder.
    if container.kind == .propertyList, !places.contains(container.name) { places.insert(container.name, at: 0) }
    return places
  }
}

/// The keys of a store that belong to a recipe.
private struct LegacyKeys {
  /// The keys that some recipe reads or names as not migrated.
  var named: Set<String>
  /// The prefixes of all other keys.
  var prefixes: [String]
  /// The forms of values that are read as JSON text.
  var forms: [String: TraitsForm]
  /// The keys with a versioned model.
  var models: Set<String> = []
}

/// The form of a JSON object under a key.
package enum TraitsForm {
  /// As text.
  case text
  /// As text, or as the data of a keyed archive or a property list.
  case archive
}

extension Recipe {
  /// Whether the prefix of a key is the legacy SDK's.
  fileprivate func isLegacy(_ key: String) -> Bool { legacyPrefixes.contains { key.hasPrefix($0) } }

  /// The keys with a versioned model.
  var modelKeys: Set<String> {
    Set(rules.filter { $0.model != nil }.flatMap(\.candidates).map(\.source.key))
  }

  /// The keys whose values are read as JSON text, with their forms.
  var traitsForms: [String: TraitsForm] {
    let candidates = rules.flatMap(\.candidates)
    return Dictionary(
      candidates.filter(\.readsJSON).map { ($0.source.key, $0.opensArchive ? .archive : .text) },
      uniquingKeysWith: { $0 == .archive ? $0 : $1 })
  }
}

extension Candidate {
  /// Whether the value is read as JSON text.
  var readsJSON: Bool {
    source.member != nil
      || transforms.contains { transform in
        if case .jsonWithoutMembers = transform { true } else { false }
      }
  }

  fileprivate var opensArchive: Bool { transforms.contains(.archivedJSON) }
}
