package import PropertyLists

/// A difference between two JSON values, at the outermost place where they differ.
package struct JSONChange: Hashable, Sendable {
  /// The path; empty if the values themselves differ in type or are not objects.
  package var path: [String]
  /// The old value; nil if there was none.
  package var before: JSONValue?
  /// The new value; nil if there is none.
  package var after: JSONValue?

  package init(path: [String], before: JSONValue?, after: JSONValue?) {
    self.path = path
    self.before = before
    self.after = after
  }

  /// Every difference between two values: removed, changed and added members, in the order of the first value and then
  /// of the second. The order of members does not count; arrays are compared as a whole. Members with the same name are
  /// compared in pairs: the first with the first, the second with the second.
  package static func between(_ before: JSONValue, _ after: JSONValue) -> [JSONChange] {
    var changes: [JSONChange] = []
    var pending: [Pair] = [Pair(path: [], before: before, after: after)]
    while let pair = pending.popLast() {
      if case .object(let old)? = pair.before, case .object(let new)? = pair.after {
        // Reversed, because the last one is taken first.
        pending += Pair.members(old, new, in: pair.path).reversed()
      } else if pair.before != pair.after {
        changes.append(JSONChange(path: pair.path, before: pair.before, after: pair.after))
      }
    }
    return changes
  }

  /// Two values that are still to be compared.
  private struct Pair {
    var path: [String]
    var before: JSONValue?
    var after: JSONValue?

    static func members(_ old: [JSONMember], _ new: [JSONMember], in path: [String]) -> [Pair] {
      let (oldNames, newNames) = (Occurrence.of(old), Occurrence.of(new))
      let partners = Dictionary(zip(newNames, new.map(\.value)), uniquingKeysWith: { first, _ in first })
      let known = Set(oldNames)
      var pairs = zip(old, oldNames).map { member, name in
        Pair(path: path + [member.name], before: member.value, after: partners[name])
      }
      for (member, name) in zip(new, newNames) where !known.contains(name) {
        pairs.append(Pair(path: path + [member.name], before: nil, after: member.value))
      }
      return pairs
    }
  }

  /// A member, identified by the bytes of its name and the number of earlier members with that name.
  private struct Occurrence: Hashable {
    let name: [UInt8]
    let number: Int

    static func of(_ members: [JSONMember]) -> [Occurrence] {
      var counts: [[UInt8]: Int] = [:]
      return members.map { member in
        let name = Array(member.name.utf8)
        let number = counts[name, default: 0]
        counts[name] = number + 1
        return Occurrence(name: name, number: number)
      }
    }
  }
}
