/// Why JSON text could not be read or edited, and where.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible, PlacedInJSON {
  /// A sentence without a full stop, for private data.
  private let plain: String
  /// The beginning of something that JSON does not allow here; nil for another reason.
  package let token: String?
  package let position: PropertyListPosition

  package init(_ plain: String, at position: PropertyListPosition) {
    (self.plain, token, self.position) = (plain, nil, position)
  }

  package init(token: String?, at position: PropertyListPosition) {
    (plain, self.token, self.position) = ("There is something that is not JSON", token, position)
  }

  package var reason: String { token.map { "“\($0)” is not JSON at this place" } ?? plain }

  /// The same error without the excerpt, for private data.
  package var withoutText: JSONError { JSONError(plain, at: position) }
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
  package var line: Int { position.line ?? 1 }
  package var column: Int { position.column ?? 1 }
}

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
