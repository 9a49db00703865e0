package import Carryover
import CarryoverSystem

/// A file of a container, or a table of a database in it, as a recipe can read it.
package struct DraftSource {
  /// A key, or a member of the JSON object under it, with its value.
  struct Item {
    var source: SourceKey
    var value: PropertyListValue
    var json: JSONValue?
    var isSecret = false

    /// The name that a person chooses it by, and the proposed target key.
    var name: String { source.member ?? source.key }
  }

  /// How a recipe's test writes the file.
  enum Shape {
    case keys
    /// The keys of a table of a database.
    case table(String)
    case root
    /// A JSON object whose members are the items.
    case object
    case json
  }

  /// The path, relative to the container's root.
  let path: String
  /// The table, as people see it; nil for another file.
  let table: String?
  /// The path as a recipe names it.
  let template: String
  let shape: Shape
  let entry: RecipeNode
  let items: [Item]

  var isAppSuite: Bool { entry == ["suite": "${bundle-id}"] }

  /// Whether personal data is in the path, other than in the folders that every app has.
  func isPersonal(_ redaction: Redaction) -> Bool {
    FilePath.components(template).contains { part in
      let name = part.replacing("${\(NameTemplate.bundleID)}", with: "").split(separator: ".")
        .filter { !["plist", "json"].contains($0) }.joined(separator: ".")
      return !Self.folders.contains(part) && redaction.isPersonal(name)
    }
  }

  private static let folders = ["Library", "Preferences", "Caches", "Application Support", "Documents"]

  var name: String { table.map { "\(path), the table \($0)" } ?? path }

  /// The sources in a store: a file, or each known table of a database.
  /// - Throws: the reason that no recipe can read the store.
  static func all(
    in store: Store, of container: Container, tables: [KeyValueTable]
  ) throws(DraftError) -> [DraftSource] {
    if let problem = store.problem { throw DraftError(description: problem) }
    guard let place = RecipePlace(store.path, in: container) else { throw .noPlace(path: store.path) }
    guard case .database(let contents) = store.content else { return [try DraftSource(store, place)] }
    return contents.entries.compactMap { entry -> DraftSource? in
      guard case .dictionary(let rows) = entry.value, let table = tables.first(where: { $0.label == entry.key })
      else { return nil }
      return DraftSource(rows, in: table, store.path, place)
    }
  }

  private init(_ store: Store, _ place: RecipePlace) throws(DraftError) {
    let isArchive =
      if case .document(let document) = store.content { (try? KeyedArchive(document)) != nil } else { false }
    guard !isArchive else {
      throw DraftError(
        description: "\(DisplayText.quoted(store.path)) is a keyed archive, which recipe new cannot draft from. Write "
          + "archive: PATH under read yourself.")
    }
    path = store.path
    table = nil
    template = place.template
    if let dictionary = store.dictionary {
      shape = .keys
      entry = place.suite.map { ["suite": .init(.text($0))] } ?? ["plist": .init(.text(template))]
      items = Self.items(dictionary.entries.map { Item(source: SourceKey($0.key), value: $0.value) })
      return
    }
    let key: String
    switch store.content {
    case .json(let json):
      let members = json.value.members ?? []
      // An object with one member stands for the member's value, if the key has its name.
      key = members.count == 1 ? members[0].name : place.stem
      if json.value.members == nil || members.isEmpty {
        (shape, items) = (.json, [Item(SourceKey(key), json.value)])
      } else {
        let name: (String) -> SourceKey = { [key] in members.count == 1 ? SourceKey($0) : SourceKey(key, member: $0) }
        (shape, items) = (.object, Self.items(members.map { Item(name($0.name), $0.value) }))
      }
    case .document(let document):
      (shape, key) = (.root, place.stem)
      items = [Item(source: SourceKey(key), value: document.root)]
    case .database, .unreadable: throw .noPlace(path: store.path)
    }
    entry = ["file": .init(.text(template)), "as": .init(.text(key))]
  }

  private init(_ rows: PropertyListDictionary, in table: KeyValueTable, _ path: String, _ place: RecipePlace) {
    self.path = path
    self.table = table.label
    template = place.template
    shape = .table(table.name)
    entry = [
      "sqlite": .init(.text(template)), "table": .init(.text(table.name)), "key": .init(.text(table.key)),
      "value": .init(.text(table.value)),
    ]
    items = Self.items(rows.entries.map { Item(source: SourceKey($0.key), value: $0.value) })
  }

  /// The items in the order of their names, each once.
  private static func items(_ items: [Item]) -> [Item] {
    items.distinct { StringByBytes($0.name) }.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }
}

private struct RecipePlace {
  /// The path in the app's data, with `${bundle-id}` in place of the app's bundle identifier.
  let template: String
  var suite: String? {
    let folder = "Library/Preferences/"
    let name = FilePath.name(of: template)
    guard template.hasSameBytes(as: folder + name), name.hasSuffix(NameTemplate.fileExtension) else { return nil }
    return String(name.dropLast(NameTemplate.fileExtension.count))
  }
  var stem: String {
    let name = FilePath.name(of: template)
    let stem = name.lastIndex(of: ".").map { name[..<$0] } ?? name[...]
    return stem.isEmpty || stem.contains("${") ? "value" : String(stem)
  }

  /// The longest path, in bytes as it is written: it is a key in a test.
  private static let longest = 800

  /// - Returns: nil for a file that no recipe can name.
  init?(_ path: String, in container: Container) {
    let folder = container.dataFolder.isEmpty ? "" : container.dataFolder + "/"
    guard path.beginsWithBytes(of: folder), !path.contains("${") else { return nil }
    let inside =
      container.kind == .propertyList
      ? "Library/Preferences/" + path : String(decoding: path.utf8.dropFirst(folder.utf8.count), as: UTF8.self)
    guard ["Library/", "Documents/"].contains(where: inside.beginsWithBytes),
      YAMLWriter.scalar(inside).utf8.count <= Self.longest
    else { return nil }
    template = FilePath.components(inside).map { RecipeDraft.template($0, container.bundleID) }
      .joined(separator: "/")
  }
}

extension DraftSource.Item {
  /// A value of a JSON file, as a recipe reads it: an object or an array that is not a member is its text.
  fileprivate init(_ source: SourceKey, _ json: JSONValue) {
    let isText = source.member == nil && (json.members != nil || json.elements != nil)
    self.init(source: source, value: isText ? .string(json.text()) : json.propertyListValue, json: json)
  }
}

package struct DraftChoice {
  package let sources: [DraftSource]
  /// The other stores with wanted keys, most keys first; none if the user named the stores.
  private let others: [(source: DraftSource, keys: Int)]

  /// - Parameter names: the stores, by their path, its last parts, or the suite's name. Without names, the app's own
  ///   suite, or the store with the most keys that match.
  package init(
    in container: Container, named names: [String], matching patterns: [Glob], tables: [KeyValueTable],
    _ redaction: Redaction
  ) throws(DraftError) {
    guard names.isEmpty else {
      var sources: [DraftSource] = []
      for name in names {
        let stores = container.stores(named: name)
        guard !stores.isEmpty else {
          throw DraftError(
            description: "The container has no store \(DisplayText.quoted(name)). carryover inspect lists them.")
        }
        for store in stores where !sources.contains(where: { $0.path.hasSameBytes(as: store.path) }) {
          sources += try DraftSource.all(in: store, of: container, tables: tables)
        }
      }
      (self.sources, others) = (sources, [])
      return
    }
    var found: [(source: DraftSource, keys: Int)] = []
    for source in container.stores.flatMap({ (try? DraftSource.all(in: $0, of: container, tables: tables)) ?? [] }) {
      let keys = DraftKeys.count(in: source, matching: patterns)
      if keys > 0, !source.isPersonal(redaction) { found.append((source, keys)) }
    }
    found.sort { ($1.keys, $0.source.name) < ($0.keys, $1.source.name) }
    let own = patterns.isEmpty ? found.firstIndex { $0.source.isAppSuite } : nil
    guard let place = own ?? found.indices.first else { throw .noKeys(paths: [], omitted: []) }
    sources = [found.remove(at: place).source]
    others = found
  }

  /// What was chosen and what else there is; nil if the user named the stores.
  package func sentence(keys: Int) -> String? {
    guard let first = sources.first, !others.isEmpty else { return nil }
    let shown = others.prefix(10).map { "\(DisplayText.harmless($0.source.name)) (\(Self.count($0.keys)))" }
    let more = others.count > 10 ? ", and \(others.count - 10) more" : ""
    return
      "The draft reads \(DisplayText.harmless(first.name)) (\(Self.count(keys))). To read others, give --store for each: "
      + shown.joined(separator: ", ") + more + "."
  }

  private static func count(_ keys: Int) -> String { "\(keys) \(keys == 1 ? "key" : "keys")" }
}

struct DraftKeys {
  struct Chosen {
    var source: DraftSource
    /// The keys that no source before it has.
    var items: [DraftSource.Item]
  }

  /// The sources that have a chosen key, even if an earlier source has it.
  private(set) var chosen: [Chosen] = []
  private(set) var omitted = Omitted()

  struct Omitted {
    /// Keys with personal data, masked.
    var personal: [String] = []
    var ofSystem = 0
    var unusable = 0
    /// Keys whose name a key of another source has.
    var repeated = 0
    var members = 0
    var beyond = 0
  }

  /// The maximum number of keys in a draft. With stand-ins of their size, the text is within the limits of a recipe file.
  static let most = 100
  /// The longest key, in bytes as it is written.
  private static let longest = 200

  /// - Parameter patterns: the keys that are wanted; all but the system's if there are none.
  init(_ sources: [DraftSource], matching patterns: [Glob], _ redaction: Redaction) {
    var known: [StringByBytes: SourceKey] = [:]
    for source in sources {
      var (items, isCopy): ([DraftSource.Item], Bool) = ([], false)
      for var item in source.items where Self.isWanted(item, patterns) {
        item.isSecret = redaction.isSecret(key: item.name)
        if patterns.isEmpty, SystemKeys.contains(item.name) {
          omitted.ofSystem += 1
        } else if known[item.name] == nil, known.count == Self.most {
          omitted.beyond += 1
        } else if !Self.isUsable(item.name) || !Self.isUsable(item.source.key) {
          omitted.unusable += 1
        } else if redaction.isPersonal(item.name) {
          omitted.personal.append(redaction.text(item.name))
        } else if item.hasNoPlace {
          omitted.members += 1
        } else if let other = known[item.name] {
          if other == item.source { isCopy = true } else { omitted.repeated += 1 }
        } else {
          known[item.name] = item.source
          items.append(item)
        }
      }
      if isCopy || !items.isEmpty { chosen.append(Chosen(source: source, items: items)) }
    }
  }

  static func count(in source: DraftSource, matching patterns: [Glob]) -> Int {
    source.items.count { isWanted($0, patterns) }
  }

  private static func isWanted(_ item: DraftSource.Item, _ patterns: [Glob]) -> Bool {
    patterns.isEmpty || patterns.contains { $0.matches(item.name) }
  }

  /// Whether a recipe can name a key: it is text without the sign of a parameter.
  private static func isUsable(_ key: String) -> Bool {
    !key.isEmpty && !key.contains("${") && key.utf8.count <= longest && YAMLWriter.scalar(key).utf8.count <= longest
  }
}
