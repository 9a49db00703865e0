public import CarryoverStorage

/// One hand on all the stores of an app: a value is asked for by its key, and comes from where it belongs, or from where it
/// was kept before, once.
///
/// A value found in a place of before is written where it belongs, read back, and only then removed there. A crash
/// between leaves both, and the next call for the key finishes it, as a note beside the value tells it to. However many ask
/// at once, a key is migrated once. Where a source is the place of another registered key, that one has its turn first.
/// A key without a migration costs one read, and so does one whose value is where it belongs, but for the first time, when
/// a removal that was cut off is finished. A read never replaces a value that is where it belongs, whatever lies in the
/// places of before.
///
/// A migration belongs to nobody who waits for it: it goes on when a caller is cancelled, and the caller waits for its end.
///
/// Its stores work on the router's thread, one call at a time: a write to a file returns when it is on the disk, and until
/// then everybody else who asks this router waits. Keep large values in files of their own, and call it from tasks.
///
/// One process at a time is to migrate the values of a store: an extension of the app has a router of its own. What a
/// migration writes where there was nothing never replaces what another process sets at that moment, as far as the store can
/// tell, as files, encrypted files and the keychain do (`setIfAbsent(_:for:)`); the defaults cannot. A value
/// that another process sets in a place of before, or where one is replaced, just before it is removed is lost.
///
/// There is one router for the stores of an app, which declares it, since only the app knows what is behind its domains:
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
  /// The domain that stands for each, being the first that was asked for of those with the same store.
  var representatives: [StorageDomain: StorageDomain] = [:]
  var identified: [DataStoreIdentity: StorageDomain] = [:]
  /// The migrations that run now.
  var running: [StoragePlace: RunningMigration] = [:]
  /// How often each place was written or emptied through this router.
  var writes: [StorageSpot: Int] = [:]
  /// The keys whose sources were looked at since the router was made.
  var settled: Set<StoragePlace> = []
  /// Which place takes over what lies at a spot.
  var takers: [StorageSpot: StoragePlace] = [:]
  /// The keys of the catalogs that were registered.
  var registered: [StorageSpot: RegisteredKey] = [:]
  /// The places whose value the app has set or deleted since their migration began.
  var overtaken: Set<StorageSpot> = []
  let observers = Observers<StorageEvent>(keeping: 1000)

  /// The migrations, of whatever router, that the present task was started in, the innermost last.
  @TaskLocal static var chain: [MigrationRun] = []

  /// A router.
  /// - Parameters:
  ///   - protections: what the names in security policies mean.
  ///   - stores: the store behind a domain; nil where there is none. It is kept, and asked for again only as long as there
  ///     was none; for the domains of a catalog when that is registered. What it throws is the cause of the error of whoever
  ///     asked for a key there.
  public init(
    protections: [String: any DataProtection] = [:],
    stores: @escaping @Sendable (StorageDomain) throws -> (any ByteStore)?
  ) {
    self.protections = protections
    self.stores = stores
  }

  /// The value of a key: from where it belongs, or else from where it was kept before. Nil where it is nowhere.
  /// - Throws: ``StorageRouterError``. A value that is where it belongs is given even if the rest of a migration that was
  ///   cut off fails again; ``events()`` tell of that.
  public func get<Key: StorageKey>(_ key: Key) async throws(StorageRouterError) -> Key.Value? {
    let place = key.place
    var bytes: [UInt8]?
    if key.migration != nil, !isMigrating(place) {
      if settled.contains(place) { bytes = try read(place) }
      if bytes == nil {
        do throws(StorageRouterError) {
          _ = try await migrateAll(to: RegisteredKey(key), MigrationContext(trigger: .read))
        } catch {
          guard try read(place) != nil else { throw error }
        }
        bytes = try read(place)
      }
    } else {
      bytes = try read(place)
    }
    guard let bytes else { return nil }
    do {
      return try key.serializer.decode(bytes)
    } catch {
      throw StorageRouterError(place, .serializer, cause: error)
    }
  }

  /// Stores a value where its key belongs. A value that is still in a place of before stays there as a conflict, unless
  /// the key's migration would replace this value by it: then it is removed, since what the app sets is the newer. Where
  /// that fails, ``events()`` tell of it, and the next start finishes it.
  /// - Throws: ``StorageRouterError``; the old value or the new one is there, as the store's own `set` has left it.
  public func set<Key: StorageKey>(_ value: Key.Value, for key: Key) throws(StorageRouterError) {
    let place = key.place
    let bytes: [UInt8]
    do {
      bytes = try key.serializer.encode(value)
    } catch {
      throw StorageRouterError(place, .serializer, cause: error)
    }
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
      // The value is stored, and the note tells the next start what to remove.
      observers.send(.failed(error))
    }
  }

  /// The places whose values a value that the app sets takes the place of, as far as there is something in them.
  private func superseded(by key: any StorageKey) throws(StorageRouterError) -> [StoragePlace] {
    guard let migration = key.migration else { return [] }
    let place = key.place
    let isReplaced = migration.conflictPolicy == .replace
    if isReplaced || !settled.contains(place) {
      try claim(migration, for: place)
      // What was carried over and not removed would look like a conflict with the new value, and its note is about to be
      // replaced. That it cannot be finished now is no reason not to store a value.
      _ = try? finishRemoval(of: origins(of: RegisteredKey(key)), for: place)
      if !isReplaced { _ = try? finishMove(migration, to: place) }
    }
    // What stands from now on is no work of a migration that was cut off.
    if migration.conflictPolicy == nil, !isMigrating(place) { try forgetNote(of: place) }
    guard isReplaced else { return [] }
    return origins(of: RegisteredKey(key)).filter { source in
      // What cannot be read is there.
      (try? exists(source)) ?? true
    }
  }

  /// Deletes the value of a key, also where it was kept before, so that it does not come back; and where that came from, as
  /// far as those places are keys of a registered catalog.
  /// - Throws: ``StorageRouterError``; what comes first is deleted first: the places of before, then its own. Nothing is
  ///   deleted where another key takes its value from one of the same places.
  public func delete(_ key: any StorageKey) throws(StorageRouterError) {
    let place = key.place
    if let migration = key.migration {
      try claim(migration, for: place)
      for source in origins(of: RegisteredKey(key)) { try remove(source) }
    }
    try remove(place)
    noteOvertaking(of: place)
    // One that stays is forgotten when the key is asked for again, since its value does not stand.
    if key.migration != nil { try? remove(place.removalNote) }
    observers.send(.deleted(place))
  }

  /// Whether a key has a value where it belongs. Nothing is migrated.
  /// - Throws: ``StorageRouterError``.
  public func exists(_ key: any StorageKey) throws(StorageRouterError) -> Bool { try exists(key.place) }

  /// Whether there are bytes at a place.
  /// - Throws: ``StorageRouterError``.
  package func exists(_ place: StoragePlace) throws(StorageRouterError) -> Bool { try stored(place) != nil }

  /// Whether there are bytes at any of some places.
  func existsAny(of places: [StoragePlace]) throws(StorageRouterError) -> Bool {
    for place in places where try exists(place) { return true }
    return false
  }

  /// The bytes at a place, without its protection; nil where there are none. For migrations.
  /// - Throws: ``StorageRouterError``.
  public func bytes(at place: StoragePlace) throws(StorageRouterError) -> [UInt8]? { try read(place) }

  /// Migrates a key now, whether its value was asked for or not.
  /// - Throws: ``StorageRouterError``; the sources are still there.
  @discardableResult
  public func forceMigration(for key: any StorageKey) async throws(StorageRouterError) -> MigrationResult {
    guard key.migration != nil else { return .nothingToMigrate }
    return try await migrateAll(to: RegisteredKey(key), MigrationContext(trigger: .forced))
  }

  /// What the router does from now on, for whoever wants to watch. Each call gives a stream of its own, which keeps the
  /// last 1,000 events that nobody has taken yet; a stream nobody holds any more costs nothing.
  public nonisolated func events() -> AsyncStream<StorageEvent> { observers.stream() }
}
