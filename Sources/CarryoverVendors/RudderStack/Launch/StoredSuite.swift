import Carryover
import PropertyLists

/// The suite as the Swift SDK (1.3.1) reads it when it starts: each key by a typed cast (`KeyValueStore.read`). A value that
/// the cast refuses reads as absent.
///
/// `UserDefaults` gives numbers as `NSNumber`, which Swift casts to `Bool` where they are 0 or 1. The SDK decodes data as
/// the JSON of the type it asks for, which nothing else in the suite relies on.
struct StoredSuite {
  let values: [String: PropertyListValue]

  subscript(key: String) -> PropertyListValue? { values[key] }

  func text(_ key: String) -> String? {
    switch values[key] {
    case .string(let text)?: text
    case .data(let bytes)?: json(bytes)?.stringValue
    default: nil
    }
  }

  /// A text in decimal digits.
  func number(_ key: String) -> UInt64? { text(key).flatMap { UInt64($0) } }

  func flag(_ key: String) -> Bool? {
    switch values[key] {
    case .boolean(let flag)?: flag
    case .integer(let integer)?: flag(integer.int64.map { Double($0) })
    case .real(let real)?: flag(real.value)
    case .data(let bytes)?: json(bytes)?.booleanValue
    default: nil
    }
  }

  /// How many members the JSON object in a text has; nil where there is no such object. Of two members with one name the
  /// SDK keeps one.
  func members(_ key: String) -> Int? {
    guard let text = text(key), let object = try? TraitsText(.string(text)) else { return nil }
    return Set(object.memberNames).count
  }

  /// Why a key reads as absent where it must be a text.
  func reason(_ key: String) -> FindingText {
    switch values[key] {
    case nil: "\(words: key) is absent"
    case .string(let text)? where text.isEmpty: "\(words: key) is empty"
    case .string(let text)?: "\(words: key) is \(quoted: text)"
    case let value?: "\(words: key) is \(typed: value), not a string"
    }
  }

  private func flag(_ number: Double?) -> Bool? { number == 0 ? false : number == 1 ? true : nil }

  private func json(_ bytes: [UInt8]) -> JSONValue? { (try? JSONText(bytes: bytes))?.value }
}
