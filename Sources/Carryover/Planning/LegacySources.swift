import CarryoverStorage
import CarryoverSystem
package import PropertyLists

/// The legacy stores of a container in the recipe's order of precedence, by key. Each store is read once.
package struct LegacySources {
  package struct Found {
    package let store: String
    package let value: PropertyListValue
    package let traits: Result<TraitsText, TraitsDefect>?
    /// The place of the store among those that the recipe reads; 0 is the most trusted.
    var place = 0
    var generation: Int?
    /// Whether it is a line of text that versions of the SDK which read property lists do not read. Their parser takes
    /// text without quotation marks for a string only if it has these characters.
    var isForeignLine = false
    var versionBeside: PropertyListValue?

    let isObject: Bool

    init(store: String, value: PropertyListValue, readAs form: TraitsForm?) {
      self.store = store
      self.value = value
      isObject = form == .object
      traits = form.map { TraitsText.read(value, as: $0) }
    }
  }

  package struct StoreKeys {
    package let path: String
    /// Whether it can have the same keys as the other stores: it is a property list, not a file or table of its own.
    let isCopy: Bool
    package fileprivate(set) var keys: [String]
    /// The values of keys that no recipe names, as the legacy SDK reads them. There may be any number of them.
    fileprivate(set) var unnamed: [StringByBytes: PropertyListValue] = [:]
    fileprivate var named: Set<StringByBytes> = []

    package func contains(_ key: String) -> Bool { named.contains(key) || unnamed[key] != nil }
  }

  package struct Unreadable {
    package let path: String
    package let reason: String
    let place: Int
    fileprivate let source: SourceStore

    func canHold(_ key: String) -> Bool { source.wholeKey.map { $0.hasSameBytes(as: key) } ?? true }
  }

  package private(set) var stores: [StoreKeys] = []
  package private(set) var unreadable: [Unreadable] = []
  /// The most trusted generation that has left a key which the recipe names; nil if none has.
  private(set) var generation: Int?
  /// The most trusted one of the others that have left such a key; nil if none has.
  private(set) var olderGeneration: Int?
  /// The files whose ids the vendor's migrator moves, and that have none.
  private(set) var moved: [MovedFile] = []
  /// The files that say only whether the user opted out, and that could not be read.
  package private(set) var unreadableOptOuts: [String] = []
  /// All possible places of the sources with keys, existing or not.
  package private(set) var places: [String] = []
  /// The keys that the recipe knows; none where only its marks are read.
  let known: Set<StringByBytes>
  /// Those of each recipe for another SDK with the same target.
  let ofRivals: [(recipe: String, keys: Set<StringByBytes>)]
  package var files: [PlanBasis] { wholes.flatMap { $0.store?.basis ?? [PlanBasis(file: $0.path, value: nil)] } }
  private var wholes: [(path: String, store: Store?)] = []
  private var found: [StringByBytes: [Found]] = [:]
  /// The first value of each key in a store, as in a plain look-up.
  private var first: [StringByBytes: [StringByBytes: PropertyListValue]] = [:]

  init(_ recipe: Recipe, in container: Container, _ options: PlannerOptions, target: TargetSummary?) {
    known = recipe.knownKeys
    let others = recipe.family.filter { $0.reference.id != recipe.reference.id }
      .map { (recipe: $0, keys: $0.knownKeys) }
    ofRivals = others.filter { recipe.isRival($0.recipe) }.map { ($0.recipe.reference.id, $0.keys) }
    var named = known.union(recipe.conditionKeys).union(bytesOf: recipe.optOutKeys + recipe.comparedKeys)
    for other in others {
      named.formUnion(other.keys.filter { recipe.legacyPrefixes.contains(where: $0.text.beginsWithBytes) })
    }
    let watched = ofRivals.reduce(into: Set<StringByBytes>()) { $0.formUnion($1.keys) }
    read(
      recipe, in: container, options.parameters, target: target,
      LegacyKeys(
        named: SoughtKeys(named), watched: SoughtKeys(watched.subtracting(named)), prefixes: recipe.keyPrefixes,
        forms: recipe.traitsForms,
        ofUser: Set(bytesOf: recipe.rules.filter(\.group.isOfUser).flatMap(\.candidates).map(\.source.key)),
        models: recipe.modelKeys, generations: Generations(recipe)))
  }

  /// Reads only the keys that identify the SDK of a container, without parsing JSON in text.
  init(marksOf recipe: Recipe, in container: Container) {
    (known, ofRivals) = ([], [])
    read(recipe, in: container, [:], target: nil, LegacyKeys(named: SoughtKeys(recipe.marks), prefixes: [], forms: [:]))
  }

  private mutating func read(
    _ recipe: Recipe, in container: Container, _ parameters: [String: String], target: TargetSummary?,
    _ wanted: LegacyKeys
  ) {
    for (index, place) in Self.places(recipe, container, parameters).enumerated()
    where target?.holds(place.path) != true || recipe.readsTarget {
      let store = container.store(place.path)
      if place.source.hasKeys {
        places.append(place.path)
      } else {
        wholes.append((place.path, store))
      }
      guard let store else { continue }
      do {
        let entries = try store.entries(as: place.source)
        // Of several pairs, Foundation uses the first in a binary file and the last in XML.
        add(entries, isLastTaken: store.format == "xml", isLine: store.line != nil, place, at: index, wanted)
      } catch {
        // The tables of a database share its reasons.
        if !unreadable.contains(where: { $0.path.hasSameBytes(as: place.path) && $0.reason == error.reason }) {
          unreadable.append(Unreadable(path: place.path, reason: error.reason, place: index, source: place.source))
        }
        // Its version of the SDK has left it, whatever is in it.
        if let key = place.source.wholeKey, let made = wanted.generations?.number(of: key, in: place.source) {
          note(made)
        }
        if let key = place.source.wholeKey, recipe.optOutKeys.containsBytes(of: key) {
          unreadableOptOuts.append(place.path)
        }
      }
    }
  }

  private mutating func note(_ made: Int) {
    guard let newest = generation, made != newest else { return generation = made }
    generation = min(made, newest)
    olderGeneration = min(max(made, newest), olderGeneration ?? .max)
  }

  /// The values of a named key in each store that has it, in order of precedence. If a file contains the key more than
  /// once, all its values are included.
  package func values(_ key: String) -> [Found] { found[key] ?? [] }

  /// The values of a key for a field. Those of the user's identity and traits are of the newest generation.
  func values(_ key: String, for rule: FieldRule) -> [Found] {
    rule.group.isOfUser ? values(key).filter { !isOlder($0) } : values(key)
  }

  func isOlder(_ found: Found) -> Bool {
    guard let generation, let other = found.generation else { return false }
    return generation < other
  }

  /// The value that the legacy SDK reads: that of the first store with the key.
  package func value(_ key: String) -> PropertyListValue? {
    if let found = found[key] { return found.first?.value }
    return stores.lazy.compactMap { $0.unnamed[key] }.first
  }

  /// The first value in one store of a key that is named, or that a rival recipe knows.
  package func value(_ key: String, in store: String) -> PropertyListValue? { first[store]?[key] }

  /// The first values in one store of the keys that are named, or that a rival recipe knows.
  func values(in store: String) -> [StringByBytes: PropertyListValue] { first[store] ?? [:] }

  private mutating func add(
    _ dictionary: PropertyListDictionary, isLastTaken: Bool, isLine: Bool, _ place: Place, at index: Int,
    _ wanted: LegacyKeys
  ) {
    let path = place.path
    var here: [StringByBytes: [Found]] = [:]
    var store = StoreKeys(path: path, isCopy: place.source.hasKeys, keys: [])
    for entry in dictionary.entries {
      let key = StringByBytes(entry.key)
      if wanted.named.contains(key) {
        if store.named.insert(key).inserted { store.keys.append(key.text) }
        var value = Found(store: path, value: entry.value, readAs: wanted.forms[key])
        value.place = index
        if isLine, case .string(let text) = entry.value { value.isForeignLine = !Self.isOldStyle(text) }
        value.generation = wanted.generations?.number(of: key.text, in: place.source)
        // What it says of the app is no sign of a user.
        if let made = value.generation, wanted.ofUser.contains(key) { note(made) }
        here[key, default: []].append(value)
        continue
      }
      if wanted.watched.contains(key), first[StringByBytes(path)]?[key] == nil {
        first[path, default: [:]][key] = entry.value
      }
      if wanted.prefixes.contains(where: key.text.beginsWithBytes) {
        guard let earlier = store.unnamed.updateValue(entry.value, forKey: key) else {
          store.keys.append(key.text)
          continue
        }
        if !isLastTaken { store.unnamed[key] = earlier }
      }
    }
    let models = wanted.models.filter { here[$0] != nil }
    let index = models.isEmpty ? nil : dictionary.indexed()
    for key in models {
      let version = index?[ModelVersionKey.schemaVersion.name(for: key.text)]
      for index in here[key, default: []].indices { here[key]?[index].versionBeside = version }
    }
    for (key, values) in here {
      first[path, default: [:]][key] = values.first?.value
      found[key, default: []] += isLastTaken ? values.reversed() : values
    }
    if let move = wanted.generations?.move(of: place.source), wanted.ofUser.isDisjoint(with: here.keys) {
      moved.append(MovedFile(path: path, move: move))
    }
    stores.append(store)
  }

  private static func isOldStyle(_ text: String) -> Bool {
    text.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || "_$/:.-".utf8.contains(byte)
    }
  }

  typealias Place = (path: String, source: SourceStore)

  static func places(_ recipe: Recipe, _ container: Container, _ parameters: [String: String]) -> [Place] {
    var places: [Place] = []
    // A property list is read once; a database, once for each of its tables.
    func isKnown(_ path: String, _ source: SourceStore) -> Bool {
      places.contains { $0.path.hasSameBytes(as: path) && (source.hasKeys || $0.source == source) }
    }
    for source in recipe.sources where !source.isJSON {
      var candidates = source.paths(in: container, parameters)
      if let index = candidates.firstIndex(where: { container.store($0) != nil }) {
        candidates.removeSubrange((index + 1)...)
      }
      for candidate in candidates where !isKnown(candidate, source) { places.append((candidate, source)) }
    }
    // A single property list is the source, regardless of the other files in its folder.
    if container.kind == .propertyList, !places.contains(where: { $0.path.hasSameBytes(as: container.name) }) {
      places.insert((container.name, .plist([])), at: 0)
    }
    return places
  }
}

/// Keys to look for among many others. Hashing costs the most, so a key is hashed only if one of these is as long.
private struct SoughtKeys {
  private let keys: Set<StringByBytes>
  private let lengths: UInt64

  init(_ keys: Set<StringByBytes>) {
    self.keys = keys
    lengths = keys.reduce(0) { $0 | Self.bit($1) }
  }

  func contains(_ key: StringByBytes) -> Bool { lengths & Self.bit(key) != 0 && keys.contains(key) }

  private static func bit(_ key: StringByBytes) -> UInt64 { 1 << UInt64(min(key.text.utf8.count, 63)) }
}

private struct LegacyKeys {
  var named: SoughtKeys
  /// Other keys of which only the first value in each store matters.
  var watched = SoughtKeys([])
  var prefixes: [String]
  var forms: [StringByBytes: TraitsForm]
  var ofUser: Set<StringByBytes> = []
  var models: Set<StringByBytes> = []
  var generations: Generations?
}

package enum TraitsForm: Int {
  /// As JSON text or as a dictionary: only its members are read.
  case object
  case text
  /// As JSON text, or as the data of a keyed archive or a property list.
  case archive
}

extension Recipe {
  package var hasModel: Bool { rules.contains { $0.model != nil } }

  var modelKeys: Set<StringByBytes> {
    Set(bytesOf: rules.filter { $0.model != nil }.flatMap(\.candidates).map(\.source.key))
  }

  /// The keys whose values are read as JSON text, with their forms: the narrowest of those in which the rules read them.
  var traitsForms: [StringByBytes: TraitsForm] {
    let candidates = rules.flatMap(\.candidates)
    return Dictionary(
      candidates.filter(\.readsJSON).map { (StringByBytes($0.source.key), $0.traitsForm) },
      uniquingKeysWith: { $0.rawValue < $1.rawValue ? $1 : $0 })
  }
}

extension Candidate {
  var readsJSON: Bool { source.member != nil || transforms.contains(where: \.editsMembers) }

  fileprivate var traitsForm: TraitsForm {
    transforms.contains(.archivedJSON) ? .archive : transforms.contains(where: \.editsMembers) ? .text : .object
  }
}

extension Store {
  /// - Throws: the reason that it has no values for a recipe.
  func entries(as source: SourceStore) throws(KeyedFile.Problem) -> PropertyListDictionary {
    if case .file(_, let key, true) = source, let line { return [key: .string(line)] }
    if let problem { throw KeyedFile.Problem(reason: problem) }
    // A line of digits is valid JSON, but an id: as a number, it would lose its spelling.
    if case .file(_, let key, true) = source, case .json(let json) = content, case .number(let number) = json.value {
      return [key: .string(number.lexeme)]
    }
    switch (source, content) {
    case (.file(_, let key, _), .json(let json)): return [key: json.value(wrappedIn: key)]
    case (.file(_, let key, _), .document(let document)): return [key: document.root]
    case (.archive(_, let key), .document(let document)):
      let root = try KeyedFile.Problem.of(KeyedArchive(document).requiredRoot)
      if let key {
        guard let value = root.plain else { throw KeyedFile.Problem(reason: "A property list cannot express it.") }
        return [key: value]
      }
      guard let keys = root.keys() else { break }
      return keys
    case (.archive, .json), (.archive, .database): throw KeyedFile.Problem(reason: KeyedFile.noArchive)
    case (.table(_, let table), .database(let tables)):
      let name = DisplayText.quoted(table.name)
      switch tables[table.label] {
      case .dictionary(let entries)?: return entries
      case nil: throw KeyedFile.Problem(reason: "The database has no table \(name) with these columns.")
      default: throw KeyedFile.Problem(reason: "The table \(name) is damaged or too large.")
      }
    case (.table, _): throw KeyedFile.Problem(reason: "It is not a SQLite database.")
    case (_, .json): throw KeyedFile.Problem(reason: "It is JSON, not a property list.")
    default: if let dictionary { return dictionary }
    }
    throw KeyedFile.Problem(reason: KeyedFile.noDictionary)
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
