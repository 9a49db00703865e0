import Carryover
import PropertyLists

/// The suite as the Swift SDK (1.3.1) reads it when it starts: each key with a typed cast (`KeyValueStore.read`). If
/// the cast fails, the value counts as missing.
///
/// `UserDefaults` returns numbers as `NSNumber`, which Swift casts to `Bool` if they are 0 or 1. The SDK decodes data
/// as JSON of the requested type, but no other code relies on that.
struct StoredSuite {
  let values: [StringByBytes: PropertyListValue]

  subscript(key: String) -> PropertyListValue? { values[key] }

  func text(_ key: String) -> String? {
    switch values[key] {
    case .string(let text)?: text
    case .data(let bytes)?: json(bytes)?.stringValue
    default: nil
    }
  }

  /// The number in a text of decimal digits.
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

  /// The number of members of the JSON object in a text; nil if there is no such object. Duplicate names count once, as
  /// in the SDK.
  func members(_ key: String) -> Int? {
    guard let text = text(key), let object = try? TraitsText(.string(text)) else { return nil }
    return Set(bytesOf: object.memberNames).count
  }

  /// The reason that a key which must be text reads as missing.
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
