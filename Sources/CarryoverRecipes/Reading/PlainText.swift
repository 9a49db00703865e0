/// The value of an unquoted YAML text.
enum PlainText: Equatable {
  case text
  /// A decimal integer without a plus sign or leading zeros.
  case integer
  /// A decimal number as JSON writes it.
  case decimal
  case boolean(Bool)
  case null
  /// A number or a boolean of YAML 1.2 that JSON writes in another way: `+1`, `007`, `.5`, `0x1f`, `.inf`, `TRUE`.
  case ambiguous
  /// Text in YAML 1.2, but not in YAML 1.1: `yes`, `1:30`, `1_000`, `2025-11-20`.
  case oldValue

  init(_ text: String) {
    switch text {
    case "", "~", "null", "Null", "NULL": self = .null
    case "true": self = .boolean(true)
    case "false": self = .boolean(false)
    case "True", "TRUE", "False", "FALSE": self = .ambiguous
    default:
      let lower = text.lowercased()
      let isWord = ["y", "n", "yes", "no", "on", "off"].contains(lower)
      self = Self.number(lower.utf8) ?? (isWord || Self.isOld(lower.utf8) ? .oldValue : .text)
    }
  }

  /// A number of YAML 1.2's core schema, in lower case; nil for other text.
  private static func number(_ text: String.UTF8View) -> PlainText? {
    var rest = text[...]
    func take(_ byte: Character) -> Bool {
      guard rest.first == byte.asciiValue else { return false }
      rest = rest.dropFirst()
      return true
    }
    func digits() -> Int {
      let count = rest.prefix(while: isDigit).count
      rest = rest.dropFirst(count)
      return count
    }
    let hasPlus = take("+")
    if !hasPlus { _ = take("-") }
    if [".inf", ".nan"].contains(where: { rest.elementsEqual($0.utf8) }) { return .ambiguous }
    for (prefix, digits) in [("0x", "0123456789abcdef"), ("0o", "01234567")] where rest.starts(with: prefix.utf8) {
      let spelled = rest.dropFirst(2)
      return !spelled.isEmpty && spelled.allSatisfy(digits.utf8.contains) ? .ambiguous : nil
    }
    let startsWithZero = rest.first == UInt8(ascii: "0")
    let whole = digits()
    var isJSON = !hasPlus && (whole == 1 || whole > 1 && !startsWithZero)
    var isInteger = true
    var fraction = 0
    if take(".") {
      isInteger = false
      fraction = digits()
      isJSON = isJSON && fraction > 0
    }
    guard whole + fraction > 0 else { return nil }
    if take("e") {
      isInteger = false
      if !take("+") { _ = take("-") }
      guard digits() > 0 else { return nil }
    }
    guard rest.isEmpty else { return nil }
    return isJSON ? isInteger ? .integer : .decimal : .ambiguous
  }

  /// Whether YAML 1.1 reads a text that is not a number as a number, a time or a date.
  private static func isOld(_ text: String.UTF8View) -> Bool {
    let unsigned = text.first == UInt8(ascii: "-") || text.first == UInt8(ascii: "+") ? text.dropFirst() : text[...]
    guard let first = unsigned.first, isDigit(first) else { return false }
    if unsigned.starts(with: "0b".utf8) { return unsigned.dropFirst(2).allSatisfy { "01_".utf8.contains($0) } }
    if unsigned.starts(with: "0x".utf8) { return unsigned.contains(UInt8(ascii: "_")) }
    let parts = unsigned.split(separator: UInt8(ascii: "-"), maxSplits: 2)
    if parts.count == 3, parts[0].count == 4, parts[0].allSatisfy(isDigit), parts[1].allSatisfy(isDigit) { return true }
    return unsigned.allSatisfy { isDigit($0) || "_:.e+-".utf8.contains($0) }
      && (unsigned.contains(UInt8(ascii: "_")) || unsigned.contains(UInt8(ascii: ":")))
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
