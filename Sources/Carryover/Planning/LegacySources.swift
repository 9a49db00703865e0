import PropertyLists

/// The legacy stores of a container in the recipe's order of precedence, read key by key.
struct LegacySources {
  /// The stores that could be read, the most trusted first.
  private(set) var stores: [(path: String, dictionary: PropertyListDictionary)] = []
  /// The stores that are there and could not be read.
  private(set) var unreadable: [(path: String, reason: String)] = []

  init(_ recipe: Recipe, in container: Container, target: String?) {
    var named = recipe.sources.compactMap { Self.store($0, in: container) }
    if container.kind == .propertyList, named.isEmpty {
      named = container.stores.filter { $0.path != target }
    }
    for store in named where store.path != target {
      switch store.content {
      case .document:
        if let dictionary = store.dictionary {
          stores.append((store.path, dictionary))
        } else {
          unreadable.append((store.path, "its root is not a dictionary."))
        }
      case .unreadable(let reason): unreadable.append((store.path, reason))
      }
    }
  }

  /// What each store holds for a key, in order of precedence; stores that lack it are left out.
  func values(_ key: String) -> [(store: String, value: PropertyListValue)] {
    stores.compactMap { store in store.dictionary[key].map { (store.path, $0) } }
  }

  /// The value the legacy SDK reads for a key: that of the first store which has it.
  func value(_ key: String) -> PropertyListValue? {
    for store in stores {
      if let value = store.dictionary[key] { return value }
    }
    return nil
  }

  private static func store(_ source: SourceStore, in container: Container) -> Store? {
    let paths: [String] =
      switch source {
      case .preferences: container.bundleID.map { ["Library/Preferences/\($0).plist"] } ?? []
      case .file(let candidates): candidates
      }
    for path in paths {
      let place =
        container.kind == .propertyList
        ? path.split(separator: "/").last.map(String.init) ?? path : container.dataPath(path)
      if let store = container.store(place) { return store }
    }
    return nil
  }
}
