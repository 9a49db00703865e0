extension StorageRouter {
  /// Runs a key's migration, or waits for the one that runs already.
  func migrate(
    _ place: StoragePlace, _ migration: AnyStorageMigration, _ context: MigrationContext
  ) async throws(StorageRouterError) -> MigrationResult {
    if let task = running[place] {
      // Waiting for one that waits for us would never end; what is there by now has to do.
      if wouldWaitForItself(place) { return .nothingToMigrate }
      return try await outcome(of: task, place)
    }
    guard migration.formerSecurity != nil || !migration.sources.contains(where: { $0.isSameSpot(as: place) }) else {
      throw StorageRouterError(place, .ownSource)
    }
    try claim(migration.sources, for: place)
    let chain = Self.chain + [place]
    let written = writes[StorageSpot(place)]
    let task = Task { () -> Result<MigrationResult, StorageRouterError> in
      defer { running[place] = nil }
      do {
        let isFinished = try finishRemoval(of: migration.sources, for: place)
        let result =
          isFinished
          ? .finished : try await Self.$chain.withValue(chain) { try await migration.carryOut(self, context) }
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
    running[place] = task
    return try await outcome(of: task, place)
  }

  private func outcome(
    of task: Task<Result<MigrationResult, StorageRouterError>, Never>, _ place: StoragePlace
  ) async throws(StorageRouterError) -> MigrationResult {
    let own = Self.chain.last
    if let own { waiting[own, default: []].append(place) }
    defer {
      if let own, let index = waiting[own]?.firstIndex(of: place) { waiting[own]?.remove(at: index) }
    }
    return try await task.value.get()
  }

  private func wouldWaitForItself(_ place: StoragePlace) -> Bool {
    var seen: Set<StoragePlace> = []
    var open = [place]
    while let next = open.popLast() {
      if Self.chain.contains(next) { return true }
      if seen.insert(next).inserted { open += waiting[next] ?? [] }
    }
    return false
  }

  /// Notes that a place takes over what lies in others.
  /// - Throws: ``StorageRouterError`` where another does: the first would take it from the second.
  func claim(_ sources: [StoragePlace], for place: StoragePlace) throws(StorageRouterError) {
    for source in sources {
      if let other = takers[StorageSpot(source)], !other.isSameSpot(as: place) {
        throw StorageRouterError(place, .sharedSource(source, with: other))
      }
    }
    for source in sources { takers[StorageSpot(source)] = place }
  }

  /// Value, write, read back, removal. Everything behind the value is done without letting anybody in between.
  func carryOut<Migration: ValueMigration>(
    _ migration: Migration, _ context: MigrationContext
  ) async throws -> MigrationResult {
    let key = migration.destinationKey
    let place = key.place
    let written = writes[StorageSpot(place)]
    let before = try sources(of: migration)
    guard let value = try await migration.value(using: self, context: context) else { return .nothingToMigrate }
    let bytes: [UInt8]
    do {
      bytes = try key.serializer.encode(value)
    } catch {
      throw StorageRouterError(place, .serializer, cause: error)
    }
    // A source that somebody has changed meanwhile is not the one the value was made of.
    guard try sources(of: migration) == before else { return .conflict }
    if let present = try read(place) {
      guard present != bytes else {
        try removeSources(of: migration, before)
        return .finished
      }
      switch migration.conflictPolicy {
      case .keepDestinationAndRemoveSources:
        try removeSources(of: migration, before)
        return .superseded
      case .replace where writes[StorageSpot(place)] == written: break
      case .keepDestination, .replace: return .conflict
      }
    } else if writes[StorageSpot(place)] != written {
      // It was deleted while the value was made: it is not to come back.
      return .conflict
    }
    try write(bytes, to: place)
    guard try read(place) == bytes else { throw StorageRouterError(place, .verification) }
    try removeSources(of: migration, before)
    return .migrated
  }

  /// Protects what a place holds as its key says, where it is protected as it was before: one write, so that after a crash
  /// it is protected in one of the two ways.
  func protectAnew<Key: StorageKey>(_ key: Key, from former: SecurityPolicy) throws -> MigrationResult {
    let place = key.place
    let old = try protection(of: StoragePlace(name: place.name, domain: place.domain, security: former))
    guard let stored = try stored(place), let bytes = try unprotected(stored, as: place, formerly: old) else {
      return .nothingToMigrate
    }
    do {
      _ = try key.serializer.decode(bytes)
    } catch {
      throw StorageRouterError(place, .serializer, cause: error)
    }
    try write(bytes, to: place)
    guard try read(place) == bytes else { throw StorageRouterError(place, .verification) }
    return .migrated
  }

  /// The bytes of a value that is still protected as it was before; nil where it is protected as its place says already.
  /// - Throws: ``StorageRouterError`` for bytes that neither protection opens: damaged ones are not a value without any.
  private func unprotected(
    _ stored: [UInt8], as place: StoragePlace, formerly old: (any DataProtection)?
  ) throws(StorageRouterError) -> [UInt8]? {
    guard let new = try protection(of: place) else {
      return old?.isProtected(stored) == true ? try unprotect(stored, old, place) : nil
    }
    guard new.isProtected(stored) else { return try unprotect(stored, old, place) }
    do {
      _ = try unprotect(stored, new, place)
      return nil
    } catch {
      // Both may have the same form and differ in their keys.
      guard let old, let bytes = try? unprotect(stored, old, place) else { throw error }
      return bytes
    }
  }

  private func sources<Migration: ValueMigration>(of migration: Migration) throws(StorageRouterError) -> [[UInt8]?] {
    var all: [[UInt8]?] = []
    for source in migration.sources { all.append(try read(source)) }
    return all
  }

  /// Several sources cannot be removed at once, and what is left of them would make another value. So what is to be
  /// removed is written down first.
  private func removeSources<Migration: ValueMigration>(
    of migration: Migration, _ values: [[UInt8]?]
  ) throws(StorageRouterError) {
    let place = migration.destinationKey.place
    let sources = migration.sources
    guard sources.count > 1 else {
      for source in sources { try remove(source) }
      return
    }
    try write(Array(values.compactMap { $0.map(Checksum.text) }.joined(separator: "\n").utf8), to: place.removalNote)
    for source in sources { try remove(source) }
    try remove(place.removalNote)
  }

  /// Removes what a migration that was cut off while it removed its sources has left of them.
  /// - Returns: whether there was such a migration.
  private func finishRemoval(of sources: [StoragePlace], for place: StoragePlace) throws(StorageRouterError) -> Bool {
    guard sources.count > 1, let note = try read(place.removalNote) else { return false }
    let removed = Set(String(decoding: note, as: UTF8.self).split(separator: "\n").map(String.init))
    for source in sources {
      // One that was written since is not what was carried over.
      if let bytes = try read(source), removed.contains(Checksum.text(bytes)) { try remove(source) }
    }
    try remove(place.removalNote)
    return true
  }
}

extension StoragePlace {
  /// Where a migration notes which sources it is about to remove; protected as the value is, since it tells of it.
  var removalNote: StoragePlace {
    StoragePlace(name: name + ".carryover-removal", domain: domain, security: security)
  }
}
