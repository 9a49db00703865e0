import Carryover
import PropertyLists

/// The entries of the decisions' file by key, and their order. The time to find an entry does not depend on their
/// number. Keys are equal only if their bytes are.
///
/// A removed entry leaves a gap. Gaps are closed only when there are many, so a replacement does not move all entries.
struct ConvertEntries: Sendable {
  private var members: [JSONMember?] = []
  private var index: [[UInt8]: Int] = [:]
  /// The order as in the file, with elements that are not text.
  private var sequence: [JSONValue?] = []
  /// Where the search for the oldest entry starts; no entry before it can be dropped.
  private var oldest = 0
  private var gaps = 0

  init() {}

  /// The entries of a file; nil if they do not have the SDK's form.
  init?(store: JSONValue?, order: JSONValue?) {
    switch (store, order) {
    case (nil, nil), (.object, nil), (nil, .array), (.object, .array): break
    default: return nil
    }
    let found = store?.members ?? []
    guard found.allSatisfy({ Self.isEntry($0.value) }) else { return nil }
    members = found
    sequence = order?.elements ?? []
    makeIndex()
    completeOrder(found)
  }

  var store: JSONValue { .object(members.compactMap(\.self)) }
  var order: JSONValue { .array(sequence.compactMap(\.self)) }

  /// The keys, the oldest first.
  var keys: [String] { sequence.compactMap { $0?.stringValue }.filter { index[Array($0.utf8)] != nil } }

  subscript(key: String) -> JSONValue? { index[Array(key.utf8)].flatMap { members[$0]?.value } }

  /// Sets the entry of a key.
  /// - Returns: whether the key is new. The order does not contain it yet then.
  mutating func put(_ entry: JSONValue, at key: String) -> Bool {
    let bytes = Array(key.utf8)
    if let place = index[bytes] {
      members[place] = JSONMember(key, entry)
      return false
    }
    index[bytes] = members.count
    members.append(JSONMember(key, entry))
    return true
  }

  mutating func appendToOrder(_ key: String) { sequence.append(.string(key)) }

  /// Inserts new keys into the order, each after an older one.
  mutating func insertIntoOrder(behind followers: [[UInt8]: String]) {
    guard !followers.isEmpty else { return }
    sequence = sequence.compactMap(\.self).flatMap { element -> [JSONValue] in
      guard let key = element.stringValue, let follower = followers[Array(key.utf8)] else { return [element] }
      return [element, .string(follower)]
    }
    oldest = 0
  }

  mutating func remove(_ keys: [String]) {
    guard !keys.isEmpty else { return }
    close(without: keys)
  }

  /// Closes the gaps and removes keys.
  private mutating func close(without keys: [String] = []) {
    let gone = Set(keys.map { Array($0.utf8) })
    members.removeAll { $0.map { gone.contains(Array($0.name.utf8)) } ?? true }
    sequence.removeAll { $0.map { $0.stringValue.map { gone.contains(Array($0.utf8)) } ?? false } ?? true }
    makeIndex()
  }

  mutating func dropOldest(over limit: Int) {
    guard index.count > limit else { return }
    // A file may contain a name twice; both entries have to be removed.
    guard index.count + gaps == members.count else { return remove(Array(keys.prefix(index.count - limit))) }
    while index.count > limit, oldest < sequence.count {
      if let key = sequence[oldest]?.stringValue, let place = index.removeValue(forKey: Array(key.utf8)) {
        members[place] = nil
        sequence[oldest] = nil
        gaps += 1
      }
      oldest += 1
    }
    if gaps > max(limit / 4, 16) { close() }
  }

  private mutating func makeIndex() {
    index = [:]
    for (place, member) in members.enumerated() {
      guard let name = member.map({ Array($0.name.utf8) }), index[name] == nil else { continue }
      index[name] = place
    }
    (oldest, gaps) = (0, 0)
  }

  /// Keys that are not in the order are the newest. If the order has a key twice, the first place counts.
  private mutating func completeOrder(_ members: [JSONMember]) {
    var known: Set<[UInt8]> = []
    sequence.removeAll { $0?.stringValue.map { !known.insert(Array($0.utf8)).inserted } ?? false }
    for member in members where known.insert(Array(member.name.utf8)).inserted { sequence.append(.string(member.name)) }
  }

  /// Whether a value is an entry: an object whose known members, if present, are objects.
  private static func isEntry(_ value: JSONValue) -> Bool {
    guard case .object(let members) = value else { return false }
    return members.allSatisfy { !known.contains($0.name) || $0.value == .null || $0.value.members != nil }
  }

  private static let known: Set = ["bucketing", "goalTriggered", "segments", "locations"]
}

extension JSONValue {
  /// Merges the members of two objects down to a depth. If both have a member, the first one's stays. Null is none.
  func merging(_ second: JSONValue, depth: Int) -> JSONValue {
    guard case .object(var members) = self, case .object(let others) = second, depth > 0 else {
      return self == .null ? second : self
    }
    var places = Dictionary(
      members.enumerated().map { (Array($1.name.utf8), $0) }, uniquingKeysWith: { first, _ in first })
    for other in others {
      let name = Array(other.name.utf8)
      if let place = places[name] {
        members[place].value = members[place].value.merging(other.value, depth: depth - 1)
      } else {
        places[name] = members.count
        members.append(other)
      }
    }
    return .object(members)
  }
}
