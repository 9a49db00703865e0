import CarryoverStorage

extension StorageRouter {
  /// Replaces the former protection of a key's value with its current one, in one write: after a crash, the value has
  /// one of the two.
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
}
