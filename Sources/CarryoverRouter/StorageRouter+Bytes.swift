import CarryoverStorage
import PropertyLists

extension StorageRouter {
  /// The bytes at a place, as stored.
  func stored(_ place: StoragePlace) throws(StorageRouterError) -> [UInt8]? {
    let store = try store(of: place)
    do {
      return try store.data(for: place.name)
    } catch {
      throw StorageRouterError(place, .store, cause: error)
    }
  }

  /// The bytes at a place, without its protection.
  func read(_ place: StoragePlace) throws(StorageRouterError) -> [UInt8]? {
    let protection = try protection(of: place)
    guard let found = try stored(place) else { return nil }
    return try unprotect(found, protection, place)
  }

  func unprotect(
    _ bytes: [UInt8], _ protection: (any DataProtection)?, _ place: StoragePlace
  ) throws(StorageRouterError) -> [UInt8] {
    guard let protection else { return bytes }
    do {
      return try protection.unprotect(bytes, name: place.name)
    } catch {
      throw StorageRouterError(place, .protection, cause: error)
    }
  }

  /// Writes bytes to a place with its protection.
  func write(_ bytes: [UInt8], to place: StoragePlace) throws(StorageRouterError) {
    let store = try store(of: place)
    let bytes = try protect(bytes, place)
    do {
      try store.set(bytes, for: place.name)
    } catch {
      throw StorageRouterError(place, .store, cause: error)
    }
    writes[spot(of: place), default: 0] += 1
  }

  /// Writes bytes to an empty place with its protection.
  /// - Returns: false if the place was not empty.
  func writeIfAbsent(_ bytes: [UInt8], to place: StoragePlace) throws(StorageRouterError) -> Bool {
    let store = try store(of: place)
    let bytes = try protect(bytes, place)
    do {
      guard try store.setIfAbsent(bytes, for: place.name) else { return false }
    } catch {
      throw StorageRouterError(place, .store, cause: error)
    }
    writes[spot(of: place), default: 0] += 1
    return true
  }

  private func protect(_ bytes: [UInt8], _ place: StoragePlace) throws(StorageRouterError) -> [UInt8] {
    guard let protection = try protection(of: place) else { return bytes }
    do {
      return try protection.protect(bytes, name: place.name)
    } catch {
      throw StorageRouterError(place, .protection, cause: error)
    }
  }

  func remove(_ place: StoragePlace) throws(StorageRouterError) {
    let store = try store(of: place)
    do {
      try store.remove(place.name)
    } catch {
      throw StorageRouterError(place, .store, cause: error)
    }
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

  private func store(of place: StoragePlace) throws(StorageRouterError) -> any ByteStore {
    let store: (any ByteStore)?
    do {
      store = try self.store(of: place.domain)
    } catch {
      throw StorageRouterError(place, .noStore, cause: error)
    }
    guard let store else { throw StorageRouterError(place, .noStore) }
    return store
  }

  func store(of domain: StorageDomain) throws -> (any ByteStore)? {
    if let store = opened[domain] { return store }
    let store = try stores(domain)
    opened[domain] = store
    return store
  }
}
