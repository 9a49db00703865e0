/// Why JSON text could not be read or edited, and where.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible, PlacedInJSON {
  package let kind: Kind
  package let position: PropertyListPosition

  package init(kind: Kind, position: PropertyListPosition) {
    self.kind = kind
    self.position = position
  }

  package enum Kind: Sendable, Hashable {
    case empty
    case notUTF8
    case tooLarge(limit: Int)
    case tooDeep(limit: Int)
    case tooManyValues(limit: Int)
    case unexpectedEnd
    /// Something that JSON does not allow here, with an excerpt; empty if the text is private data.
    case invalidToken(String)
    case invalidNumber
    case controlCharacter(UInt8)
    case invalidEscape
    case trailingBytes(count: Int)
    case rootNotObject
  }

  package var reason: String {
    switch kind {
    case .empty: "The JSON text is empty"
    case .notUTF8: "The JSON text is not valid UTF-8"
    case .tooLarge(let limit): "The JSON text is longer than the limit of \(limit) bytes"
    case .tooDeep(let limit): "Arrays and objects nest deeper than \(limit) levels"
    case .tooManyValues(let limit): "The JSON text has more than \(limit) values"
    case .unexpectedEnd: "The JSON text ends in the middle of a value"
    case .invalidToken(""): "There is something that is not JSON"
    case .invalidToken(let text): "“\(text)” is not JSON at this place"
    case .invalidNumber: "A number is not written as JSON wants it"
    case .controlCharacter: "A string has a control character that is not escaped"
    case .invalidEscape: "A backslash in a string is not followed by a known escape"
    case .trailingBytes(let count): "\(count) bytes follow the end of the JSON value"
    case .rootNotObject: "The JSON value is not an object"
    }
  }

  /// The same error without the excerpt, for private data.
  package var withoutText: JSONError {
    if case .invalidToken = kind { JSONError(kind: .invalidToken(""), position: position) } else { self }
  }
}

/// Something in JSON text that other parsers lose or refuse.
public struct JSONFinding: Sendable, Hashable, CustomStringConvertible, PlacedInJSON {
  package let kind: Kind
  package let position: PropertyListPosition

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

  package var reason: String {
    switch kind {
    case .duplicateMember(let name): "The member “\(name)” occurs more than once"
    case .loneSurrogate: "A string has half a surrogate pair, which other parsers refuse"
    case .numberOutOfRange(let lexeme): "The number \(lexeme) is beyond the range of a Double"
    case .numberNotPreserved(let lexeme): "The number \(lexeme) gets another form when other parsers write it back"
    case .more(let count): "\(count) more findings are not listed"
    }
  }
}

package protocol PlacedInJSON: Described {
  var position: PropertyListPosition { get }
  /// What happened or was found, without the place and without a full stop.
  var reason: String { get }
}

extension PlacedInJSON {
  package var words: String { "\(reason) (\(position.words))." }
  /// The line, counted from 1.
  package var line: Int { position.line ?? 1 }
  /// The column in characters, counted from 1.
  package var column: Int { position.column ?? 1 }
}

/// The limits beyond which the parser refuses a text.
package struct JSONLimits: Sendable, Hashable {
  package var size: Int
  package var depth: Int
  package var values: Int
  package var findings: Int

  package init(size: Int = 1 << 28, depth: Int = 512, values: Int = 10_000_000, findings: Int = 1000) {
    self.size = size
    self.depth = depth
    self.values = values
    self.findings = findings
  }

  package static let `default` = JSONLimits()
}
