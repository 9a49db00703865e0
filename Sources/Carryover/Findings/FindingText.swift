import CarryoverSystem
package import PropertyLists

/// A sentence of a finding that keeps its facts separate from its words. Redaction can then mask each fact by its kind,
/// before it is shortened.
///
/// An interpolation without a label may contain personal data and is masked like any sentence. Mark fixed words with
/// `\(words: …)`.
package struct FindingText: Hashable, Sendable {
  private var pieces: [Piece] = []

  fileprivate indirect enum Piece: Hashable, Sendable {
    case words(String)
    /// A key, a name or a sentence that may contain values.
    case text(String, limit: Int)
    /// The path of a file. Only the name is shown.
    case file(String)
    case string(String, isQuoted: Bool)
    case value(PropertyListValue, Style)
    case error(JSONError, limit: Int)
    /// A text derived from a value, which would reveal it.
    case made(String, from: String)
    /// The key of the finding's source.
    case source(else: String)
    case either(command: String, app: String, review: String?)
    case list([FindingText], limit: Int, separator: String)
  }

  fileprivate enum Style { case shown, typed, kind }

  /// The sentence with its facts. Not escaped: escape it for display.
  func text(source: SourceKey?, for reader: Reader = .command) -> String {
    pieces.map { Self.text($0, source, reader) }.joined()
  }

  private static func text(_ piece: Piece, _ source: SourceKey?, _ reader: Reader) -> String {
    switch piece {
    case .words(let words): words
    case .text(let text, let limit): ValueWording.cut(text, to: limit)
    case .file(let path): ValueWording.fileName(path)
    case .string(let text, let isQuoted): isQuoted ? ValueWording.quoted(text) : ValueWording.cut(text)
    case .value(let value, .shown): ValueWording.shown(value)
    case .value(let value, .typed): ValueWording.typed(value)
    case .value(let value, .kind): ValueWording.name(value.kind)
    case .error(let error, let limit): ValueWording.cut(error.description, to: limit)
    case .made(let text, _): text
    case .source(let other): source?.key ?? other
    case .either(let command, let app, let review): reader.words(command, app, review: review)
    case .list(let items, let limit, let separator):
      items.prefix(limit).map { $0.text(source: source, for: reader) }.joined(separator: separator)
        + (items.count > limit ? " and \(items.count - limit) more" : "")
    }
  }

  func naming(_ source: SourceKey) -> FindingText {
    var named = self
    named.pieces = pieces.map { piece in
      switch piece {
      case .source: .words(source.key)
      case .list(let items, let limit, let separator):
        .list(items.map { $0.naming(source) }, limit: limit, separator: separator)
      default: piece
      }
    }
    return named
  }

  func masked(by mask: FactMask) -> FindingText {
    var masked = FindingText()
    masked.pieces = pieces.map { Self.masked($0, mask) }
    return masked
  }

  private static func masked(_ piece: Piece, _ mask: FactMask) -> Piece {
    switch piece {
    case .words, .source, .either: piece
    case .text(let text, let limit): .text(mask.text(text), limit: limit)
    case .file(let path): .file(mask.text(path))
    case .string(let text, let isQuoted): .string(mask.string(text), isQuoted: isQuoted)
    case .value(let value, let style): .value(mask.value(value), style)
    case .error(let error, let limit): .error(mask.error(error), limit: limit)
    case .made(_, let text) where mask.string(text) != text: .made(mask.string(text), from: text)
    case .made: piece
    case .list(let items, let limit, let separator):
      .list(items.map { $0.masked(by: mask) }, limit: limit, separator: separator)
    }
  }
}

struct FactMask {
  var string: (String) -> String
  var value: (PropertyListValue) -> PropertyListValue
  var text: (String) -> String
  var error: (JSONError) -> JSONError
}

extension FindingText: ExpressibleByStringInterpolation {
  package init(stringLiteral words: String) { pieces = [.words(words)] }
  package init(stringInterpolation: StringInterpolation) { pieces = stringInterpolation.pieces }

  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var pieces: [Piece] = []

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ words: String) { pieces.append(.words(words)) }

    /// A key, a name or a sentence that may contain values, shortened to a number of characters.
    package mutating func appendInterpolation(_ text: String, limit: Int = 60) {
      pieces.append(.text(text, limit: limit))
    }

    package mutating func appendInterpolation(_ text: FindingText) { pieces += text.pieces }

    /// Words and numbers without personal data.
    package mutating func appendInterpolation(words: some CustomStringConvertible) {
      pieces.append(.words(words.description))
    }

    /// Words that name an option of the command, and those for readers who have none: see ``Reader``.
    package mutating func appendInterpolation(command: String, app: String, review: String? = nil) {
      pieces.append(.either(command: command, app: app, review: review))
    }

    package mutating func appendInterpolation(file path: String) { pieces.append(.file(path)) }

    /// A value that is text, without quotation marks.
    package mutating func appendInterpolation(value text: String) { pieces.append(.string(text, isQuoted: false)) }

    package mutating func appendInterpolation(quoted text: String) { pieces.append(.string(text, isQuoted: true)) }

    package mutating func appendInterpolation(shown value: PropertyListValue) { pieces.append(.value(value, .shown)) }

    /// A value with its type in front: "an integer (7)".
    package mutating func appendInterpolation(typed value: PropertyListValue) { pieces.append(.value(value, .typed)) }

    package mutating func appendInterpolation(kindOf value: PropertyListValue) { pieces.append(.value(value, .kind)) }

    package mutating func appendInterpolation(error: JSONError, limit: Int) {
      pieces.append(.error(error, limit: limit))
    }

    package mutating func appendInterpolation(_ text: String, madeFrom value: String) {
      pieces.append(.made(text, from: value))
    }

    package mutating func appendInterpolation(sourceKey other: String) { pieces.append(.source(else: other)) }

    /// A number of things: "1 key", "2 keys".
    package mutating func appendInterpolation(count: Int, _ noun: String) {
      pieces.append(.words(ValueWording.counted(count, noun)))
    }

    /// A number of items that are not migrated: "1 key is not migrated", "2 keys are not migrated".
    package mutating func appendInterpolation(notMigrated count: Int, _ noun: String) {
      appendInterpolation(count: count, noun)
      appendLiteral(count == 1 ? " is not migrated" : " are not migrated")
    }

    /// Keys or names; only the first if there are very many.
    package mutating func appendInterpolation(list names: [String]) {
      appendInterpolation(list: names.map { "\($0)" as FindingText })
    }

    package mutating func appendInterpolation(
      list items: [FindingText], limit: Int = 8, joined separator: String = ", "
    ) {
      pieces.append(.list(items, limit: limit, separator: separator))
    }
  }
}
