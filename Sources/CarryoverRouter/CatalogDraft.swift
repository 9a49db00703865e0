/// The properties of a catalog's key that can conflict with another key.
struct RegisteredKey {
  var place: StoragePlace
  var type: ObjectIdentifier
  /// The places that its value may come from. If only the protection changes, its own place is not one of them.
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

/// The router's state with one more catalog, and the problems of that state.
struct CatalogDraft {
  private(set) var registered: [StorageSpot: RegisteredKey]
  private(set) var takers: [StorageSpot: StoragePlace]
  private(set) var problems: [StorageCatalogError.Problem] = []
  private let spot: (StoragePlace) -> StorageSpot

  /// - Parameter spot: returns where a place's bytes are; the same for all domains with one store.
  init(
    _ keys: [any StorageKey], registered: [StorageSpot: RegisteredKey], takers: [StorageSpot: StoragePlace],
    spot: @escaping (StoragePlace) -> StorageSpot
  ) {
    self.spot = spot
    self.registered = registered
    self.takers = takers
    let keys = keys.map(RegisteredKey.init)
    var seen: Set<StorageSpot> = []
    for key in keys { add(key, isFirst: seen.insert(spot(key.place)).inserted) }
    findCycles(keys)
  }

  /// Notes a problem, unless it is noted already.
  private mutating func note(_ problem: StorageCatalogError.Problem) {
    if !problems.contains(problem) { problems.append(problem) }
  }

  private mutating func add(_ key: RegisteredKey, isFirst: Bool) {
    let own = spot(key.place)
    if let other = registered[own], !isFirst || !other.isSame(as: key) {
      note(.duplicate(key.place))
    } else {
      registered[own] = key
    }
    if let destination = key.migration?.destination, destination != key.place {
      note(.otherDestination(key.place, destination))
    }
    var read: Set<StorageSpot> = []
    for source in key.sources {
      let from = spot(source)
      let other = takers[from]
      if !read.insert(from).inserted || other.map({ spot($0) != own }) ?? false {
        note(.sharedSource(source))
      }
      takers[from] = key.place
    }
  }

  private mutating func findCycles(_ keys: [RegisteredKey]) {
    var cleared: Set<StorageSpot> = []
    for key in keys {
      if let cycle = cycle(from: key.place, &cleared) { note(.cycle(cycle)) }
    }
  }

  /// Follows the sources of a place, and their sources, until one occurs again. Does not recurse, because a catalog may
  /// be long.
  private func cycle(from start: StoragePlace, _ cleared: inout Set<StorageSpot>) -> [StoragePlace]? {
    var path: [(place: StoragePlace, next: Int)] = [(start, 0)]
    var onPath: Set<StorageSpot> = [spot(start)]
    if cleared.contains(spot(start)) { return nil }
    while let last = path.last {
      let here = spot(last.place)
      let next = registered[here]?.sources ?? []
      guard last.next < next.count else {
        cleared.insert(here)
        onPath.remove(here)
        path.removeLast()
        continue
      }
      path[path.count - 1].next += 1
      let source = next[last.next]
      if onPath.contains(spot(source)) {
        for entry in path { cleared.insert(spot(entry.place)) }
        return Array(path.map(\.place).drop { spot($0) != spot(source) })
      }
      guard !cleared.contains(spot(source)) else { continue }
      path.append((source, 0))
      onPath.insert(spot(source))
    }
    return nil
  }
}
