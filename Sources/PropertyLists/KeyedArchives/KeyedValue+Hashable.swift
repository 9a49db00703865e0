extension KeyedValue: Hashable, HashableTree {
  /// The values directly inside; for a dictionary, keys and values alternately.
  package var children: [KeyedValue] {
    switch self {
    case .array(let values), .set(let values), .orderedSet(let values): values
    case .dictionary(let pairs): pairs.flatMap { [$0.key, $0.value] }
    case .object(let object): object.members.map(\.value)
    default: []
    }
  }

  package func isShallowlyEqual(to other: KeyedValue) -> Bool {
    switch (self, other) {
    case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
    case (.integer(let left), .integer(let right)): left == right
    case (.real(let left), .real(let right)): left == right
    case (.boolean(let left), .boolean(let right)): left == right
    case (.date(let left), .date(let right)): left == right
    case (.data(let left), .data(let right)): left == right
    case (.url(let left), .url(let right)): left == right
    case (.uuid(let left), .uuid(let right)): left == right
    case (.cycle(let left), .cycle(let right)): left == right
    case (.object(let left), .object(let right)):
      left.index == right.index && left.objectClass == right.objectClass
        && left.members.map(\.name).haveSameBytes(as: right.members.map(\.name))
    case (.array, .array), (.set, .set), (.orderedSet, .orderedSet), (.dictionary, .dictionary), (.null, .null): true
    default: false
    }
  }

  package func feedShallowly(_ hasher: inout Hasher) {
    hasher.combine(kind)
    switch self {
    case .string(let text): text.hashBytes(into: &hasher)
    case .integer(let integer): hasher.combine(integer)
    case .real(let real): hasher.combine(real)
    case .boolean(let boolean): hasher.combine(boolean)
    case .date(let date): hasher.combine(date)
    case .data(let bytes): hasher.combine(bytes)
    case .url(let url): hasher.combine(url)
    case .uuid(let uuid): hasher.combine(uuid)
    case .cycle(let object): hasher.combine(object)
    case .object(let object):
      hasher.combine(object.index)
      hasher.combine(object.objectClass)
      for member in object.members { member.name.hashBytes(into: &hasher) }
    case .array, .set, .orderedSet, .dictionary, .null: break
    }
  }
}

extension KeyedClass: Hashable {
  /// True when name and chain have the same bytes.
  package static func == (left: Self, right: Self) -> Bool {
    left.name.hasSameBytes(as: right.name) && left.chain.haveSameBytes(as: right.chain)
  }

  /// Feeds name and chain.
  package func hash(into hasher: inout Hasher) {
    name.hashBytes(into: &hasher)
    for name in chain { name.hashBytes(into: &hasher) }
  }
}

extension KeyedURL: Hashable {
  /// True when the text and every base have the same bytes.
  package static func == (left: Self, right: Self) -> Bool {
    left.relative.hasSameBytes(as: right.relative) && left.bases.haveSameBytes(as: right.bases)
  }

  /// Feeds the text and the bases.
  package func hash(into hasher: inout Hasher) {
    relative.hashBytes(into: &hasher)
    for base in bases { base.hashBytes(into: &hasher) }
  }
}

extension KeyedMember: Hashable {
  /// True when name and value are equal.
  package static func == (left: Self, right: Self) -> Bool {
    left.name.hasSameBytes(as: right.name) && left.value == right.value
  }

  /// Feeds name and value.
  package func hash(into hasher: inout Hasher) {
    name.hashBytes(into: &hasher)
    hasher.combine(value)
  }
}

extension KeyedObject: Hashable {
  /// True when place, class and members are equal.
  package static func == (left: Self, right: Self) -> Bool { KeyedValue.object(left) == KeyedValue.object(right) }
  /// Feeds place, class and members.
  package func hash(into hasher: inout Hasher) { hasher.combine(KeyedValue.object(self)) }
}

extension [String] {
  fileprivate func haveSameBytes(as other: [String]) -> Bool {
    count == other.count && zip(self, other).allSatisfy { $0.hasSameBytes(as: $1) }
  }
}
