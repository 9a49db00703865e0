import CarryoverStorage

/// Keys whose values come from the places of other registered keys: k0 ← k1 ← k2. If the user skipped versions of the
/// app, a value in the oldest place passes through all of them.
extension StorageRouter {
  /// The given keys and the registered keys that their values may pass through, each after those that its value comes
  /// from.
  func order(of keys: [RegisteredKey]) -> [RegisteredKey] {
    var order: [RegisteredKey] = []
    var seen: Set<StorageSpot> = []
    // Without recursion, because a chain may be long.
    var path: [(key: RegisteredKey, next: Int)] = []
    for key in keys where seen.insert(spot(of: key.place)).inserted {
      path.append((key, 0))
      while let last = path.last {
        guard last.next < last.key.sources.count else {
          order.append(last.key)
          path.removeLast()
          continue
        }
        path[path.count - 1].next += 1
        let from = spot(of: last.key.sources[last.next])
        if let source = registered[from], seen.insert(from).inserted { path.append((source, 0)) }
      }
    }
    return order
  }

  /// Every place that a key's value may come from, the oldest first.
  func origins(of key: RegisteredKey) -> [StoragePlace] {
    var seen: Set<StorageSpot> = [spot(of: key.place)]
    var origins: [StoragePlace] = []
    for key in order(of: [key]) {
      for source in key.sources where seen.insert(spot(of: source)).inserted { origins.append(source) }
    }
    return origins.filter { !isSameSpot($0, as: key.place) }
  }

  /// Migrates a key after those that its value may pass through. A read of a value in the key's own place stops there.
  func migrateAll(
    to key: RegisteredKey, _ context: MigrationContext
  ) async throws(StorageRouterError) -> MigrationResult {
    let order = try isAnswered(key, context) ? [key] : order(of: [key])
    var results = finishAll(order)
    for one in order { results[spot(of: one.place)] = await result(of: one, context, after: results) }
    return try results[spot(of: key.place)]?.get() ?? .nothingToMigrate
  }

  /// Finishes interrupted removals, in reverse order, so that replaced values are not migrated further.
  /// - Returns: the results of keys that need nothing more, and of those whose removal failed.
  func finishAll(_ order: [RegisteredKey]) -> [StorageSpot: Result<MigrationResult, StorageRouterError>] {
    var results: [StorageSpot: Result<MigrationResult, StorageRouterError>] = [:]
    for key in order.reversed() {
      guard let migration = key.migration, !isMigrating(key.place) else { continue }
      do throws(StorageRouterError) {
        try claim(migration, for: key.place)
        guard migration.formerSecurity == nil else {
          // A value that stays in its place has no sources to remove, and its old note can no longer be read.
          try? forgetNote(of: key.place)
          continue
        }
        guard try finishRemoval(of: origins(of: key), for: key.place) else { continue }
        settled.insert(key.place)
        observers.send(.migrated(key.place, .finished))
        results[spot(of: key.place)] = .success(.finished)
      } catch {
        observers.send(.failed(error))
        results[spot(of: key.place)] = .failure(error)
      }
    }
    return results
  }

  /// Migrates a key after those that its value may pass through.
  ///
  /// If one of those failed and its place is empty, the key fails: its value is not missing but could not be migrated.
  func result(
    of key: RegisteredKey, _ context: MigrationContext,
    after results: [StorageSpot: Result<MigrationResult, StorageRouterError>]
  ) async -> Result<MigrationResult, StorageRouterError> {
    if let known = results[spot(of: key.place)] { return known }
    guard let migration = key.migration else { return .success(.nothingToMigrate) }
    do throws(StorageRouterError) {
      if try isAnswered(key, context), try !hasBegun(key.place) { return .success(try finishRead(key, migration)) }
      for source in key.sources {
        guard case .failure(let failure)? = results[spot(of: source)], try !exists(source) else { continue }
        let error = StorageRouterError(key.place, .migration, cause: failure)
        observers.send(.failed(error))
        throw error
      }
      return .success(try await migrate(key.place, migration, context))
    } catch {
      return .failure(error)
    }
  }

  /// Whether a read finds the value in the key's own place, so that no migration is needed. If only the protection
  /// changes, the value is there but cannot be read yet.
  private func isAnswered(_ key: RegisteredKey, _ context: MigrationContext) throws(StorageRouterError) -> Bool {
    guard context.trigger == .read, key.migration?.formerSecurity == nil else { return false }
    return try exists(key.place)
  }

  /// Finishes the interrupted move of a value that a read has found.
  private func finishRead(
    _ key: RegisteredKey, _ migration: AnyStorageMigration
  ) throws(StorageRouterError) -> MigrationResult {
    do throws(StorageRouterError) {
      let isFinished = try finishMove(migration, to: key.place)
      settled.insert(key.place)
      guard isFinished else { return .nothingToMigrate }
      observers.send(.migrated(key.place, .finished))
      return .finished
    } catch {
      observers.send(.failed(error))
      throw error
    }
  }
}
