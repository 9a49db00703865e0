/// One hand on all the stores of an app: a value is asked for by its key, and comes from where it belongs, or from where it
/// was kept before, once.
///
/// A value found in a place of before is written where it belongs, read back, and only then removed there. A crash
/// between leaves both, and the next call for the key finishes it. However many ask at once, a key is migrated once.
/// Values of a key that has no migration cost one read.
///
/// ## Topics
///
/// ### One key
/// - ``get(_:)``
/// - ``set(_:for:)``
/// - ``delete(_:)``
/// - ``exists(_:)-(StorageKey)``
///
/// ### Migrations
/// - ``forceMigration(for:)``
/// - ``registerCatalog(_:migrateImmediately:)``
/// - ``events()``
public actor StorageRouter {
  private let stores: @Sendable (StorageDomain) -> (any DataStore)?
  private let protections: [String: any DataProtection]
  private var opened: [StorageDomain: any DataStore] = [:]
  private var running: [StoragePlace: Task<MigrationResult, any Error>] = [:]
  /// Which migration waits for which other, so that none waits for itself.
  private var waiting: [StoragePlace: StoragePlace] = [:]
  /// How often each place was written through this router.
  private var writes: [StoragePlace: Int] = [:]
  /// The keys whose sources were looked at since the router was made.
  private var settled: Set<StoragePlace> = []
  private var observers = StorageObservers()

  /// The migrations that the present task is part of, the innermost last.
  @TaskLocal static var chain: [StoragePlace] = []

  /// A router.
  /// - Parameters:
  ///   - protections: what the names in security policies mean.
  ///   - stores: the store behind a domain, asked once for each; nil where there is none.
  public init(
    protections: [String: any DataProtection] = [:],
    stores: @escaping @Sendable (StorageDomain) -> (any DataStore)?
  ) {
    self.protections = protections
    self.stores = stores
  }

  /// The value of a key; from where it was kept before, where it is not where it belongs. Nil where it is nowhere.
  /// - Throws: ``StorageRouterError``. A value that is where it belongs is given even if the rest of a migration that was
  ///   cut off fails again; ``events()`` tell of that.
  public func get<Key: StorageKey>(_ key: Key) async throws(StorageRouterError) -> Key.Value? {
    let place = key.place
    if let migration = key.migration, !Self.chain.contains(place), !settled.contains(place) {
      do throws(StorageRouterError) {
        _ = try await migrate(place, migration, MigrationContext(trigger: .read))
      } catch {
        guard try read(place) != nil else { throw error }
      }
    }
    guard let bytes = try read(place) else { return nil }
    do {
      return try key.serializer.decode(bytes)
    } catch {
      throw StorageRouterError(place, .serializer, cause: error)
    }
  }

  /// Stores a value where its key belongs. A value that is still in a place of before is no longer asked for.
  /// - Throws: ``StorageRouterError``; the old value is there still.
  public func set<Key: StorageKey>(_ value: Key.Value, for key: Key) throws(StorageRouterError) {
    let bytes: [UInt8]
    do {
      bytes = try key.serializer.encode(value)
    } catch {
      throw StorageRouterError(key.place, .serializer, cause: error)
    }
    try write(bytes, to: key.place)
    observers.send(.stored(key.place))
  }

  /// Deletes the value of a key, also where it was kept before, so that it does not come back.
  /// - Throws: ``StorageRouterError``; what comes first is deleted first: the places of before, then its own.
  public func delete(_ key: any StorageKey) throws(StorageRouterError) {
    for source in key.migration?.sources ?? [] { try remove(source) }
    try remove(key.place)
    writes[key.place, default: 0] += 1
    observers.send(.deleted(key.place))
  }

  /// Whether a key has a value where it belongs. Nothing is migrated.
  /// - Throws: ``StorageRouterError``.
  public func exists(_ key: any StorageKey) throws(StorageRouterError) -> Bool { try exists(key.place) }

  /// Whether there are bytes at a place.
  /// - Throws: ``StorageRouterError``.
  public func exists(_ place: StoragePlace) throws(StorageRouterError) -> Bool {
    let store = try store(of: place)
    do {
      return try store.data(for: place.name) != nil
    } catch {
      throw StorageRouterError(place, .store, cause: error)
    }
  }

  /// The bytes at a place, without its protection; nil where there are none. For migrations.
  /// - Throws: ``StorageRouterError``.
  public func bytes(at place: StoragePlace) throws(StorageRouterError) -> [UInt8]? { try read(place) }

  /// Migrates a key now, whether its value was asked for or not.
  /// - Throws: ``StorageRouterError``; the sources are still there.
  @discardableResult
  public func forceMigration(for key: any StorageKey) async throws(StorageRouterError) -> MigrationResult {
    guard let migration = key.migration else { return .nothingToMigrate }
    return try await migrate(key.place, migration, MigrationContext(trigger: .forced))
  }

  /// What the router does from now on, for whoever wants to watch. Each call gives a stream of its own, which keeps the
  /// last 1,000 events that nobody has taken yet.
  public func events() -> AsyncStream<StorageEvent> { observers.stream() }

  func announce(_ event: StorageEvent) { observers.send(event) }
}

extension StorageRouter {
  /// Runs a key's migration, or waits for the one that runs already.
  private func migrate(
    _ place: StoragePlace, _ migration: AnyStorageMigration, _ context: MigrationContext
  ) async throws(StorageRouterError) -> MigrationResult {
    if let task = running[place] {
      // Waiting for one that waits for us would never end; what is there by now has to do.
      if wouldWaitForItself(place) { return .nothingToMigrate }
      return try await outcome(of: task, place)
    }
    guard !migration.sources.contains(where: { $0.isSameSpot(as: place) }) else {
      throw StorageRouterError(place, .ownSource)
    }
    let chain = Self.chain + [place]
    let task = Task { [self] in
      try await Self.$chain.withValue(chain) { try await migration.carryOut(self, context) }
    }
    running[place] = task
    defer { running[place] = nil }
    do throws(StorageRouterError) {
      let result = try await outcome(of: task, place)
      settled.insert(place)
      if result != .nothingToMigrate { observers.send(.migrated(place, result)) }
      return result
    } catch {
      observers.send(.failed(error))
      throw error
    }
  }

  private func outcome(
    of task: Task<MigrationResult, any Error>, _ place: StoragePlace
  ) async throws(StorageRouterError) -> MigrationResult {
    let own = Self.chain.last
    if let own { waiting[own] = place }
    defer { if let own { waiting[own] = nil } }
    do {
      return try await task.value
    } catch let error as StorageRouterError {
      throw error
    } catch {
      throw StorageRouterError(place, .migration, cause: error)
    }
  }

  private func wouldWaitForItself(_ place: StoragePlace) -> Bool {
    var next: StoragePlace? = place
    var steps = 0
    while let current = next, steps <= waiting.count + 1 {
      if Self.chain.contains(current) { return true }
      next = waiting[current]
      steps += 1
    }
    return false
  }

  /// Value, write, read back, removal. Everything behind the value is done without letting anybody in between.
  func carryOut<Migration: StorageMigration>(
    _ migration: Migration, _ context: MigrationContext
  ) async throws -> MigrationResult {
    let place = migration.destinationKey.place
    let written = writes[place]
    let before = try sources(of: migration)
    guard let value = try await migration.value(using: self, context: context) else { return .nothingToMigrate }
    let bytes: [UInt8]
    do {
      bytes = try migration.destinationKey.serializer.encode(value)
    } catch {
      throw StorageRouterError(place, .serializer, cause: error)
    }
    // A source that somebody has changed meanwhile is not the one the value was made of.
    guard try sources(of: migration) == before else { return .conflict }
    if let present = try read(place) {
      guard present != bytes else {
        try removeSources(of: migration)
        return .finished
      }
      switch migration.conflictPolicy {
      case .keepDestinationAndRemoveSources:
        try removeSources(of: migration)
        return .superseded
      case .replace where writes[place] == written: break
      case .keepDestination, .replace: return .conflict
      }
    } else if writes[place] != written {
      // It was deleted while the value was made: it is not to come back.
      return .conflict
    }
    try write(bytes, to: place)
    guard try read(place) == bytes else { throw StorageRouterError(place, .verification) }
    try removeSources(of: migration)
    return .migrated
  }

  private func sources<Migration: StorageMigration>(of migration: Migration) throws(StorageRouterError) -> [[UInt8]?] {
    var all: [[UInt8]?] = []
    for source in migration.sources { all.append(try read(source)) }
    return all
  }

  private func removeSources<Migration: StorageMigration>(of migration: Migration) throws(StorageRouterError) {
    for source in migration.sources { try remove(source) }
  }
}

extension StorageRouter {
  private func store(of place: StoragePlace) throws(StorageRouterError) -> any DataStore {
    if let store = opened[place.domain] { return store }
    guard let store = stores(place.domain) else { throw StorageRouterError(place, .noStore) }
    opened[place.domain] = store
    return store
  }

  private func protection(of place: StoragePlace) throws(StorageRouterError) -> (any DataProtection)? {
    guard case .protected(let name) = place.security else { return nil }
    guard let protection = protections[name] else { throw StorageRouterError(place, .noProtection(name)) }
    return protection
  }

  private func read(_ place: StoragePlace) throws(StorageRouterError) -> [UInt8]? {
    let store = try store(of: place)
    let protection = try protection(of: place)
    let found: [UInt8]?
    do {
      found = try store.data(for: place.name)
    } catch {
      throw StorageRouterError(place, .store, cause: error)
    }
    guard let found, let protection else { return found }
    do {
      return try protection.unprotect(found, name: place.name)
    } catch {
      throw StorageRouterError(place, .protection, cause: error)
    }
  }

  private func write(_ bytes: [UInt8], to place: StoragePlace) throws(StorageRouterError) {
    let store = try store(of: place)
    var bytes = bytes
    if let protection = try protection(of: place) {
      do {
        bytes = try protection.protect(bytes, name: place.name)
      } catch {
        throw StorageRouterError(place, .protection, cause: error)
      }
    }
    do {
      try store.set(bytes, for: place.name)
    } catch {
      throw StorageRouterError(place, .store, cause: error)
    }
    writes[place, default: 0] += 1
  }

  private func remove(_ place: StoragePlace) throws(StorageRouterError) {
    let store = try store(of: place)
    do {
      try store.remove(place.name)
    } catch {
      throw StorageRouterError(place, .store, cause: error)
    }
  }
}

extension StoragePlace {
  /// Whether bytes written to one are read at the other, however they are protected.
  func isSameSpot(as other: StoragePlace) -> Bool { name == other.name && domain == other.domain }
}
