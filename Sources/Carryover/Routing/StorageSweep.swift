/// How a sweep over a catalog ended.
public struct StorageSweep: Sendable {
  /// How it ended for each key with a migration, in the catalog's order.
  public var results: [(place: StoragePlace, result: Result<MigrationResult, StorageRouterError>)]

  /// The keys that were not tried, since the task that asked for the sweep was cancelled.
  public var untried: [StoragePlace] = []

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
  /// Checks a catalog and, if asked, migrates every key of it; a key that fails does not stop the others. A task that is
  /// cancelled ends the sweep behind the key that it is at.
  ///
  /// An app can register several catalogs, which are checked together, and the same one again.
  /// - Returns: how it ended for each key; nothing where it was not asked for.
  /// - Throws: ``StorageCatalogError`` for keys that share a place or a source, and for values that would go round.
  @discardableResult
  public func registerCatalog(
    _ catalog: any StorageCatalog, migrateImmediately: Bool = false
  ) async throws(StorageCatalogError) -> StorageSweep {
    let keys = catalog.keys
    let draft = CatalogDraft(keys, registered: registered, takers: takers)
    guard draft.problems.isEmpty else { throw StorageCatalogError(problems: draft.problems) }
    registered = draft.registered
    takers = draft.takers
    var sweep = StorageSweep(results: [])
    guard migrateImmediately else { return sweep }
    for key in keys where key.migration != nil {
      guard !Task.isCancelled else {
        sweep.untried.append(key.place)
        continue
      }
      do throws(StorageRouterError) {
        sweep.results.append((key.place, .success(try await forceMigration(for: key))))
      } catch {
        sweep.results.append((key.place, .failure(error)))
      }
    }
    observers.send(.swept(sweep))
    return sweep
  }
}
