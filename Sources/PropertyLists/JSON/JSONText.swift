/// JSON text with its value and the positions of the top-level members or elements, so that an edit changes only their
/// byte ranges.
public struct JSONText: Sendable {
  package struct Member: Sendable {
    package let name: String
    /// The bytes of the name, quotes included.
    package let nameRange: Range<Int>
    package let value: JSONValue
    package let valueRange: Range<Int>
  }

  package let text: String
  /// The value of the text.
  public let value: JSONValue
  /// What other parsers would lose or refuse, in the order of the text.
  public let findings: [JSONFinding]
  /// The members of the top-level object in order, including duplicates; empty if the value is not an object.
  package let members: [Member]
  /// The bytes of the elements of the top-level array in order; empty if the value is not an array.
  package let elements: [Range<Int>]
  /// The bytes of the top-level value, without space around it.
  package let range: Range<Int>
  /// Whether a string or a name has an escape of half a surrogate pair, which the value does not keep. This is known
  /// even if there are more findings than the limit.
  package let hasLoneSurrogate: Bool
}

extension JSONText {
  /// Reads JSON text, strictly according to RFC 8259.
  ///
  /// A lone surrogate and a number beyond the range of a Double are findings, not errors.
  /// - Throws: ``JSONError`` with line and column, also for a text beyond 256 MiB, depth 512 or ten million values.
  public init(_ text: String) throws(JSONError) { try self.init(text, limits: .default) }

  package init(_ text: String, limits: JSONLimits) throws(JSONError) {
    var contiguous = text
    contiguous.makeContiguousUTF8()
    self = try contiguous.utf8.withContiguous { bytes throws(JSONError) in
      try JSONParser.parse(bytes, limits, text: contiguous)
    }
  }

  /// Reads JSON text from bytes, which must be UTF-8 without a byte order mark.
  ///
  /// - Throws: ``JSONError``, as ``init(_:)`` does.
  public init(bytes: [UInt8]) throws(JSONError) { try self.init(bytes: bytes, limits: .default) }

  package init(bytes: [UInt8], limits: JSONLimits) throws(JSONError) {
    self = try bytes.withUnsafeBufferPointer { buffer throws(JSONError) in
      try JSONParser.parse(buffer, limits, text: String(decoding: buffer, as: UTF8.self))
    }
  }
}

/// Changes to the members of the top-level object, or the elements of the top-level array, by byte range. Names are compared after decoding.
extension JSONText {
  /// The text without the members that have one of the names and their white space. All other bytes stay.
  package func removingMembers(named names: Set<String>) throws(JSONError) -> String {
    try checkObject()
    let names = Set(names.map { StringByBytes($0) })
    return applying(removals { names.contains(StringByBytes(members[$0].name)) })
  }

  /// The text with a member set to a value. The first member with the name keeps its position, and later ones are
  /// removed. If there is none, a member is added at the end, in the style of the others. An equal value keeps its
  /// text.
  package func settingMember(_ name: String, to value: JSONValue) throws(JSONError) -> String {
    let first = members.first { $0.name.hasSameBytes(as: name) }
    return try settingMember(name, toText: first?.value == value ? written(first) ?? "" : value.text())
  }

  /// The same for the text of a value, which is not checked.
  package func settingMember(_ name: String, toText value: String) throws(JSONError) -> String {
    try checkObject()
    guard let first = members.firstIndex(where: { $0.name.hasSameBytes(as: name) }) else {
      return appending(name, value)
    }
    var changes = removals { $0 > first && members[$0].name.hasSameBytes(as: name) }
    changes.append((members[first].valueRange, Array(value.utf8)))
    return applying(changes)
  }

  /// The text of the value at a path of names; nil if there is none. If members share a name, the last one counts, as
  /// for most readers.
  package func text(at path: [String]) -> String? {
    var inner = self
    for (index, name) in path.enumerated() {
      guard let value = inner.written(inner.last(name)) else { return nil }
      if index == path.count - 1 { return value }
      guard let next = try? JSONText(value) else { return nil }
      inner = next
    }
    return nil
  }

  /// The text with the member at a path of names set to a value's text, or removed if that is nil. All other bytes
  /// stay. Missing objects on the way are created.
  ///
  /// - Throws: ``JSONError`` if the value is not an object, or the new one is not JSON.
  package func setting(_ path: [String], toText value: String?) throws(JSONError) -> String {
    guard let name = path.last, value != nil || text(at: path) != nil else { return text }
    if let value { _ = try JSONText(value) }
    var levels = [self]
    for outer in path.dropLast() {
      guard let level = levels.last else { break }
      let member = level.last(outer)
      levels.append(try JSONText(member?.value.members == nil ? "{}" : level.written(member) ?? "{}"))
    }
    let inner = levels[levels.count - 1]
    var changed: String
    if let value {
      changed = try inner.settingMember(name, toText: value)
    } else {
      changed = try inner.removingMembers(named: [name])
    }
    for (level, name) in zip(levels, path.dropLast()).reversed() {
      changed = try level.settingMember(name, toText: changed)
    }
    return changed
  }

  private func last(_ name: String) -> Member? { members.last { $0.name.hasSameBytes(as: name) } }

  private func written(_ member: Member?) -> String? { (member?.valueRange).map(text(in:)) }

  /// The text of a member's value or of an element.
  package func text(in range: Range<Int>) -> String {
    String(Substring(text.utf8.dropFirst(range.lowerBound).prefix(range.count)))
  }

  /// The text with an element set to the text of a value, which is not checked. The index after the last one adds an
  /// element in the style of the others. Another index changes nothing.
  package func settingElement(_ index: Int, toText value: String) -> String {
    if elements.indices.contains(index) { return applying([(elements[index], Array(value.utf8))]) }
    guard index == elements.count, self.value.elements != nil else { return text }
    guard let last = elements.last else {
      return applying([(range.lowerBound + 1..<range.lowerBound + 1, Array(value.utf8))])
    }
    // A single element does not show the white space after a comma; with two, the second does.
    let space = leadingSpace(of: elements.count > 1 ? elements[1] : elements[0], in: Array(text.utf8))
    return applying([(last.upperBound..<last.upperBound, [UInt8(ascii: ",")] + space + Array(value.utf8))])
  }

  /// The text without an element and its white space. An index that no element has changes nothing.
  package func removingElement(_ index: Int) -> String {
    guard elements.indices.contains(index) else { return text }
    if index > 0 { return applying([(elements[index - 1].upperBound..<elements[index].upperBound, [])]) }
    let end = elements.count > 1 ? elements[1].lowerBound : elements[0].upperBound
    return applying([(elements[0].lowerBound..<end, [])])
  }

  /// The text with every member of one name renamed. If there is a member with the new name already, both are in the
  /// result.
  package func renamingMember(_ name: String, to newName: String) throws(JSONError) -> String {
    try renamingMembers { $0.hasSameBytes(as: name) ? newName : $0 }
  }

  /// The text with other names of members. A member whose name stays keeps its bytes.
  package func renamingMembers(_ newName: (String) -> String) throws(JSONError) -> String {
    try checkObject()
    var changes: [ByteChange] = []
    for member in members {
      let new = newName(member.name)
      if !new.hasSameBytes(as: member.name) {
        changes.append((member.nameRange, Array(JSONValue.string(new).text().utf8)))
      }
    }
    return applying(changes)
  }

  private func checkObject() throws(JSONError) {
    guard case .object = value else {
      throw JSONError("The JSON value is not an object", at: PropertyListPosition(offset: range.lowerBound))
    }
  }

  /// A member is removed with the comma before it or, if no member is left before it, with the comma after it.
  private func removals(_ isRemoved: (Int) -> Bool) -> [ByteChange] {
    var changes: [ByteChange] = []
    var isFirst = true
    for (index, member) in members.enumerated() {
      guard isRemoved(index) else {
        isFirst = false
        continue
      }
      if !isFirst {
        changes.append((members[index - 1].valueRange.upperBound..<member.valueRange.upperBound, []))
      } else if index + 1 < members.count {
        changes.append((member.nameRange.lowerBound..<members[index + 1].nameRange.lowerBound, []))
      } else {
        changes.append((member.nameRange.lowerBound..<member.valueRange.upperBound, []))
      }
    }
    return changes
  }

  private func appending(_ newName: String, _ newValue: String) -> String {
    let bytes = Array(text.utf8)
    let name = Array(JSONValue.string(newName).text().utf8)
    let value = Array(newValue.utf8)
    guard let first = members.first, let last = members.last else {
      let start = range.lowerBound + 1
      return applying([(start..<start, name + [UInt8(ascii: ":")] + value)])
    }
    let before = bytes[(range.lowerBound + 1)..<first.nameRange.lowerBound]
    // A single member does not show the white space after a comma; with two, the second does.
    let space = members.count > 1 ? leadingSpace(of: members[1].nameRange, in: bytes) : before
    let colon = bytes[last.nameRange.upperBound..<last.valueRange.lowerBound]
    let end = last.valueRange.upperBound
    return applying([(end..<end, [UInt8(ascii: ",")] + space + name + colon + value)])
  }

  private func leadingSpace(of part: Range<Int>, in bytes: [UInt8]) -> ArraySlice<UInt8> {
    var start = part.lowerBound
    while start > 0, bytes[start - 1].isSpace { start -= 1 }
    return bytes[start..<part.lowerBound]
  }

  private func applying(_ changes: [ByteChange]) -> String {
    guard !changes.isEmpty else { return text }
    let changes = changes.sorted { $0.range.lowerBound < $1.range.lowerBound }
    return text.utf8.withContiguous { String(decoding: edited($0, changes), as: UTF8.self) }
  }
}
