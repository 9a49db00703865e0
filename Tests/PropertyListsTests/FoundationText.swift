import Foundation
import PropertyLists

/// Values as text in which what Foundation reads can be compared with ours: exact, except for a UID's number, which
/// Foundation does not show.
enum FoundationText {
  /// What Foundation reads from a file. Only for files that cannot crash it.
  static func read(_ bytes: [UInt8]) throws -> String {
    text(try PropertyListSerialization.propertyList(from: Data(bytes), format: nil))
  }

  /// What Foundation reads from a file; nil if it refuses the file.
  static func readIfValid(_ bytes: [UInt8]) -> String? { try? read(bytes) }

  static func text(_ document: PropertyListDocument) -> String { text(document.root, document.format) }

  /// Of several pairs with one key, Foundation uses the first in binary files and the last in XML.
  static func text(_ value: PropertyListValue, _ format: PropertyListFormat) -> String {
    switch value {
    case .string(let text): return string(text)
    case .integer(let integer): return "i\(integer)"
    case .real(let real): return "r" + double(real.value)
    case .boolean(let boolean): return boolean ? "b1" : "b0"
    case .date(let date): return "d" + double(date.secondsSince2001)
    case .data(let bytes): return "x\(bytes)"
    case .uid: return "u"
    case .null: return "n"
    case .array(let values): return "[" + values.map { text($0, format) }.joined(separator: ",") + "]"
    case .set(let values): return "(" + values.map { text($0, format) }.sorted().joined(separator: ",") + ")"
    case .dictionary(let dictionary):
      var pairs: [String: String] = [:]
      for entry in dictionary.entries where format == .xml || pairs[string(entry.key)] == nil {
        pairs[string(entry.key)] = text(entry.value, format)
      }
      return Self.dictionary(pairs)
    }
  }

  static func text(_ value: Any) -> String {
    switch value {
    case let text as String: return string(text)
    case let date as Date: return "d" + double(date.timeIntervalSinceReferenceDate)
    case let data as Data: return "x\(Array(data))"
    case is NSNull: return "n"
    case let number as NSNumber:
      switch number.objCType.pointee {
      case CChar(UInt8(ascii: "c")): return number.boolValue ? "b1" : "b0"
      case CChar(UInt8(ascii: "f")), CChar(UInt8(ascii: "d")): return "r" + double(number.doubleValue)
      default: return "i\(number)"
      }
    case let values as [Any]: return "[" + values.map(text).joined(separator: ",") + "]"
    case let values as [String: Any]:
      return dictionary(Dictionary(uniqueKeysWithValues: values.map { (string($0.key), text($0.value)) }))
    // A class without a public name.
    case let other: return "\(type(of: other))".contains("UID") ? "u" : "?"
    }
  }

  private static func dictionary(_ pairs: [String: String]) -> String {
    "{" + pairs.sorted { $0.key < $1.key }.map { $0.key + ":" + $0.value }.joined(separator: ",") + "}"
  }

  private static func string(_ text: String) -> String { "s\(Array(text.utf8))" }

  private static func double(_ value: Double) -> String { value.isNaN ? "nan" : String(value.bitPattern, radix: 16) }
}
