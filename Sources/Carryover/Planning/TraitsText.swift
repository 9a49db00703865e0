import PropertyLists

/// The legacy traits: the text of a JSON object, read without losing a byte of it.
struct TraitsText {
  private let text: JSONText
  private let object: [JSONMember]

  /// Reads traits as every SDK would have to be able to.
  /// - Throws: what makes them unreadable: no text, no JSON, no object, half a surrogate pair, a number beyond any reader.
  init(_ value: PropertyListValue) throws(TraitsDefect) {
    guard case .string(let string) = value else { throw .notText(value.kind) }
    let parsed: JSONText
    do throws(JSONError) {
      parsed = try JSONText(string)
    } catch {
      throw .syntax(reason: error.reason, line: error.line, column: error.column)
    }
    guard case .object(let members) = parsed.root else { throw .notObject }
    for finding in parsed.findings {
      switch finding.kind {
      case .loneSurrogate: throw .loneSurrogate(line: finding.line, column: finding.column)
      case .numberOutOfRange(let lexeme): throw .numberOutOfRange(lexeme)
      default: break
      }
    }
    text = parsed
    object = members
  }

  /// A top-level member, as readers see it: the last one of its name.
  func member(_ name: String) -> JSONValue? {
    object.last { $0.name.utf8.elementsEqual(name.utf8) }?.value
  }

  /// The text without these top-level members; nil when no member is left.
  func removing(_ names: [String]) -> String? {
    guard object.contains(where: { !names.contains($0.name) }) else { return nil }
    return text.removingMembers(named: Set(names))
  }

  /// The text with a top-level member under another name.
  func renaming(_ name: String, to new: String) -> TraitsText? {
    try? TraitsText(.string(text.renamingMember(name, to: new)))
  }

  /// Names that occur more than once, at any depth, each once.
  var duplicateMembers: [String] {
    var names: [String] = []
    for case .duplicateMember(let name) in text.findings.map(\.kind) where !names.contains(name) { names.append(name) }
    return names
  }

  /// Pieces of the text that decoding and encoding again would change.
  var lossyPieces: [String] {
    var pieces: [String] = []
    for case .numberNotPreserved(let lexeme) in text.findings.map(\.kind) where !pieces.contains(lexeme) {
      pieces.append(lexeme)
    }
    if object.contains(where: { $0.value.holdsSlash }) { pieces.append("“/” (to “\\/”)") }
    pieces += duplicateMembers.map { "the second \($0)" }
    return pieces
  }
}

extension JSONValue {
  /// The value as a property list holds it, for display and comparison. A number keeps its type where it is an integer
  /// that fits, otherwise it is a real.
  var propertyListValue: PropertyListValue {
    switch self {
    case .object(let members):
      .dictionary(
        PropertyListDictionary(entries: members.map { .init(key: $0.name, value: $0.value.propertyListValue) }))
    case .array(let elements): .array(elements.map(\.propertyListValue))
    case .string(let text): .string(text)
    case .number(let lexeme):
      PropertyListInteger(lexeme).map(PropertyListValue.integer) ?? .real(PropertyListReal(Double(lexeme) ?? .nan))
    case .boolean(let flag): .boolean(flag)
    case .null: .null
    }
  }

  fileprivate var holdsSlash: Bool {
    switch self {
    case .object(let members): members.contains { $0.name.utf8.contains(0x2F) || $0.value.holdsSlash }
    case .array(let elements): elements.contains(where: \.holdsSlash)
    case .string(let text): text.utf8.contains(0x2F)
    case .number, .boolean, .null: false
    }
  }
}
