import CarryoverStorage
import CarryoverSystem
package import PropertyLists

/// The legacy stores of a container in the recipe's order of precedence, read key by key. Each store is walked once.
package struct LegacySources {
  /// A value and where it stands.
  package struct Found {
    package let store: String
    package let value: PropertyListValue
    /// The value read as traits; nil for keys that no rule reads as JSON text.
    package let traits: Result<TraitsText, TraitsDefect>?
    /// What is stored beside a model's data as its version.
    var versionBeside: PropertyListValue?

    init(store: String, value: PropertyListValue, readAs form: TraitsForm?) {
      self.store = store
      self.value = value
      traits = form.map { TraitsText.read(value, as: $0) }
    }
  }

  /// The legacy keys of one store, each once, in its order.
  package struct StoreKeys {
    package let path: String
    package fileprivate(set) var keys: [String]
    /// What the legacy SDK reads for those that no recipe names: there may be any number of them.
    fileprivate(set) var unnamed: [String: PropertyListValue] = [:]
    fileprivate var named: Set<String> = []

    package func contains(_ key: String) -> Bool { named.contains(key) || unnamed[key] != nil }
  }

  /// The stores that could be read, the most trusted first.
  package private(set) var stores: [StoreKeys] = []
  /// The stores that are there and could not be read.
  package private(set) var unreadable: [(path: String, reason: String)] = []
  /// Every place a source was looked for at, whether or not something was there.
  package private(set) var places: [String] = []
  private var found: [String: [Found]] = [:]
  /// The first value of a key in a store: what a plain look-up gives.
  private var first: [String: [String: PropertyListValue]] = [:]

  init(_ recipe: Recipe, in container: Container, _ options: PlannerOptions, target: String?) {
    var named = recipe.knownKeys.union(recipe.optOutKeys).union(recipe.comparedKeys)
    for other in recipe.family { named.formUnion(other.knownKeys.filter(recipe.isLegacy)) }
    self.init(
      recipe, in: container, options.parameters, target: target,
      LegacyKeys(
        named: named, prefixes: recipe.legacyPrefixes, forms: recipe.traitsForms, models: recipe.modelKeys))
  }

  /// Only the keys that tell by which SDK a container was filled, as they stand there: no text is read as JSON.
  init(marksOf recipe: Recipe, in container: Container) {
    self.init(recipe, in: container, [:], target: nil, LegacyKeys(named: recipe.marks, prefixes: [], forms: [:]))
  }

  private init(
    _ recipe: Recipe, in container: Container, _ parameters: [String: String], target: String?, _ wanted: LegacyKeys
  ) {
    var read: Set<String> = []
    for path in Self.places(recipe, container, parameters) where path != target || recipe.isInPlace {
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

  /// What each store holds for a key that some recipe names, in order of precedence; stores that lack it are left out. A
  /// key that a file holds more than once has all its values here.
  package func values(_ key: String) -> [Found] { found[key] ?? [] }

  /// The value the legacy SDK reads for a key: that of the first store which has it.
  package func value(_ key: String) -> PropertyListValue? {
    if let found = found[key] { return found.first?.value }
    for store in stores {
      if let value = store.unnamed[key] { return value }
    }
    return nil
  }

  /// The first value of a key that some recipe names in one store.
  package func value(_ key: String, in store: String) -> PropertyListValue? { first[store]?[key] }

  private mutating func add(
    _ dictionary: PropertyListDictionary, _ document: PropertyListDocument, _ path: String, _ wanted: LegacyKeys
  ) {
    // Foundation takes the first of several pairs from a binary file and the last from XML.
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

  /// The paths of a recipe's sources in a container, the most trusted first.
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
    // A property list that came by itself is what is to be read, whatever lies beside it.
    if container.kind == .propertyList, !places.contains(container.name) { places.insert(container.name, at: 0) }
    return places
  }
}

/// Which keys of a store are a recipe's.
private struct LegacyKeys {
  /// Those that some recipe reads or leaves behind by name.
  var named: Set<String>
  /// How all others begin.
  var prefixes: [String]
  /// How the values are held that are read as JSON text.
  var forms: [String: TraitsForm]
  /// Those that hold a versioned model.
  var models: Set<String> = []
}

/// How a key holds the text of a JSON object.
package enum TraitsForm {
  /// As text.
  case text
  /// As the data of a keyed archive or a property list, or as text.
  case archive
}

extension Recipe {
  /// Whether a key belongs to the legacy SDK by how it begins.
  fileprivate func isLegacy(_ key: String) -> Bool { legacyPrefixes.contains { key.hasPrefix($0) } }

  /// The keys that hold a versioned model.
  var modelKeys: Set<String> {
    Set(rules.filter { $0.model != nil }.flatMap(\.candidates).map(\.source.key))
  }

  /// The keys whose values some rule reads as JSON text, each with how it is held.
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
