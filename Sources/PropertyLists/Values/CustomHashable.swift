/// A type whose equality is not that of its stored values.
package protocol CustomHashable: Hashable {
  /// Whether nothing that counts differs.
  func isEqual(to other: Self) -> Bool
  /// Feeds what counts.
  func feed(_ hasher: inout Hasher)
}

extension CustomHashable {
  /// Whether both are the same, as the type documents.
  public static func == (left: Self, right: Self) -> Bool { left.isEqual(to: right) }
  /// Feeds what equality compares.
  public func hash(into hasher: inout Hasher) { feed(&hasher) }
}

/// A value that may contain others of its type. Equality and hashing walk with a list of their own instead of the call
/// stack, so that a value of any depth can be compared on a thread with a small stack.
package protocol HashableTree: CustomHashable {
  /// The values directly inside.
  var children: [Self] { get }
  /// Whether nothing differs but what is inside.
  func isShallowlyEqual(to other: Self) -> Bool
  /// Feeds everything but what is inside.
  func feedShallowly(_ hasher: inout Hasher)
}

extension HashableTree {
  package func isEqual(to other: Self) -> Bool {
    guard isShallowlyEqual(to: other) else { return false }
    var pending = [(children, other.children)]
    while let (lefts, rights) = pending.popLast() {
      guard lefts.count == rights.count else { return false }
      for (left, right) in zip(lefts, rights) {
        guard left.isShallowlyEqual(to: right) else { return false }
        let inside = left.children
        if !inside.isEmpty || !right.children.isEmpty { pending.append((inside, right.children)) }
      }
    }
    return true
  }

  package func feed(_ hasher: inout Hasher) {
    var pending = [self]
    while let value = pending.popLast() {
      value.feedShallowly(&hasher)
      let inside = value.children
      hasher.combine(inside.count)
      pending.append(contentsOf: inside)
    }
  }
}
