import CarryoverStorage
public import PropertyLists

/// The keys of an app, or of a part of it, which the router checks and migrates together.
public protocol StorageCatalog: Sendable {
  /// The keys of the catalog.
  var keys: [any StorageKey] { get }
}

/// Why the router refused a catalog. Nothing was migrated.
public struct StorageCatalogError: Error, Hashable, Sendable, CustomStringConvertible, Described {
  /// A problem of a catalog. Later versions may add cases.
  public enum Problem: Hashable, Sendable {
    /// Two keys have the same place, in this catalog or in one that was registered before.
    case duplicate(StoragePlace)
    /// Two keys are migrated from the same place: the migration that runs first would take the value from the other.
    case sharedSource(StoragePlace)
    /// The migrations form a cycle: each of these places is migrated from the next, and the last from the first.
    case cycle([StoragePlace])
    /// The migration of the key at the first place writes to the second.
    case otherDestination(StoragePlace, StoragePlace)
  }

  /// Everything that is wrong.
  public var problems: [Problem]

  package var words: String {
    "The catalog is refused: \(problems.map(\.description).joined(separator: "; ")). Nothing was migrated."
  }
}

extension StorageCatalogError.Problem: CustomStringConvertible, Described {
  package var words: String {
    switch self {
    case .duplicate(let place): "two keys are \(place)"
    case .sharedSource(let place): "two keys are migrated from \(place); make one value of it first"
    case .otherDestination(let place, let other): "the migration of \(place) writes its value to \(other)"
    case .cycle(let places): "values would go round: \(places.map(\.description).joined(separator: " ← "))"
    }
  }
}

/// The properties of a catalog's key that can conflict with another key.
struct RegisteredKey {
  var place: StoragePlace
  var type: ObjectIdentifier
  /// The places that its value may come from. If only the protection changes, its own place is not one of them.
  var sources: [StoragePlace]
  var migration: AnyStorageMigration?

  init(_ key: any StorageKey) {
    let (place, isChange) = (key.place, key.migration?.formerSecurity != nil)
    self.place = place
    type = ObjectIdentifier(Swift.type(of: key))
    migration = key.migration
    sources = (migration?.sources ?? []).filter { !isChange || !$0.isSameSpot(as: place) }
  }

  func isSame(as other: RegisteredKey) -> Bool {
    place == other.place && type == other.type && sources == other.sources
  }
}

/// The router's state with one more catalog, and the problems of that state.
struct CatalogDraft {
  private(set) var registered: [StorageSpot: RegisteredKey]
  private(set) var takers: [StorageSpot: StoragePlace]
  private(set) var problems: [StorageCatalogError.Problem] = []
  private let spot: (StoragePlace) -> StorageSpot

  /// - Parameter spot: returns where a place's bytes are; the same for all domains with one store.
  init(
    _ keys: [any StorageKey], registered: [StorageSpot: RegisteredKey], takers: [StorageSpot: StoragePlace],
    spot: @escaping (StoragePlace) -> StorageSpot
  ) {
    self.spot = spot
    self.registered = registered
    self.takers = takers
    let keys = keys.map(RegisteredKey.init)
    var seen: Set<StorageSpot> = []
    for key in keys { add(key, isFirst: seen.insert(spot(key.place)).inserted) }
    findCycles(keys)
  }

  private mutating func note(_ problem: StorageCatalogError.Problem) {
    if !problems.contains(problem) { problems.append(problem) }
  }

  private mutating func add(_ key: RegisteredKey, isFirst: Bool) {
    let own = spot(key.place)
    if let other = registered[own], !isFirst || !other.isSame(as: key) {
      note(.duplicate(key.place))
    } else {
      registered[own] = key
    }
    if let destination = key.migration?.destination, destination != key.place {
      note(.otherDestination(key.place, destination))
    }
    var read: Set<StorageSpot> = []
    for source in key.sources {
      let from = spot(source)
      let other = takers[from]
      if !read.insert(from).inserted || other.map({ spot($0) != own }) ?? false { note(.sharedSource(source)) }
      takers[from] = key.place
    }
  }

  private mutating func findCycles(_ keys: [RegisteredKey]) {
    var cleared: Set<StorageSpot> = []
    for key in keys {
      if let cycle = cycle(from: key.place, &cleared) { note(.cycle(cycle)) }
    }
  }

  /// Follows the sources of a place, and theirs, until one occurs again. Without recursion: a catalog may be long.
  private func cycle(from start: StoragePlace, _ cleared: inout Set<StorageSpot>) -> [StoragePlace]? {
    var path: [(place: StoragePlace, next: Int)] = [(start, 0)]
    var onPath: Set<StorageSpot> = [spot(start)]
    if cleared.contains(spot(start)) { return nil }
    while let last = path.last {
      let here = spot(last.place)
      let next = registered[here]?.sources ?? []
      guard last.next < next.count else {
        cleared.insert(here)
        onPath.remove(here)
        path.removeLast()
        continue
      }
      path[path.count - 1].next += 1
      let source = next[last.next]
      if onPath.contains(spot(source)) {
        for entry in path { cleared.insert(spot(entry.place)) }
        return Array(path.map(\.place).drop { spot($0) != spot(source) })
      }
      guard !cleared.contains(spot(source)) else { continue }
      path.append((source, 0))
      onPath.insert(spot(source))
    }
    return nil
  }
}

/// The outcome of a sweep, which migrates the keys of a catalog.
public struct StorageSweep: Sendable {
  /// The outcome of each key's migration, in the catalog's order.
  public var results: [(place: StoragePlace, result: Result<MigrationResult, StorageRouterError>)]

  /// The keys that were not migrated because the task that started the sweep was cancelled.
  public var untried: [StoragePlace] = []

  /// The errors of the keys that could not be migrated.
  public var failures: [StorageRouterError] {
    results.compactMap { if case .failure(let error) = $0.result { error } else { nil } }
  }

  package func count(_ result: MigrationResult) -> Int {
    results.count { if case .success(result) = $0.result { true } else { false } }
  }
}

extension StorageRouter {
  /// Checks a catalog and, if `migrateImmediately` is true, migrates all of its keys. A key that fails does not stop
  /// the others. If a value comes from the place of another registered key, that key is migrated first. If the task is
  /// cancelled, the sweep ends after the current key.
  ///
  /// An app can register several catalogs, which the router checks together, and can register a catalog again.
  /// - Returns: the outcome for each key; empty if `migrateImmediately` is false.
  /// - Throws: ``StorageCatalogError`` if keys share a place or a source, if the migrations form a cycle, or if a key
  ///   has another key's migration.
  @discardableResult
  public func registerCatalog(
    _ catalog: any StorageCatalog, migrateImmediately: Bool = false
  ) async throws(StorageCatalogError) -> StorageSweep {
    let keys = catalog.keys
    let draft = CatalogDraft(keys, registered: registered, takers: takers) { self.spot(of: $0) }
    guard draft.problems.isEmpty else { throw StorageCatalogError(problems: draft.problems) }
    registered = draft.registered
    takers = draft.takers
    guard migrateImmediately else { return StorageSweep(results: []) }
    let sweep = await swept(keys.map(RegisteredKey.init).filter { $0.migration != nil })
    observers.send(.swept(sweep))
    return sweep
  }

  private func swept(_ keys: [RegisteredKey]) async -> StorageSweep {
    let order = order(of: keys)
    var results = Task.isCancelled ? [:] : finishAll(order)
    for key in order {
      if Task.isCancelled { break }
      results[spot(of: key.place)] = await result(of: key, MigrationContext(trigger: .forced), after: results)
    }
    var sweep = StorageSweep(results: [])
    for key in keys {
      if let result = results[spot(of: key.place)] {
        sweep.results.append((key.place, result))
      } else {
        sweep.untried.append(key.place)
      }
    }
    return sweep
  }
}
