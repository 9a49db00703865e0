/// A type whose equality differs from that of its stored values.
package protocol CustomHashable: Hashable {
  /// Whether both values are equal; the type documents what counts.
  func isEqual(to other: Self) -> Bool
  /// Feeds what ``isEqual(to:)`` compares into a hasher.
  func feed(_ hasher: inout Hasher)
}

extension CustomHashable {
  /// Whether both values are equal; the type documents what counts.
  public static func == (left: Self, right: Self) -> Bool { left.isEqual(to: right) }
  /// Feeds what `==` compares into a hasher.
  public func hash(into hasher: inout Hasher) { feed(&hasher) }
}

/// A value that can contain others of its type. Equality and hashing do not recurse, so a thread with a small stack can
/// compare values of any depth.
package protocol HashableTree: CustomHashable {
  /// The values directly inside.
  var children: [Self] { get }
  /// Whether both values are equal apart from their children.
  func isShallowlyEqual(to other: Self) -> Bool
  /// Feeds everything except the children into a hasher.
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
