import CarryoverStorage
import CarryoverSystem

struct RunningMigration {
  let run: MigrationRun
  let task: Task<Result<MigrationResult, StorageRouterError>, Never>
}

extension StorageRouter {
  /// This router's running migrations that the current task is part of, the innermost last.
  var currentRuns: [MigrationRun] { Self.chain.filter { running[$0.place]?.run === $0 } }

  func isMigrating(_ place: StoragePlace) -> Bool { currentRuns.contains { $0.place == place } }

  /// Runs a key's migration, or waits for it if it is already running.
  func migrate(
    _ place: StoragePlace, _ migration: AnyStorageMigration, _ context: MigrationContext
  ) async throws(StorageRouterError) -> MigrationResult {
    if let running = running[place] { return try await outcome(of: running, place) }
    guard migration.formerSecurity != nil || !migration.sources.contains(where: { isSameSpot($0, as: place) }) else {
      throw StorageRouterError(place, .ownSource)
    }
    try claim(migration, for: place)
    overtaken.remove(spot(of: place))
    let run = MigrationRun(place)
    let chain = Self.chain + [run]
    let written = writes[spot(of: place)]
    let task = Task { () -> Result<MigrationResult, StorageRouterError> in
      defer {
        running[place] = nil
        run.end()
      }
      do {
        let result = try await Self.$chain.withValue(chain) { try await migration.carryOut(self, context) }
        // The app's own migration may claim this without having written anything.
        if result == .migrated, writes[spot(of: place)] == written, try !exists(place) {
          throw StorageRouterError(place, .verification)
        }
        settled.insert(place)
        if result != .nothingToMigrate { observers.send(.migrated(place, result)) }
        return .success(result)
      } catch {
        let failure = error as? StorageRouterError ?? StorageRouterError(place, .migration, cause: error)
        if failure.reason == .overtaken, failure.place == place, let stands = try? exists(place) {
          return .success(stands ? .conflict : .deleted)
        }
        observers.send(.failed(failure))
        return .failure(failure)
      }
    }
    let started = RunningMigration(run: run, task: task)
    running[place] = started
    return try await outcome(of: started, place)
  }

  /// Notes that a caller outside a place's running migration has changed its value.
  func noteOvertaking(of place: StoragePlace) {
    if running[place] != nil, !isMigrating(place) { overtaken.insert(spot(of: place)) }
  }

  /// Runs the app's own migration, with a note that tells the next launch if it was interrupted.
  func carryOut(
    ownMigration migration: some StorageMigration, _ context: MigrationContext
  ) async throws -> MigrationResult {
    let place = migration.destinationKey.place
    var context = context
    context.isResumed = try hasBegun(place)
    guard try await migration.shouldMigrate(using: self, context: context) else {
      if context.isResumed { try forgetNote(of: place) }
      return .nothingToMigrate
    }
    if !context.isResumed, try !exists(place) { try note(.begun, for: place) }
    let result = try await migration.migrate(using: self, context: context)
    try forgetNote(of: place)
    return result
  }

  private func outcome(
    of migration: RunningMigration, _ place: StoragePlace
  ) async throws(StorageRouterError) -> MigrationResult {
    let chain = Self.chain.filter { !$0.isOver }
    // Recorded before the check: if two routers begin to wait for each other at the same time, at least one notices.
    chain.last?.wait(for: migration.run)
    defer { chain.last?.stopWaiting(for: migration.run) }
    guard let path = migration.run.path(to: chain), let end = path.last else {
      return try await migration.task.value.get()
    }
    // Waiting for a run that waits for this one would never end. Within one router, the current value has to do;
    // between routers, the result would depend on which was first.
    if path.allSatisfy({ running[$0.place]?.run === $0 }) { return .nothingToMigrate }
    let circle = path.dropLast() + chain.drop { $0 !== end }
    throw StorageRouterError(place, .circle(circle.map(\.place)))
  }

  /// - Throws: if another place has claimed a source of the migration, or if the migration writes to another place.
  func claim(_ migration: AnyStorageMigration, for place: StoragePlace) throws(StorageRouterError) {
    guard migration.destination == place else {
      throw StorageRouterError(place, .otherDestination(migration.destination))
    }
    for source in migration.sources {
      if let other = takers[spot(of: source)], spot(of: other) != spot(of: place) {
        throw StorageRouterError(place, .sharedSource(source, with: other))
      }
    }
    for source in migration.sources { takers[spot(of: source)] = place }
  }
}

/// A running migration. Tasks that it starts know its identity, so they do not confuse it with a later run or one of
/// another router. It knows which runs it waits for, so that migrations never wait for each other forever.
final class MigrationRun: Sendable {
  let place: StoragePlace
  private let state = Locked(State())

  private struct State {
    var awaited: [MigrationRun] = []
    var isOver = false
  }

  init(_ place: StoragePlace) { self.place = place }

  var isOver: Bool { state.withLock { $0.isOver } }

  /// The runs that it waits for, of any router.
  private var awaited: [MigrationRun] { state.withLock { $0.isOver ? [] : $0.awaited } }

  func end() { state.withLock { $0.isOver = true } }

  func wait(for run: MigrationRun) { state.withLock { $0.awaited.append(run) } }

  func stopWaiting(for run: MigrationRun) {
    state.withLock { state in
      if let index = state.awaited.firstIndex(where: { $0 === run }) { state.awaited.remove(at: index) }
    }
  }

  /// The chain of waiting runs from this one to one of `ends`; nil if there is none.
  func path(to ends: [MigrationRun]) -> [MigrationRun]? {
    if ends.isEmpty { return nil }
    var seen: Set<ObjectIdentifier> = [ObjectIdentifier(self)]
    var paths = [[self]]
    while let path = paths.popLast(), let last = path.last {
      if ends.contains(where: { $0 === last }) { return path }
      for next in last.awaited where seen.insert(ObjectIdentifier(next)).inserted { paths.append(path + [next]) }
    }
    return nil
  }
}

/// Keys whose values come from the places of other registered keys: k0 ← k1 ← k2. If the user skipped versions of the
/// app, a value in the oldest place passes through all of them.
extension StorageRouter {
  /// The given keys and the registered keys that their values may pass through, each after its sources.
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
