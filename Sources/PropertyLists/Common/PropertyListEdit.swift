/// A change to the root dictionary of a property list.
public enum PropertyListEdit: Sendable, Hashable {
  /// Sets the value of a key: in its first pair, or in a new pair at the end if there is none. Later pairs with the
  /// same key are removed, so that every reader finds the new value.
  case set(String, PropertyListValue)
  /// Removes every pair with the key; does nothing if there is none.
  case remove(String)

  package var key: String {
    switch self {
    case .set(let key, _), .remove(let key): key
    }
  }
}

/// Bytes to write in place of those in a range.
typealias ByteChange = (range: Range<Int>, text: [UInt8])

/// A text after changes in ascending order.
func edited(_ text: UnsafeBufferPointer<UInt8>, _ changes: [ByteChange]) -> [UInt8] {
  var result: [UInt8] = []
  result.reserveCapacity(text.count + changes.reduce(0) { $0 + $1.text.count })
  var position = 0
  for change in changes {
    result.append(contentsOf: text[position..<change.range.lowerBound])
    result.append(contentsOf: change.text)
    position = change.range.upperBound
  }
  result.append(contentsOf: text[position...])
  return result
}

/// The combined effect of a sequence of edits on each pair of a dictionary.
struct EditPlan {
  enum Fate: Equatable {
    case keep
    case replace(PropertyListValue)
    case drop
  }

  private(set) var fates: [Fate]
  private(set) var appended: [PropertyListDictionary.Entry] = []
  var isEmpty: Bool { appended.isEmpty && fates.allSatisfy { $0 == .keep } }

  init(_ edits: [PropertyListEdit], of entries: [PropertyListDictionary.Entry]) {
    var positions: [StringByBytes: [Int]] = [:]
    for edit in edits { positions[StringByBytes(edit.key)] = [] }
    for (position, entry) in entries.enumerated() {
      // Few keys are edited: a pair of another key costs one look-up and nothing else.
      positions[StringByBytes(entry.key)]?.append(position)
    }
    fates = Array(repeating: .keep, count: entries.count)
    var places: [StringByBytes: Int] = [:]
    var slots: [PropertyListDictionary.Entry?] = []
    for edit in edits {
      let key = StringByBytes(edit.key)
      let own = positions[key] ?? []
      let isInPlace = own.first.map { fates[$0] != .drop } ?? false
      switch edit {
      case .remove:
        for position in own { fates[position] = .drop }
        if let slot = places.removeValue(forKey: key) { slots[slot] = nil }
      case .set(let text, let value):
        if isInPlace {
          for position in own { fates[position] = .drop }
          if let first = own.first { fates[first] = entries[first].value == value ? .keep : .replace(value) }
        } else if let slot = places[key] {
          slots[slot] = .init(key: text, value: value)
        } else {
          places[key] = slots.count
          slots.append(.init(key: text, value: value))
        }
      }
    }
    appended = slots.compactMap { $0 }
  }

  /// What makes a dictionary of another one; nil if that takes more than replacing, dropping and appending pairs, or if
  /// pairs share a key.
  init?(from old: PropertyListDictionary, to new: PropertyListDictionary) {
    let values = new.indexed()
    guard Set(bytesOf: old.keys).count == old.count, Set(bytesOf: new.keys).count == new.count else { return nil }
    fates = old.entries.map { entry in
      values[entry.key].map { $0 == entry.value ? .keep : .replace($0) } ?? .drop
    }
    let kept = fates.count { $0 != .drop }
    appended = Array(new.entries.dropFirst(kept))
    guard result(of: old.entries) == new.entries else { return nil }
  }

  func result(of entries: [PropertyListDictionary.Entry]) -> [PropertyListDictionary.Entry] {
    zip(entries, fates).compactMap { entry, fate -> PropertyListDictionary.Entry? in
      switch fate {
      case .keep: entry
      case .replace(let value): .init(key: entry.key, value: value)
      case .drop: nil
      }
    } + appended
  }
}

extension PropertyListDictionary {
  /// The dictionary after edits, as ``PropertyListDocument/editing(_:)`` writes it to the file.
  package func applying(_ edits: [PropertyListEdit]) -> PropertyListDictionary {
    PropertyListDictionary(entries: EditPlan(edits, of: entries).result(of: entries))
  }
}
