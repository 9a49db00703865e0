import CarryoverSystem
import PropertyLists

/// A checksum of a field's legacy value, proposal, current value, status and finding codes, on which a decision
/// depends. Fields with the same basis need the same decision.
///
/// The checksum allows a review's decisions to be saved without copies of the values.
package struct FieldBasis: Hashable, Sendable {
  /// SHA-256 as 64 hexadecimal digits.
  let text: String

  /// The basis of a current field.
  package init(_ field: Field) { text = SHA256.hexDigest(Self.parts(field)) }

  /// A saved basis; nil if the text is not valid.
  init?(_ text: String) {
    guard text.utf8.count == 64, text.utf8.allSatisfy(Self.isDigit) else { return nil }
    self.text = text
  }

  /// Whether it is the basis of this current field.
  func holds(for field: Field) -> Bool { self == FieldBasis(field) }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }

  /// Each part follows its length, so that different lists of parts never give the same bytes.
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
        // Without JSON, because a store may contain a text of many megabytes.
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
