/// A migration that runs. Tasks that it starts know it by its identity, so that none is taken for one of another router or
/// for a later one.
final class MigrationRun: Sendable {
  let place: StoragePlace

  init(_ place: StoragePlace) { self.place = place }
}

/// A migration that runs, and what to wait for.
struct RunningMigration {
  let run: MigrationRun
  let task: Task<Result<MigrationResult, StorageRouterError>, Never>
}

extension StorageRouter {
  /// The migrations of this router that the present task is part of and that have not ended, the innermost last.
  var currentRuns: [MigrationRun] { Self.chain.filter { running[$0.place]?.run === $0 } }

  /// Whether the present task is part of a place's migration.
  func isMigrating(_ place: StoragePlace) -> Bool { currentRuns.contains { $0.place == place } }

  /// Runs a key's migration, or waits for the one that runs already.
  func migrate(
    _ place: StoragePlace, _ migration: AnyStorageMigration, _ context: MigrationContext
  ) async throws(StorageRouterError) -> MigrationResult {
    if let running = running[place] {
      // Waiting for one that waits for us would never end; what is there by now has to do.
      if wouldWaitForItself(place) { return .nothingToMigrate }
      return try await outcome(of: running, place)
    }
    guard migration.formerSecurity != nil || !migration.sources.contains(where: { $0.isSameSpot(as: place) }) else {
      throw StorageRouterError(place, .ownSource)
    }
    try claim(migration, for: place)
    let run = MigrationRun(place)
    let chain = Self.chain + [run]
    let written = writes[StorageSpot(place)]
    let task = Task { () -> Result<MigrationResult, StorageRouterError> in
      defer { running[place] = nil }
      do {
        let result = try await Self.$chain.withValue(chain) { try await migration.carryOut(self, context) }
        // A migration of the app's own may say so without having done it.
        if result == .migrated, writes[StorageSpot(place)] == written, try !exists(place) {
          throw StorageRouterError(place, .verification)
        }
        settled.insert(place)
        if result != .nothingToMigrate { observers.send(.migrated(place, result)) }
        return .success(result)
      } catch {
        let failure = error as? StorageRouterError ?? StorageRouterError(place, .migration, cause: error)
        observers.send(.failed(failure))
        return .failure(failure)
      }
    }
    let started = RunningMigration(run: run, task: task)
    running[place] = started
    return try await outcome(of: started, place)
  }

  private func outcome(
    of migration: RunningMigration, _ place: StoragePlace
  ) async throws(StorageRouterError) -> MigrationResult {
    let own = currentRuns.last.map(ObjectIdentifier.init)
    if let own { waiting[own, default: []].append(place) }
    defer {
      if let own, let index = waiting[own]?.firstIndex(of: place) {
        waiting[own]?.remove(at: index)
        if waiting[own]?.isEmpty == true { waiting[own] = nil }
      }
    }
    return try await migration.task.value.get()
  }

  private func wouldWaitForItself(_ place: StoragePlace) -> Bool {
    let own = Set(currentRuns.map(\.place))
    if own.isEmpty { return false }
    var seen: Set<StoragePlace> = []
    var open = [place]
    while let next = open.popLast() {
      if own.contains(next) { return true }
      if seen.insert(next).inserted, let run = running[next]?.run { open += waiting[ObjectIdentifier(run)] ?? [] }
    }
    return false
  }

  /// Notes that a place takes over what its migration reads.
  /// - Throws: ``StorageRouterError`` where another does, since the first would take it from the second, and where the
  ///   migration is one to another place.
  func claim(_ migration: AnyStorageMigration, for place: StoragePlace) throws(StorageRouterError) {
    guard migration.destination == place else {
      throw StorageRouterError(place, .otherDestination(migration.destination))
    }
    for source in migration.sources {
      if let other = takers[StorageSpot(source)], !other.isSameSpot(as: place) {
        throw StorageRouterError(place, .sharedSource(source, with: other))
      }
    }
    for source in migration.sources { takers[StorageSpot(source)] = place }
  }
}
