/// One hand on all the stores of an app: a value is asked for by its key, and comes from where it belongs, or from where it
/// was kept before, once.
///
/// A value found in a place of before is written where it belongs, read back, and only then removed there. A crash
/// between leaves both, and the next call for the key finishes it. However many ask at once, a key is migrated once.
/// A key without a migration costs one read, and so does one whose value is where it belongs, but for the first time.
///
/// A migration belongs to nobody who waits for it: it goes on when a caller is cancelled, and the caller waits for its end.
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
  let stores: @Sendable (StorageDomain) -> (any DataStore)?
  let protections: [String: any DataProtection]
  var opened: [StorageDomain: any DataStore] = [:]
  /// The migrations that run now.
  var running: [StoragePlace: Task<Result<MigrationResult, StorageRouterError>, Never>] = [:]
  /// Which migrations wait for which others, so that none waits for itself.
  var waiting: [StoragePlace: [StoragePlace]] = [:]
  /// How often each place was written or emptied through this router.
  var writes: [StorageSpot: Int] = [:]
  /// The keys whose sources were looked at since the router was made.
  var settled: Set<StoragePlace> = []
  /// Which place takes over what lies at a spot.
  var takers: [StorageSpot: StoragePlace] = [:]
  /// The keys of the catalogs that were registered.
  var registered: [StorageSpot: RegisteredKey] = [:]
  let observers = StorageObservers()

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
    var bytes: [UInt8]?
    if let migration = key.migration, !Self.chain.contains(place) {
      if settled.contains(place) { bytes = try read(place) }
      if bytes == nil {
        do throws(StorageRouterError) {
          _ = try await migrate(place, migration, MigrationContext(trigger: .read))
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
  /// the key's migration would replace this value by it: then it is removed, since what the app sets is the newer.
  /// - Throws: ``StorageRouterError``; the old value is there still.
  public func set<Key: StorageKey>(_ value: Key.Value, for key: Key) throws(StorageRouterError) {
    let place = key.place
    let bytes: [UInt8]
    do {
      bytes = try key.serializer.encode(value)
    } catch {
      throw StorageRouterError(place, .serializer, cause: error)
    }
    let migration = key.migration
    let replaced = migration?.conflictPolicy == .replace ? migration?.sources ?? [] : []
    try claim(replaced, for: place)
    try write(bytes, to: place)
    observers.send(.stored(place))
    for source in replaced where !source.isSameSpot(as: place) {
      do throws(StorageRouterError) {
        try remove(source)
      } catch {
        // The value is stored; what could not be removed is told to whoever watches.
        observers.send(.failed(error))
      }
    }
  }

  /// Deletes the value of a key, also where it was kept before, so that it does not come back.
  /// - Throws: ``StorageRouterError``; what comes first is deleted first: the places of before, then its own. Nothing is
  ///   deleted where another key takes its value from one of the same places.
  public func delete(_ key: any StorageKey) throws(StorageRouterError) {
    let place = key.place
    let sources = key.migration?.sources ?? []
    try claim(sources, for: place)
    for source in sources { try remove(source) }
    if sources.count > 1 { try remove(place.removalNote) }
    try remove(place)
    observers.send(.deleted(place))
  }

  /// Whether a key has a value where it belongs. Nothing is migrated.
  /// - Throws: ``StorageRouterError``.
  public func exists(_ key: any StorageKey) throws(StorageRouterError) -> Bool { try exists(key.place) }

  /// Whether there are bytes at a place.
  /// - Throws: ``StorageRouterError``.
  public func exists(_ place: StoragePlace) throws(StorageRouterError) -> Bool { try stored(place) != nil }

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
  /// last 1,000 events that nobody has taken yet; a stream nobody holds any more costs nothing.
  public func events() -> AsyncStream<StorageEvent> { observers.stream() }
}
