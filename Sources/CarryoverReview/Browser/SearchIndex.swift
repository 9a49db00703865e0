import Carryover
import CarryoverVendors
import PropertyLists

/// The text of every key and value of a container, for searching: made once, when somebody first searches, so that each
/// key typed reads bytes and opens nothing. What stands under the key of a secret is not in it.
struct SearchIndex: Sendable {
  /// What is read at most; beyond it the index is cut, and says so.
  struct Limits: Sendable {
    var entries = 2_000_000
    var bytes = 64 << 20
    /// The longest part of one text, in bytes.
    var text = 4 << 20
    /// The same once half of the bytes are used.
    var shortText = 65_536
    var depth = 128
  }

  private struct Entry: Sendable {
    /// The entry it is in; its own number for an outermost one.
    var parent: Int
    /// Its number among its siblings.
    var index: Int
    /// Where its text ends.
    var end: Int
  }

  private var entries: [Entry] = []
  private var bytes: [UInt8] = []
  /// Whether the container holds more than was read.
  private(set) var isCut = false
  private let limits: Limits

  init(_ outline: Outline, limits: Limits = Limits()) {
    self.limits = limits
    var folder: (index: Int, entry: Int)?
    for (place, root) in outline.rootPlaces {
      if place.count > 1, folder?.index != place[0] {
        add(parent: nil, index: place[0], [root.folder])
        folder = (place[0], entries.count - 1)
      }
      let (parent, index) = place.count > 1 ? (folder?.entry, place[1]) : (nil, place[0])
      switch root {
      case .store(let store, let value):
        if case .unreadable(let reason) = store.content {
          add(parent: parent, index: index, [root.fileName, reason])
        } else {
          add(parent: parent, index: index, [root.fileName])
        }
        if let value { addInside(value, entry: entries.count - 1) }
      case .events, .sign: add(parent: parent, index: index, [root.fileName])
      case .notice(let sentence, _): add(parent: parent, index: index, [sentence])
      }
    }
  }

  /// How many things can be found.
  var count: Int { entries.count }

  private mutating func add(parent: Int?, index: Int, _ texts: [String]) {
    for text in texts {
      append(text)
      bytes.append(Self.separator)
    }
    entries.append(Entry(parent: parent ?? entries.count, index: index, end: bytes.count))
  }

  private mutating func append(_ text: String) {
    let limit = bytes.count < limits.bytes / 2 ? limits.text : limits.shortText
    if text.utf8.count > limit { isCut = true }
    let head = text.utf8.prefix(limit)
    if head.allSatisfy({ $0 < 0x80 }) {
      for byte in head { bytes.append(Self.lowered(byte)) }
    } else {
      bytes.append(contentsOf: Self.folded(text.firstScalars(limit)))
    }
  }

  /// Everything inside a value, in the order of the outline, with a list of its own instead of the call stack.
  private mutating func addInside(_ value: InspectedValue, entry: Int) {
    var pending = [(value: value, next: 0, entry: entry)]
    while let (value, next, entry) = pending.last {
      guard let child = value.child(at: next) else {
        pending.removeLast()
        continue
      }
      guard entries.count < limits.entries, bytes.count < limits.bytes else {
        isCut = true
        return
      }
      pending[pending.count - 1].next += 1
      let name = child.label.name ?? ""
      guard !Secrets.holds(child) else {
        add(parent: entry, index: next, [name])
        continue
      }
      let inner = child.value
      guard inner.isContainer else {
        add(parent: entry, index: next, [name, inner.searchText(limit: limits.text)])
        continue
      }
      add(parent: entry, index: next, [name])
      if pending.count < limits.depth {
        pending.append((inner, 0, entries.count - 1))
      } else {
        isCut = true
      }
    }
  }

  /// The entries that hold a text, whatever its case, in the order of the outline.
  /// - Parameter isNameOnly: Whether only their names are looked into, and not their values.
  func matches(_ query: String, isNameOnly: Bool = false) -> [Int] {
    let wanted = Self.folded(query)
    guard let first = wanted.first, wanted.count <= bytes.count else { return [] }
    var matches: [Int] = []
    bytes.withUnsafeBufferPointer { bytes in
      wanted.withUnsafeBufferPointer { wanted in
        var (entry, position) = (0, 0)
        while position <= bytes.count - wanted.count {
          guard bytes[position] == first, SearchText.contains(bytes, position..<(position + wanted.count), wanted)
          else {
            position += 1
            continue
          }
          while entry < entries.count, entries[entry].end <= position { entry += 1 }
          guard entry < entries.count else { break }
          let start = entry == 0 ? 0 : entries[entry - 1].end
          if !isNameOnly || !bytes[start..<position].contains(Self.separator) { matches.append(entry) }
          position = entries[entry].end
        }
      }
    }
    return matches
  }

  /// The number of each child on the way to an entry.
  func place(_ entry: Int) -> [Int] {
    guard entries.indices.contains(entry) else { return [] }
    var place = [entries[entry].index]
    var current = entry
    while entries[current].parent != current {
      current = entries[current].parent
      place.append(entries[current].index)
    }
    return place.reversed()
  }

  /// Never a byte of UTF-8, so that no match reaches from one text into another.
  private static let separator: UInt8 = 0xFF

  private static func lowered(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte }

  private static func folded(_ text: String) -> [UInt8] { Array(text.lowercased().utf8) }
}
