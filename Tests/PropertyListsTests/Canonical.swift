import PropertyLists

struct Canonical {
  var sortsKeys = false
  /// plistlib makes every line end in XML a line feed and reads CF$UID as a dictionary.
  var isXML = false

  /// Nil for what the other readers round, refuse or cannot say: dates with a fraction, sets.
  func text(_ value: PropertyListValue) -> String? {
    switch value {
    case .string(let text): return string(text)
    case .integer(let integer): return "i\(integer)"
    case .real(let real):
      if real.value.isNaN { return "rnan" }
      let digits = String(real.value.bitPattern, radix: 16)
      return "r" + String(repeating: "0", count: 16 - digits.count) + digits
    case .boolean(let boolean): return boolean ? "b1" : "b0"
    case .date(let date):
      guard date.isInCalendarRange, let seconds = Int(exactly: date.secondsSince2001) else { return nil }
      return "d\(seconds)"
    case .data(let bytes): return "x" + Self.hexadecimal(bytes)
    case .uid(let uid): return isXML ? "{\(string("CF$UID")):i\(uid)}" : "u\(uid)"
    case .null: return "n"
    case .set: return nil
    case .array(let values):
      let texts = values.map(text)
      return texts.contains(nil) ? nil : "[" + texts.compactMap { $0 }.joined(separator: ",") + "]"
    case .dictionary(let dictionary): return text(dictionary)
    }
  }

  /// plistlib keeps the place of the first pair of a key and the value of the last.
  private func text(_ dictionary: PropertyListDictionary) -> String? {
    var keys: [String] = []
    var values: [String: String] = [:]
    for entry in dictionary.entries {
      guard let value = text(entry.value) else { return nil }
      let key = string(entry.key)
      if values.updateValue(value, forKey: key) == nil { keys.append(key) }
    }
    if sortsKeys { keys.sort() }
    return "{" + keys.map { $0 + ":" + (values[$0] ?? "") }.joined(separator: ",") + "}"
  }

  private func string(_ text: String) -> String {
    let text = isXML ? text.replacing("\r\n", with: "\n").replacing("\r", with: "\n") : text
    return "s" + Self.hexadecimal(Array(text.utf8))
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
