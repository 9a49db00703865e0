import CarryoverStorage

/// A running migration, and the task to wait for.
struct RunningMigration {
  let run: MigrationRun
  let task: Task<Result<MigrationResult, StorageRouterError>, Never>
}

extension StorageRouter {
  /// This router's running migrations that the current task is part of, the innermost last.
  var currentRuns: [MigrationRun] { Self.chain.filter { running[$0.place]?.run === $0 } }

  /// Whether the current task is part of a place's migration.
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

  /// Claims the sources of a migration for its place.
  /// - Throws: ``StorageRouterError`` if another place has claimed one of them, or if the migration writes to another
  ///   place.
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
