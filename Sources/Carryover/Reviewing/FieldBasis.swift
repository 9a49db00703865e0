import PropertyLists

/// What a decision about a field rests on, as a checksum: its legacy value, proposal, present value and standing, and the
/// codes of its findings. Two fields with the same basis ask the same question.
///
/// It is a checksum so that the decisions of a review can be kept without a copy of the values they are about. It tells
/// an accident, not a forger; what is kept is only ever offered.
public struct FieldBasis: Hashable, Sendable {
  /// 16 hexadecimal digits.
  let text: String

  /// The basis of a field as it is now.
  public init(_ field: Field) {
    var sum = Sum()
    sum.add(field.id)
    sum.add(field.legacy)
    sum.add(field.legacyText ?? "")
    sum.add(field.proposed)
    sum.add(field.current)
    sum.add(field.status.rawValue)
    for finding in field.findings { sum.add(finding.code.rawValue) }
    text = Checksum.digits(sum.hash)
  }

  /// A basis that was kept; nil for anything that is none.
  init?(_ text: String) {
    guard text.utf8.count == 16, text.utf8.allSatisfy(Self.isDigit) else { return nil }
    self.text = text
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }

  /// Each part with its length in front, so that no two lists of parts are one text.
  private struct Sum {
    var hash = Checksum.start

    mutating func add(_ value: PropertyListValue?) {
      switch value {
      case nil, .null: add("none")
      case .string(let text):
        // Not by way of JSON: a store may hold a text of many megabytes.
        add("string")
        add(text)
      case .some(let value): add(CodedValue.json(value).text())
      }
    }

    mutating func add(_ text: String) {
      for shift in stride(from: 0, to: 64, by: 8) { add(UInt8(truncatingIfNeeded: text.utf8.count >> shift)) }
      for byte in text.utf8 { add(byte) }
    }

    private mutating func add(_ byte: UInt8) { hash = Checksum.next(hash, byte) }
  }
}
