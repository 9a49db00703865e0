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

  /// Removes the sources, and then the note of it.
  func removeNoted(_ sources: [StoragePlace], for place: StoragePlace) throws(StorageRouterError) {
    for source in sources where !source.isSameSpot(as: place) { try remove(source) }
    try remove(place.removalNote)
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
    for source in sources() where !source.isSameSpot(as: place) {
      // One that was written since is not what was carried over.
      if try isNoted(source, in: note) { try remove(source) }
    }
    try remove(place.removalNote)
    return true
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
