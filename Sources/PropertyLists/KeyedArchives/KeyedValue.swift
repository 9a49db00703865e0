/// A value of a keyed archive: a value of a property-list class, an object of another class with its members, or null.
///
/// Numbers, strings, data and dates are as exact as in the file. No class is looked up or instantiated.
package enum KeyedValue: Sendable {
  /// `NSString`, `NSMutableString`.
  case string(String)
  /// A whole `NSNumber`.
  case integer(PropertyListInteger)
  /// An `NSNumber` with a fraction.
  case real(PropertyListReal)
  /// A boolean `NSNumber`.
  case boolean(Bool)
  /// `NSDate`.
  case date(PropertyListDate)
  /// `NSData`, `NSMutableData`.
  case data([UInt8])
  /// `NSArray`, `NSMutableArray`, and an array written in place.
  case array([KeyedValue])
  /// `NSSet`, `NSMutableSet`, in the order of the file.
  case set([KeyedValue])
  /// `NSOrderedSet`, `NSMutableOrderedSet`.
  case orderedSet([KeyedValue])
  /// `NSDictionary`, `NSMutableDictionary`: pairs in the order of the file, duplicates included.
  case dictionary([KeyedPair])
  /// `NSURL`.
  case url(KeyedURL)
  /// `NSUUID`.
  case uuid(KeyedUUID)
  /// `NSNull`, and the archiver's nil.
  case null
  /// An object of another class.
  case object(KeyedObject)
  /// An object that contains itself, at its second occurrence; the number is its index in `$objects`.
  case cycle(object: Int)
}

extension KeyedValue {
  /// The type of a value. The raw value is its name in messages.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    case string, integer, real, boolean, date, data, array, set, orderedSet, dictionary, url, uuid, null, object, cycle
    /// A reference to an object; used only in errors.
    case reference

    init(_ kind: PropertyListValue.Kind) {
      switch kind {
      case .string: self = .string
      case .integer: self = .integer
      case .real: self = .real
      case .boolean: self = .boolean
      case .date: self = .date
      case .data: self = .data
      case .array: self = .array
      case .dictionary: self = .dictionary
      case .uid: self = .reference
      case .set: self = .set
      case .null: self = .null
      }
    }
  }

  /// The type of this value.
  package var kind: Kind {
    switch self {
    case .string: .string
    case .integer: .integer
    case .real: .real
    case .boolean: .boolean
    case .date: .date
    case .data: .data
    case .array: .array
    case .set: .set
    case .orderedSet: .orderedSet
    case .dictionary: .dictionary
    case .url: .url
    case .uuid: .uuid
    case .null: .null
    case .object: .object
    case .cycle: .cycle
    }
  }

  /// The value of a dictionary's first pair with this string as its key, or of an object's first member with this name.
  package subscript(name: String) -> KeyedValue? {
    switch self {
    case .dictionary(let pairs):
      pairs.first { pair in
        if case .string(let key) = pair.key { key.hasSameBytes(as: name) } else { false }
      }?.value
    case .object(let object): object[name]
    default: nil
    }
  }
}

extension KeyedValue: Hashable, HashableTree {
  /// The values directly inside; for a dictionary, keys and values alternately.
  package var children: [KeyedValue] {
    switch self {
    case .array(let values), .set(let values), .orderedSet(let values): values
    case .dictionary(let pairs): pairs.flatMap { [$0.key, $0.value] }
    case .object(let object): object.members.map(\.value)
    default: []
    }
  }

  package func isShallowlyEqual(to other: KeyedValue) -> Bool {
    switch (self, other) {
    case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
    case (.integer(let left), .integer(let right)): left == right
    case (.real(let left), .real(let right)): left == right
    case (.boolean(let left), .boolean(let right)): left == right
    case (.date(let left), .date(let right)): left == right
    case (.data(let left), .data(let right)): left == right
    case (.url(let left), .url(let right)): left == right
    case (.uuid(let left), .uuid(let right)): left == right
    case (.cycle(let left), .cycle(let right)): left == right
    case (.object(let left), .object(let right)):
      left.index == right.index && left.objectClass == right.objectClass
        && left.members.map(\.name).haveSameBytes(as: right.members.map(\.name))
    case (.array, .array), (.set, .set), (.orderedSet, .orderedSet), (.dictionary, .dictionary), (.null, .null): true
    default: false
    }
  }

  package func feedShallowly(_ hasher: inout Hasher) {
    hasher.combine(kind)
    switch self {
    case .string(let text): text.hashBytes(into: &hasher)
    case .integer(let integer): hasher.combine(integer)
    case .real(let real): hasher.combine(real)
    case .boolean(let boolean): hasher.combine(boolean)
    case .date(let date): hasher.combine(date)
    case .data(let bytes): hasher.combine(bytes)
    case .url(let url): hasher.combine(url)
    case .uuid(let uuid): hasher.combine(uuid)
    case .cycle(let object): hasher.combine(object)
    case .object(let object):
      hasher.combine(object.index)
      hasher.combine(object.objectClass)
      for member in object.members { member.name.hashBytes(into: &hasher) }
    case .array, .set, .orderedSet, .dictionary, .null: break
    }
  }
}

extension KeyedClass: Hashable {
  /// True when name and chain have the same bytes.
  package static func == (left: Self, right: Self) -> Bool {
    left.name.hasSameBytes(as: right.name) && left.chain.haveSameBytes(as: right.chain)
  }

  /// Feeds name and chain.
  package func hash(into hasher: inout Hasher) {
    name.hashBytes(into: &hasher)
    for name in chain { name.hashBytes(into: &hasher) }
  }
}

extension KeyedURL: Hashable {
  /// True when the text and every base have the same bytes.
  package static func == (left: Self, right: Self) -> Bool {
    left.relative.hasSameBytes(as: right.relative) && left.bases.haveSameBytes(as: right.bases)
  }

  /// Feeds the text and the bases.
  package func hash(into hasher: inout Hasher) {
    relative.hashBytes(into: &hasher)
    for base in bases { base.hashBytes(into: &hasher) }
  }
}

extension KeyedMember: Hashable {
  /// True when name and value are equal.
  package static func == (left: Self, right: Self) -> Bool {
    left.name.hasSameBytes(as: right.name) && left.value == right.value
  }

  /// Feeds name and value.
  package func hash(into hasher: inout Hasher) {
    name.hashBytes(into: &hasher)
    hasher.combine(value)
  }
}

extension KeyedObject: Hashable {
  /// True when place, class and members are equal.
  package static func == (left: Self, right: Self) -> Bool { KeyedValue.object(left) == KeyedValue.object(right) }
  /// Feeds place, class and members.
  package func hash(into hasher: inout Hasher) { hasher.combine(KeyedValue.object(self)) }
}

extension [String] {
  fileprivate func haveSameBytes(as other: [String]) -> Bool {
    count == other.count && zip(self, other).allSatisfy { $0.hasSameBytes(as: $1) }
  }
}
