/// A class as an archive names it.
package struct KeyedClass: Sendable {
  /// `$classname`.
  package let name: String
  /// `$classes`: the class itself first, then what it inherits from.
  package let chain: [String]

  /// A class as given.
  package init(name: String, chain: [String]) {
    self.name = name
    self.chain = chain
  }
}

/// An object of a class that is no property-list class, with its members as the archive has them.
package struct KeyedObject: Sendable {
  /// The place in `$objects`.
  package let index: Int
  /// Its class, which is a name and nothing else here.
  package let objectClass: KeyedClass
  /// The members in the order of the file, duplicates included, names as in the file. (The archiver writes a name that
  /// begins with `$` with a second one.)
  package let members: [KeyedMember]

  /// An object as given.
  package init(index: Int, objectClass: KeyedClass, members: [KeyedMember]) {
    self.index = index
    self.objectClass = objectClass
    self.members = members
  }

  /// The first member with a name.
  package subscript(name: String) -> KeyedValue? { members.first { $0.name.hasSameBytes(as: name) }?.value }
}

/// A named value: a member of an object, or one of the values an archive begins with.
package struct KeyedMember: Sendable {
  /// The name as in the file.
  package let name: String
  /// The value.
  package let value: KeyedValue

  /// A member.
  package init(_ name: String, _ value: KeyedValue) {
    self.name = name
    self.value = value
  }
}

/// A pair of a dictionary. A key may be any value; nearly always it is a string.
package struct KeyedPair: Sendable {
  /// The key.
  package let key: KeyedValue
  /// The value.
  package let value: KeyedValue

  /// A pair.
  package init(_ key: KeyedValue, _ value: KeyedValue) {
    self.key = key
    self.value = value
  }
}

/// An `NSURL`: its text, and the texts it is relative to.
package struct KeyedURL: Sendable {
  /// `NS.relative`.
  package let relative: String
  /// The text of the URL it is relative to, then that of the one this is relative to, and so on; empty for most.
  package let bases: [String]

  /// A URL as given.
  package init(relative: String, bases: [String] = []) {
    self.relative = relative
    self.bases = bases
  }

  /// The text when it needs no base, because there is none or because it begins with a scheme; nil otherwise.
  package var text: String? { bases.isEmpty || hasScheme ? relative : nil }

  /// RFC 3986: a letter, then letters, digits, `+`, `-` and `.`, then a colon.
  private var hasScheme: Bool {
    for (place, byte) in relative.utf8.enumerated() {
      switch byte {
      case UInt8(ascii: ":"): return place > 0
      case 0x41...0x5A, 0x61...0x7A: continue
      case 0x30...0x39, UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
        if place == 0 { return false }
      default: return false
      }
    }
    return false
  }
}

/// An `NSUUID`: 16 bytes.
package struct KeyedUUID: Sendable, Hashable, CustomStringConvertible {
  /// The bytes, always 16.
  package let bytes: [UInt8]

  /// Nil for another number of bytes.
  package init?(bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    self.bytes = bytes
  }

  /// `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`, in capitals as Foundation writes it.
  package var description: String {
    var text = ""
    for (place, byte) in bytes.enumerated() {
      if place == 4 || place == 6 || place == 8 || place == 10 { text += "-" }
      text += (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
    return text
  }
}
