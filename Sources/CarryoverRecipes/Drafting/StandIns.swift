import Carryover
import PropertyLists

/// Makes values that have the types and the structure of a container's values, and nothing of their content.
struct StandIns {
  private let redaction: Redaction
  /// The numbers of the last text and of the last number.
  private var texts = 0
  private var numbers: Int
  /// The number of nested values that may still be made.
  private var left = 600
  /// The maximum number of members and of levels in one value.
  private static let (members, levels) = (12, 4)

  /// - Parameter redaction: what is personal in the container, whose values it has learned.
  init(_ redaction: Redaction) {
    self.redaction = redaction
    // Skipping only the container's own numbers would show them.
    let isFree = { (first: Int) in
      (first...first + 999).allSatisfy { !redaction.hasLearned("\($0)") && !redaction.hasLearned("\($0).5") }
    }
    numbers = stride(from: 0, to: 100_000, by: 1000).first { isFree($0 + 1) } ?? 0
  }

  /// A value in place of a secret, without its structure; nil for a type that has one.
  mutating func secret(_ value: PropertyListValue) -> PropertyListValue? {
    switch value {
    case .string: .string(nextText("text"))
    case .data: .data(Array(nextText("data").utf8))
    case .array, .set, .dictionary: nil
    default: self.value(value)
    }
  }

  /// A value in place of another one; nil for a type that a recipe's tests cannot write.
  mutating func value(_ value: PropertyListValue, depth: Int = 0) -> PropertyListValue? {
    switch value {
    case .string(let text): return .string(self.text(text))
    case .integer: return .integer(PropertyListInteger(Int64(nextNumber())))
    case .real: return .real(PropertyListReal(Double(nextNumber()) + 0.5))
    case .boolean: return true
    case .date: return .date(PropertyListDate(secondsSince2001: Double(nextNumber())))
    case .data(let bytes):
      let json = try? JSONText(bytes: bytes)
      return .data(Array((json.map { self.json($0.value).text() } ?? nextText("data")).utf8))
    case .array(let elements), .set(let elements):
      return .array(inside(elements, depth) { $0.value($1, depth: depth + 1) })
    case .dictionary(let dictionary):
      let entries = inside(dictionary.entries, depth) { me, entry in
        me.value(entry.value, depth: depth + 1).map { (me.name(entry.key), $0) }
      }
      return .dictionary(
        PropertyListDictionary(entries: Self.distinct(entries).map { .init(key: $0.name, value: $0.value) }))
    case .uid, .null: return nil
    }
  }

  private mutating func text(_ text: String) -> String {
    if let json = try? JSONText(text).value, json.members != nil || json.elements != nil {
      return self.json(json).text()
    }
    if Redaction.isUUID(text) {
      texts += 1
      let digits = String(texts)
      return "00000000-0000-0000-0000-" + String(repeating: "0", count: max(0, 12 - digits.utf8.count)) + digits
    }
    let isNumber = !text.isEmpty && text.utf8.allSatisfy(Self.isDigit)
    return isNumber ? String(nextNumber()) : nextText("text")
  }

  /// JSON in place of other JSON.
  mutating func json(_ value: JSONValue, depth: Int = 0) -> JSONValue {
    switch value {
    case .object(let members):
      let shown = inside(members, depth) { me, member in
        (me.name(member.name), me.json(member.value, depth: depth + 1))
      }
      return .object(Self.distinct(shown).map { JSONMember($0.name, $0.value) })
    case .array(let elements): return .array(inside(elements, depth) { $0.json($1, depth: depth + 1) })
    case .string(let text): return .string(self.text(text))
    case .number(let number):
      let isInteger = PropertyListInteger(number.lexeme) != nil
      return isInteger ? JSONValue(nextNumber()) : JSONValue(Double(nextNumber()) + 0.5)
    case .boolean: return true
    case .null: return .null
    }
  }

  /// The first values inside of another one, within the limits.
  private mutating func inside<Inner, Made>(
    _ values: [Inner], _ depth: Int, _ make: (inout StandIns, Inner) -> Made?
  ) -> [Made] {
    guard depth < Self.levels else { return [] }
    return values.prefix(Self.members).compactMap { value in
      guard left > 0 else { return nil }
      left -= 1
      return make(&self, value)
    }
  }

  /// A name inside of a value: its own, or another one if it is long, personal or an id, or means something in a test.
  private mutating func name(_ name: String) -> String {
    let isOwn =
      (1...32).contains(name.utf8.count) && name.utf8.allSatisfy { Self.isLetter($0) || Self.isDigit($0) }
      && !name.utf8.split(whereSeparator: Self.isLetter).contains { $0.count > 3 }
      && !["data", "date", "real"].contains(name) && !redaction.isPersonal(name)
    return isOwn ? name : nextText("name")
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte & 0xDF) || "_-.$".utf8.contains(byte)
  }

  private static func distinct<Value>(_ pairs: [(name: String, value: Value)]) -> [(name: String, value: Value)] {
    var seen: Set<String> = []
    return pairs.filter { seen.insert($0.name).inserted }
  }

  private mutating func nextNumber() -> Int {
    numbers += 1
    return numbers
  }

  private mutating func nextText(_ word: String) -> String {
    texts += 1
    return "\(word)-\(texts)"
  }
}
