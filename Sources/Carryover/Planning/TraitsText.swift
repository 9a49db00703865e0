package import PropertyLists

/// The reason that traits are not a JSON object in text.
package enum TraitsDefect: Error, Hashable, Sendable {
  /// The stored value is not text.
  case notText(PropertyListValue.Kind)
  /// The text is not valid JSON.
  case syntax(JSONError)
  /// The text is JSON, but not an object.
  case notObject
  /// A string contains half a surrogate pair.
  case loneSurrogate(PropertyListPosition)
  /// A number is too large for any reader.
  case numberOutOfRange(String)
  /// The data is not a readable archive; the reason is a sentence.
  case archive(String)
}

/// The legacy traits: a JSON object in text, read without losing a byte.
package struct TraitsText {
  private let json: JSONText
  private let object: [JSONMember]
  /// The last member with each name.
  private let last: [StringByBytes: Int]

  /// Reads traits that every SDK can read.
  /// - Throws: no text, not valid JSON, no object, half a surrogate pair, or a number that is too large.
  package init(_ value: PropertyListValue) throws(TraitsDefect) {
    guard case .string(let string) = value else { throw .notText(value.kind) }
    do throws(JSONError) {
      json = try JSONText(string)
    } catch {
      throw .syntax(error)
    }
    guard case .object(let members) = json.value else { throw .notObject }
    object = members
    last = Dictionary(members.enumerated().map { (StringByBytes($1.name), $0) }, uniquingKeysWith: { $1 })
    for finding in json.findings {
      switch finding.kind {
      case .loneSurrogate: throw .loneSurrogate(finding.position)
      case .numberOutOfRange(let lexeme): throw .numberOutOfRange(lexeme)
      default: break
      }
    }
  }

  /// The traits, or the reason that they cannot be read.
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

  /// A top-level member as readers see it: the last one with this name.
  package func member(_ name: String) -> JSONValue? {
    last[StringByBytes(name)].map { object[$0].value }
  }

  /// The values of all top-level members with a name, in order. Readers only see the last one.
  var valuesByName: [StringByBytes: [JSONValue]] {
    object.reduce(into: [:]) { $0[StringByBytes($1.name), default: []].append($1.value) }
  }

  /// The whole object.
  var value: JSONValue { json.value }

  /// The names of the top-level members, duplicates included.
  package var memberNames: [String] { object.map(\.name) }

  /// The text without these top-level members; nil if no member is left.
  package func removing(_ names: [String]) -> String? {
    let names = Set(names.map { StringByBytes($0) })
    guard object.contains(where: { !names.contains(StringByBytes($0.name)) }) else { return nil }
    return try? json.removingMembers(named: Set(names.map(\.text)))
  }

  /// The text with other names of top-level members. All other bytes stay.
  func renaming(_ newName: (String) -> String) -> String? { try? json.renamingMembers(newName) }

  /// The traits with a renamed top-level member.
  package func renaming(_ name: String, to new: String) -> TraitsText? {
    (try? json.renamingMember(name, to: new)).flatMap { try? TraitsText(.string($0)) }
  }

  /// The names that occur more than once at any depth, without duplicates.
  package var duplicateMembers: [String] {
    distinct { kind in
      if case .duplicateMember(let name) = kind { name } else { nil }
    }
  }

  /// The pieces of the text that decoding and encoding would change, without duplicates. Apple's encoder writes 1 for
  /// 1.0 and 100000 for 1E5, escapes each slash, and keeps only one of several members with the same name.
  package var lossyPieces: [String] {
    var pieces = distinct { kind in
      if case .numberNotPreserved(let lexeme) = kind { lexeme } else { nil }
    }
    if holdsBareSlash { pieces.append("/ (to \\/)") }
    return pieces + duplicateMembers.map { "the second “\($0)”" }
  }

  private func distinct(_ name: (JSONFinding.Kind) -> String?) -> [String] {
    var seen: Set<StringByBytes> = []
    return json.findings.compactMap { name($0.kind) }.filter { seen.insert($0) }
  }

  /// A slash is only valid in a string, where the encoder escapes it with a backslash.
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
