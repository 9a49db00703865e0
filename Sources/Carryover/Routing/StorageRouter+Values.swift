extension StorageRouter {
  /// How often a value is made of sources that change meanwhile, before that is reported.
  private static let attempts = 3

  /// Value, note, write, read back, removal. Everything behind the value is done without letting anybody in between.
  func carryOut<Migration: ValueMigration>(
    _ migration: Migration, _ context: MigrationContext
  ) async throws -> MigrationResult {
    let key = migration.destinationKey
    let place = key.place
    let written = writes[StorageSpot(place)]
    for _ in 0..<Self.attempts {
      let before = try checksums(of: migration.sources)
      let value = try await migration.value(using: self, context: context)
      // A source that somebody has changed meanwhile is not the one the value was made of.
      guard try checksums(of: migration.sources) == before else { continue }
      let isChanged = writes[StorageSpot(place)] != written
      guard let value else { return try isChanged && !exists(place) ? .deleted : .nothingToMigrate }
      return try settle(value, for: key, by: migration, before, isChanged: isChanged)
    }
    throw StorageRouterError(place, .changed)
  }

  /// Writes a value that was made, where it may be, and removes what it was made of.
  private func settle<Migration: ValueMigration>(
    _ value: Migration.DestinationKey.Value, for key: Migration.DestinationKey, by migration: Migration,
    _ before: [String?], isChanged: Bool
  ) throws(StorageRouterError) -> MigrationResult {
    let place = key.place
    let bytes: [UInt8]
    do {
      bytes = try key.serializer.encode(value)
    } catch {
      throw StorageRouterError(place, .serializer, cause: error)
    }
    let original = try verbatim(migration)
    if let present = try read(place) {
      // The same value, be it carried over before or set by the app: only the removal is left.
      if present == bytes || present == original {
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
      // It was deleted while the value was made: it is not to come back.
      return .deleted
    }
    // Where the source's own bytes are written they tell by themselves that they were carried over.
    if bytes != original { try note(bytes, inPlaceOf: Set(before.compactMap(\.self)), for: place) }
    try write(bytes, to: place)
    guard try read(place) == bytes else { throw StorageRouterError(place, .verification) }
    if bytes != original {
      try removeNoted(migration.sources, for: place)
    } else {
      for source in migration.sources { try remove(source) }
    }
    return .migrated
  }

  /// Removes sources in favour of a value that stands already. What is left of several after a crash would make another
  /// value, so these are noted first.
  private func remove(
    _ sources: [StoragePlace], _ before: [String?], inFavourOf value: [UInt8], at place: StoragePlace
  ) throws(StorageRouterError) {
    guard sources.count > 1 else {
      for source in sources { try remove(source) }
      return
    }
    try note(value, inPlaceOf: Set(before.compactMap(\.self)), for: place)
    try removeNoted(sources, for: place)
  }

  /// The bytes of a value that is carried over as it is; nil for one that is made.
  private func verbatim(_ migration: some ValueMigration) throws(StorageRouterError) -> [UInt8]? {
    guard migration is any VerbatimMigration, let source = migration.sources.first else { return nil }
    return try read(source)
  }

  /// What lies in some places, as a note names it.
  private func checksums(of sources: [StoragePlace]) throws(StorageRouterError) -> [String?] {
    var all: [String?] = []
    for source in sources { all.append(try stored(source).map(Checksum.text)) }
    return all
  }
}
