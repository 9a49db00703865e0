import CarryoverStorage

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

  /// The number of keys with a result.
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
