import CarryoverStorage
import PropertyLists

/// What a router writes down beside a value before it changes several places, which cannot be done at once. After a crash
/// it tells what is left to do.
enum RemovalNote: Equatable {
  /// A value takes the place of others, which are to be removed.
  case removing(Removal)
  /// A migration of the app's own has begun where there was no value. What is there now is its work, since whoever sets a
  /// value removes the note before.
  case begun
  /// As versions before the bytes were noted wrote it: the checksum of the value that takes the others' place. Nothing is
  /// removed by it alone.
  case checksum(String)

  /// A value and what it takes the place of. Bytes are kept, and not made anew from the sources: made anew, a value may get
  /// others.
  struct Removal: Equatable {
    /// The value.
    var value: [UInt8]
    /// What is to be removed: bytes as they are stored.
    var removed: [[UInt8]]
    /// Whether what cannot be read is to be removed, too.
    var removesUnreadable = false
  }

  /// A note from its bytes; nil where they are none.
  init?(_ bytes: [UInt8]) {
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    guard let first = lines.first else { return nil }
    guard first == Self.form else {
      guard first.hasPrefix(Self.value) else { return nil }
      self = .checksum(String(first.dropFirst(Self.value.count)))
      return
    }
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
    case .checksum(let sum): lines = [Self.value + sum]
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

  /// The first line; notes with checksums have none.
  private static let form = "carryover 2"
  private static let start = "begun"
  private static let value = "value "
  private static let removed = "removed "
  private static let unreadable = "unreadable"
}

extension StoragePlace {
  /// Where a router notes what it is about to remove; protected as the value is, since it tells of it.
  var removalNote: StoragePlace {
    StoragePlace(name: NameStem.of(name) + ".carryover-removal", domain: domain, security: security)
  }
}
