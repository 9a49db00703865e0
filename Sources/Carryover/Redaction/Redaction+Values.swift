package import PropertyLists

extension Redaction {
  /// A value for display. A hidden value becomes text with its mask: `‹user-1›`, or `‹user-1 integer›` if it is not a
  /// string. Containers and JSON in text keep their structure.
  package func value(_ value: PropertyListValue) -> PropertyListValue { self.value(value, depth: 1) }

  private func value(_ value: PropertyListValue, depth: Int) -> PropertyListValue {
    switch value {
    case .boolean, .null: return value
    case .string(let text): return .string(string(text))
    case .data(let bytes):
      return json(inData: bytes).map { .data(Array($0.utf8)) } ?? .string(styled(dataMask(value).text(type: "data")))
    case .array, .set, .dictionary:
      guard depth < PackedValue.deepestJSON else {
        return .string(styled(Mask(kind: .data).text(type: value.kind.rawValue)))
      }
    default: return masked(value).map { .string(styled($0.text(type: value.kind.rawValue))) } ?? value
    }
    switch value {
    case .array(let elements): return .array(elements.map { self.value($0, depth: depth + 1) })
    case .set(let elements): return .set(elements.map { self.value($0, depth: depth + 1) })
    case .dictionary(let dictionary):
      return .dictionary(
        PropertyListDictionary(
          entries: dictionary.entries.map { .init(key: text($0.key), value: self.value($0.value, depth: depth + 1)) }))
    default: return value
    }
  }

  /// The text of JSON in data, with masks; nil for other data.
  func json(inData bytes: [UInt8]) -> String? {
    guard case .json? = PackedValue(bytes) else { return nil }
    return string(String(decoding: bytes, as: UTF8.self))
  }

  private func dataMask(_ value: PropertyListValue) -> Mask { masked(value) ?? Mask(kind: .data) }

  /// A text value for display.
  package func string(_ text: String) -> String { string(text, depth: 0) }

  private func string(_ text: String, depth: Int) -> String {
    let canonical = Array(text.utf8)
    if text.isEmpty || known[canonical] == nil && isOwnMask(text) { return text }
    if let person = person(text) { return styled(person) }
    if depth < PackedValue.deepest, let json = PackedValue.json(text) {
      return self.json(json, depth: depth + 1).text()
    }
    return mask(canonical, kind: TextPattern.kind(of: text) ?? .text).map { styled($0.text()) } ?? text
  }

  /// JSON with its structure and masked values.
  package func json(_ json: JSONValue) -> JSONValue { self.json(json, depth: 1) }

  private func json(_ json: JSONValue, depth: Int) -> JSONValue {
    switch json {
    case .object(let members): .object(members.map { JSONMember(text($0.name), self.json($0.value, depth: depth)) })
    case .array(let elements): .array(elements.map { self.json($0, depth: depth) })
    case .string(let text): .string(string(text, depth: depth))
    case .number(let number):
      masked(json.propertyListValue).map { .string(styled($0.text(type: "number"))) } ?? .number(number)
    case .boolean, .null: json
    }
  }

  /// The mask of a value that is not a container; nil if the value is shown.
  func masked(_ value: PropertyListValue) -> Mask? {
    guard let canonical = Canonical.bytes(value), let kind = Mask.Kind(value.kind) else { return nil }
    return mask(canonical, kind: kind)
  }

  /// A sentence, a path or a name for display. Learned values in it are masked, and so is everything that looks like an
  /// e-mail address, a UUID or a telephone number.
  package func text(_ text: String) -> String { self.text(text, sparesCounts: false) }

  /// One of our own sentences for display, in which facts are masked already. What is learned is masked as in any text,
  /// except for counts: “7 keys” says nothing of a user whose id is 7.
  package func sentence(_ text: String) -> String { self.text(text, sparesCounts: true) }

  private func text(_ text: String, sparesCounts: Bool) -> String {
    let sought = index.value { makeIndex() }
    let bytes = Array(text.utf8)
    var shown: [UInt8] = []
    shown.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if let found = match(bytes, at: index, sought), found.length > 0,
        !(sparesCounts && Self.isCount(bytes, index..<(index + found.length)))
      {
        shown += styled(found.replacement).utf8
        index += found.length
      } else if let length = Mask.length(in: bytes, at: index) {
        shown += bytes[index..<(index + length)]
        index += length
      } else {
        shown.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: shown, as: UTF8.self)
  }

  /// Whether bytes of a text are a short number of something: a word follows, and no name is in front.
  private static func isCount(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    guard range.count <= 6, bytes[range].allSatisfy(Characters.isDigit), range.upperBound + 1 < bytes.count,
      range.lowerBound == 0 || [" ", "("].contains(Character(Unicode.Scalar(bytes[range.lowerBound - 1])))
    else { return false }
    return bytes[range.upperBound] == UInt8(ascii: " ") && Characters.isLetter(bytes[range.upperBound + 1])
  }

  /// Whether a text consists of exactly one mask, in either notation.
  func isOwnMask(_ text: String) -> Bool {
    Mask.isMask(text)
      || isASCII && text.first == "<" && text.last == ">" && Mask.isMask("‹\(text.dropFirst().dropLast())›")
  }

  private func styled(_ mask: String) -> String {
    guard isASCII else { return mask }
    return String(mask.map { $0 == "‹" ? "<" : $0 == "›" ? ">" : $0 })
  }
}
