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

  /// The number of pairs, including duplicates.
  package var count: Int { entries.count }

  /// Whether there is no pair.
  package var isEmpty: Bool { entries.isEmpty }

  /// The keys in order, including duplicates.
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

  /// Appends a pair without searching for the key.
  package mutating func append(key: String, value: PropertyListValue) {
    entries.append(Entry(key: key, value: value))
  }

  /// A table from key to position, for many look-ups.
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
  /// The dictionary that was indexed.
  package let dictionary: PropertyListDictionary
  private let positions: [StringByBytes: Int]

  init(_ dictionary: PropertyListDictionary) {
    self.dictionary = dictionary
    var positions: [StringByBytes: Int] = [:]
    positions.reserveCapacity(dictionary.count)
    for (position, entry) in dictionary.entries.enumerated() {
      // The first pair of a key is the one a look-up finds.
      let key = StringByBytes(entry.key)
      if positions[key] == nil { positions[key] = position }
    }
    self.positions = positions
  }

  /// The value of the first pair with a key.
  package subscript(key: String) -> PropertyListValue? {
    position(of: key).map { dictionary.entries[$0].value }
  }

  /// The position of a key's first pair in `dictionary.entries`.
  package func position(of key: String) -> Int? { positions[StringByBytes(key)] }
}
