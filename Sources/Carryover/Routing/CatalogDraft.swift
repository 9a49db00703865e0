/// A key of a catalog, as far as others can clash with it.
struct RegisteredKey {
  var place: StoragePlace
  var type: ObjectIdentifier
  /// The places its value may come from; its own, where only the protection changes, is none of them.
  var sources: [StoragePlace]
  var migration: AnyStorageMigration?

  init(_ key: any StorageKey) {
    place = key.place
    type = ObjectIdentifier(Swift.type(of: key))
    migration = key.migration
    let (place, isChange) = (key.place, migration?.formerSecurity != nil)
    sources = (migration?.sources ?? []).filter { !isChange || !$0.isSameSpot(as: place) }
  }

  func isSame(as other: RegisteredKey) -> Bool {
    place == other.place && type == other.type && sources == other.sources
  }
}

/// What a router would know with one catalog more, and what is wrong with that.
struct CatalogDraft {
  private(set) var registered: [StorageSpot: RegisteredKey]
  private(set) var takers: [StorageSpot: StoragePlace]
  private(set) var problems: [StorageCatalogError.Problem] = []

  init(_ keys: [any StorageKey], registered: [StorageSpot: RegisteredKey], takers: [StorageSpot: StoragePlace]) {
    self.registered = registered
    self.takers = takers
    let keys = keys.map(RegisteredKey.init)
    var seen: Set<StorageSpot> = []
    for key in keys { add(key, isFirst: seen.insert(StorageSpot(key.place)).inserted) }
    findCycles(keys)
  }

  private mutating func add(_ key: RegisteredKey, isFirst: Bool) {
    let spot = StorageSpot(key.place)
    if let other = registered[spot], !isFirst || !other.isSame(as: key) {
      problems.append(.duplicate(key.place))
    } else {
      registered[spot] = key
    }
    if let destination = key.migration?.destination, destination != key.place {
      problems.append(.otherDestination(key.place, destination))
    }
    var read: Set<StorageSpot> = []
    for source in key.sources {
      let from = StorageSpot(source)
      let other = takers[from]
      if !read.insert(from).inserted || other.map({ !$0.isSameSpot(as: key.place) }) ?? false {
        problems.append(.sharedSource(source))
      }
      takers[from] = key.place
    }
  }

  private mutating func findCycles(_ keys: [RegisteredKey]) {
    var cleared: Set<StorageSpot> = []
    for key in keys {
      if let cycle = cycle(from: key.place, &cleared) { problems.append(.cycle(cycle)) }
    }
  }

  /// Follows the sources of a place, and theirs, until one comes again; with a list of its own, since a catalog may be
  /// long.
  private func cycle(from start: StoragePlace, _ cleared: inout Set<StorageSpot>) -> [StoragePlace]? {
    var path: [(place: StoragePlace, next: Int)] = [(start, 0)]
    var onPath: Set<StorageSpot> = [StorageSpot(start)]
    if cleared.contains(StorageSpot(start)) { return nil }
    while let last = path.last {
      let spot = StorageSpot(last.place)
      let next = registered[spot]?.sources ?? []
      guard last.next < next.count else {
        cleared.insert(spot)
        onPath.remove(spot)
        path.removeLast()
        continue
      }
      path[path.count - 1].next += 1
      let source = next[last.next]
      if onPath.contains(StorageSpot(source)) {
        for entry in path { cleared.insert(StorageSpot(entry.place)) }
        return Array(path.map(\.place).drop { !$0.isSameSpot(as: source) })
      }
      guard !cleared.contains(StorageSpot(source)) else { continue }
      path.append((source, 0))
      onPath.insert(StorageSpot(source))
    }
    return nil
  }
}
