/// A value of a property list, with its type in the file.
///
/// Values are equal if their type and value are: `true`, `1` and `1.0` differ, and so do a 32-bit and a 64-bit real.
/// Strings are equal if their UTF-8 bytes are; canonically equivalent spellings differ, as they do in the file.
public enum PropertyListValue: Sendable {
  /// Text. A lone surrogate in the file is read as U+FFFD and reported as a finding.
  case string(String)
  /// A whole number of up to 128 bits.
  case integer(PropertyListInteger)
  /// A floating-point number with its width in the file.
  case real(PropertyListReal)
  /// A boolean, never a number.
  case boolean(Bool)
  /// A date, which may be any Double, including NaN.
  case date(PropertyListDate)
  /// Bytes.
  case data([UInt8])
  /// Values in order.
  case array([PropertyListValue])
  /// Pairs in the order of the file, including duplicate keys.
  case dictionary(PropertyListDictionary)
  /// A keyed archiver's reference; Apple's readers accept values up to 4,294,967,295.
  case uid(UInt64)
  /// A set in the order of the file; binary files only.
  case set([PropertyListValue])
  /// The null of the binary format.
  case null
}

extension PropertyListValue {
  /// The type of a value. The raw value is the word used in JSON output.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    case string, integer, real, boolean, date, data, array, dictionary, uid, set, null
  }

  /// The type of this value.
  public var kind: Kind {
    switch self {
    case .string: .string
    case .integer: .integer
    case .real: .real
    case .boolean: .boolean
    case .date: .date
    case .data: .data
    case .array: .array
    case .dictionary: .dictionary
    case .uid: .uid
    case .set: .set
    case .null: .null
    }
  }

  /// The values directly inside an array, a set or a dictionary (without its keys); empty for a scalar.
  package var children: [PropertyListValue] {
    switch self {
    case .array(let values), .set(let values): values
    case .dictionary(let dictionary): dictionary.entries.map(\.value)
    default: []
    }
  }
}

extension PropertyListValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Creates a string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Creates an integer.
  public init(integerLiteral value: Int64) { self = .integer(PropertyListInteger(value)) }
  /// Creates a 64-bit real.
  public init(floatLiteral value: Double) { self = .real(PropertyListReal(value)) }
  /// Creates a boolean.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  /// Creates an array.
  public init(arrayLiteral elements: PropertyListValue...) { self = .array(elements) }
  /// Creates a dictionary; keeps duplicate keys.
  public init(dictionaryLiteral elements: (String, PropertyListValue)...) {
    self = .dictionary(PropertyListDictionary(entries: elements.map { .init(key: $0.0, value: $0.1) }))
  }
}

extension PropertyListValue: Hashable, HashableTree {
  package func isShallowlyEqual(to other: PropertyListValue) -> Bool {
    switch (self, other) {
    case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
    case (.integer(let left), .integer(let right)): left == right
    case (.real(let left), .real(let right)): left == right
    case (.boolean(let left), .boolean(let right)): left == right
    case (.date(let left), .date(let right)): left == right
    case (.data(let left), .data(let right)): left == right
    case (.uid(let left), .uid(let right)): left == right
    case (.array, .array), (.set, .set), (.null, .null): true
    case (.dictionary(let left), .dictionary(let right)):
      left.count == right.count
        && zip(left.entries, right.entries).allSatisfy { $0.key.hasSameBytes(as: $1.key) }
    default: false
    }
  }

  package func feedShallowly(_ hasher: inout Hasher) {
    // Otherwise, trees of empty collections of one shape would have one hash, regardless of their types.
    hasher.combine(kind)
    switch self {
    case .string(let text): text.hashBytes(into: &hasher)
    case .integer(let integer): hasher.combine(integer)
    case .real(let real): hasher.combine(real)
    case .boolean(let boolean): hasher.combine(boolean)
    case .date(let date): hasher.combine(date)
    case .data(let bytes): hasher.combine(bytes)
    case .uid(let number): hasher.combine(number)
    case .dictionary(let dictionary): for entry in dictionary.entries { entry.key.hashBytes(into: &hasher) }
    case .array, .set, .null: break
    }
  }
}
