import CarryoverSystem
import PropertyLists

/// The reason that a store has no values for a recipe, as a sentence.
struct Obstacle: Error {
  let reason: String
}

extension Store {
  /// The values that a recipe's source has in this file.
  func entries(as source: SourceStore) -> Result<PropertyListDictionary, Obstacle> {
    if case .file(_, let key, true) = source, let line {
      return .success(PropertyListDictionary(entries: [.init(key: key, value: .string(line))]))
    }
    if let problem { return .failure(Obstacle(reason: problem)) }
    // A line of digits is valid JSON, but an id: as a number, it would lose its spelling.
    if case .file(_, let key, true) = source, case .json(let json) = content, case .number(let number) = json.value {
      return .success(PropertyListDictionary(entries: [.init(key: key, value: .string(number.lexeme))]))
    }
    switch (source, content) {
    case (.file(_, let key, _), .json(let json)):
      return .success(PropertyListDictionary(entries: [.init(key: key, value: json.value(wrappedIn: key))]))
    case (.file(_, let key, _), .document(let document)):
      return .success(PropertyListDictionary(entries: [.init(key: key, value: document.root)]))
    case (.archive(_, let key), .document(let document)):
      return Self.archived(document).flatMap { root in
        if let key {
          guard let value = root.plain else { return .failure(Obstacle(reason: "A property list cannot express it.")) }
          return .success(PropertyListDictionary(entries: [.init(key: key, value: value)]))
        }
        return root.keys().map(Result.success) ?? .failure(Obstacle(reason: KeyedFile.noDictionary))
      }
    case (.archive, .json), (.archive, .database): return .failure(Obstacle(reason: KeyedFile.noArchive))
    case (.table(_, let table), .database(let tables)):
      let name = DisplayText.quoted(table.name)
      switch tables[table.label] {
      case .dictionary(let entries)?: return .success(entries)
      case nil: return .failure(Obstacle(reason: "The database has no table \(name) with these columns."))
      default: return .failure(Obstacle(reason: "The table \(name) is damaged or too large."))
      }
    case (.table, _): return .failure(Obstacle(reason: "It is not a SQLite database."))
    case (_, .json): return .failure(Obstacle(reason: "It is JSON, not a property list."))
    default:
      return dictionary.map(Result.success) ?? .failure(Obstacle(reason: KeyedFile.noDictionary))
    }
  }
}

extension Store {
  /// The root of a keyed archive.
  private static func archived(_ document: PropertyListDocument) -> Result<KeyedValue, Obstacle> {
    do throws(KeyedArchiveError) {
      guard let root = try KeyedArchive(document).root else { throw KeyedArchiveError(.memberMissing("root")) }
      return .success(root)
    } catch {
      return .failure(Obstacle(reason: error.description))
    }
  }
}

extension JSONText {
  /// The whole value, or the one that an object with a single member of this name wraps. An object or array is its text.
  fileprivate func value(wrappedIn key: String) -> PropertyListValue {
    var inner = value
    if case .object(let members) = value, members.count == 1, members[0].name.utf8.elementsEqual(key.utf8) {
      inner = members[0].value
    }
    switch inner {
    case .object, .array: return .string(inner == value ? text : inner.text())
    default: return inner.propertyListValue
    }
  }
}
