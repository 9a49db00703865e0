import CarryoverSystem
package import PropertyLists

package enum TraitsDefect: Error, Hashable, Sendable {
  case notText(PropertyListValue.Kind)
  case syntax(JSONError)
  case notObject
  case loneSurrogate(PropertyListPosition)
  case numberOutOfRange(String)
  case archive(String)
}

/// The legacy traits: a JSON object in text, read without losing a byte.
package struct TraitsText {
  private let json: JSONText
  private let object: [JSONMember]
  private let last: [StringByBytes: Int]

  /// Reads traits that every SDK can read.
  package init(_ value: PropertyListValue) throws(TraitsDefect) {
    guard case .string(let string) = value else { throw .notText(value.kind) }
    json = try converting(try JSONText(string), TraitsDefect.syntax)
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
  package func member(_ name: String) -> JSONValue? { last[StringByBytes(name)].map { object[$0].value } }

  /// The values of all top-level members with a name, in order. Readers only see the last one.
  var valuesByName: [StringByBytes: [JSONValue]] {
    object.reduce(into: [:]) { $0[StringByBytes($1.name), default: []].append($1.value) }
  }

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

  package func renaming(_ name: String, to new: String) -> TraitsText? {
    (try? json.renamingMember(name, to: new)).flatMap { try? TraitsText(.string($0)) }
  }

  /// The names that occur more than once at any depth, without duplicates.
  package var duplicateMembers: [String] {
    json.findings.compactMap { if case .duplicateMember(let name) = $0.kind { name } else { nil } }.distinct()
  }

  /// The pieces that decoding and encoding would change of the text without these top-level members.
  package func lossyPieces(without names: [String]) -> [String] {
    guard !lossyPieces.isEmpty, let rest = removing(names) else { return [] }
    return (try? TraitsText(.string(rest)))?.lossyPieces ?? []
  }

  /// The pieces of the text that decoding and encoding would change, without duplicates. Apple's encoder writes 1 for
  /// 1.0 and 100000 for 1E5, escapes each slash, and keeps only one of several members with the same name.
  private var lossyPieces: [String] {
    let numbers = json.findings.compactMap { finding -> String? in
      if case .numberNotPreserved(let lexeme) = finding.kind { lexeme } else { nil }
    }
    var pieces = numbers.distinct()
    if holdsBareSlash { pieces.append("/ (to \\/)") }
    return pieces + duplicateMembers.map { "the second “\($0)”" }
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

package struct ArchivedPart: Hashable, Sendable {
  /// The path to it from the dictionary: `address.since`.
  package var path: String
  package var what: String
}

/// Traits that are not stored as text: a dictionary, or data with one that `NSKeyedArchiver` archived or that is a
/// property list.
package struct ArchivedTraits {
  package let text: String
  package let isKeyedArchive: Bool
  /// The parts that JSON cannot express and that are not in the text; at most 1,000.
  package let leftOut: [ArchivedPart]
  /// The parts whose type JSON lacks, and that the text expresses differently: dates, data, sets, URLs and UUIDs.
  package let reshaped: [ArchivedPart]

  package init(_ value: PropertyListValue) throws(TraitsDefect) {
    let root: KeyedValue
    switch value {
    case .data(let bytes): (root, isKeyedArchive) = try Self.root(of: bytes)
    case .dictionary: (root, isKeyedArchive) = (KeyedValue(value), false)
    default: throw .notText(value.kind)
    }
    guard case .dictionary = root else {
      if case .object(let object) = root {
        throw .archive("Its root is an object of the class \(object.objectClass.name).")
      }
      throw .notObject
    }
    let conversion = root.json()
    guard let json = conversion.value else { throw .notObject }
    text = json.text()
    leftOut = conversion.leftOut.map { ArchivedPart(path: $0.pathText, what: $0.reason.word) }
    reshaped = Self.reshaped(in: root)
  }

  package var isExact: Bool { leftOut.isEmpty && reshaped.isEmpty }

  private static func root(of bytes: [UInt8]) throws(TraitsDefect) -> (KeyedValue, isKeyedArchive: Bool) {
    do {
      let document = try PropertyListDocument(bytes: bytes)
      guard document.isKeyedArchive else { return (KeyedValue(document.root), false) }
      return (try KeyedArchive(document).requiredRoot, true)
    } catch {
      throw .archive(String(describing: error))
    }
  }

  /// Uses a list instead of recursion, because an archive may be deep.
  private static func reshaped(in root: KeyedValue) -> [ArchivedPart] {
    var parts: [ArchivedPart] = []
    var pending: [(path: String, value: KeyedValue)] = [("", root)]
    while let (path, value) = pending.popLast(), parts.count < 1000 {
      switch value {
      case .dictionary(let pairs):
        for pair in pairs.reversed() {
          guard let name = pair.name else { continue }
          pending.append((path.isEmpty ? name : path + "." + name, pair.value))
        }
      case .array(let elements):
        for (index, element) in elements.enumerated().reversed() { pending.append((path + "[\(index)]", element)) }
      case .set, .orderedSet, .plain(.date), .plain(.data), .uuid:
        parts.append(ArchivedPart(path: path, what: value.kind.word))
      case .url(let url) where url.text != nil: parts.append(ArchivedPart(path: path, what: value.kind.word))
      default: break
      }
    }
    return parts
  }
}

extension KeyedLeftOut.Reason {
  fileprivate var word: String {
    switch self {
    case .foreignClass(let name): name
    case .cycle: "contains itself"
    case .keyNotString: "its key is not text"
    case .relativeURL: "a relative URL"
    case .notFinite: "not a number or date"
    }
  }
}
