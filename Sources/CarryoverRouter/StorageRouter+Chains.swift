import CarryoverStorage

/// Keys whose values come from places of other registered keys: k0 ← k1 ← k2. An app that skips a version finds the value
/// where the oldest one kept it, and it has to go the whole way.
extension StorageRouter {
  /// The registered keys that values may come through on their way to some keys, and these themselves: each behind those
  /// it takes its value from.
  func order(of keys: [RegisteredKey]) -> [RegisteredKey] {
    var order: [RegisteredKey] = []
    var seen: Set<StorageSpot> = []
    // With a list of its own, since a chain may be long.
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

  /// Every place the value of a key may come from, the farthest first.
  func origins(of key: RegisteredKey) -> [StoragePlace] {
    var seen: Set<StorageSpot> = [spot(of: key.place)]
    var origins: [StoragePlace] = []
    for key in order(of: [key]) {
      for source in key.sources where seen.insert(spot(of: source)).inserted { origins.append(source) }
    }
    return origins.filter { !isSameSpot($0, as: key.place) }
  }

  /// Migrates a key behind those that its value may come through. A read of a value that stands looks no further.
  func migrateAll(
    to key: RegisteredKey, _ context: MigrationContext
  ) async throws(StorageRouterError) -> MigrationResult {
    let order = try isAnswered(key, context) ? [key] : order(of: [key])
    var results = finishAll(order)
    for one in order { results[spot(of: one.place)] = await result(of: one, context, after: results) }
    return try results[spot(of: key.place)]?.get() ?? .nothingToMigrate
  }

  /// Removes what writes that were cut off have left, those first that values go to: what they supersede is not to be
  /// carried on.
  /// - Returns: the keys that need nothing more, or whose removal failed.
  func finishAll(_ order: [RegisteredKey]) -> [StorageSpot: Result<MigrationResult, StorageRouterError>] {
    var results: [StorageSpot: Result<MigrationResult, StorageRouterError>] = [:]
    for key in order.reversed() {
      guard let migration = key.migration, !isMigrating(key.place) else { continue }
      do throws(StorageRouterError) {
        try claim(migration, for: key.place)
        guard migration.formerSecurity == nil else {
          // A value that stays in its place has no sources to remove, and a note of before cannot be read any more.
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

  /// Migrates a key when those that its value may come through had their turn.
  ///
  /// Where one of those failed and there is nothing yet in its place, the key fails: its value is not missing, it could not
  /// be brought there.
  func result(
    of key: RegisteredKey, _ context: MigrationContext,
    after results: [StorageSpot: Result<MigrationResult, StorageRouterError>]
  ) async -> Result<MigrationResult, StorageRouterError> {
    if let known = results[spot(of: key.place)] { return known }
    guard let migration = key.migration else { return .success(.nothingToMigrate) }
    do throws(StorageRouterError) {
      if try isAnswered(key, context), try !hasOpenNote(key.place) { return .success(try finishRead(key, migration)) }
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

  /// Whether a read finds the key's value where it belongs, so that its migration has nothing to say. Where only the
  /// protection changes, the value is there and cannot be read yet.
  private func isAnswered(_ key: RegisteredKey, _ context: MigrationContext) throws(StorageRouterError) -> Bool {
    guard context.trigger == .read, key.migration?.formerSecurity == nil else { return false }
    return try exists(key.place)
  }

  /// Finishes a move to a value that a read has found.
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
