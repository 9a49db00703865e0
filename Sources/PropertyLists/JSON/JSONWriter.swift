extension JSONValue {
  /// The value as JSON text. Members keep their order and numbers their text; equal values give equal texts.
  ///
  /// Escapes every scalar of the general categories Cc, Cf, Zl, Zp, Co and Cn, so that the text is safe in a terminal
  /// and in JavaScript: control characters, line separators, invisible and direction-changing characters, and scalars
  /// without a meaning. Does not escape `/`.
  /// - Parameters:
  ///   - pretty: whether to write one member or element per line, indented by two spaces.
  ///   - visible: whether to escape other invisible scalars, too: those that Unicode calls default-ignorable (variation
  ///     selectors, fillers) and every space except U+0020 and U+3000. The text reads back the same.
  public func text(pretty: Bool = false, visible: Bool = false) -> String {
    var writer = JSONWriter(pretty: pretty, visible: visible)
    writer.write(self)
    return writer.text
  }
}

/// Writes JSON text.
///
/// For a document that is too large for memory, begin its containers, write their contents, and take the bytes out
/// piece by piece.
package struct JSONWriter {
  private var bytes: [UInt8] = []
  private var begun: [Begun] = []
  private let pretty: Bool
  private let visible: Bool

  package init(pretty: Bool = false, visible: Bool = false) { (self.pretty, self.visible) = (pretty, visible) }

  package var text: String { String(decoding: bytes, as: UTF8.self) }

  private struct Begun {
    let isObject: Bool
    var isEmpty = true
  }

  package var count: Int { bytes.count }

  package mutating func take() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  package mutating func beginObject() { begin(isObject: true) }

  package mutating func beginArray() { begin(isObject: false) }

  package mutating func name(_ name: String) {
    separate()
    write(string: name)
    append(pretty ? ": " : ":")
  }

  package mutating func end() {
    guard let ended = begun.popLast() else { return }
    if !ended.isEmpty { breakLine(begun.count) }
    append(ended.isObject ? "}" : "]")
  }

  private mutating func begin(isObject: Bool) {
    separateElement()
    append(isObject ? "{" : "[")
    begun.append(Begun(isObject: isObject))
  }

  /// Writes the separator before an element of the innermost open array; a member has it before its name.
  private mutating func separateElement() {
    if begun.last?.isObject == false { separate() }
  }

  private mutating func separate() {
    guard let last = begun.indices.last else { return }
    if !begun[last].isEmpty { append(",") }
    begun[last].isEmpty = false
    breakLine(begun.count)
  }

  package mutating func write(_ value: JSONValue) {
    switch value {
    case .object(let members):
      beginObject()
      for member in members {
        name(member.name)
        write(member.value)
      }
      end()
    case .array(let elements):
      beginArray()
      for element in elements { write(element) }
      end()
    default:
      separateElement()
      write(scalar: value)
    }
  }

  private mutating func write(scalar value: JSONValue) {
    switch value {
    case .string(let text): write(string: text)
    case .number(let number): bytes.append(contentsOf: number.lexeme.utf8)
    case .boolean(let boolean): append(boolean ? "true" : "false")
    case .null, .object, .array: append("null")
    }
  }

  private mutating func breakLine(_ level: Int) {
    guard pretty else { return }
    bytes.append(0x0A)
    bytes.append(contentsOf: repeatElement(0x20, count: 2 * level))
  }

  private mutating func append(_ text: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  private mutating func write(string text: String) {
    append("\"")
    // The array is moved out so that the closure can append to it without a copy.
    var target: [UInt8] = []
    swap(&target, &bytes)
    text.utf8.withContiguous { JSONEscaping.append($0, visible: visible, to: &target) }
    swap(&target, &bytes)
    append("\"")
  }
}

enum JSONEscaping {
  /// Appends valid UTF-8 with the necessary escapes. Everything between two escapes is appended in one piece.
  /// - Parameter visible: whether to escape other invisible scalars, too.
  static func append(_ text: UnsafeBufferPointer<UInt8>, visible: Bool, to target: inout [UInt8]) {
    let raw = UnsafeRawBufferPointer(text)
    var runStart = 0
    var position = 0
    while position < raw.count {
      if raw.count - position >= 8, isPlain(raw.loadUnaligned(fromByteOffset: position, as: UInt64.self)) {
        position += 8
        continue
      }
      let byte = raw[position]
      if byte >= 0x20, byte < 0x7F, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
        position += 1
        continue
      }
      let (scalar, length) = scalar(in: text, at: position)
      if byte < 0x80 || needsEscape(scalar, visible: visible) {
        target.append(contentsOf: text[runStart..<position])
        appendEscape(scalar, to: &target)
        runStart = position + length
      }
      position += length
    }
    target.append(contentsOf: text[runStart...])
  }

  private static func isPlain(_ bytes: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quote = bytes ^ (ones &* 0x22)
    let backslash = bytes ^ (ones &* 0x5C)
    // A byte borrows from its high bit where it is below what is subtracted, and U+007F carries into it. Borrows and
    // carries reach further bytes only behind one that is found, so no byte is missed.
    let found = bytes | (bytes &- ones &* 0x20) | (quote &- ones) | (backslash &- ones) | (bytes &+ ones)
    return found & (ones &* 0x80) == 0
  }

  private static func needsEscape(_ value: UInt32, visible: Bool) -> Bool {
    switch value {
    // The only scalar of the next ranges that is invisible.
    case 0x34F: return visible
    // Scripts without unassigned scalars or format characters are not looked up.
    case 0xAE...0x377, 0x3041...0x3096, 0x4E00...0x9FA5, 0xAC00...0xD7A3: return false
    default: break
    }
    guard let scalar = Unicode.Scalar(value) else { return true }
    let properties = scalar.properties
    return switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: true
    case .spaceSeparator: visible && value != 0x3000
    default: visible && properties.isDefaultIgnorableCodePoint
    }
  }

  private static func appendEscape(_ scalar: UInt32, to target: inout [UInt8]) {
    target.append(UInt8(ascii: "\\"))
    switch scalar {
    case 0x22, 0x5C: target.append(UInt8(truncatingIfNeeded: scalar))
    case 0x0A: target.append(UInt8(ascii: "n"))
    case 0x0D: target.append(UInt8(ascii: "r"))
    case 0x09: target.append(UInt8(ascii: "t"))
    case 0x08: target.append(UInt8(ascii: "b"))
    case 0x0C: target.append(UInt8(ascii: "f"))
    case 0x10000...:
      appendUnit(0xD800 + (scalar - 0x10000) >> 10, to: &target)
      target.append(UInt8(ascii: "\\"))
      appendUnit(0xDC00 + scalar & 0x3FF, to: &target)
    default: appendUnit(scalar, to: &target)
    }
  }

  /// A `u` and the four digits of a UTF-16 unit.
  private static func appendUnit(_ unit: UInt32, to target: inout [UInt8]) {
    target.append(UInt8(ascii: "u"))
    for shift: UInt32 in [12, 8, 4, 0] {
      let digit = UInt8(truncatingIfNeeded: unit >> shift & 0xF)
      target.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit)
    }
  }
}
