/// What a router writes down before it writes a value and removes the values of before: the value's checksum, and those of
/// the values it is made of or supersedes.
///
/// After a crash it tells a value that was carried over, whose sources are only to be removed, from one that is still to
/// be made. The bytes alone do not: made anew, a value may get others.
struct RemovalNote: Equatable {
  /// The checksum of the value that takes the others' place.
  var value: String
  /// What is to be removed: checksums of the bytes as they are stored.
  var removed: Set<String>

  /// What stands for bytes that could not be read and are to go whatever they are.
  static let unreadable = "unreadable"

  init(value: [UInt8], removed: Set<String>) {
    self.value = Checksum.text(value)
    self.removed = removed
  }

  /// A note from its bytes; nil where they are none.
  init?(_ bytes: [UInt8]) {
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    guard let first = lines.first, first.hasPrefix(Self.prefix) else { return nil }
    value = String(first.dropFirst(Self.prefix.count))
    removed = Set(lines.dropFirst())
  }

  var bytes: [UInt8] { Array(([Self.prefix + value] + removed.sorted()).joined(separator: "\n").utf8) }

  private static let prefix = "value "
}

extension StoragePlace {
  /// Where a router notes what it is about to remove; protected as the value is, since it tells of it.
  var removalNote: StoragePlace {
    StoragePlace(name: NameStem.of(name) + ".carryover-removal", domain: domain, security: security)
  }
}
