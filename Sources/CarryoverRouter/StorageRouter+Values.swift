import CarryoverStorage

extension StorageRouter {
  /// How many times a value is made from changing sources before an error is thrown.
  private static let attempts = 3

  /// Makes the value, then notes, writes, reads back and removes. After the value is made, nothing suspends.
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
      // A source that changed meanwhile is not the one from which the value was made.
      guard try contents(of: migration.sources) == before else { continue }
      let isChanged = isBeaten || writes[spot(of: place)] != written
      guard let value else { return try isChanged && !exists(place) ? .deleted : .nothingToMigrate }
      if let result = try settle(value, for: key, by: migration, before, isChanged: isChanged) { return result }
      isBeaten = true
    }
    throw StorageRouterError(place, .changed)
  }

  /// Writes a new value if the conflict policy allows it, and removes its sources.
  /// - Returns: nil if another process has set a value there meanwhile.
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
    // The bytes may contain more than the value, such as members that the current type does not know.
    let bytes = original ?? made
    let present = try read(place)
    if let present {
      // The same value, either migrated before or set by the app: only the removal is left. If its bytes differ, data
      // may be missing, which only the policy `replace` restores.
      if present == bytes || present == made && (migration.conflictPolicy != .replace || isChanged) {
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
      // It was deleted while the value was made, and must not come back.
      return .deleted
    }
    // Bytes that are copied unchanged need no note: they show by themselves that they were migrated.
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

  /// Removes sources in favour of an existing value. If only some of several sources were removed before a crash, the
  /// rest would make another value, so these are noted first.
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

  /// The bytes of a value that is copied unchanged; nil for one that is made.
  private func verbatim(_ migration: some ValueMigration) throws(StorageRouterError) -> [UInt8]? {
    guard migration is any VerbatimMigration, let source = migration.sources.first else { return nil }
    return try read(source)
  }

  /// The bytes in some places, as stored.
  private func contents(of sources: [StoragePlace]) throws(StorageRouterError) -> [[UInt8]?] {
    var all: [[UInt8]?] = []
    for source in sources { all.append(try stored(source)) }
    return all
  }
}
