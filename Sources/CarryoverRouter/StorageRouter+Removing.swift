import CarryoverSystem

/// Removal of what a value takes the place of. Several places cannot be changed at once, so a note is written before the
/// value is, and removed last.
extension StorageRouter {
  /// Writes down that a value is about to take the place of others.
  func note(_ note: RemovalNote, for place: StoragePlace) throws(StorageRouterError) {
    do throws(StorageRouterError) {
      try write(note.bytes, to: place.removalNote)
    } catch {
      // Nobody knows the note's name; it is the key's value that could not be written.
      throw StorageRouterError(place, error.reason, cause: error.cause)
    }
  }

  /// Removes the sources of a value that stands, and then the note of it.
  func removeNoted(
    _ sources: [StoragePlace], inFavourOf value: [UInt8], at place: StoragePlace
  ) throws(StorageRouterError) {
    for source in sources { try remove(source, inFavourOf: value, at: place) }
    try remove(place.removalNote)
  }

  /// Removes a source of a value that stands. Where the value is gone by that, two domains lead to one place and no store
  /// has said so: it is put back.
  func remove(
    _ source: StoragePlace, inFavourOf value: [UInt8], at place: StoragePlace
  ) throws(StorageRouterError) {
    guard !isSameSpot(source, as: place) else { return }
    try remove(source)
    guard try stored(place) == nil else { return }
    try write(value, to: place)
    throw StorageRouterError(place, .ownSource)
  }

  /// Removes what is left of the sources of a value that stands already, as its note says. A note of a value that does not
  /// stand is of a write that was cut off: it is forgotten.
  /// - Returns: whether there was such a value.
  func finishRemoval(of sources: @autoclosure () -> [StoragePlace], for place: StoragePlace) throws(StorageRouterError)
    -> Bool
  {
    guard let bytes = try read(place.removalNote) else { return false }
    let note = RemovalNote(bytes)
    // The migration itself has to look.
    if try isOpen(note, of: place) { return false }
    guard case .removing(let removal)? = note, let present = try read(place), present == removal.value else {
      try remove(place.removalNote)
      return false
    }
    for source in sources() {
      // One that was written since is not what was carried over.
      if try isNoted(source, in: removal) { try remove(source, inFavourOf: present, at: place) }
    }
    try remove(place.removalNote)
    return true
  }

  /// Whether a note tells of something that only the key's migration can finish.
  func hasOpenNote(_ place: StoragePlace) throws(StorageRouterError) -> Bool {
    try isOpen(try read(place.removalNote).flatMap(RemovalNote.init), of: place)
  }

  private func isOpen(_ note: RemovalNote?, of place: StoragePlace) throws(StorageRouterError) -> Bool {
    if note == .begun { return true }
    return try isChecksum(note, of: place)
  }

  /// Whether a migration of the app's own was cut off, and nobody else has written the value since.
  func hasBegun(_ place: StoragePlace) throws(StorageRouterError) -> Bool {
    try read(place.removalNote).flatMap(RemovalNote.init) == .begun
  }

  /// Whether the value that stands was to take the place of its sources, as a note says that has no more than its checksum.
  /// That is enough to keep the value, and too little to remove anything.
  func standsByChecksum(_ place: StoragePlace) throws(StorageRouterError) -> Bool {
    try isChecksum(try read(place.removalNote).flatMap(RemovalNote.init), of: place)
  }

  private func isChecksum(_ note: RemovalNote?, of place: StoragePlace) throws(StorageRouterError) -> Bool {
    guard case .checksum(let sum)? = note, let present = try read(place) else { return false }
    return Checksum.text(present) == sum
  }

  /// Removes the note of a value, whatever it says.
  func forgetNote(of place: StoragePlace) throws(StorageRouterError) {
    if try exists(place.removalNote) { try remove(place.removalNote) }
  }

  /// Removes the source of a value that was carried over as it is, where that was cut off behind the write: no note tells of
  /// it, since the bytes do.
  /// - Returns: whether there was such a source.
  @discardableResult
  func finishMove(_ migration: AnyStorageMigration, to place: StoragePlace) throws(StorageRouterError) -> Bool {
    guard migration.isVerbatim, let source = migration.sources.first, !isSameSpot(source, as: place),
      let present = try read(place), try read(source) == present
    else { return false }
    try remove(source, inFavourOf: present, at: place)
    return true
  }

  private func isNoted(_ source: StoragePlace, in removal: RemovalNote.Removal) throws(StorageRouterError) -> Bool {
    do throws(StorageRouterError) {
      return try stored(source).map(removal.removed.contains) ?? false
    } catch {
      guard removal.removesUnreadable else { throw error }
      return true
    }
  }

  /// The removal of some places in favour of a value, whether what lies there can be read or not.
  func removal(of sources: [StoragePlace], inFavourOf value: [UInt8]) -> RemovalNote {
    var removal = RemovalNote.Removal(value: value, removed: [])
    for source in sources {
      do throws(StorageRouterError) {
        if let bytes = try stored(source) { removal.removed.append(bytes) }
      } catch {
        removal.removesUnreadable = true
      }
    }
    return .removing(removal)
  }
}
