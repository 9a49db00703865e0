import PropertyLists

extension Redaction {
  /// The content of a keyed archive's value, last one first. It is learned in its decoded form: in the archive's table,
  /// a dictionary's names are ordinary values and its numbers are references.
  mutating func archived(_ value: KeyedValue, _ role: ValueRole) -> [Item] {
    switch value {
    case .dictionary(let pairs):
      return pairs.reversed().flatMap { pair -> [Item] in
        guard case .string(let name) = pair.key else {
          return [.archived(pair.value, role), .archived(pair.key, role)]
        }
        return [named(name, pair.value, role)]
      }
    case .object(let object):
      for name in object.objectClass.chain { note(name: name) }
      return object.members.reversed().map { named($0.name, $0.value, role) }
    case .array(let elements), .set(let elements), .orderedSet(let elements):
      return elements.reversed().map { .archived($0, role) }
    case .string(let text): return [.propertyList(.string(text), role)]
    case .integer(let integer): return [.propertyList(.integer(integer), role)]
    case .real(let real): return [.propertyList(.real(real), role)]
    case .date(let date): return [.propertyList(.date(date), role)]
    case .data(let bytes): return [.propertyList(.data(bytes), role)]
    case .url(let url): return ([url.relative] + url.bases).reversed().map { .propertyList(.string($0), role) }
    case .uuid(let uuid): return [.propertyList(.string(uuid.description), role)]
    case .boolean, .null, .cycle: return []
    }
  }

  private mutating func named(_ name: String, _ value: KeyedValue, _ role: ValueRole) -> Item {
    note(name: name)
    return .archived(value, ValueRoles.role(ofName: name, within: role))
  }
}
