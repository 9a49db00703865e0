/// Equality and hashing walk with a list of their own instead of the call stack, so that a value of any depth can be
/// compared on a thread with a small stack.
extension PropertyListValue: Hashable {
  /// True when both have the same type and the same value, order of pairs and elements included.
  public static func == (left: PropertyListValue, right: PropertyListValue) -> Bool {
    guard var pending = left.pendingComparison(with: right) else { return false }
    while let (lefts, rights) = pending.popLast() {
      guard lefts.count == rights.count else { return false }
      for (left, right) in zip(lefts, rights) {
        guard let more = left.pendingComparison(with: right) else { return false }
        pending += more
      }
    }
    return true
  }

  /// Nil when the values differ; otherwise the contents that still have to be compared.
  private func pendingComparison(
    with other: PropertyListValue
  ) -> [([PropertyListValue], [PropertyListValue])]? {
    let equal: Bool
    switch (self, other) {
    case (.string(let left), .string(let right)): equal = left.hasSameBytes(as: right)
    case (.integer(let left), .integer(let right)): equal = left == right
    case (.real(let left), .real(let right)): equal = left == right
    case (.boolean(let left), .boolean(let right)): equal = left == right
    case (.date(let left), .date(let right)): equal = left == right
    case (.data(let left), .data(let right)): equal = left == right
    case (.uid(let left), .uid(let right)): equal = left == right
    case (.null, .null): equal = true
    case (.array(let left), .array(let right)), (.set(let left), .set(let right)): return [(left, right)]
    case (.dictionary(let left), .dictionary(let right)):
      let sameKeys =
        left.count == right.count
        && zip(left.entries, right.entries).allSatisfy { $0.key.hasSameBytes(as: $1.key) }
      return sameKeys ? [(left.entries.map(\.value), right.entries.map(\.value))] : nil
    default: equal = false
    }
    return equal ? [] : nil
  }

  /// Feeds type and value.
  public func hash(into hasher: inout Hasher) {
    var pending = [self]
    while let value = pending.popLast() {
      switch value {
      case .string(let text):
        hasher.combine(1)
        text.hashBytes(into: &hasher)
      case .integer(let integer): hasher.combine(integer)
      case .real(let real): hasher.combine(real)
      case .boolean(let boolean): hasher.combine(boolean)
      case .date(let date): hasher.combine(date)
      case .data(let bytes): hasher.combine(bytes)
      case .uid(let number): hasher.combine(number)
      case .null: hasher.combine(0)
      case .array(let values), .set(let values):
        hasher.combine(values.count)
        pending.append(contentsOf: values)
      case .dictionary(let dictionary):
        hasher.combine(dictionary.count)
        for entry in dictionary.entries {
          entry.key.hashBytes(into: &hasher)
          pending.append(entry.value)
        }
      }
    }
  }
}
