import CarryoverStorage

extension StorageRouter {
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
}
