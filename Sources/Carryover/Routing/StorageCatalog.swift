/// Every key of an app, or of a part of it, so that they can be checked and migrated together.
public protocol StorageCatalog: Sendable {
  /// The keys.
  var keys: [any StorageKey] { get }
}

/// Why a catalog is refused. Nothing was migrated.
public struct StorageCatalogError: Error, Hashable, Sendable {
  /// What is wrong.
  public enum Problem: Hashable, Sendable {
    /// Two keys have the same place.
    case duplicate(StoragePlace)
    /// Two keys are migrated from the same place: the first would take it from the second.
    case sharedSource(StoragePlace)
    /// Values would go round: each of these is migrated from the next, and the last from the first.
    case cycle([StoragePlace])
  }

  /// Everything that is wrong.
  public var problems: [Problem]
}

extension StorageCatalogError: CustomStringConvertible {
  /// Everything that is wrong, and what to do.
  public var description: String {
    "The catalog is refused: \(problems.map(\.description).joined(separator: "; ")). Nothing was migrated."
  }
}

extension StorageCatalogError.Problem: CustomStringConvertible {
  /// What is wrong.
  public var description: String {
    switch self {
    case .duplicate(let place): "two keys are \(place)"
    case .sharedSource(let place): "two keys are migrated from \(place); make one value of it first"
    case .cycle(let places): "values would go round: \(places.map(\.description).joined(separator: " ← "))"
    }
  }
}

/// How a sweep over a catalog ended.
public struct StorageSweep: Sendable {
  /// How it ended for each key with a migration, in the catalog's order.
  public var results: [(place: StoragePlace, result: Result<MigrationResult, StorageRouterError>)]

  /// The keys that could not be migrated, each with the reason.
  public var failures: [StorageRouterError] {
    results.compactMap { if case .failure(let error) = $0.result { error } else { nil } }
  }

  /// How many keys ended in a way.
  public func count(_ result: MigrationResult) -> Int {
    results.count { if case .success(result) = $0.result { true } else { false } }
  }
}

extension StorageRouter {
  /// Checks a catalog and, if asked, migrates every key of it; a key that fails does not stop the others.
  /// - Returns: how it ended for each key; nothing where it was not asked for.
  /// - Throws: ``StorageCatalogError`` for keys that share a place or a source, and for values that would go round.
  @discardableResult
  public func registerCatalog(
    _ catalog: any StorageCatalog, migrateImmediately: Bool = false
  ) async throws(StorageCatalogError) -> StorageSweep {
    let keys = catalog.keys
    let problems = Self.problems(keys)
    guard problems.isEmpty else { throw StorageCatalogError(problems: problems) }
    var sweep = StorageSweep(results: [])
    guard migrateImmediately else { return sweep }
    for key in keys where key.migration != nil {
      do throws(StorageRouterError) {
        sweep.results.append((key.place, .success(try await forceMigration(for: key))))
      } catch {
        sweep.results.append((key.place, .failure(error)))
      }
    }
    announce(.swept(sweep))
    return sweep
  }

  private static func problems(_ keys: [any StorageKey]) -> [StorageCatalogError.Problem] {
    var problems: [StorageCatalogError.Problem] = []
    var seen: Set<Spot> = []
    var read: Set<Spot> = []
    var sources: [Spot: [StoragePlace]] = [:]
    for key in keys {
      let spot = Spot(key.place)
      if !seen.insert(spot).inserted { problems.append(.duplicate(key.place)) }
      for source in key.migration?.sources ?? [] {
        if !read.insert(Spot(source)).inserted { problems.append(.sharedSource(source)) }
        sources[spot, default: []].append(source)
      }
    }
    var cleared: Set<Spot> = []
    for key in keys {
      if let cycle = cycle(from: key.place, sources, &cleared) { problems.append(.cycle(cycle)) }
    }
    return problems
  }

  /// Follows the sources of a place, and theirs, until one comes again; with a list of its own, since a catalog may be
  /// long.
  private static func cycle(
    from start: StoragePlace, _ sources: [Spot: [StoragePlace]], _ cleared: inout Set<Spot>
  ) -> [StoragePlace]? {
    var path: [(place: StoragePlace, next: Int)] = [(start, 0)]
    var onPath: Set<Spot> = [Spot(start)]
    if cleared.contains(Spot(start)) { return nil }
    while let last = path.last {
      let spot = Spot(last.place)
      let next = sources[spot] ?? []
      guard last.next < next.count else {
        cleared.insert(spot)
        onPath.remove(spot)
        path.removeLast()
        continue
      }
      path[path.count - 1].next += 1
      let source = next[last.next]
      if onPath.contains(Spot(source)) {
        for entry in path { cleared.insert(Spot(entry.place)) }
        return Array(path.map(\.place).drop { !$0.isSameSpot(as: source) })
      }
      guard !cleared.contains(Spot(source)) else { continue }
      path.append((source, 0))
      onPath.insert(Spot(source))
    }
    return nil
  }

  /// A place, however it is protected.
  private struct Spot: Hashable {
    var name: String
    var domain: StorageDomain

    init(_ place: StoragePlace) {
      name = place.name
      domain = place.domain
    }
  }
}
