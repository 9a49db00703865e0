/// The messages about JSON text.
enum JSONWording {
  static func sentence(for kind: JSONError.Kind, at position: PropertyListPosition) -> String {
    text(kind) + " (" + Wording.place(position) + ")."
  }

  static func sentence(for kind: JSONFinding.Kind, at position: PropertyListPosition) -> String {
    text(kind) + " (" + Wording.place(position) + ")."
  }

  static func text(_ kind: JSONError.Kind) -> String {
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

  static func text(_ kind: JSONFinding.Kind) -> String {
    switch kind {
    case .duplicateMember(let name): "The member “\(name)” occurs more than once"
    case .loneSurrogate: "A string has half a surrogate pair, which other parsers refuse"
    case .numberOutOfRange(let lexeme): "The number \(lexeme) is beyond the range of a Double"
    case .numberNotPreserved(let lexeme): "The number \(lexeme) gets another form when other parsers write it back"
    case .more(let count): "\(count) more findings are not listed"
    }
  }
}
