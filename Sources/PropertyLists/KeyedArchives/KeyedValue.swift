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
