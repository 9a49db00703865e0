/// A class as an archive names it.
package struct KeyedClass: Sendable {
  /// `$classname`.
  package let name: String
  /// `$classes`: first the class itself, then its superclasses.
  package let chain: [String]

  package init(name: String, chain: [String]) {
    self.name = name
    self.chain = chain
  }
}

/// An object whose class is not a property-list class, with its members as in the archive.
package struct KeyedObject: Sendable {
  /// The index in `$objects`.
  package let index: Int
  /// Its class, as a name only.
  package let objectClass: KeyedClass
  /// The members in the order of the file, including duplicates, with their names in the file. (The archiver adds a `$`
  /// to a name that begins with one.)
  package let members: [KeyedMember]

  package init(index: Int, objectClass: KeyedClass, members: [KeyedMember]) {
    self.index = index
    self.objectClass = objectClass
    self.members = members
  }

  /// The first member with a name.
  package subscript(name: String) -> KeyedValue? { members.first { $0.name.hasSameBytes(as: name) }?.value }
}

/// A named value: a member of an object, or a top-level value of an archive.
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

/// A pair of a dictionary. A key may have any type; it is nearly always a string.
package struct KeyedPair: Hashable, Sendable {
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
  /// The text of the base URL, then that of the base's own base, and so on; usually empty.
  package let bases: [String]

  package init(relative: String, bases: [String] = []) {
    self.relative = relative
    self.bases = bases
  }

  /// The text if it needs no base, because there is none or the text begins with a scheme; otherwise nil.
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

  /// Creates a UUID; nil if there are not 16 bytes.
  package init?(bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    self.bytes = bytes
  }

  /// `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`, in capitals, as Foundation writes it.
  package var description: String {
    var text = ""
    for (place, byte) in bytes.enumerated() {
      if place == 4 || place == 6 || place == 8 || place == 10 { text += "-" }
      text += (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
    return text
  }
}
