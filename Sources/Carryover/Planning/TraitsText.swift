package import PropertyLists

/// Why traits are not the text of a JSON object.
package enum TraitsDefect: Error, Hashable, Sendable {
  /// The stored value is no text.
  case notText(PropertyListValue.Kind)
  /// The text is no JSON: why, and where.
  case syntax(JSONError)
  /// The text is JSON, but not an object.
  case notObject
  /// A string holds half of a surrogate pair.
  case loneSurrogate(PropertyListPosition)
  /// A number is too large for any reader.
  case numberOutOfRange(String)
  /// The data is no archive that can be read: why, as a sentence.
  case archive(String)
}

/// The legacy traits: the text of a JSON object, read without losing a byte of it.
package struct TraitsText {
  private let json: JSONText
  private let object: [JSONMember]

  /// Reads traits as every SDK would have to be able to.
  /// - Throws: what makes them unreadable: no text, no JSON, no object, half a surrogate pair, a number beyond any reader.
  package init(_ value: PropertyListValue) throws(TraitsDefect) {
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

  /// Traits, or what makes them unreadable.
  package static func read(_ value: PropertyListValue, as form: TraitsForm) -> Result<TraitsText, TraitsDefect> {
    do throws(TraitsDefect) {
      if form == .archive, case .data = value {
        return .success(try TraitsText(.string(try ArchivedTraits(value).text)))
      }
      return .success(try TraitsText(value))
    } catch {
      return .failure(error)
    }
  }

  /// A top-level member, as readers see it: the last one of its name.
  package func member(_ name: String) -> JSONValue? {
    object.last { $0.name.utf8.elementsEqual(name.utf8) }?.value
  }

  /// Every top-level member of a name, in order: all but the last are hidden from readers.
  package func values(of name: String) -> [JSONValue] {
    object.filter { $0.name.utf8.elementsEqual(name.utf8) }.map(\.value)
  }

  /// The names of the top-level members, duplicates included.
  package var memberNames: [String] { object.map(\.name) }

  /// The text without these top-level members; nil when no member is left.
  package func removing(_ names: [String]) -> String? {
    guard object.contains(where: { !names.contains($0.name) }) else { return nil }
    return try? json.removingMembers(named: Set(names))
  }

  /// The traits with a top-level member under another name.
  package func renaming(_ name: String, to new: String) -> TraitsText? {
    (try? json.renamingMember(name, to: new)).flatMap { try? TraitsText(.string($0)) }
  }

  /// Names that occur more than once, at any depth, each once.
  package var duplicateMembers: [String] {
    distinct { kind in
      if case .duplicateMember(let name) = kind { name } else { nil }
    }
  }

  /// Pieces of the text that decoding and encoding again would change, each once: Apple's encoder writes 1 for 1.0 and
  /// 100000 for 1E5, escapes each slash, and keeps one of several members with the same name.
  package var lossyPieces: [String] {
    var pieces = distinct { kind in
      if case .numberNotPreserved(let lexeme) = kind { lexeme } else { nil }
    }
    if holdsBareSlash { pieces.append("/ (to \\/)") }
    return pieces + duplicateMembers.map { "the second “\($0)”" }
  }

  private func distinct(_ name: (JSONFinding.Kind) -> String?) -> [String] {
    var seen: Set<String> = []
    return json.findings.compactMap { name($0.kind) }.filter { seen.insert($0).inserted }
  }

  /// A slash can stand only inside a string, where a backslash before it is the encoder's own escape.
  private var holdsBareSlash: Bool {
    var isEscaped = false
    for byte in json.text.utf8 {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "/") {
        return true
      }
    }
    return false
  }
}

extension JSONValue {
  /// The value as a property list holds it, for display and comparison. A number keeps its type where it is an integer
  /// that fits, otherwise it is a real.
  package var propertyListValue: PropertyListValue {
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
}
