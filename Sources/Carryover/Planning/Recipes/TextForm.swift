import PropertyLists

/// A form of text that a recipe can ask for. The raw value is its name in recipe files.
package enum TextForm: String, CaseIterable, Hashable, Sendable {
  /// 32 hexadecimal digits in five groups.
  case uuid
  /// Digits, with an optional minus sign and an optional fraction.
  case decimal
  /// Hexadecimal digits.
  case hex
  /// One `@`, with a name before and a domain behind it.
  case email
  /// JSON of any type.
  case json

  package func matches(_ text: String) -> Bool {
    switch self {
    case .uuid: Self.isUUID(text.utf8)
    case .decimal: Self.isDecimal(text.utf8)
    case .hex: !text.isEmpty && text.utf8.allSatisfy(\.isHexadecimal)
    case .email: Self.isEmail(text.utf8)
    case .json: (try? JSONText(text)) != nil
    }
  }

  package var words: String {
    switch self {
    case .uuid: "a UUID"
    case .decimal: "the text of a decimal number"
    case .hex: "hexadecimal digits"
    case .email: "an email address"
    case .json: "JSON text"
    }
  }

  private static func isUUID(_ text: String.UTF8View) -> Bool {
    text.count == 36
      && text.enumerated().allSatisfy { index, byte in
        [8, 13, 18, 23].contains(index) ? byte == UInt8(ascii: "-") : byte.isHexadecimal
      }
  }

  private static func isDecimal(_ text: String.UTF8View) -> Bool {
    let digits = text.first == UInt8(ascii: "-") ? text.dropFirst() : text[...]
    let parts = digits.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count <= 2 && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isDigit) }
  }

  private static func isEmail(_ text: String.UTF8View) -> Bool {
    // Servers refuse longer addresses.
    guard text.count <= 254, text.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return false }
    let parts = text.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    guard parts.count == 2, let name = parts.first, let domain = parts.last, !name.isEmpty else { return false }
    let labels = domain.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return labels.count >= 2 && labels.allSatisfy { !$0.isEmpty }
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
  fileprivate var isHexadecimal: Bool { isDigit || (0x41...0x46).contains(self) || (0x61...0x66).contains(self) }
}
