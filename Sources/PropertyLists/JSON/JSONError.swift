/// Why JSON text could not be read or edited, and where.
public struct JSONError: Error, Sendable, Hashable {
  /// What happened.
  package let kind: Kind
  /// Where in the text, with line and column.
  package let position: PropertyListPosition

  /// An error as given.
  package init(kind: Kind, position: PropertyListPosition) {
    self.kind = kind
    self.position = position
  }

  /// What happened, as data.
  package enum Kind: Sendable, Hashable {
    /// There is no text, or only space.
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
    /// Something that JSON does not allow at this place, with a piece of it; empty where the text is somebody's data.
    case invalidToken(String)
    /// A number that JSON does not allow, as `01` or `1.`.
    case invalidNumber
    /// A control character inside a string.
    case controlCharacter(UInt8)
    /// A backslash with something that is no escape.
    case invalidEscape
    /// Something behind the end of the value.
    case trailingBytes(count: Int)
    /// The value is no object, so it has no members to edit.
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
  /// The same error without the piece of the text, for a text that is somebody's data.
  package var withoutText: JSONError {
    if case .invalidToken = kind { JSONError(kind: .invalidToken(""), position: position) } else { self }
  }
}

/// Something in JSON text that other parsers lose or refuse.
public struct JSONFinding: Sendable, Hashable {
  /// What was found.
  package let kind: Kind
  /// Where, with line and column.
  package let position: PropertyListPosition

  /// What was found, as data.
  package enum Kind: Sendable, Hashable {
    /// The name occurs again in the same object; every member is kept.
    case duplicateMember(String)
    /// An escape of half a surrogate pair; read as U+FFFD, left alone by edits. Foundation refuses the whole text.
    case loneSurrogate
    /// A number beyond the range of a Double. Foundation refuses the whole text.
    case numberOutOfRange(String)
    /// A number that a parser with Int64 and Double would write back with another text, as `1.0`, `1E5` and what is
    /// beyond 2^63.
    case numberNotPreserved(String)
    /// The last finding when there were more than the limit.
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

/// What the parser takes on before it refuses a text.
package struct JSONLimits: Sendable, Hashable {
  /// The longest text in bytes.
  package var size: Int
  /// How deep arrays and objects may nest.
  package var depth: Int
  /// How many values there may be.
  package var values: Int
  /// How many findings are kept; later ones are only counted.
  package var findings: Int

  /// Bounds as given.
  package init(size: Int = 1 << 28, depth: Int = 512, values: Int = 10_000_000, findings: Int = 1000) {
    self.size = size
    self.depth = depth
    self.values = values
    self.findings = findings
  }

  /// 256 MiB, depth 512, ten million values, a thousand findings.
  package static let `default` = JSONLimits()
}
