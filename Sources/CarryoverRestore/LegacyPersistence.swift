import Carryover
import CarryoverSystem
public import CarryoverUserDefaults
import CarryoverVendors
public import Foundation
import PropertyLists

/// The places of a running app's legacy values and of the new SDK's values.
///
/// The drop-in migrators find these places themselves. Pass them in a test, or if the app has its legacy values
/// elsewhere, such as in the suite of an app group: `UserDefaultsDomain(suite: "group.com.acme.shop")`.
public struct LegacyPersistence: Sendable {
  /// The app's own defaults, or another domain with the legacy values. They are only read.
  package var standard: any DefaultsDomain
  /// The new SDK's suite.
  package var target: any DefaultsDomain
  /// The app's Library folder. The legacy SDK has a file in it, on tvOS in its Caches folder. It is only read.
  package var library: URL
  /// The app's bundle identifier.
  package var bundleIdentifier: String

  /// Places of legacy values, of the new SDK's suite (`target`) and of the Library folder.
  public init(standard: any DefaultsDomain, target: any DefaultsDomain, library: URL, bundleIdentifier: String) {
    self.standard = standard
    self.target = target
    self.library = library
    self.bundleIdentifier = bundleIdentifier
  }
}

/// The legacy values and the new SDK's values at one moment.
struct PersistenceSnapshot {
  /// A container, so that the same planner works for a running app and for a container.
  var container: Container
  /// The path of the new SDK's suite in the container.
  var target: String

  /// The keys in the places that a recipe reads.
  func keys(for recipe: Recipe) -> Set<StringByBytes> {
    Set(
      bytesOf: stores(for: recipe).flatMap { store -> [String] in
        guard case .document(let document) = store.content else { return [] }
        return document.dictionary?.entries.map(\.key) ?? []
      })
  }

  /// Whether a place that a recipe reads exists but cannot be read.
  func hides(from recipe: Recipe) -> Bool {
    stores(for: recipe).contains { store in
      if case .unreadable = store.content { true } else { false }
    }
  }

  private func stores(for recipe: Recipe) -> [Store] {
    let paths = recipe.sources.flatMap { source -> [String] in
      source.hasKeys ? source.paths(in: container, [:]) : []
    }
    return paths.compactMap(container.store)
  }
}

extension LegacyPersistence {
  /// The recipes for the SDKs whose values the new SDK reads. Other recipes are for an app's own data.
  static let recipes = Recipe.rudderStackObjC.family
  private static let targetKeys = Set(PersistedField.allCases.map(\.rawValue)).sorted()
  private static let fileNames = ["rsDefaultsPersistence.plist", "Caches/rsDefaultsPersistence.plist"]
  private static let fileLimit = 64 << 20

  /// - Parameter recipe: a recipe whose keys are read in addition to those of the built-in recipes.
  func snapshot(writeKey: String, recipe: Recipe?) throws(DefaultsDomainError) -> PersistenceSnapshot {
    let recipes = Self.recipes + (recipe.map { [$0] } ?? [])
    let keys = recipes.reduce(into: Set<StringByBytes>()) { $0.formUnion($1.knownKeys) }
    let prefixes = Set(recipes.flatMap(\.keyPrefixes))
    let values = try standard.values { key in keys.contains(key) || prefixes.contains(where: key.beginsWithBytes) }
    // A suite also shows values of the system's domains, and contains keys that only the new SDK uses.
    var present: [PropertyListDictionary.Entry] = []
    for key in Self.targetKeys {
      if let value = try target.value(for: key) { present.append(.init(key: key, value: value)) }
    }
    let preferences = "Library/Preferences/\(bundleIdentifier).plist"
    let suite = "Library/Preferences/\(bundleIdentifier).analytics.\(writeKey).plist"
    var stores = [try Self.store(preferences, values)] + files()
    if !present.isEmpty { stores.append(try Self.store(suite, PropertyListDictionary(entries: present))) }
    let root = library.deletingLastPathComponent().path
    let container = Container(
      kind: .folder, root: root, dataFolder: "", bundleID: bundleIdentifier, bundleIDOrigin: .option,
      stores: stores.sorted { $0.path < $1.path }, stateDirectory: root + "/.carryover")
    return PersistenceSnapshot(container: container, target: suite)
  }

  private static func store(_ path: String, _ values: PropertyListDictionary) throws(DefaultsDomainError) -> Store {
    if let document = document(values) { return Store(path: path, content: .document(document)) }
    // A value that cannot be encoded, such as one that is nested too deeply, must not hide the others.
    let sound = values.entries.filter { document(PropertyListDictionary(entries: [$0])) != nil }
    return try store(path, of: PropertyListDictionary(entries: sound))
  }

  private static func document(_ values: PropertyListDictionary) -> PropertyListDocument? {
    guard let bytes = try? PropertyListDocument.encode(.dictionary(values), as: .binary) else { return nil }
    return try? PropertyListDocument(bytes: bytes)
  }

  private static func store(_ path: String, of values: PropertyListDictionary) throws(DefaultsDomainError) -> Store {
    do {
      let bytes = try PropertyListDocument.encode(.dictionary(values), as: .binary)
      return Store(path: path, content: .document(try PropertyListDocument(bytes: bytes)))
    } catch {
      throw .unreadable("\(error)")
    }
  }

  /// The legacy SDK's own file, in any of its places. A file that cannot be read is a finding; the defaults still
  /// count.
  private func files() -> [Store] {
    let fileSystem = POSIXFileSystem()
    return Self.fileNames.compactMap { name in
      let file = library.appending(path: name).path
      guard FileManager.default.fileExists(atPath: file) else { return nil }
      let path = "Library/" + name
      do {
        let bytes = try fileSystem.read(file, limit: Self.fileLimit).bytes
        return Store(path: path, content: .document(try PropertyListDocument(bytes: bytes)))
      } catch {
        return Store(path: path, content: .unreadable("\(error)"))
      }
    }
  }
}
