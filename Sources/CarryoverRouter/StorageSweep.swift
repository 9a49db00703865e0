import CarryoverStorage

/// How a sweep over a catalog ended.
public struct StorageSweep: Sendable {
  /// How the migration of each key that has one ended, in the catalog's order.
  public var results: [(place: StoragePlace, result: Result<MigrationResult, StorageRouterError>)]

  /// The keys that were not tried, since the task that asked for the sweep was cancelled.
  public var untried: [StoragePlace] = []

  /// The keys that could not be migrated, each with the reason.
  public var failures: [StorageRouterError] {
    results.compactMap { if case .failure(let error) = $0.result { error } else { nil } }
  }

  /// How many keys ended in a way.
  package func count(_ result: MigrationResult) -> Int {
    results.count { if case .success(result) = $0.result { true } else { false } }
  }
}

extension StorageRouter {
  /// Checks a catalog and, if asked, migrates every key of it; a key that fails does not stop the others. A key whose value
  /// comes through other registered ones is migrated behind them, whatever the catalog's order. A task that is cancelled ends
  /// the sweep behind the key that it is at.
  ///
  /// An app can register several catalogs, which are checked together, and the same one again.
  /// - Returns: how it ended for each key; nothing where it was not asked for.
  /// - Throws: ``StorageCatalogError`` for keys that share a place or a source, for values that would go round, and for a key
  ///   with the migration of another.
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
