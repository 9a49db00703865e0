/// A number as written in JSON text. Two numbers are equal if their texts are: `1` and `1.0` differ.
public struct JSONNumber: Sendable, Hashable, CustomStringConvertible, Described {
  /// The text, according to the grammar of JSON.
  public let lexeme: String

  /// Creates a number from text that the parser has checked.
  init(checked lexeme: String) { self.lexeme = lexeme }

  /// Creates a number from its text; nil if JSON does not allow the text, such as `+1`, `01`, `.5` or `NaN`.
  public init?(lexeme: String) {
    var lexeme = lexeme
    let isValid = lexeme.withUTF8 { JSONNumber.end(of: $0, from: 0) == $0.count && !$0.isEmpty }
    guard isValid else { return nil }
    self.lexeme = lexeme
  }

  /// Creates a whole number.
  public init(_ value: some BinaryInteger) { lexeme = String(value) }

  /// Creates a number from the shortest text that reads back as the same Double; nil for a NaN or an infinity.
  public init?(_ value: Double) {
    guard value.isFinite else { return nil }
    let text = value.description
    lexeme = text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// The text.
  package var words: String { lexeme }

  /// Whether the text has neither a fraction nor an exponent.
  package var isInteger: Bool { lexeme.utf8.allSatisfy { $0 == UInt8(ascii: "-") || ($0 >= 0x30 && $0 <= 0x39) } }

  /// The value; nil if the text is not an integer that fits.
  public var int64: Int64? { Int64(lexeme) }

  /// The value; nil if the text is not an integer that fits.
  package var uint64: UInt64? { UInt64(lexeme) }

  /// The nearest Double; nil if the number is beyond its range.
  public var double: Double? { Double(lexeme).flatMap { $0.isFinite ? $0 : nil } }

  /// Whether a parser that converts numbers to Int64 or Double would write the same text again.
  package var isCanonical: Bool {
    if isInteger { return int64.map(String.init) == lexeme }
    return double.flatMap { JSONNumber($0) }?.lexeme == lexeme
  }

  /// The end of the number that starts at an offset; the offset itself if there is none.
  static func end(of text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var position = start
    func skipDigits() -> Bool {
      let first = position
      while position < text.count, text[position] >= 0x30, text[position] <= 0x39 { position += 1 }
      return position > first
    }
    if position < text.count, text[position] == UInt8(ascii: "-") { position += 1 }
    if position < text.count, text[position] == UInt8(ascii: "0") {
      position += 1
    } else if !skipDigits() {
      return start
    }
    if position < text.count, text[position] == UInt8(ascii: ".") {
      position += 1
      guard skipDigits() else { return start }
    }
    if position < text.count, text[position] | 0x20 == UInt8(ascii: "e") {
      position += 1
      if position < text.count, text[position] == UInt8(ascii: "+") || text[position] == UInt8(ascii: "-") {
        position += 1
      }
      guard skipDigits() else { return start }
    }
    return position
  }
}
