public import CarryoverStorage

/// A single entry point to an app's stores. Reading a key migrates its value from its old place the first time.
///
/// The router writes a migrated value to the key's own place, reads it back, and only then removes the sources. After a
/// crash in between, both exist, and the next call for the key removes the sources. For a converted or combined value,
/// a note beside it lists the bytes to remove. Concurrent reads of a key migrate it once. If a source is the place of
/// another registered key, the router migrates that key first.
///
/// Reading a key without a migration costs one read of the store. So does reading a key whose value is in its own
/// place, except the first time, when an interrupted removal is finished. A read never replaces such a value.
///
/// Cancelling a caller does not stop a migration; the caller waits until the migration ends.
///
/// The router calls its stores on the actor, one call at a time: all other callers wait until a write to a file is on
/// the disk. Keep large values in files outside the router.
///
/// Migrate the values of a store in one process at a time: an app's extension has its own router. When a migration
/// fills an empty place, it does not overwrite a value that another process sets meanwhile in files, encrypted files
/// and the keychain (`setIfAbsent(_:for:)`); in `UserDefaults`, it may. A value that another process sets just before
/// the router removes or replaces it is lost.
///
/// Declare one router for the app's stores, because only the app knows the store behind each domain:
///
/// <!-- snippet: router-shared -->
/// ```swift
/// extension StorageRouter {
///   static let app = StorageRouter { domain in
///     switch domain {
///     case .files(let folder): FileDataStore(folder: support + "/" + folder)
///     default: nil
///     }
///   }
/// }
/// ```
public actor StorageRouter {
  let stores: @Sendable (StorageDomain) throws -> (any ByteStore)?
  let protections: [String: any DataProtection]
  var opened: [StorageDomain: any ByteStore] = [:]
  /// For each domain, the first domain that was used with the same store.
  var representatives: [StorageDomain: StorageDomain] = [:]
  var identified: [DataStoreIdentity: StorageDomain] = [:]
  var running: [StoragePlace: RunningMigration] = [:]
  /// How often each place was written or emptied through this router.
  var writes: [StorageSpot: Int] = [:]
  /// The keys whose sources were checked since the router was created.
  var settled: Set<StoragePlace> = []
  /// For each source, the place whose migration reads it.
  var takers: [StorageSpot: StoragePlace] = [:]
  var registered: [StorageSpot: RegisteredKey] = [:]
  /// The places whose value the app has set or deleted since their migration began.
  var overtaken: Set<StorageSpot> = []
  let observers = Observers<StorageEvent>(keeping: 1000)

  /// The migrations, of any router, that the current task is part of, the innermost last.
  @TaskLocal static var chain: [MigrationRun] = []

  /// Creates a router.
  /// - Parameters:
  ///   - protections: the protection behind each name in a ``SecurityPolicy``.
  ///   - stores: returns the store behind a domain; nil if there is none. The router keeps each store, and calls the
  ///     closure again only for a domain without one. Registering a catalog calls it for the catalog's domains. An
  ///     error that it throws is the cause of the ``StorageRouterError`` for a key in that domain.
  public init(
    protections: [String: any DataProtection] = [:],
    stores: @escaping @Sendable (StorageDomain) throws -> (any ByteStore)?
  ) {
    self.protections = protections
    self.stores = stores
  }

  /// Returns the value of a key; nil if there is none. If the value is still in its old place, migrates it first.
  /// - Throws: ``StorageRouterError``. A value in the key's own place is returned even if the rest of an interrupted
  ///   migration fails again; ``events()`` reports that failure.
  public func get<Key: StorageKey>(_ key: Key) async throws(StorageRouterError) -> Key.Value? {
    let place = key.place
    let needsMigration = key.migration != nil && !isMigrating(place)
    var bytes = needsMigration && !settled.contains(place) ? nil : try read(place)
    if needsMigration, bytes == nil {
      do throws(StorageRouterError) {
        _ = try await migrateAll(to: RegisteredKey(key), MigrationContext(trigger: .read))
      } catch {
        guard try read(place) != nil else { throw error }
      }
      bytes = try read(place)
    }
    guard let bytes else { return nil }
    return try decoded(bytes, of: key)
  }

  private func decoded<Key: StorageKey>(_ bytes: [UInt8], of key: Key) throws(StorageRouterError) -> Key.Value {
    try failing(key.place, .serializer) { try key.serializer.decode(bytes) }
  }

  private func encoded<Key: StorageKey>(_ value: Key.Value, for key: Key) throws(StorageRouterError) -> [UInt8] {
    try failing(key.place, .serializer) { try key.serializer.encode(value) }
  }

  /// Stores a value in the key's own place. A value that is still in an old place stays there as a conflict, unless the
  /// migration's policy is ``StorageConflictPolicy/replace``. In that case, `set` removes it, because the app's value
  /// is newer. If the removal fails, ``events()`` reports it, and the next launch finishes it.
  /// - Throws: ``StorageRouterError``. The key then has the old value or the new one, depending on its store's `set`.
  public func set<Key: StorageKey>(_ value: Key.Value, for key: Key) throws(StorageRouterError) {
    let place = key.place
    let bytes = try encoded(value, for: key)
    if isMigrating(place), overtaken.contains(spot(of: place)) { throw StorageRouterError(place, .overtaken) }
    let replaced = try superseded(by: key)
    if !replaced.isEmpty { try note(removal(of: replaced, inFavourOf: bytes), for: place) }
    try write(bytes, to: place)
    noteOvertaking(of: place)
    observers.send(.stored(place))
    guard !replaced.isEmpty else { return }
    do throws(StorageRouterError) {
      try removeNoted(replaced, inFavourOf: bytes, at: place)
    } catch {
      // The value is stored, and the note tells the next launch what to remove.
      observers.send(.failed(error))
    }
  }

  /// The sources that a value set by the app replaces, if they contain something.
  private func superseded(by key: any StorageKey) throws(StorageRouterError) -> [StoragePlace] {
    guard let migration = key.migration else { return [] }
    let place = key.place
    let isReplaced = migration.conflictPolicy == .replace
    if isReplaced || !settled.contains(place) {
      try claim(migration, for: place)
      // A migrated value that was not removed would look like a conflict with the new value, and its note is about to
      // be replaced. If this fails now, the value is stored nevertheless.
      _ = try? finishRemoval(of: origins(of: RegisteredKey(key)), for: place)
      if !isReplaced { _ = try? finishMove(migration, to: place) }
    }
    // From now on, the value does not come from an interrupted migration.
    if migration.conflictPolicy == nil, !isMigrating(place) { try forgetNote(of: place) }
    guard isReplaced else { return [] }
    return origins(of: RegisteredKey(key)).filter { source in
      // An unreadable value exists.
      (try? exists(source)) ?? true
    }
  }

  /// Deletes a key's value in its own place and in its migration's sources, so that it does not come back. If a source
  /// is the place of a registered key, also deletes the value in that key's sources.
  /// - Throws: ``StorageRouterError``. The oldest place is emptied first and the key's own place last; an error stops
  ///   the deletion. Nothing is deleted if another key's migration has one of the same sources.
  public func delete(_ key: any StorageKey) throws(StorageRouterError) {
    let place = key.place
    if let migration = key.migration {
      try claim(migration, for: place)
      for source in origins(of: RegisteredKey(key)) { try remove(source) }
    }
    try remove(place)
    noteOvertaking(of: place)
    // A note that stays is removed at the next call for the key, because its value is gone.
    if key.migration != nil { try? remove(place.removalNote) }
    observers.send(.deleted(place))
  }

  /// Whether a key has a value in its own place. Migrates nothing.
  /// - Throws: ``StorageRouterError``.
  public func exists(_ key: any StorageKey) throws(StorageRouterError) -> Bool { try exists(key.place) }

  package func exists(_ place: StoragePlace) throws(StorageRouterError) -> Bool { try stored(place) != nil }

  func existsAny(of places: [StoragePlace]) throws(StorageRouterError) -> Bool {
    for place in places where try exists(place) { return true }
    return false
  }

  /// The bytes at a place, with its protection removed; nil if there are none. For migrations.
  /// - Throws: ``StorageRouterError``.
  public func bytes(at place: StoragePlace) throws(StorageRouterError) -> [UInt8]? { try read(place) }

  /// Migrates a key now, even if its value was not read.
  /// - Returns: how the migration ended.
  /// - Throws: ``StorageRouterError``. The router removes sources only after it has read the new value back.
  @discardableResult
  public func forceMigration(for key: any StorageKey) async throws(StorageRouterError) -> MigrationResult {
    guard key.migration != nil else { return .nothingToMigrate }
    return try await migrateAll(to: RegisteredKey(key), MigrationContext(trigger: .forced))
  }

  /// The router's events from now on. Each call returns a new stream, which buffers the newest 1,000 events.
  public nonisolated func events() -> AsyncStream<StorageEvent> { observers.stream() }

  /// Replaces the former protection of a key's value with its current one, in one write: after a crash, the value has
  /// one of the two.
  func protectAnew<Key: StorageKey>(_ key: Key, from former: SecurityPolicy) throws -> MigrationResult {
    let place = key.place
    let old = try protection(of: StoragePlace(name: place.name, domain: place.domain, security: former))
    guard let stored = try stored(place), let bytes = try unprotected(stored, as: place, formerly: old) else {
      return .nothingToMigrate
    }
    _ = try decoded(bytes, of: key)
    try write(bytes, to: place)
    guard try read(place) == bytes else { throw StorageRouterError(place, .verification) }
    return .migrated
  }

  /// The bytes of a value that still has its former protection; nil if it already has its place's protection.
  /// - Throws: ``StorageRouterError`` if neither protection can read the bytes: damaged bytes are not unprotected ones.
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
      // Both protections may have the same format and different keys.
      guard let old, let bytes = try? unprotect(stored, old, place) else { throw error }
      return bytes
    }
  }

  private static let attempts = 3

  /// Makes the value, then notes, writes, reads back and removes. After the value is made, nothing suspends.
  func carryOut<Migration: ValueMigration>(
    _ migration: Migration, _ context: MigrationContext
  ) async throws -> MigrationResult {
    let key = migration.destinationKey
    let place = key.place
    let written = writes[spot(of: place)]
    var isBeaten = false
    for _ in 0..<Self.attempts {
      let before = try contents(of: migration.sources)
      let value = try await migration.value(using: self, context: context)
      // A source that changed meanwhile is not the one from which the value was made.
      guard try contents(of: migration.sources) == before else { continue }
      let isChanged = isBeaten || writes[spot(of: place)] != written
      guard let value else { return try isChanged && !exists(place) ? .deleted : .nothingToMigrate }
      if let result = try settle(value, for: key, by: migration, before, isChanged: isChanged) { return result }
      isBeaten = true
    }
    throw StorageRouterError(place, .changed)
  }

  /// Writes a new value if the conflict policy allows it, and removes its sources.
  /// - Returns: nil if another process has set a value there meanwhile.
  private func settle<Migration: ValueMigration>(
    _ value: Migration.DestinationKey.Value, for key: Migration.DestinationKey, by migration: Migration,
    _ before: [[UInt8]?], isChanged: Bool
  ) throws(StorageRouterError) -> MigrationResult? {
    let place = key.place
    let made = try encoded(value, for: key)
    let original = try verbatim(migration)
    // The bytes may contain more than the value, such as members that the current type does not know.
    let bytes = original ?? made
    let present = try read(place)
    if let present {
      // The same value, either migrated before or set by the app: only the removal is left. If its bytes differ, data
      // may be missing, which only the policy `replace` restores.
      if present == bytes || present == made && (migration.conflictPolicy != .replace || isChanged) {
        try remove(migration.sources, before, inFavourOf: present, at: place)
        return .finished
      }
      switch migration.conflictPolicy {
      case .keepDestinationAndRemoveSources:
        try remove(migration.sources, before, inFavourOf: present, at: place)
        return .superseded
      case .replace where !isChanged: break
      case .keepDestination, .replace: return .conflict
      }
    } else if isChanged {
      // It was deleted while the value was made, and must not come back.
      return .deleted
    }
    // Bytes that are copied unchanged need no note: they show by themselves that they were migrated.
    if original == nil {
      try note(.removing(RemovalNote.Removal(value: bytes, removed: before.compactMap(\.self))), for: place)
    }
    if present != nil {
      try write(bytes, to: place)
    } else {
      guard try writeIfAbsent(bytes, to: place) else { return nil }
    }
    guard try read(place) == bytes else { throw StorageRouterError(place, .verification) }
    if original == nil {
      try removeNoted(migration.sources, inFavourOf: bytes, at: place)
    } else {
      for source in migration.sources { try remove(source, inFavourOf: bytes, at: place) }
    }
    return .migrated
  }

  /// Removes sources in favour of an existing value. If only some of several sources were removed before a crash, the
  /// rest would make another value, so these are noted first.
  private func remove(
    _ sources: [StoragePlace], _ before: [[UInt8]?], inFavourOf value: [UInt8], at place: StoragePlace
  ) throws(StorageRouterError) {
    guard sources.count > 1 else {
      for source in sources { try remove(source, inFavourOf: value, at: place) }
      return
    }
    try note(.removing(RemovalNote.Removal(value: value, removed: before.compactMap(\.self))), for: place)
    try removeNoted(sources, inFavourOf: value, at: place)
  }

  /// The bytes of a value that is copied unchanged; nil for one that is made.
  private func verbatim(_ migration: some ValueMigration) throws(StorageRouterError) -> [UInt8]? {
    guard migration.isVerbatim, let source = migration.sources.first else { return nil }
    return try read(source)
  }

  private func contents(of sources: [StoragePlace]) throws(StorageRouterError) -> [[UInt8]?] {
    var all: [[UInt8]?] = []
    for source in sources { all.append(try stored(source)) }
    return all
  }
}
