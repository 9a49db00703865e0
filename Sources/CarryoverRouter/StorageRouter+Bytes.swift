import CarryoverStorage
import CarryoverSystem

extension StorageRouter {
  func stored(_ place: StoragePlace) throws(StorageRouterError) -> [UInt8]? {
    let store = try store(of: place)
    return try failing(place, .store) { try store.data(for: place.name) }
  }

  func read(_ place: StoragePlace) throws(StorageRouterError) -> [UInt8]? {
    let protection = try protection(of: place)
    guard let found = try stored(place) else { return nil }
    return try unprotect(found, protection, place)
  }

  func unprotect(
    _ bytes: [UInt8], _ protection: (any DataProtection)?, _ place: StoragePlace
  ) throws(StorageRouterError) -> [UInt8] {
    guard let protection else { return bytes }
    return try failing(place, .protection) { try protection.unprotect(bytes, name: place.name) }
  }

  func write(_ bytes: [UInt8], to place: StoragePlace) throws(StorageRouterError) {
    let store = try store(of: place)
    let bytes = try protect(bytes, place)
    try failing(place, .store) { try store.set(bytes, for: place.name) }
    writes[spot(of: place), default: 0] += 1
  }

  /// - Returns: false if the place was not empty.
  func writeIfAbsent(_ bytes: [UInt8], to place: StoragePlace) throws(StorageRouterError) -> Bool {
    let store = try store(of: place)
    let bytes = try protect(bytes, place)
    let isStored = try failing(place, .store) { try store.setIfAbsent(bytes, for: place.name) }
    if isStored { writes[spot(of: place), default: 0] += 1 }
    return isStored
  }

  private func protect(_ bytes: [UInt8], _ place: StoragePlace) throws(StorageRouterError) -> [UInt8] {
    guard let protection = try protection(of: place) else { return bytes }
    return try failing(place, .protection) { try protection.protect(bytes, name: place.name) }
  }

  func remove(_ place: StoragePlace) throws(StorageRouterError) {
    let store = try store(of: place)
    try failing(place, .store) { try store.remove(place.name) }
    writes[spot(of: place), default: 0] += 1
  }

  func protection(of place: StoragePlace) throws(StorageRouterError) -> (any DataProtection)? {
    guard case .protected(let name) = place.security else { return nil }
    guard let protection = protections[name] else { throw StorageRouterError(place, .noProtection(name)) }
    return protection
  }

  /// Whether bytes written to one place are read at the other, even if their protections or domains differ.
  func isSameSpot(_ one: StoragePlace, as other: StoragePlace) -> Bool {
    if one.isSameSpot(as: other) { return true }
    guard StringByBytes(one.name) == StringByBytes(other.name), let identity = try? store(of: one).identity else {
      return false
    }
    return identity == (try? store(of: other).identity)
  }

  func failing<Result, Failure: Error>(
    _ place: StoragePlace, _ reason: StorageRouterError.Reason, _ body: () throws(Failure) -> Result
  ) throws(StorageRouterError) -> Result {
    try converting(try body()) { StorageRouterError(place, reason, cause: $0) }
  }

  private func store(of place: StoragePlace) throws(StorageRouterError) -> any ByteStore {
    guard let store = try failing(place, .noStore, { try self.store(of: place.domain) }) else {
      throw StorageRouterError(place, .noStore)
    }
    return store
  }

  func store(of domain: StorageDomain) throws -> (any ByteStore)? {
    if let store = opened[domain] { return store }
    let store = try stores(domain)
    opened[domain] = store
    return store
  }

  func spot(of place: StoragePlace) -> StorageSpot {
    StorageSpot(name: StringByBytes(place.name), domain: representative(of: place.domain))
  }

  /// The representative of all domains with the same store. It never changes, even if a domain had no store at first,
  /// because other values are stored under it.
  private func representative(of domain: StorageDomain) -> StorageDomain {
    if let known = representatives[domain] { return known }
    let identity = (try? store(of: domain))?.identity
    let representative = identity.flatMap { identified[$0] } ?? domain
    representatives[domain] = representative
    if let identity, identified[identity] == nil { identified[identity] = domain }
    return representative
  }
}

/// Where a place's bytes are, regardless of protection: a value written with one key of a spot can be read with every
/// other. Only a router knows which domains have the same store, so only it creates spots.
struct StorageSpot: Hashable {
  var name: StringByBytes
  var domain: StorageDomain
}

extension StoragePlace {
  /// Whether bytes written to one place are read at the other, regardless of protection.
  func isSameSpot(as other: StoragePlace) -> Bool { name.hasSameBytes(as: other.name) && domain == other.domain }
}

extension StorageDomain {
  /// Whether the kind and the name's bytes are the same.
  public static func == (left: Self, right: Self) -> Bool { left.parts == right.parts }

  /// Feeds the kind and the name's bytes.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(parts.kind)
    hasher.combine(parts.name)
  }

  private var parts: (kind: Int, name: StringByBytes?) {
    switch self {
    case .userDefaults(let suite): (0, suite.map { StringByBytes($0) })
    case .keychain(let service): (1, StringByBytes(service))
    case .files(let folder): (2, StringByBytes(folder))
    case .encryptedFiles(let folder): (3, StringByBytes(folder))
    case .custom(let name): (4, StringByBytes(name))
    }
  }
}
