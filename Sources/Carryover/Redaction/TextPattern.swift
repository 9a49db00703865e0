/// Patterns of personal data in any place: e-mail addresses, UUIDs and telephone numbers.
enum TextPattern {
  static func match(_ bytes: [UInt8], at start: Int) -> (kind: Mask.Kind, length: Int)? {
    if let length = uuid(bytes, start) { return (.id, length) }
    if let length = email(bytes, start) { return (.email, length) }
    return phone(bytes, start).map { (.phone, $0) }
  }

  static func kind(of text: String) -> Mask.Kind? {
    guard text.utf8.count <= 320 else { return nil }
    let bytes = Array(text.utf8)
    guard !bytes.isEmpty, let found = match(bytes, at: 0), found.length == bytes.count else { return nil }
    return found.kind
  }

  static func occurs(in text: String) -> Bool {
    let bytes = Array(text.utf8)
    return bytes.indices.contains { match(bytes, at: $0) != nil }
  }

  private static func uuid(_ bytes: [UInt8], _ start: Int) -> Int? {
    let length = 36
    guard start + length <= bytes.count, start == 0 || !Characters.isHexadecimal(bytes[start - 1]) else { return nil }
    for offset in 0..<length {
      let byte = bytes[start + offset]
      let isHyphen = offset == 8 || offset == 13 || offset == 18 || offset == 23
      guard isHyphen ? byte == UInt8(ascii: "-") : Characters.isHexadecimal(byte) else { return nil }
    }
    return start + length < bytes.count && Characters.isHexadecimal(bytes[start + length]) ? nil : length
  }

  private static func email(_ bytes: [UInt8], _ start: Int) -> Int? {
    // A quotation mark before an address belongs to the surrounding text, such as a command's.
    let quote = UInt8(ascii: "'")
    guard isLocal(bytes, start), bytes[start] != quote,
      start == 0 || !isLocal(bytes, start - 1) || separators[Int(bytes[start - 1])]
    else { return nil }
    var index = start
    while index < bytes.count, index - start <= 128, isLocal(bytes, index) { index += 1 }
    guard index < bytes.count, bytes[index] == UInt8(ascii: "@") else { return nil }
    index += 1
    let domain = index
    var lastDot: Int?
    while index < bytes.count, index - domain <= 255, isDomain(bytes, index) {
      if bytes[index] == UInt8(ascii: ".") { lastDot = index }
      index += 1
    }
    // A full stop after the address ends the sentence.
    while index > domain, bytes[index - 1] == UInt8(ascii: ".") || bytes[index - 1] == UInt8(ascii: "-") {
      index -= 1
      lastDot = bytes[domain..<index].lastIndex(of: UInt8(ascii: "."))
    }
    guard let lastDot, lastDot > domain, index - lastDot > 2 else { return nil }
    return index - start
  }

  private static func isLocal(_ bytes: [UInt8], _ index: Int) -> Bool {
    let byte = bytes[index]
    if byte >= 0x80 { return !isSign(bytes, index) }
    return Characters.isWord(byte) || localMarks[Int(byte)]
  }

  private static func isDomain(_ bytes: [UInt8], _ index: Int) -> Bool {
    let byte = bytes[index]
    if byte >= 0x80 { return !isSign(bytes, index) }
    return Characters.isWord(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
  }

  private static let localMarks = marks("!#$%&'*+-/=?^`{|}~.")
  /// Marks that may be in an address, but that separate two of them in a path or a query.
  private static let separators = marks("!#$%&'*/=?^`{|}~")

  /// Whether a byte belongs to a symbol such as a quotation mark or an arrow, U+2000 to U+2FFF.
  private static func isSign(_ bytes: [UInt8], _ index: Int) -> Bool {
    var start = index
    while start > 0, index - start < 3, bytes[start] & 0xC0 == 0x80 { start -= 1 }
    return bytes[start] == 0xE2
  }

  /// A telephone number of 7 to 15 digits: with a plus sign, in three or more groups, or with a leading zero. In keys,
  /// underscores join it to words.
  private static func phone(_ bytes: [UInt8], _ start: Int) -> Int? {
    let first = bytes[start]
    let isInternational = first == UInt8(ascii: "+")
    guard isInternational || first == UInt8(ascii: "(") || Characters.isDigit(first),
      Characters.isBoundary(before: start, in: bytes) || bytes[start - 1] == underscore
    else { return nil }
    var (digits, groups, end, index, isInGroup) = (0, 0, start, start + (isInternational ? 1 : 0), false)
    while index < bytes.count, digits <= 15 {
      if Characters.isDigit(bytes[index]) {
        digits += 1
        if !isInGroup { groups += 1 }
        isInGroup = true
        end = index + 1
      } else if phoneMarks[Int(bytes[index])], index - end < 3 {
        isInGroup = false
      } else {
        break
      }
      index += 1
    }
    guard (7...15).contains(digits),
      Characters.isBoundary(after: end, in: bytes) || bytes[end] == underscore
    else { return nil }
    if isInternational { return end - start }
    if groups == 1 { return first == UInt8(ascii: "0") && digits >= 9 ? end - start : nil }
    return groups >= 3 && !isDate(bytes, start) ? end - start : nil
  }

  private static let phoneMarks = marks(" -()/")
  private static let underscore = UInt8(ascii: "_")

  private static func marks(_ text: String) -> [Bool] {
    var marks = Array(repeating: false, count: 256)
    for byte in text.utf8 { marks[Int(byte)] = true }
    return marks
  }

  private static func isDate(_ bytes: [UInt8], _ start: Int) -> Bool {
    guard start + 10 <= bytes.count else { return false }
    return (0..<10).allSatisfy { offset in
      let byte = bytes[start + offset]
      return offset == 4 || offset == 7 ? byte == UInt8(ascii: "-") : Characters.isDigit(byte)
    }
  }
}
