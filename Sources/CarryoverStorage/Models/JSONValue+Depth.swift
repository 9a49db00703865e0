import PropertyLists

extension JSONValue {
  /// Whether arrays and objects nest deeper than a limit. Does not recurse, so any depth is safe.
  func isDeeper(than limit: Int) -> Bool {
    var pending = [(value: self, depth: 1)]
    while let (value, depth) = pending.popLast() {
      switch value {
      case .object(let members):
        if depth > limit { return true }
        for member in members { pending.append((member.value, depth + 1)) }
      case .array(let elements):
        if depth > limit { return true }
        for element in elements { pending.append((element, depth + 1)) }
      case .string, .number, .boolean, .null: break
      }
    }
    return false
  }

  /// Releases the value level by level and leaves null. Swift releases nested values recursively, which would exhaust
  /// the stack at 100,000 levels. Parts with another owner are not changed.
  mutating func dismantle() {
    var pending = [self]
    self = .null
    while let value = pending.popLast() {
      switch value {
      case .object(let members): for member in members { pending.append(member.value) }
      case .array(let elements): pending += elements
      case .string, .number, .boolean, .null: break
      }
    }
  }
}
