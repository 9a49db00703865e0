/// A value of a keyed archive: a value of a property-list class, an object of another class with its members, or null.
///
/// Numbers, strings, data and dates are as exact as in the file. No class is looked up or instantiated.
package enum KeyedValue: Sendable, Hashable {
  /// A scalar: `NSString`, `NSNumber`, `NSDate`, `NSData` and their mutable classes; or null: `NSNull`, and the
  /// archiver's nil.
  case plain(PropertyListValue)
  /// `NSArray`, `NSMutableArray`, and an array written in place.
  case array([KeyedValue])
  /// `NSSet`, `NSMutableSet`, in the order of the file.
  case set([KeyedValue])
  /// `NSOrderedSet`, `NSMutableOrderedSet`.
  case orderedSet([KeyedValue])
  /// `NSDictionary`, `NSMutableDictionary`: pairs in the order of the file, duplicates included.
  case dictionary([KeyedPair])
  case url(KeyedURL)
  case uuid(KeyedUUID)
  /// An object of another class.
  case object(KeyedObject)
  /// An object that contains itself, at its second occurrence; the number is its index in `$objects`.
  case cycle(object: Int)

  package enum Kind: String, Sendable, Hashable, CaseIterable, JSONConvertible {
    case string, integer, real, boolean, date, data, array, set, orderedSet, dictionary, url, uuid, null, object, cycle
    /// A reference to an object; used only in errors.
    case reference

    /// The kinds of property lists have the same names, but for references.
    init(_ kind: PropertyListValue.Kind) { self = Kind(rawValue: kind.rawValue) ?? .reference }
  }

  /// A value of a property list, with its containers as those of an archive. The readers' limit on depth bounds the
  /// recursion.
  package init(_ value: PropertyListValue) {
    switch value {
    case .array(let values): self = .array(values.map(KeyedValue.init))
    case .set(let values): self = .set(values.map(KeyedValue.init))
    case .dictionary(let dictionary):
      self = .dictionary(dictionary.entries.map { KeyedPair($0.key, KeyedValue($0.value)) })
    // In an archive, a UID is a reference, not a value; JSON has none.
    case .uid(let uid): self = .plain(.integer(PropertyListInteger(uid)))
    default: self = .plain(value)
    }
  }

  package var kind: Kind {
    switch self {
    case .plain(let value): Kind(value.kind)
    case .array: .array
    case .set: .set
    case .orderedSet: .orderedSet
    case .dictionary: .dictionary
    case .url: .url
    case .uuid: .uuid
    case .object: .object
    case .cycle: .cycle
    }
  }

  /// The value of a dictionary's first pair with this string as its key, or of an object's first member with this name.
  package subscript(name: String) -> KeyedValue? {
    switch self {
    case .dictionary(let pairs):
      pairs.first { $0.name?.hasSameBytes(as: name) == true }?.value
    case .object(let object): object[name]
    default: nil
    }
  }

  /// Whether type and value are equal. Strings are compared by their UTF-8 bytes.
  package static func == (left: KeyedValue, right: KeyedValue) -> Bool {
    switch (left, right) {
    case (.array(let left), .array(let right)), (.set(let left), .set(let right)): left == right
    case (.orderedSet(let left), .orderedSet(let right)): left == right
    case (.dictionary(let left), .dictionary(let right)): areEqual(left, right)
    case (.object(let left), .object(let right)): left == right
    default: areEqualScalars(left, right)
    }
  }

  /// Not by the `==` of arrays, whose frames for pairs take two kilobytes each.
  @inline(never)
  private static func areEqual(_ left: [KeyedPair], _ right: [KeyedPair]) -> Bool {
    left.count == right.count
      && left.indices.allSatisfy { left[$0].key == right[$0].key && left[$0].value == right[$0].value }
  }

  /// Apart from `==`, as for ``PropertyListValue``.
  @inline(never)
  private static func areEqualScalars(_ left: KeyedValue, _ right: KeyedValue) -> Bool {
    switch (left, right) {
    case (.plain(let left), .plain(let right)): left == right
    case (.url(let left), .url(let right)): left == right
    case (.uuid(let left), .uuid(let right)): left == right
    case (.cycle(let left), .cycle(let right)): left == right
    default: false
    }
  }
}

package struct KeyedClass: Hashable, Sendable {
  /// `$classname`.
  @StringByBytes package private(set) var name: String
  private let classes: [StringByBytes]
  /// `$classes`: first the class itself, then its superclasses.
  package var chain: [String] { classes.map(\.text) }

  package init(name: String, chain: [String]) {
    self.name = name
    classes = chain.map { StringByBytes($0) }
  }
}

/// An object whose class is not a property-list class, with its members as in the archive.
package struct KeyedObject: Hashable, Sendable {
  /// The index in `$objects`.
  package let index: Int
  package let objectClass: KeyedClass
  /// The members in the order of the file, including duplicates, with their names in the file. (The archiver adds a `$`
  /// to a name that begins with one.)
  package let members: [KeyedMember]

  package subscript(name: String) -> KeyedValue? { members.first { $0.name.hasSameBytes(as: name) }?.value }
}

package struct KeyedMember: Hashable, Sendable {
  @StringByBytes package private(set) var name: String
  package let value: KeyedValue

  package init(_ name: String, _ value: KeyedValue) {
    self.name = name
    self.value = value
  }
}

/// A pair of a dictionary. A key may have any type; it is nearly always a string.
package struct KeyedPair: Hashable, Sendable {
  package let key: KeyedValue
  package let value: KeyedValue

  package init(_ key: KeyedValue, _ value: KeyedValue) {
    self.key = key
    self.value = value
  }

  package init(_ name: String, _ value: KeyedValue) { self.init(.plain(.string(name)), value) }

  package var name: String? { if case .plain(.string(let name)) = key { name } else { nil } }
}

/// An `NSURL`: its text, and the texts it is relative to.
package struct KeyedURL: Hashable, Sendable {
  /// `NS.relative`.
  @StringByBytes package private(set) var relative: String
  private let baseTexts: [StringByBytes]
  /// The text of the base URL, then that of the base's own base, and so on; usually empty.
  package var bases: [String] { baseTexts.map(\.text) }

  package init(relative: String, bases: [String] = []) {
    self.relative = relative
    baseTexts = bases.map { StringByBytes($0) }
  }

  /// The text if it needs no base, because there is none or the text begins with a scheme; otherwise nil.
  package var text: String? { bases.isEmpty || hasScheme ? relative : nil }

  /// RFC 3986: a letter, then letters, digits, `+`, `-` and `.`, then a colon.
  private var hasScheme: Bool {
    for (place, byte) in relative.utf8.enumerated() {
      switch byte {
      case UInt8(ascii: ":"): return place > 0
      case 0x41...0x5A, 0x61...0x7A: continue
      case 0x30...0x39, UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): if place == 0 { return false }
      default: return false
      }
    }
    return false
  }
}

package struct KeyedUUID: Sendable, Hashable, CustomStringConvertible {
  let bytes: [UInt8]

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
