/// Writes the inside of a JSON string.
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
      let (scalar, length) = scalar(in: raw, at: position)
      if byte < 0x80 || needsEscape(scalar, visible: visible) {
        target.append(contentsOf: text[runStart..<position])
        appendEscape(scalar, to: &target)
        runStart = position + length
      }
      position += length
    }
    target.append(contentsOf: text[runStart...])
  }

  /// Whether eight bytes are all ASCII that needs no escape.
  private static func isPlain(_ bytes: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quote = bytes ^ (ones &* 0x22)
    let backslash = bytes ^ (ones &* 0x5C)
    // A byte borrows from its high bit where it is below what is subtracted, and U+007F carries into it. Borrows and
    // carries reach further bytes only behind one that is found, so no byte is missed.
    let found = bytes | (bytes &- ones &* 0x20) | (quote &- ones) | (backslash &- ones) | (bytes &+ ones)
    return found & (ones &* 0x80) == 0
  }

  private static func scalar(in raw: UnsafeRawBufferPointer, at position: Int) -> (scalar: UInt32, length: Int) {
    let first = UInt32(raw[position])
    let (start, length): (UInt32, Int) =
      first < 0x80 ? (first, 1) : first < 0xE0 ? (first & 0x1F, 2) : first < 0xF0 ? (first & 0xF, 3) : (first & 7, 4)
    let end = min(position + length, raw.count)
    var scalar = start
    var next = position + 1
    while next < end {
      scalar = scalar << 6 | UInt32(raw[next] & 0x3F)
      next += 1
    }
    return (scalar, end - position)
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
