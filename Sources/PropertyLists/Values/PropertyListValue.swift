/// A value of a property list, with its type in the file.
///
/// Values are equal if their type and value are: `true`, `1` and `1.0` differ, and so do a 32-bit and a 64-bit real.
/// Strings are equal if their UTF-8 bytes are; canonically equivalent spellings differ, as they do in the file.
public enum PropertyListValue: Sendable, Hashable {
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

  /// The type of a value in it, or its own, that Apple's property lists do not have; nil if they have all.
  package var foreignKind: Kind? {
    var pending = [self]
    while let next = pending.popLast() {
      switch next {
      case .null, .uid, .set: return next.kind
      default: pending += next.children
      }
    }
    return nil
  }

  /// Whether type and value are equal. Strings are compared by their UTF-8 bytes.
  public static func == (left: PropertyListValue, right: PropertyListValue) -> Bool {
    switch (left, right) {
    case (.array(let left), .array(let right)), (.set(let left), .set(let right)): left == right
    case (.dictionary(let left), .dictionary(let right)): left == right
    default: areEqualScalars(left, right)
    }
  }

  /// Apart from `==`, whose frames have to be small: 512 of them must fit on any thread's stack.
  @inline(never)
  private static func areEqualScalars(_ left: PropertyListValue, _ right: PropertyListValue) -> Bool {
    switch (left, right) {
    case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
    case (.integer(let left), .integer(let right)): left == right
    case (.real(let left), .real(let right)): left == right
    case (.boolean(let left), .boolean(let right)): left == right
    case (.date(let left), .date(let right)): left == right
    case (.data(let left), .data(let right)): left == right
    case (.uid(let left), .uid(let right)): left == right
    case (.null, .null): true
    default: false
    }
  }

  /// Feeds the type, and strings by their bytes: a text's many equivalent spellings must not share a hash.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    switch self {
    case .string(let text): hasher.combine(StringByBytes(text))
    case .integer(let integer): hasher.combine(integer)
    case .real(let real): hasher.combine(real)
    case .boolean(let flag): hasher.combine(flag)
    case .date(let date): hasher.combine(date)
    case .data(let bytes): hasher.combine(bytes)
    case .array(let values), .set(let values): hasher.combine(values)
    case .dictionary(let dictionary): hasher.combine(dictionary)
    case .uid(let number): hasher.combine(number)
    case .null: break
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
    self = .dictionary(PropertyListDictionary(entries: elements.map { .init(key: $0, value: $1) }))
  }
}

/// The pairs of a dictionary, in the order of the file and including duplicate keys.
public struct PropertyListDictionary: Sendable, Hashable {
  /// A pair of a dictionary.
  public struct Entry: Sendable, Hashable {
    private var name: StringByBytes
    /// The key; compared by its UTF-8 bytes.
    public var key: String {
      get { name.text }
      set { name = StringByBytes(newValue) }
    }
    /// The value.
    public var value: PropertyListValue

    /// Creates a pair.
    public init(key: String, value: PropertyListValue) {
      name = StringByBytes(key)
      self.value = value
    }
  }

  /// The pairs in order.
  public private(set) var entries: [Entry]

  /// Creates a dictionary from pairs, including duplicates.
  public init(entries: [Entry] = []) { self.entries = entries }

  package var count: Int { entries.count }
  package var isEmpty: Bool { entries.isEmpty }
  package var keys: [String] { entries.map(\.key) }

  /// The value of the first pair with a key; nil if there is none. It searches the pairs in order.
  ///
  /// Setting a value replaces that of the first pair and removes later pairs with the same key, or appends a pair.
  /// Setting nil removes every pair with the key.
  public subscript(key: String) -> PropertyListValue? {
    get { entries.first { $0.key.hasSameBytes(as: key) }?.value }
    set {
      let first = entries.firstIndex { $0.key.hasSameBytes(as: key) }
      guard let newValue else {
        if first != nil { entries.removeAll { $0.key.hasSameBytes(as: key) } }
        return
      }
      guard let first else { return entries.append(Entry(key: key, value: newValue)) }
      entries[first].value = newValue
      let later = entries[(first + 1)...]
      if later.contains(where: { $0.key.hasSameBytes(as: key) }) {
        entries = entries[...first] + later.filter { !$0.key.hasSameBytes(as: key) }
      }
    }
  }

  package func indexed() -> PropertyListDictionaryIndex { PropertyListDictionaryIndex(self) }
}

extension PropertyListDictionary: ExpressibleByDictionaryLiteral {
  /// Creates a dictionary from pairs in the given order; keeps duplicate keys.
  public init(dictionaryLiteral elements: (String, PropertyListValue)...) {
    self.init(entries: elements.map { Entry(key: $0.0, value: $0.1) })
  }
}

/// A dictionary with a table of its keys, for look-ups in constant time.
package struct PropertyListDictionaryIndex: Sendable {
  package let dictionary: PropertyListDictionary
  private let positions: [StringByBytes: Int]

  init(_ dictionary: PropertyListDictionary) {
    self.dictionary = dictionary
    positions = Dictionary(firstOf: dictionary.entries.enumerated().lazy.map { ($1.key, $0) })
  }

  package subscript(key: String) -> PropertyListValue? { positions[key].map { dictionary.entries[$0].value } }
}
