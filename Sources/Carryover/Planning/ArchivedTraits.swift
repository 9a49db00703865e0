package import PropertyLists

/// A value in an archive.
package struct ArchivedPart: Hashable, Sendable {
  /// The path to it from the dictionary: `address.since`.
  package var path: String
  /// Its class or type.
  package var what: String

  /// A part from its path and what it is.
  package init(path: String, what: String) {
    self.path = path
    self.what = what
  }
}

/// Traits that are not stored as text: a dictionary, or data with one that `NSKeyedArchiver` archived or that is a
/// property list.
package struct ArchivedTraits {
  /// The dictionary as JSON text; numbers are exact.
  package let text: String
  /// Whether the data is a keyed archive.
  package let isKeyedArchive: Bool
  /// The parts that JSON cannot express and that are not in the text; at most 1,000.
  package let leftOut: [ArchivedPart]
  /// The parts whose type JSON lacks, and that the text expresses differently: dates, data, sets, URLs and UUIDs.
  package let reshaped: [ArchivedPart]

  /// Decodes data or a dictionary.
  /// - Throws: the reason that it cannot be read.
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

  /// Whether the text contains all stored values, each with its own type.
  package var isExact: Bool { leftOut.isEmpty && reshaped.isEmpty }

  private static func root(of bytes: [UInt8]) throws(TraitsDefect) -> (KeyedValue, isKeyedArchive: Bool) {
    let document: PropertyListDocument
    do throws(PropertyListError) {
      document = try PropertyListDocument(bytes: bytes)
    } catch {
      throw .archive(error.description)
    }
    guard document.isKeyedArchive else { return (KeyedValue(document.root), false) }
    do throws(KeyedArchiveError) {
      guard let root = try KeyedArchive(document).root else { throw KeyedArchiveError(.memberMissing("root")) }
      return (root, true)
    } catch {
      throw .archive(error.description)
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
          guard case .string(let name) = pair.key else { continue }
          pending.append((path.isEmpty ? name : path + "." + name, pair.value))
        }
      case .array(let elements):
        for (index, element) in elements.enumerated().reversed() { pending.append((path + "[\(index)]", element)) }
      case .set, .orderedSet, .date, .data, .uuid: parts.append(ArchivedPart(path: path, what: value.kind.word))
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

extension KeyedValue.Kind {
  var word: String {
    switch self {
    case .orderedSet: "ordered set"
    case .url: "URL"
    case .uuid: "UUID"
    default: rawValue
    }
  }
}

extension KeyedValue {
  /// A property-list value as it would be in an archive. Its depth is bounded, like that of every document.
  fileprivate init(_ value: PropertyListValue) {
    switch value {
    case .string(let text): self = .string(text)
    case .integer(let integer): self = .integer(integer)
    case .real(let real): self = .real(real)
    case .boolean(let flag): self = .boolean(flag)
    case .date(let date): self = .date(date)
    case .data(let bytes): self = .data(bytes)
    case .array(let elements): self = .array(elements.map { KeyedValue($0) })
    case .set(let elements): self = .set(elements.map { KeyedValue($0) })
    case .dictionary(let dictionary):
      self = .dictionary(dictionary.entries.map { KeyedPair(.string($0.key), KeyedValue($0.value)) })
    case .uid(let uid): self = .integer(PropertyListInteger(uid))
    case .null: self = .null
    }
  }
}
