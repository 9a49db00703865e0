/// The pairs of a dictionary in the order of the file, with duplicate keys visible.
public struct PropertyListDictionary: Sendable, Hashable {
  /// One pair.
  public struct Entry: Sendable, Hashable {
    private var name: StringByBytes
    /// The key; compared by its UTF-8 bytes.
    public var key: String {
      get { name.text }
      set { name = StringByBytes(newValue) }
    }
    /// The value.
    public var value: PropertyListValue

    /// A pair.
    public init(key: String, value: PropertyListValue) {
      name = StringByBytes(key)
      self.value = value
    }
  }

  /// The pairs in order.
  public private(set) var entries: [Entry]

  /// Pairs as given, duplicates included.
  public init(entries: [Entry] = []) { self.entries = entries }

  /// How many pairs there are, duplicates counted.
  package var count: Int { entries.count }

  /// True when there is no pair.
  package var isEmpty: Bool { entries.isEmpty }

  /// The keys in order, duplicates included.
  package var keys: [String] { entries.map(\.key) }

  /// The first value of a key; looks at one pair after the other. For many look-ups use ``indexed()``.
  ///
  /// Setting replaces the first pair in place and drops later ones with the same key, or appends a pair; setting nil
  /// removes every pair with the key.
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

  /// Adds a pair at the end without looking for the key.
  package mutating func append(key: String, value: PropertyListValue) {
    entries.append(Entry(key: key, value: value))
  }

  /// A table from key to position, for many look-ups.
  package func indexed() -> PropertyListDictionaryIndex { PropertyListDictionaryIndex(self) }
}

extension PropertyListDictionary: ExpressibleByDictionaryLiteral {
  /// Pairs in the order given; a key given twice is kept twice.
  public init(dictionaryLiteral elements: (String, PropertyListValue)...) {
    self.init(entries: elements.map { Entry(key: $0.0, value: $0.1) })
  }
}

/// A dictionary with a table of its keys: each look-up takes the same time, however many pairs there are.
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

  /// The first value of a key.
  package subscript(key: String) -> PropertyListValue? {
    position(of: key).map { dictionary.entries[$0].value }
  }

  /// The position of a key's first pair in `dictionary.entries`.
  package func position(of key: String) -> Int? { positions[StringByBytes(key)] }
}
