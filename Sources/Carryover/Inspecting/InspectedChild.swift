import PropertyLists

extension InspectedValue {
  /// The number of values directly inside.
  package var count: Int {
    switch content {
    case .propertyList(.dictionary(let dictionary)): dictionary.count
    case .propertyList(.array(let values)), .propertyList(.set(let values)): values.count
    case .json(.object(let members)): members.count
    case .json(.array(let values)): values.count
    case .keyed(.dictionary(let pairs)): pairs.count
    case .keyed(.array(let values)), .keyed(.set(let values)), .keyed(.orderedSet(let values)): values.count
    case .keyed(.object(let object)): object.members.count
    default: 0
    }
  }

  /// Whether it can be opened, because it is a container of values, even if empty.
  package var isContainer: Bool {
    switch content {
    case .propertyList(.dictionary), .propertyList(.array), .propertyList(.set), .json(.object), .json(.array),
      .keyed(.dictionary), .keyed(.array), .keyed(.set), .keyed(.orderedSet), .keyed(.object):
      true
    default: false
    }
  }

  /// The values directly inside, in order, each with its label and not yet unpacked.
  package var children: [InspectedChild] { (0..<count).compactMap { child(at: $0) } }

  /// The value at a position directly inside; nil if there is none.
  package func child(at place: Int) -> InspectedChild? {
    guard place >= 0, place < count else { return nil }
    switch content {
    case .propertyList(.dictionary(let dictionary)):
      let entry = dictionary.entries[place]
      return child(.name(entry.key), .propertyList(entry.value))
    case .propertyList(.array(let values)), .propertyList(.set(let values)):
      return child(.index(place), .propertyList(values[place]))
    case .json(.object(let members)): return child(.name(members[place].name), .json(members[place].value))
    case .json(.array(let values)): return child(.index(place), .json(values[place]))
    case .keyed(.array(let values)), .keyed(.set(let values)), .keyed(.orderedSet(let values)):
      return child(.index(place), .keyed(values[place]))
    case .keyed(.object(let object)):
      return child(.name(object.members[place].name), .keyed(object.members[place].value))
    case .keyed(.dictionary(let pairs)):
      let pair = pairs[place]
      if case .string(let key) = pair.key { return child(.name(key), .keyed(pair.value)) }
      let parts = [KeyedPair(.string("key"), pair.key), KeyedPair(.string("value"), pair.value)]
      return child(.index(place), .keyed(.dictionary(parts)))
    default: return nil
    }
  }

  private func child(_ label: InspectedChild.Label, _ raw: Content) -> InspectedChild {
    InspectedChild(
      label: label, raw: raw, name: label.name ?? name, isStored: isStored && packings.isEmpty, depth: depth)
  }
}

/// A value inside another one, with its place.
package struct InspectedChild: Sendable {
  /// The place of a value inside another.
  package enum Label: Hashable, Sendable {
    /// Under a key, or the name of an object's member.
    case name(String)
    /// An element, counted from 0. For a dictionary with keys that are not strings, a pair with the members `key` and
    /// `value`.
    case index(Int)

    package static func == (left: Label, right: Label) -> Bool {
      switch (left, right) {
      case (.name(let left), .name(let right)): left.hasSameBytes(as: right)
      case (.index(let left), .index(let right)): left == right
      case (.name, .index), (.index, .name): false
      }
    }

    package func hash(into hasher: inout Hasher) {
      switch self {
      case .name(let name): hasher.combine(StringByBytes(name))
      case .index(let index): hasher.combine(index)
      }
    }

    /// The name; nil for an element.
    package var name: String? {
      if case .name(let name) = self { name } else { nil }
    }
  }

  /// The place.
  package let label: Label
  /// The value as it is stored, before any unpacking.
  package let raw: InspectedValue.Content
  let name: String?
  let isStored: Bool
  let depth: Int

  /// The unpacked value. Each call unpacks it again: store it if you need it twice.
  package var value: InspectedValue { value(limits: .default) }

  /// The value, unpacked only within limits, such as ``InspectionLimits/row``.
  package func value(limits: InspectionLimits) -> InspectedValue {
    InspectedValue(raw, name: name, isStored: isStored, depth: depth, limits: limits)
  }
}
