import CarryoverStorage
import CarryoverSystem

/// Removal of the sources that a value replaces. Several places cannot be changed atomically, so the router writes a
/// note before the value, and removes it last.
extension StorageRouter {
  func note(_ note: RemovalNote, for place: StoragePlace) throws(StorageRouterError) {
    try atNote(of: place) { (own) throws(StorageRouterError) in try write(note.bytes, to: own) }
  }

  /// Accesses the note of a place. Callers do not know the note's name, so an error names the place.
  private func atNote<Result>(
    of place: StoragePlace, _ access: (StoragePlace) throws(StorageRouterError) -> Result
  ) throws(StorageRouterError) -> Result {
    try converting(try access(place.removalNote)) { (error: StorageRouterError) in
      StorageRouterError(place, error.reason, cause: error.cause)
    }
  }

  private func noteBytes(of place: StoragePlace) throws(StorageRouterError) -> [UInt8]? { try atNote(of: place, read) }

  private func removeNote(of place: StoragePlace) throws(StorageRouterError) { try atNote(of: place, remove) }

  func removeNoted(
    _ sources: [StoragePlace], inFavourOf value: [UInt8], at place: StoragePlace
  ) throws(StorageRouterError) {
    for source in sources { try remove(source, inFavourOf: value, at: place) }
    try removeNote(of: place)
  }

  /// Removes a source of a written value. If that removes the value too, two domains lead to one place and no store has
  /// reported it: the value is written again.
  func remove(_ source: StoragePlace, inFavourOf value: [UInt8], at place: StoragePlace) throws(StorageRouterError) {
    guard !isSameSpot(source, as: place) else { return }
    try remove(source)
    guard try stored(place) == nil else { return }
    try write(value, to: place)
    throw StorageRouterError(place, .ownSource)
  }

  /// Removes the remaining sources of a written value, as its note says. The note of an interrupted write is removed.
  /// - Returns: whether the value was written.
  func finishRemoval(of sources: @autoclosure () -> [StoragePlace], for place: StoragePlace) throws(StorageRouterError)
    -> Bool
  {
    guard let bytes = try noteBytes(of: place) else { return false }
    let note = RemovalNote(bytes)
    // Only the migration can finish this.
    if note == .begun { return false }
    guard case .removing(let removal)? = note, let present = try read(place), present == removal.value else {
      try removeNote(of: place)
      return false
    }
    for source in sources() {
      // A source that was written since is not the migrated value.
      if try isNoted(source, in: removal) { try remove(source, inFavourOf: present, at: place) }
    }
    try removeNote(of: place)
    return true
  }

  /// Whether the app's own migration was interrupted, and nothing else has written the value since.
  func hasBegun(_ place: StoragePlace) throws(StorageRouterError) -> Bool {
    try noteBytes(of: place).flatMap(RemovalNote.init) == .begun
  }

  func forgetNote(of place: StoragePlace) throws(StorageRouterError) {
    if try atNote(of: place, exists) { try removeNote(of: place) }
  }

  /// Removes the source of a value whose move was interrupted after the write. Its equal bytes need no note.
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

/// A note that a router writes beside a value before it changes several places, which it cannot do atomically. After a
/// crash, the note says what is left to do.
enum RemovalNote: Equatable {
  /// A value replaces others, which must be removed.
  case removing(Removal)
  /// The app's own migration has begun, and there was no value. A value that is there now comes from the migration,
  /// because `set` removes the note first.
  case begun

  /// A value and the bytes that it replaces. The note contains the value's bytes, because making the value again may
  /// give other bytes.
  struct Removal: Equatable {
    var value: [UInt8]
    /// The bytes to remove, as stored.
    var removed: [[UInt8]]
    var removesUnreadable = false
  }

  init?(_ bytes: [UInt8]) {
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    guard lines.first == Self.form else { return nil }
    if lines.dropFirst().elementsEqual([Self.start]) {
      self = .begun
      return
    }
    guard lines.count > 1, let value = Self.bytes(lines[1], behind: Self.value) else { return nil }
    var removal = Removal(value: value, removed: [])
    for line in lines.dropFirst(2) {
      if line == Self.unreadable {
        removal.removesUnreadable = true
      } else if let bytes = Self.bytes(line, behind: Self.removed) {
        removal.removed.append(bytes)
      } else {
        return nil
      }
    }
    self = .removing(removal)
  }

  var bytes: [UInt8] {
    var lines = [Self.form]
    switch self {
    case .begun: lines.append(Self.start)
    case .removing(let removal):
      lines.append(Self.value + Base64.text(removal.value))
      lines += removal.removed.map { Self.removed + Base64.text($0) }
      if removal.removesUnreadable { lines.append(Self.unreadable) }
    }
    return Array(lines.joined(separator: "\n").utf8)
  }

  private static func bytes(_ line: String, behind word: String) -> [UInt8]? {
    line.hasPrefix(word) ? Base64.bytes(String(line.dropFirst(word.count))) : nil
  }

  private static let form = "carryover 2"
  private static let start = "begun"
  private static let value = "value "
  private static let removed = "removed "
  private static let unreadable = "unreadable"
}

extension StoragePlace {
  /// The place of a value's note. It has the value's protection, because the note contains the value.
  var removalNote: StoragePlace {
    StoragePlace(name: NameStem.of(name) + ".carryover-removal", domain: domain, security: security)
  }
}
