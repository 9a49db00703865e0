import PropertyLists

/// What differs between two JSON objects, member by member.
struct JSONDiff: Hashable {
  /// One side of a difference.
  struct Line: Hashable {
    /// Whether it is the new side.
    var isAdded: Bool
    /// The names that lead to the member, with dots between them.
    var path: String
    /// The value as JSON.
    var text: String
  }

  /// The differences, in the order of the old object and then of the new one.
  private(set) var lines: [Line] = []
  /// How many members are the same in both; an object that differs within counts by its members.
  private(set) var unchanged = 0

  /// The longest text that is compared, in bytes.
  static let limit = 1 << 20
  /// How deep members are compared one by one; below, they are compared as a whole.
  private static let deepest = 16

  /// The difference between two texts; nil where one of them is no JSON object, names a member twice, or is too long.
  init?(_ before: String, _ after: String) {
    guard let old = Self.object(before), let new = Self.object(after), compare(old, new, path: "", depth: 1) else {
      return nil
    }
  }

  private static func object(_ text: String) -> [JSONMember]? {
    guard text.utf8.count <= limit else { return nil }
    return (try? JSONText(text))?.value.members
  }

  /// False where members cannot be told apart by their names.
  private mutating func compare(_ old: [JSONMember], _ new: [JSONMember], path: String, depth: Int) -> Bool {
    var later: [String: JSONValue] = [:]
    for member in new where later.updateValue(member.value, forKey: member.name) != nil { return false }
    var known: Set<String> = []
    for member in old {
      guard known.insert(member.name).inserted else { return false }
      let place = path.isEmpty ? member.name : path + "." + member.name
      guard let value = later[member.name] else {
        lines.append(Line(isAdded: false, path: place, text: member.value.text()))
        continue
      }
      if depth < Self.deepest, let inner = member.value.members, let other = value.members {
        guard compare(inner, other, path: place, depth: depth + 1) else { return false }
        continue
      }
      let (left, right) = (member.value.text(), value.text())
      guard left != right else {
        unchanged += 1
        continue
      }
      lines.append(Line(isAdded: false, path: place, text: left))
      lines.append(Line(isAdded: true, path: place, text: right))
    }
    for member in new where !known.contains(member.name) {
      let place = path.isEmpty ? member.name : path + "." + member.name
      lines.append(Line(isAdded: true, path: place, text: member.value.text()))
    }
    return true
  }
}
