import PropertyLists

/// The entries of the decisions' file by key, and the order in which they came: each is looked up once, however many there
/// are. Keys are the same only byte for byte.
struct ConvertEntries: Sendable {
  private var members: [JSONMember] = []
  private var index: [[UInt8]: Int] = [:]
  /// As it stands in the file, with what is no text.
  private var sequence: [JSONValue] = []

  init() {}

  /// The entries of a file; nil where they are not of the SDK's form.
  init?(store: JSONValue?, order: JSONValue?) {
    switch (store, order) {
    case (nil, nil), (.object, nil), (nil, .array), (.object, .array): break
    default: return nil
    }
    members = store?.members ?? []
    guard members.allSatisfy({ Self.isEntry($0.value) }) else { return nil }
    sequence = order?.elements ?? []
    makeIndex()
    completeOrder()
  }

  var store: JSONValue { .object(members) }
  var order: JSONValue { .array(sequence) }

  /// The keys, the oldest first.
  var keys: [String] { sequence.compactMap(\.stringValue).filter { index[Array($0.utf8)] != nil } }

  subscript(key: String) -> JSONValue? { index[Array(key.utf8)].map { members[$0].value } }

  /// Puts an entry at a key.
  /// - Returns: whether there was none; the order does not have it yet then.
  mutating func put(_ entry: JSONValue, at key: String) -> Bool {
    let bytes = Array(key.utf8)
    if let place = index[bytes] {
      members[place].value = entry
      return false
    }
    index[bytes] = members.count
    members.append(JSONMember(key, entry))
    return true
  }

  mutating func appendToOrder(_ key: String) { sequence.append(.string(key)) }

  /// Puts new keys into the order, each behind an older one.
  mutating func insertIntoOrder(behind followers: [[UInt8]: String]) {
    guard !followers.isEmpty else { return }
    sequence = sequence.flatMap { element -> [JSONValue] in
      guard let key = element.stringValue, let follower = followers[Array(key.utf8)] else { return [element] }
      return [element, .string(follower)]
    }
  }

  mutating func remove(_ keys: [String]) {
    guard !keys.isEmpty else { return }
    let gone = Set(keys.map { Array($0.utf8) })
    members.removeAll { gone.contains(Array($0.name.utf8)) }
    sequence.removeAll { $0.stringValue.map { gone.contains(Array($0.utf8)) } ?? false }
    makeIndex()
  }

  mutating func dropOldest(over limit: Int) {
    guard index.count > limit else { return }
    remove(Array(keys.prefix(index.count - limit)))
  }

  private mutating func makeIndex() {
    index = Dictionary(
      members.enumerated().map { (Array($1.name.utf8), $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Keys that the order lacks are the newest; one that it has twice counts where it stands first.
  private mutating func completeOrder() {
    var known: Set<[UInt8]> = []
    sequence.removeAll { element in element.stringValue.map { !known.insert(Array($0.utf8)).inserted } ?? false }
    for member in members where known.insert(Array(member.name.utf8)).inserted { sequence.append(.string(member.name)) }
  }

  /// Its members are optional, and those that are known are objects.
  private static func isEntry(_ value: JSONValue) -> Bool {
    guard case .object(let members) = value else { return false }
    return members.allSatisfy { !known.contains($0.name) || $0.value == .null || $0.value.members != nil }
  }

  private static let known: Set = ["bucketing", "goalTriggered", "segments", "locations"]
}

extension JSONValue {
  /// The members of two objects, of a depth: where both have one, the first one's stays. What is null is none.
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
