import PropertyLists

/// The legacy traits: the text of a JSON object, read without losing a byte of it.
struct TraitsText {
  private let json: JSONText
  private let object: [JSONMember]

  /// Reads traits as every SDK would have to be able to.
  /// - Throws: what makes them unreadable: no text, no JSON, no object, half a surrogate pair, a number beyond any reader.
  init(_ value: PropertyListValue) throws(TraitsDefect) {
    guard case .string(let string) = value else { throw .notText(value.kind) }
    do throws(JSONError) {
      json = try JSONText(string)
    } catch {
      throw .syntax(error)
    }
    guard case .object(let members) = json.value else { throw .notObject }
    object = members
    for finding in json.findings {
      switch finding.kind {
      case .loneSurrogate: throw .loneSurrogate(finding.position)
      case .numberOutOfRange(let lexeme): throw .numberOutOfRange(lexeme)
      default: break
      }
    }
  }

  /// A top-level member, as readers see it: the last one of its name.
  func member(_ name: String) -> JSONValue? {
    object.last { $0.name.utf8.elementsEqual(name.utf8) }?.value
  }

  /// The text without these top-level members; nil when no member is left.
  func removing(_ names: [String]) -> String? {
    guard object.contains(where: { !names.contains($0.name) }) else { return nil }
    return try? json.removingMembers(named: Set(names))
  }

  /// The traits with a top-level member under another name.
  func renaming(_ name: String, to new: String) -> TraitsText? {
    (try? json.renamingMember(name, to: new)).flatMap { try? TraitsText(.string($0)) }
  }

  /// Names that occur more than once, at any depth, each once.
  var duplicateMembers: [String] {
    var names: [String] = []
    for case .duplicateMember(let name) in json.findings.map(\.kind) where !names.contains(name) { names.append(name) }
    return names
  }

  /// Pieces of the text that decoding and encoding again would change, each once: Apple's encoder writes 1 for 1.0 and
  /// 100000 for 1E5, escapes each slash, and keeps one of several members with the same name.
  var lossyPieces: [String] {
    var pieces: [String] = []
    for case .numberNotPreserved(let lexeme) in json.findings.map(\.kind) where !pieces.contains(lexeme) {
      pieces.append(lexeme)
    }
    if JSONValue.object(object).holdsSlash { pieces.append("/ (to \\/)") }
    return pieces + duplicateMembers.map { "the second \($0)" }
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
    case .number(let number):
      PropertyListInteger(number.lexeme).map(PropertyListValue.integer)
        ?? .real(PropertyListReal(Double(number.lexeme) ?? .nan))
    case .boolean(let flag): .boolean(flag)
    case .null: .null
    }
  }

  fileprivate var holdsSlash: Bool {
    switch self {
    case .object(let members): members.contains { $0.name.utf8.contains(UInt8(ascii: "/")) || $0.value.holdsSlash }
    case .array(let elements): elements.contains(where: \.holdsSlash)
    case .string(let text): text.utf8.contains(UInt8(ascii: "/"))
    case .number, .boolean, .null: false
    }
  }
}
