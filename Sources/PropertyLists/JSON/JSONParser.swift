/// A strict JSON parser of UTF-8 bytes, without recursion.
struct JSONParser {
  private struct Frame {
    let isObject: Bool
    var name = ""
    var nameRange = 0..<0
    var valueStart = 0
    var elements: [JSONValue] = []
    var members: [JSONMember] = []
    var namePlaces: [Int] = []

    var isEmpty: Bool { elements.isEmpty && members.isEmpty }
  }

  private let bytes: UnsafeBufferPointer<UInt8>
  private let limits: JSONLimits
  private var position = 0
  private var values = 0
  private var found: [(kind: JSONFinding.Kind, offset: Int)] = []
  private var uncounted = 0
  private var rootMembers: [JSONText.Member] = []
  private var rootElements: [Range<Int>] = []
  private var hasLoneSurrogate = false

  static func parse(
    _ bytes: UnsafeBufferPointer<UInt8>, _ limits: JSONLimits, text: @autoclosure () -> String
  ) throws(JSONError) -> JSONText {
    guard bytes.count <= limits.size else {
      throw JSONError(
        "The JSON text is longer than the limit of \(limits.size) bytes", at: PropertyListPosition(offset: limits.size))
    }
    var parser = JSONParser(bytes: bytes, limits: limits)
    if let offset = firstInvalidUTF8(bytes) { throw parser.error("The JSON text is not valid UTF-8", at: offset) }
    parser.skipSpace()
    guard parser.position < bytes.count else { throw parser.error("The JSON text is empty", at: 0) }
    let start = parser.position
    let value = try parser.parseValue()
    let range = start..<parser.position
    parser.skipSpace()
    if parser.position < bytes.count {
      let left = bytes.count - parser.position
      throw parser.error(
        "\(left) \(left == 1 ? "byte follows" : "bytes follow") the end of the JSON value", at: parser.position)
    }
    return JSONText(
      text: text(), value: value, findings: parser.placedFindings(), members: parser.rootMembers,
      elements: parser.rootElements, range: range, hasLoneSurrogate: parser.hasLoneSurrogate)
  }

  private func error(_ reason: String, at offset: Int) -> JSONError { JSONError(reason, at: place(offset)) }

  private func place(_ offset: Int) -> PropertyListPosition {
    var lines = LineCounter(bytes)
    return lines.position(at: offset)
  }

  private func unexpectedEnd() -> JSONError { error("The JSON text ends in the middle of a value", at: bytes.count) }

  private func placedFindings() -> [JSONFinding] {
    var lines = LineCounter(bytes)
    var findings = found.sorted { $0.offset < $1.offset }.map { kind, offset in
      JSONFinding(kind: kind, position: lines.position(at: offset))
    }
    if uncounted > 0, let last = findings.last {
      findings.append(JSONFinding(kind: .more(count: uncounted), position: last.position))
    }
    return findings
  }

  private mutating func report(_ kind: JSONFinding.Kind, at offset: Int) {
    if found.count < limits.findings { found.append((kind, offset)) } else { uncounted += 1 }
  }

  private mutating func skipSpace() {
    while position < bytes.count, bytes[position].isSpace { position += 1 }
  }

  private mutating func next() throws(JSONError) -> UInt8 {
    skipSpace()
    guard position < bytes.count else { throw unexpectedEnd() }
    return bytes[position]
  }

  private func unexpected() -> JSONError {
    let piece = bytes[position..<min(position + 64, bytes.count)].prefix {
      !$0.isSpace && $0 != UInt8(ascii: ",")
    }
    let text = String(String(decoding: piece, as: UTF8.self).prefix(12))
    return JSONError(token: text.isEmpty ? String(UnicodeScalar(bytes[position])) : text, at: place(position))
  }

  private mutating func parseValue() throws(JSONError) -> JSONValue {
    var outer: [Frame] = []
    guard var frame = try open(depth: 1) else { return try parseScalar() }
    while true {
      let closing = frame.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
      let byte = try next()
      if byte == closing {
        position += 1
        reportDuplicates(in: frame)
        let value: JSONValue = frame.isObject ? .object(frame.members) : .array(frame.elements)
        guard !outer.isEmpty else { return value }
        frame = outer.removeLast()
        add(value, to: &frame, isRoot: outer.isEmpty)
        continue
      }
      if !frame.isEmpty {
        guard byte == UInt8(ascii: ",") else { throw unexpected() }
        position += 1
        // A comma must be followed by an element, not by the end.
        guard try next() != closing else { throw unexpected() }
      }
      if frame.isObject { try parseName(&frame) }
      _ = try next()
      frame.valueStart = position
      if let inner = try open(depth: outer.count + 2) {
        outer.append(frame)
        frame = inner
      } else {
        add(try parseScalar(), to: &frame, isRoot: outer.isEmpty)
      }
    }
  }

  private mutating func parseName(_ frame: inout Frame) throws(JSONError) {
    guard try next() == UInt8(ascii: "\"") else { throw unexpected() }
    let start = position
    frame.name = try parseString()
    frame.nameRange = start..<position
    frame.namePlaces.append(start)
    guard try next() == UInt8(ascii: ":") else { throw unexpected() }
    position += 1
  }

  private mutating func reportDuplicates(in frame: Frame) {
    for position in frame.members.lazy.map(\.name).repeatedPositions() {
      report(.duplicateMember(frame.members[position].name), at: frame.namePlaces[position])
    }
  }

  private mutating func add(_ value: JSONValue, to frame: inout Frame, isRoot: Bool) {
    guard frame.isObject else {
      frame.elements.append(value)
      if isRoot { rootElements.append(frame.valueStart..<position) }
      return
    }
    frame.members.append(JSONMember(frame.name, value))
    if isRoot {
      rootMembers.append(
        JSONText.Member(
          name: frame.name, nameRange: frame.nameRange, value: value, valueRange: frame.valueStart..<position))
    }
  }

  /// A frame if an array or object starts at the position; otherwise nil.
  private mutating func open(depth: Int) throws(JSONError) -> Frame? {
    values += 1
    guard values <= limits.values else {
      throw error("The JSON text has more than \(limits.values) values", at: position)
    }
    let isObject = bytes[position] == UInt8(ascii: "{")
    guard isObject || bytes[position] == UInt8(ascii: "[") else { return nil }
    guard depth <= limits.depth else {
      throw error("Arrays and objects nest deeper than \(limits.depth) levels", at: position)
    }
    position += 1
    return Frame(isObject: isObject)
  }

  private mutating func parseScalar() throws(JSONError) -> JSONValue {
    switch bytes[position] {
    case UInt8(ascii: "\""): return .string(try parseString())
    case UInt8(ascii: "t"): return try parseWord("true", .boolean(true))
    case UInt8(ascii: "f"): return try parseWord("false", .boolean(false))
    case UInt8(ascii: "n"): return try parseWord("null", .null)
    case UInt8(ascii: "-"), 0x30...0x39: return .number(try parseNumber())
    default: throw unexpected()
    }
  }

  private mutating func parseWord(_ word: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
    let count = word.utf8CodeUnitCount
    let expected = UnsafeBufferPointer(start: word.utf8Start, count: count)
    guard bytes.count - position >= count, bytes[position..<(position + count)].elementsEqual(expected) else {
      throw unexpected()
    }
    position += count
    return value
  }

  private mutating func parseNumber() throws(JSONError) -> JSONNumber {
    let start = position
    let end = JSONNumber.end(of: bytes, from: start)
    // A number must end here: `01`, `1.` and `1x` are not numbers.
    if end == start || (end < bytes.count && !Self.endsNumber(bytes[end])) {
      throw error("A number is not written as JSON wants it", at: start)
    }
    position = end
    let number = JSONNumber(checked: String(decoding: bytes[start..<end], as: UTF8.self))
    if !number.isCanonical {
      report(number.double == nil ? .numberOutOfRange(number.lexeme) : .numberNotPreserved(number.lexeme), at: start)
    }
    return number
  }

  private static func endsNumber(_ byte: UInt8) -> Bool {
    byte.isSpace || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]")
      || byte == UInt8(ascii: "}")
  }
}

extension JSONParser {
  /// Reads a string; the position must be at its first quote.
  private mutating func parseString() throws(JSONError) -> String {
    position += 1
    var runStart = position
    var decoded: [UInt8] = []
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        let run = UnsafeBufferPointer(rebasing: bytes[runStart..<position])
        position += 1
        if decoded.isEmpty { return String(decoding: run, as: UTF8.self) }
        decoded.append(contentsOf: run)
        return String(decoding: decoded, as: UTF8.self)
      case UInt8(ascii: "\\"):
        decoded.append(contentsOf: bytes[runStart..<position])
        try parseEscape(into: &decoded)
        runStart = position
      case ..<0x20: throw error("A string has a control character that is not escaped", at: position)
      default: position += 1
      }
    }
    throw unexpectedEnd()
  }

  private mutating func parseEscape(into decoded: inout [UInt8]) throws(JSONError) {
    let start = position
    guard start + 1 < bytes.count else { throw unexpectedEnd() }
    position += 2
    switch bytes[start + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): decoded.append(bytes[start + 1])
    case UInt8(ascii: "b"): decoded.append(0x08)
    case UInt8(ascii: "f"): decoded.append(0x0C)
    case UInt8(ascii: "n"): decoded.append(0x0A)
    case UInt8(ascii: "r"): decoded.append(0x0D)
    case UInt8(ascii: "t"): decoded.append(0x09)
    case UInt8(ascii: "u"):
      guard var scalar = hexadecimal(at: position) else { throw invalidEscape(at: start) }
      position += 4
      if scalar & 0xF800 == 0xD800 {
        if scalar < 0xDC00, position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
          bytes[position + 1] == UInt8(ascii: "u"), let low = hexadecimal(at: position + 2), low & 0xFC00 == 0xDC00
        {
          scalar = 0x10000 + (scalar & 0x3FF) << 10 + low & 0x3FF
          position += 6
        } else {
          report(.loneSurrogate, at: start)
          hasLoneSurrogate = true
          scalar = 0xFFFD
        }
      }
      appendUTF8(scalar, to: &decoded)
    default: throw invalidEscape(at: start)
    }
  }

  private func invalidEscape(at start: Int) -> JSONError {
    error("A backslash in a string is not followed by a known escape", at: start)
  }

  private func hexadecimal(at start: Int) -> UInt32? {
    guard bytes.count - start >= 4 else { return nil }
    var value: UInt32 = 0
    for byte in bytes[start..<(start + 4)] {
      guard let digit = byte.hexadecimalDigit else { return nil }
      value = value << 4 | UInt32(digit)
    }
    return value
  }
}
