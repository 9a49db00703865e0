import PropertyLists

/// A JSON text whose escaped pairs of surrogates are replaced by YAML's escapes, `\ud83d\ude00` by `\U0001F600`: JSON
/// writers escape characters beyond U+FFFF in this way, and YAML refuses surrogates. Other texts stay as they are.
struct SurrogatePairs {
  /// The text, in which a replaced pair is two columns shorter.
  private(set) var text: [UInt8]
  /// For each line with replaced pairs, the columns after them, counted from zero.
  private var columns: [Int: [Int]] = [:]

  init(_ bytes: [UInt8]) {
    text = bytes
    // Only a strict reading of JSON makes sure that every backslash is an escape.
    guard bytes.contains(UInt8(ascii: "\\")), (try? JSONText(bytes: bytes)) != nil else { return }
    text = []
    text.reserveCapacity(bytes.count)
    var (line, column, position) = (0, 0, 0)
    while position < bytes.count {
      let rest = bytes[position...]
      if let high = Self.unit(rest), high & 0xFC00 == 0xD800, let low = Self.unit(rest.dropFirst(6)),
        low & 0xFC00 == 0xDC00
      {
        let digits = String(0x10000 + (high & 0x3FF) << 10 + low & 0x3FF, radix: 16)
        text += Array("\\U".utf8) + Array(repeating: UInt8(ascii: "0"), count: 8 - digits.count) + Array(digits.utf8)
        column += 10
        columns[line, default: []].append(column)
        position += 12
        continue
      }
      let length = rest.first == UInt8(ascii: "\\") ? 2 : 1
      for byte in rest.prefix(length) {
        text.append(byte)
        if byte == UInt8(ascii: "\n") {
          (line, column) = (line + 1, 0)
        } else if byte & 0xC0 != 0x80 {
          column += 1
        }
      }
      position += length
    }
  }

  /// The column of the original text for one of the new text, both counted from zero.
  func column(_ column: Int, line: Int) -> Int {
    column + 2 * (columns[line]?.count { $0 <= column } ?? 0)
  }

  /// The UTF-16 unit of an escape `\u1234` at the start of some bytes.
  private static func unit(_ bytes: ArraySlice<UInt8>) -> UInt32? {
    guard bytes.starts(with: "\\u".utf8) else { return nil }
    let digits = bytes.dropFirst(2).prefix(4)
    return digits.count == 4 ? UInt32(String(decoding: digits, as: UTF8.self), radix: 16) : nil
  }
}
