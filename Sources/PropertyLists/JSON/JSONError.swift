/// Why JSON text could not be read or edited, and where.
public struct JSONError: Error, Sendable, Hashable {
  /// What happened.
  package let kind: Kind
  /// Where in the text, with line and column.
  package let position: PropertyListPosition

  package init(kind: Kind, position: PropertyListPosition) {
    self.kind = kind
    self.position = position
  }

  /// What happened, as data.
  package enum Kind: Sendable, Hashable {
    /// There is no text, or only white space.
    case empty
    /// The bytes are not UTF-8.
    case notUTF8
    /// The text is longer than the limit, in bytes.
    case tooLarge(limit: Int)
    /// Arrays and objects nest deeper than the limit.
    case tooDeep(limit: Int)
    /// There are more values than the limit.
    case tooManyValues(limit: Int)
    /// The text ends in the middle.
    case unexpectedEnd
    /// Something that JSON does not allow here, with an excerpt; empty if the text is private data.
    case invalidToken(String)
    /// A number that JSON does not allow, such as `01` or `1.`.
    case invalidNumber
    /// A control character inside a string.
    case controlCharacter(UInt8)
    /// A backslash that does not begin an escape.
    case invalidEscape
    /// Bytes after the end of the value.
    case trailingBytes(count: Int)
    /// The value is not an object, so it has no members to edit.
    case rootNotObject
  }
}

extension JSONError: CustomStringConvertible, Described {
  /// A sentence: what happened, where.
  package var words: String { JSONWording.sentence(for: kind, at: position) }
  /// What happened, without the place and without a full stop.
  package var reason: String { JSONWording.text(kind) }
  /// The line, counted from 1.
  package var line: Int { position.line ?? 1 }
  /// The column in characters, counted from 1.
  package var column: Int { position.column ?? 1 }
  /// The same error without the excerpt, for private data.
  package var withoutText: JSONError {
    if case .invalidToken = kind { JSONError(kind: .invalidToken(""), position: position) } else { self }
  }
}

/// Something in JSON text that other parsers lose or refuse.
public struct JSONFinding: Sendable, Hashable {
  /// What was found.
  package let kind: Kind
  /// The position, with line and column.
  package let position: PropertyListPosition

  /// What was found, as data.
  package enum Kind: Sendable, Hashable {
    /// The name occurs again in the same object; every member is kept.
    case duplicateMember(String)
    /// An escape of half a surrogate pair; read as U+FFFD, kept by edits. Foundation refuses the whole text.
    case loneSurrogate
    /// A number beyond the range of a Double. Foundation refuses the whole text.
    case numberOutOfRange(String)
    /// A number that a parser with Int64 and Double would write back differently, such as `1.0`, `1E5` or an integer
    /// that does not fit in Int64.
    case numberNotPreserved(String)
    /// The last finding, if there were more than the limit.
    case more(count: Int)
  }
}

extension JSONFinding: CustomStringConvertible, Described {
  /// A sentence: what was found, where.
  package var words: String { JSONWording.sentence(for: kind, at: position) }
  /// What was found, without the place and without a full stop.
  package var reason: String { JSONWording.text(kind) }
  /// The line, counted from 1.
  package var line: Int { position.line ?? 1 }
  /// The column in characters, counted from 1.
  package var column: Int { position.column ?? 1 }
}

/// The limits beyond which the parser refuses a text.
package struct JSONLimits: Sendable, Hashable {
  /// The maximum size of the text in bytes.
  package var size: Int
  /// The maximum depth of arrays and objects.
  package var depth: Int
  /// The maximum number of values.
  package var values: Int
  /// The maximum number of findings; further ones are only counted.
  package var findings: Int

  package init(size: Int = 1 << 28, depth: Int = 512, values: Int = 10_000_000, findings: Int = 1000) {
    self.size = size
    self.depth = depth
    self.values = values
    self.findings = findings
  }

  /// 256 MiB, depth 512, ten million values, a thousand findings.
  package static let `default` = JSONLimits()
}
