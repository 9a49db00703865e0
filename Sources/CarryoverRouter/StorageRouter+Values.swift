import CarryoverStorage

extension StorageRouter {
  /// How often a value is made of sources that change meanwhile, before that is reported.
  private static let attempts = 3

  /// Value, note, write, read back, removal. Everything behind the value is done without letting anybody in between.
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
      // A source that somebody has changed meanwhile is not the one the value was made of.
      guard try contents(of: migration.sources) == before else { continue }
      let isChanged = isBeaten || writes[spot(of: place)] != written
      guard let value else { return try isChanged && !exists(place) ? .deleted : .nothingToMigrate }
      if let result = try settle(value, for: key, by: migration, before, isChanged: isChanged) { return result }
      isBeaten = true
    }
    throw StorageRouterError(place, .changed)
  }

  /// Writes a value that was made, where it may be, and removes what it was made of.
  /// - Returns: nil where another process has put a value there meanwhile.
  private func settle<Migration: ValueMigration>(
    _ value: Migration.DestinationKey.Value, for key: Migration.DestinationKey, by migration: Migration,
    _ before: [[UInt8]?], isChanged: Bool
  ) throws(StorageRouterError) -> MigrationResult? {
    let place = key.place
    let made: [UInt8]
    do {
      made = try key.serializer.encode(value)
    } catch {
      throw StorageRouterError(place, .serializer, cause: error)
    }
    let original = try verbatim(migration)
    // The bytes may hold what the value does not, such as members that the type in use does not know.
    let bytes = original ?? made
    let present = try read(place)
    if let present {
      // Set before, by an app with an earlier version of this: the value is the newer, and stays.
      let isOld = try standsByChecksum(place)
      let isChanged = isChanged || isOld
      // The same value, be it carried over before or set by the app: only the removal is left. Other bytes of the same value
      // may still lack something, which is only brought where the policy is to replace.
      if present == bytes || present == made && (migration.conflictPolicy != .replace || isChanged) {
        try remove(migration.sources, before, inFavourOf: present, at: place)
        if isOld { try forgetNote(of: place) }
        return .finished
      }
      switch migration.conflictPolicy {
      case .keepDestinationAndRemoveSources:
        try remove(migration.sources, before, inFavourOf: present, at: place)
        if isOld { try forgetNote(of: place) }
        return .superseded
      case .replace where !isChanged: break
      case .keepDestination, .replace: return .conflict
      }
    } else if isChanged {
      // It was deleted while the value was made: it is not to come back.
      return .deleted
    }
    // Where the source's own bytes are written they tell by themselves that they were carried over.
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

  /// Removes sources in favour of a value that stands already. What is left of several after a crash would make another
  /// value, so these are noted first.
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

  /// The bytes of a value that is carried over as it is; nil for one that is made.
  private func verbatim(_ migration: some ValueMigration) throws(StorageRouterError) -> [UInt8]? {
    guard migration is any VerbatimMigration, let source = migration.sources.first else { return nil }
    return try read(source)
  }

  /// What lies in some places, as it is stored.
  private func contents(of sources: [StoragePlace]) throws(StorageRouterError) -> [[UInt8]?] {
    var all: [[UInt8]?] = []
    for source in sources { all.append(try stored(source)) }
    return all
  }
}
