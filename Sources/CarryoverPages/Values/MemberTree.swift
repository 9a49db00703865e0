package import Carryover

/// JSON objects side by side, member by member: the value before, the value after, and the target's. Members are
/// compared by name, in any order and spacing, down to values that are not objects.
package struct MemberTree: Sendable {
  package enum Fate: Hashable, Sendable {
    case kept, changed, added, removed
    /// Before and after are the same, or both absent, and the target has another value.
    case differs
  }

  package struct Node: Sendable {
    package let name: String
    package let depth: Int
    package let parent: Int?
    /// The value in each object. The last of several members with one name counts, as in most readers.
    package let sides: [JSONValue?]
    package let isBranch: Bool
    /// The index after the last member in it.
    package fileprivate(set) var end = 0
    package fileprivate(set) var fate = Fate.kept
    /// How many values in it are not kept; 1 or 0 for a value.
    package fileprivate(set) var changes = 0
  }

  /// Each member is followed by those in it, in the order of the first object that has it.
  package private(set) var nodes: [Node] = []
  /// How many of the object's own members have each fate.
  package private(set) var counts: [Fate: Int] = [:]

  /// The longest text that is compared, in bytes.
  package static let limit = 1 << 22

  /// Nil if the second text is not a JSON object, or if there is nothing to compare it with.
  package init?(_ texts: [String?]) {
    let objects = texts.map { text -> JSONValue? in
      guard let text, text.utf8.count <= Self.limit, let value = (try? JSONText(text))?.value,
        value.members != nil
      else { return nil }
      return value
    }
    guard objects.count > 1, objects[1] != nil, objects.count(where: { $0 != nil }) > 1 else { return nil }
    _ = add(Self.merged(objects), depth: 0, parent: nil, hasTarget: objects.count > 2 && objects[2] != nil)
  }

  private mutating func add(
    _ entries: [Entry], depth: Int, parent: Int?, hasTarget: Bool
  ) -> (fates: Set<Fate>, changes: Int) {
    var (fates, changes): (Set<Fate>, Int) = ([], 0)
    for entry in entries {
      let index = nodes.count
      let inner = entry.isRepeated ? [] : Self.inner(entry.sides)
      var node = Node(name: entry.name, depth: depth, parent: parent, sides: entry.sides, isBranch: !inner.isEmpty)
      nodes.append(node)
      if node.isBranch {
        let inside = add(inner, depth: depth + 1, parent: index, hasTarget: hasTarget)
        (node.fate, node.changes) = (Self.fate(of: node, inside.fates), inside.changes)
      } else {
        node.fate = Self.fate(node, hasTarget)
        node.changes = node.fate == .kept ? 0 : 1
      }
      if depth == 0 { counts[node.fate, default: 0] += 1 }
      node.end = nodes.count
      nodes[index] = node
      fates.insert(node.fate)
      changes += node.changes
    }
    return (fates, changes)
  }

  package var fates: [StringByBytes: Fate] {
    Dictionary(nodes.lazy.filter { $0.depth == 0 }.map { (StringByBytes($0.name), $0.fate) }, uniquingKeysWith: { $1 })
  }

  package var leaves: [Node] { nodes.filter { !$0.isBranch } }

  package func path(of index: Int) -> [String] {
    var (path, next): ([String], Int?) = ([], index)
    while let node = next.flatMap({ nodes.element($0) }) {
      path.append(node.name)
      next = node.parent
    }
    return path.reversed()
  }

  private static func fate(_ leaf: Node, _ hasTarget: Bool) -> Fate {
    switch (leaf.sides[0], leaf.sides[1]) {
    case (nil, .some): .added
    case (.some, nil): .removed
    case (let before, let after) where before != after: .changed
    case (_, let after): hasTarget && leaf.sides[2] != after ? .differs : .kept
    }
  }

  private static func fate(of branch: Node, _ inside: Set<Fate>) -> Fate {
    if inside.subtracting([.kept]).isEmpty { return .kept }
    if branch.sides[0] == nil, branch.sides[1] != nil { return .added }
    if branch.sides[0] != nil, branch.sides[1] == nil { return .removed }
    return inside.subtracting([.kept]) == [.differs] ? .differs : .changed
  }

  private typealias Entry = (name: String, sides: [JSONValue?], isRepeated: Bool)

  /// Empty unless every side is an object.
  private static func inner(_ sides: [JSONValue?]) -> [Entry] {
    sides.allSatisfy { $0.map { $0.members != nil } ?? true } ? merged(sides) : []
  }

  private static func merged(_ objects: [JSONValue?]) -> [Entry] {
    var entries: [Entry] = []
    var places: [StringByBytes: Int] = [:]
    for (side, object) in objects.enumerated() {
      for member in object?.members ?? [] {
        let key = StringByBytes(member.name)
        let place = places[key] ?? entries.count
        if place == entries.count {
          places[key] = place
          entries.append((member.name, Array(repeating: nil, count: objects.count), false))
        }
        if entries[place].sides[side] != nil { entries[place].isRepeated = true }
        entries[place].sides[side] = member.value
      }
    }
    return entries
  }
}

extension PropertyListValue {
  /// A JSON object as text: its own, or a dictionary's, stored as such or as data; nil for other values.
  package var objectText: String? {
    if let text = jsonText, text.utf8.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") { return text }
    switch self {
    case .data: return (try? ArchivedTraits(self))?.text
    case .dictionary:
      return (try? PropertyListDocument.encode(self, as: .binary)).flatMap { (try? ArchivedTraits(.data($0)))?.text }
    default: return nil
    }
  }
}

extension JSONValue {
  /// On one line, of which about `limit` columns will be shown; reads no more than these need.
  package func head(limit: Int) -> String {
    switch self {
    case .object(let members): return "{ \(members.count) }"
    case .string(let text): return JSONValue.string(text.head(columns: limit)).text()
    case .array(let elements):
      var text = "["
      for (index, element) in elements.enumerated() {
        guard text.utf8.count < limit else { break }
        text += (index > 0 ? "," : "") + element.head(limit: limit - text.utf8.count)
      }
      return text + "]"
    default: return text()
    }
  }
}
