package import Carryover
import CarryoverVendors
import PropertyLists

extension PropertyListValue.Kind {
  /// The type as a person reads it.
  var word: String { rawValue }

  /// The type without the difference between whole and other numbers.
  var plainWord: String { self == .integer || self == .real ? "number" : rawValue }
}

extension PropertyListValue {
  /// The value on one line: text as it is, unless it could be taken for a value of another type; containers by their
  /// size. Reads no more of a long text than `limit` characters need.
  func inline(limit: Int) -> String {
    switch self {
    case .string(let text):
      Self.looksLikeSomethingElse(text)
        ? "\"\(text)\"" : text.head(columns: limit)
    case .integer(let integer): integer.description
    case .real(let real): real.description
    case .boolean(let flag): flag ? "true" : "false"
    case .date(let date): date.description
    case .data(let bytes):
      "\(bytes.count) \(bytes.count == 1 ? "byte" : "bytes") "
        + bytes.prefix(min(limit, 64)).map { Self.hex($0) }.joined(separator: "")
    case .array(let elements): "array of \(counted(elements.count, "element"))"
    case .dictionary(let dictionary): "dictionary of \(counted(dictionary.count, "key"))"
    case .uid(let number): "UID \(number)"
    case .set(let elements): "set of \(counted(elements.count, "element"))"
    case .null: "null"
    }
  }

  /// The text of data that holds a JSON object, as apps store their models; nil for any other value. What is no JSON, or
  /// too long to be looked at in every frame, stays data.
  var readable: PropertyListValue? {
    guard case .data(let bytes) = self, bytes.first == UInt8(ascii: "{"), bytes.count <= ShownText.limit,
      let text = jsonText
    else { return nil }
    return .string(text)
  }

  /// The whole value as text for the clipboard and the line editor; nil where text cannot stand for it.
  var editableText: String? {
    switch self {
    case .string(let text): text
    case .integer(let integer): integer.description
    case .real(let real): real.description
    case .boolean(let flag): flag ? "true" : "false"
    case .date(let date): date.description
    case .data: readable?.editableText
    default: nil
    }
  }

  /// Two hexadecimal digits.
  static func hex(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16)
    return byte < 16 ? "0" + digits : digits
  }

  private static func looksLikeSomethingElse(_ text: String) -> Bool {
    guard text.utf8.count <= 40 else { return false }
    if text.isEmpty || text.first == " " || text.last == " " || text.first == "\"" { return true }
    switch text {
    case "true", "false", "null", "none": return true
    default: return Double(text) != nil
    }
  }
}

/// How much of a text is shown.
enum ShownText {
  /// The longest text that is shown in full, in scalars.
  static let limit = 65_536
}

/// Keys whose values no screen shows unasked, and values that are secrets under any key.
package enum Secrets {
  package static func holds(_ key: String) -> Bool { Recipe.secretNames.contains(key) }

  /// Whether a value is a secret, by its key or by itself.
  package static func holds(_ child: InspectedChild) -> Bool {
    child.label.name.map(holds) == true || child.value(limits: .closed).string.map(SecretNames.isToken) == true
  }

  /// What stands where the value would.
  package static let standIn = "(secret)"
}

/// A number of things: `1 file`, `2 files`.
func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

/// A size for people: `812 bytes`, `12 KiB`.
func sizeText(_ bytes: Int) -> String {
  if bytes < 10_240 { return counted(bytes, "byte") }
  return bytes < 10_485_760 ? "\(bytes / 1024) KiB" : "\(bytes / 1_048_576) MiB"
}

extension String {
  /// Its first scalars; all of it where it has no more. Cut out of its bytes: from single scalars it would be made many
  /// times slower.
  func firstScalars(_ count: Int) -> String { utf8.count <= count ? self : String(unicodeScalars.prefix(count)) }

  /// As much of its beginning as so many columns need.
  func head(columns: Int) -> String { firstScalars(Self.scalars(columns)) }

  /// As much of its end as so many columns need.
  func tail(columns: Int) -> String {
    let count = Self.scalars(columns)
    return utf8.count <= count ? self : String(unicodeScalars.suffix(count))
  }

  /// A column shows up to five scalars, and what is cut has to be seen to be longer.
  private static func scalars(_ columns: Int) -> Int { 5 * (columns + 2) }
}

extension Array {
  /// The element at an index; nil where there is none.
  func element(_ index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}

/// The beginning of a text of several sentences.
enum FirstSentence {
  /// The first sentence, with its full stop. One that ends inside of quotation marks belongs to what is quoted.
  static func of(_ text: String) -> String {
    let scalars = text.unicodeScalars
    var depth = 0
    var index = scalars.startIndex
    while index < scalars.endIndex {
      let next = scalars.index(after: index)
      switch scalars[index] {
      case "“": depth += 1
      case "”": depth = max(0, depth - 1)
      case ".", "!", "?":
        if depth == 0, next < scalars.endIndex, scalars[next] == " " { return String(scalars[..<next]) }
      default: break
      }
      index = next
    }
    return text
  }
}

/// Where two texts part.
struct TextDifference: Hashable {
  /// How many characters they have in common at the beginning.
  let common: Int
  /// The first from there on, cut, with a little of what is before it.
  let here: String
  /// The same of the other.
  let there: String

  /// The first difference; nil between equal texts.
  init?(_ text: String, _ other: String) {
    guard text != other else { return nil }
    var (left, right) = (text.startIndex, other.startIndex)
    var common = 0
    while left < text.endIndex, right < other.endIndex, text[left] == other[right] {
      left = text.index(after: left)
      right = other.index(after: right)
      common += 1
    }
    self.common = common
    here = Self.excerpt(text, at: left)
    there = Self.excerpt(other, at: right)
  }

  private static func excerpt(_ text: String, at index: String.Index) -> String {
    let start = text.index(index, offsetBy: -4, limitedBy: text.startIndex) ?? text.startIndex
    let end = text.index(index, offsetBy: 12, limitedBy: text.endIndex) ?? text.endIndex
    return (start > text.startIndex ? "…" : "") + text[start..<end] + (end < text.endIndex ? "…" : "")
  }
}

extension ContainerSummary {
  /// What titles say of a container: the app, and what the container is called where that is something else.
  package var names: [String] { containerNames(bundleID: bundleID, name: name) }
}

/// The same from its parts.
func containerNames(bundleID: String?, name: String) -> [String] {
  guard let bundleID, bundleID != name else { return [name] }
  return [bundleID, name]
}
