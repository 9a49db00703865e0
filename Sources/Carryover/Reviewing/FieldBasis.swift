import CarryoverSystem
import PropertyLists

/// What a decision about a field rests on, as a checksum: its legacy value, proposal, present value and standing, and the
/// codes of its findings. Two fields with the same basis ask the same question.
///
/// It is a checksum so that the decisions of a review can be kept without a copy of the values they are about.
package struct FieldBasis: Hashable, Sendable {
  /// SHA-256 as 64 hexadecimal digits; in files of earlier versions FNV-1a as 16.
  let text: String

  /// The basis of a field as it is now.
  package init(_ field: Field) { text = SHA256.hexDigest(Self.parts(field)) }

  /// A basis that was kept; nil for anything that is none.
  init?(_ text: String) {
    guard [16, 64].contains(text.utf8.count), text.utf8.allSatisfy(Self.isDigit) else { return nil }
    self.text = text
  }

  /// Whether it is the basis of a field as it is now.
  func holds(for field: Field) -> Bool {
    let parts = Self.parts(field)
    return text == (text.utf8.count == 16 ? Checksum.text(parts) : SHA256.hexDigest(parts))
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }

  /// Each part with its length in front, so that no two lists of parts are one text.
  private static func parts(_ field: Field) -> [UInt8] {
    var bytes: [UInt8] = []
    func add(_ text: String) {
      withUnsafeBytes(of: UInt64(text.utf8.count).littleEndian) { bytes += $0 }
      bytes += text.utf8
    }
    func add(_ value: PropertyListValue?) {
      switch value {
      case nil, .null: add("none")
      case .string(let text):
        // Not by way of JSON: a store may hold a text of many megabytes.
        add("string")
        add(text)
      case .some(let value): add(CodedValue.json(value).text())
      }
    }
    add(field.id)
    add(field.legacy)
    add(field.legacyText ?? "")
    add(field.proposed)
    add(field.current)
    add(field.status.rawValue)
    for finding in field.findings { add(finding.code.rawValue) }
    return bytes
  }
}
