/// Changes to the members of the top-level object, by byte range. Names are compared as they decode.
extension JSONText {
  /// The text without every member that has one of the names. All other bytes stay; of the space around a removed
  /// member, what belongs to it goes with it.
  ///
  /// - Throws: ``JSONError`` when the value is no object.
  package func removingMembers(named names: Set<String>) throws(JSONError) -> String {
    try checkObject()
    let names = Set(names.map(StringByBytes.init))
    return applying(removals { names.contains(StringByBytes(members[$0].name)) })
  }

  /// The text with a member set to a value: the first member with the name keeps its place and later ones are removed;
  /// without any, one is added at the end in the style of the others. A value that is equal already keeps its text.
  ///
  /// - Throws: ``JSONError`` when the value is no object.
  package func settingMember(_ name: String, to value: JSONValue) throws(JSONError) -> String {
    try checkObject()
    guard let first = members.firstIndex(where: { $0.name.hasSameBytes(as: name) }) else {
      return appending(JSONMember(name, value))
    }
    var changes = removals { $0 > first && members[$0].name.hasSameBytes(as: name) }
    if members[first].value != value {
      changes.append((members[first].valueRange, Array(value.text().utf8)))
    }
    return applying(changes)
  }

  /// The text with every member of one name given another name. When there is a member with the new name already, both
  /// are there afterwards.
  ///
  /// - Throws: ``JSONError`` when the value is no object.
  package func renamingMember(_ name: String, to newName: String) throws(JSONError) -> String {
    try checkObject()
    guard !name.hasSameBytes(as: newName) else { return text }
    let new = Array(JSONValue.string(newName).text().utf8)
    return applying(members.filter { $0.name.hasSameBytes(as: name) }.map { ($0.nameRange, new) })
  }

  private typealias Change = (range: Range<Int>, text: [UInt8])

  private func checkObject() throws(JSONError) {
    guard case .object = value else {
      throw JSONError(kind: .rootNotObject, position: PropertyListPosition(offset: range.lowerBound))
    }
  }

  /// A removed member takes the comma before it along, or, when nothing is kept before it, the comma after it.
  private func removals(_ isRemoved: (Int) -> Bool) -> [Change] {
    var changes: [Change] = []
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

  private func appending(_ member: JSONMember) -> String {
    let bytes = Array(text.utf8)
    let name = Array(JSONValue.string(member.name).text().utf8)
    let value = Array(member.value.text().utf8)
    guard let first = members.first, let last = members.last else {
      let start = range.lowerBound + 1
      return applying([(start..<start, name + [UInt8(ascii: ":")] + value)])
    }
    let before = bytes[(range.lowerBound + 1)..<first.nameRange.lowerBound]
    // One member on one line tells nothing about the space behind a comma; with two, the second does.
    let space = members.count > 1 ? leadingSpace(of: members[1], in: bytes) : before
    let colon = bytes[last.nameRange.upperBound..<last.valueRange.lowerBound]
    let end = last.valueRange.upperBound
    return applying([(end..<end, [UInt8(ascii: ",")] + space + name + colon + value)])
  }

  private func leadingSpace(of member: Member, in bytes: [UInt8]) -> ArraySlice<UInt8> {
    var start = member.nameRange.lowerBound
    while start > 0, FormatRecognition.isSpace(bytes[start - 1]) { start -= 1 }
    return bytes[start..<member.nameRange.lowerBound]
  }

  private func applying(_ changes: [Change]) -> String {
    guard !changes.isEmpty else { return text }
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var position = 0
    for change in changes.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      result += bytes[position..<change.range.lowerBound]
      result += change.text
      position = change.range.upperBound
    }
    result += bytes[position...]
    return String(decoding: result, as: UTF8.self)
  }
}
