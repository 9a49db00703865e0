/// Removal of what a value takes the place of. Several places cannot be changed at once, so a note is written before the
/// value is, and removed last.
extension StorageRouter {
  /// Writes down that a value is about to take the place of others.
  func note(
    _ value: [UInt8], inPlaceOf removed: Set<String>, for place: StoragePlace
  ) throws(StorageRouterError) {
    do throws(StorageRouterError) {
      try write(RemovalNote(value: value, removed: removed).bytes, to: place.removalNote)
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
    guard let note = RemovalNote(bytes), let present = try read(place), Checksum.text(present) == note.value else {
      try remove(place.removalNote)
      return false
    }
    for source in sources() {
      // One that was written since is not what was carried over.
      if try isNoted(source, in: note) { try remove(source, inFavourOf: present, at: place) }
    }
    try remove(place.removalNote)
    return true
  }

  /// Removes the note of a value, whatever it says.
  func forgetNote(of place: StoragePlace) throws(StorageRouterError) {
    if try exists(place.removalNote) { try remove(place.removalNote) }
  }

  /// Removes the source of a value that was carried over as it is, where that was cut off behind the write: no note tells of
  /// it, since the bytes do.
  func finishMove(_ migration: AnyStorageMigration, to place: StoragePlace) throws(StorageRouterError) {
    guard migration.isVerbatim, let source = migration.sources.first, let present = try read(place),
      try read(source) == present
    else { return }
    try remove(source, inFavourOf: present, at: place)
  }

  private func isNoted(_ source: StoragePlace, in note: RemovalNote) throws(StorageRouterError) -> Bool {
    do throws(StorageRouterError) {
      return try stored(source).map { note.removed.contains(Checksum.text($0)) } ?? false
    } catch {
      guard note.removed.contains(RemovalNote.unreadable) else { throw error }
      return true
    }
  }

  /// What lies in some places that are to be removed whether they can be read or not, as a note names it.
  func noted(_ sources: [StoragePlace]) -> Set<String> {
    var noted: Set<String> = []
    for source in sources {
      do throws(StorageRouterError) {
        if let bytes = try stored(source) { noted.insert(Checksum.text(bytes)) }
      } catch {
        noted.insert(RemovalNote.unreadable)
      }
    }
    return noted
  }
}
