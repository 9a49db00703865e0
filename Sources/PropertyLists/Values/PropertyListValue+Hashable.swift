extension PropertyListValue: Hashable, HashableTree {
  package func isShallowlyEqual(to other: PropertyListValue) -> Bool {
    switch (self, other) {
    case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
    case (.integer(let left), .integer(let right)): left == right
    case (.real(let left), .real(let right)): left == right
    case (.boolean(let left), .boolean(let right)): left == right
    case (.date(let left), .date(let right)): left == right
    case (.data(let left), .data(let right)): left == right
    case (.uid(let left), .uid(let right)): left == right
    case (.array, .array), (.set, .set), (.null, .null): true
    case (.dictionary(let left), .dictionary(let right)):
      left.count == right.count
        && zip(left.entries, right.entries).allSatisfy { $0.key.hasSameBytes(as: $1.key) }
    default: false
    }
  }

  package func feedShallowly(_ hasher: inout Hasher) {
    // Otherwise, trees of empty collections of one shape would have one hash, regardless of their types.
    hasher.combine(kind)
    switch self {
    case .string(let text): text.hashBytes(into: &hasher)
    case .integer(let integer): hasher.combine(integer)
    case .real(let real): hasher.combine(real)
    case .boolean(let boolean): hasher.combine(boolean)
    case .date(let date): hasher.combine(date)
    case .data(let bytes): hasher.combine(bytes)
    case .uid(let number): hasher.combine(number)
    case .dictionary(let dictionary): for entry in dictionary.entries { entry.key.hashBytes(into: &hasher) }
    case .array, .set, .null: break
    }
  }
}
