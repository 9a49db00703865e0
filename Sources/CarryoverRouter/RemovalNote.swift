import CarryoverStorage
import PropertyLists

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
    /// The value.
    var value: [UInt8]
    /// The bytes to remove, as stored.
    var removed: [[UInt8]]
    /// Whether to remove sources that cannot be read, too.
    var removesUnreadable = false
  }

  /// Decodes a note; nil if the bytes are not a note.
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

  /// The first line.
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
