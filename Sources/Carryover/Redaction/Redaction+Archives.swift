import PropertyLists

extension Redaction {
  /// Learns the names in an archived value; gives what is in it, in its order.
  mutating func archived(_ value: KeyedValue, _ role: ValueRole) -> [Item] {
    switch value {
    case .string(let text): return [.propertyList(.string(text), role)]
    case .integer(let integer): return [.propertyList(.integer(integer), role)]
    case .real(let real): return [.propertyList(.real(real), role)]
    case .date(let date): return [.propertyList(.date(date), role)]
    case .data(let bytes): return [.propertyList(.data(bytes), role)]
    case .array(let elements), .set(let elements), .orderedSet(let elements):
      return elements.reversed().map { .archived($0, role) }
    case .dictionary(let pairs): return pairs.reversed().flatMap { pair($0, role) }
    case .url(let url): return (url.bases + [url.relative]).map { .propertyList(.string($0), role) }
    case .uuid(let uuid): return [.propertyList(.string(uuid.description), role)]
    case .object(let object):
      for name in [object.objectClass.name] + object.objectClass.chain { names.insert(Array(name.utf8)) }
      return members(object.members, role)
    case .boolean, .null, .cycle: return []
    }
  }

  /// Learns the names of an object's members, or of an archive's; gives their values.
  mutating func members(_ members: [KeyedMember], _ role: ValueRole) -> [Item] {
    members.reversed().map { member in
      names.insert(Array(member.name.utf8))
      return .archived(member.value, ValueRoles.role(ofName: member.name, within: role))
    }
  }

  private mutating func pair(_ pair: KeyedPair, _ role: ValueRole) -> [Item] {
    guard case .string(let name) = pair.key else { return [.archived(pair.value, role), .archived(pair.key, role)] }
    names.insert(Array(name.utf8))
    return [.archived(pair.value, ValueRoles.role(ofName: name, within: role))]
  }
}
