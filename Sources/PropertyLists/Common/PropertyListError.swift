/// Why a property list could not be read, written or edited, and where.
public struct PropertyListError: Error, Sendable, Hashable, CustomStringConvertible, Described {
  package let reason: Reason
  /// Where in the file; nil if the error is about a value to write.
  package let position: PropertyListPosition?

  package init(_ reason: Reason, at position: PropertyListPosition? = nil) {
    self.reason = reason
    self.position = position
  }

  package var words: String { reason.text + (position.map { " (\($0.words))" } ?? "") + "." }

  /// A sentence without a full stop. Text that could not be read is not quoted: it may be a person's data.
  package struct Reason: Sendable, Hashable, ExpressibleByStringInterpolation {
    let text: String
    /// Whether the file is something else, not a property list that is damaged.
    package let isOtherFormat: Bool

    init(_ text: String, isOtherFormat: Bool) { (self.text, self.isOtherFormat) = (text, isOtherFormat) }
    package init(stringLiteral text: String) { self.init(text, isOtherFormat: false) }
  }
}

package extension PropertyListError.Reason {
  static let emptyFile = Self("The file is empty", isOtherFormat: true)
  static let openStepText = Self(
    "This is OpenStep property list text, which is not supported; only binary and XML are", isOtherFormat: true)
  static let jsonText = Self("This is JSON text, not a property list", isOtherFormat: true)
  static let unrecognised = Self(
    "This is not a property list: it is neither binary nor XML", isOtherFormat: true)
  static func tooDeep(limit: Int) -> Self { "Containers nest deeper than \(limit) levels" }
  static func tooManyNodes(limit: Int) -> Self { "The file unfolds to more than \(limit) values" }
  static func rootNotDictionary(_ kind: PropertyListValue.Kind) -> Self {
    "The root is \(kind.withArticle), not a dictionary"
  }
  static let trailerMissing: Self = "The binary property list is truncated: it is too short for its trailer"
  static func encodingUnsupported(_ name: String) -> Self { "The text encoding “\(name)” is not supported" }
  static func encodingInvalid(_ name: String) -> Self { "The text is not valid \(name)" }
  static func unexpectedEnd(expected: String) -> Self { "The file ends where \(expected) was expected" }
  static func mismatchedEnd(expected: String, found: String) -> Self {
    "</\(found)> was found where </\(expected)> was expected"
  }
  static func malformed(_ what: String) -> Self { "The XML is malformed: \(what)" }
  static let unexpectedText: Self = "There is text where only elements belong"
  static let keyMissing: Self = "A value in a dictionary has no <key> before it"
  static let valueMissing: Self = "A <key> has no value after it"
  static let rootMissing: Self = "The property list has no value"
  // Values that readers of the format do not accept.
  static func uidOutOfRange(_ uid: UInt64) -> Self { "The UID \(uid) is greater than 4294967295, which readers refuse" }
  static func characterNotRepresentable(_ scalar: UInt32) -> Self {
    "The character U+\(hexadecimal(scalar)) cannot be written as XML"
  }
  static let dictionaryReadsAsUID: Self = "A dictionary whose only key is CF$UID would be read back as a UID"
}

extension PropertyListValue.Kind {
  var withArticle: String {
    switch self {
    case .integer, .array: "an \(rawValue)"
    case .uid: "a UID"
    case .data, .null: rawValue
    default: "a \(rawValue)"
    }
  }
}

/// `004F`: at least four digits.
package func hexadecimal(_ value: UInt32) -> String { String(value, radix: 16, uppercase: true).zeroPadded(to: 4) }
