import Carryover
public import Foundation
import PropertyLists

/// Where a running app's legacy values lie, and where the new SDK reads.
public struct LegacyPersistence: Sendable {
  /// The app's own defaults.
  public var standard: any DefaultsDomain
  /// The new SDK's suite.
  public var target: any DefaultsDomain
  /// The app's Library folder, in which the legacy SDK keeps a file.
  public var library: URL
  /// The app's bundle identifier.
  public var bundleIdentifier: String

  /// Places of a test's own.
  public init(standard: any DefaultsDomain, target: any DefaultsDomain, library: URL, bundleIdentifier: String) {
    self.standard = standard
    self.target = target
    self.library = library
    self.bundleIdentifier = bundleIdentifier
  }

  /// A snapshot of both as a container, so that the same planner looks at a running app and at a container of one.
  func container(writeKey: String) throws(DefaultsDomainError) -> (container: Container, target: String) {
    let preferences = "Library/Preferences/\(bundleIdentifier).plist"
    let suite = "Library/Preferences/\(bundleIdentifier).analytics.\(writeKey).plist"
    var stores = [try Self.store(preferences, standard.values(), all: false)]
    stores += Self.files(in: library)
    // A suite shows the values of the system's domains too; only keys the new SDK reads are looked at.
    stores.append(try Self.store(suite, target.values(), all: true))
    let container = Container(
      kind: .folder, root: library.deletingLastPathComponent().path, dataFolder: "", bundleID: bundleIdentifier,
      bundleIDOrigin: .option, stores: stores.sorted { $0.path < $1.path },
      stateDirectory: library.deletingLastPathComponent().path + "/.carryover")
    return (container, suite)
  }

  /// - Parameter all: whether every key counts, or only those of the legacy SDKs.
  private static func store(
    _ path: String, _ values: PropertyListDictionary, all: Bool
  ) throws(DefaultsDomainError) -> Store {
    let recipes = Recipe.builtIn.filter { $0.target == .analyticsSuite }
    let known = recipes.reduce(into: Set<String>()) { $0.formUnion($1.knownKeys) }
    let prefixes = recipes.flatMap(\.legacyPrefixes)
    let targets = Set(recipes.flatMap(\.rules).map(\.target))
    let entries = values.entries.filter { entry in
      all ? targets.contains(entry.key) : known.contains(entry.key) || prefixes.contains { entry.key.hasPrefix($0) }
    }
    do {
      let bytes = try PropertyListDocument.encode(.dictionary(PropertyListDictionary(entries: entries)), as: .binary)
      return Store(path: path, content: .document(try PropertyListDocument(bytes: bytes)))
    } catch {
      throw .unreadable("\(error)")
    }
  }

  private static func files(in library: URL) -> [Store] {
    ["rsDefaultsPersistence.plist", "Caches/rsDefaultsPersistence.plist"].compactMap { name in
      let file = library.appending(path: name)
      guard FileManager.default.fileExists(atPath: file.path) else { return nil }
      let path = "Library/" + name
      do {
        return Store(path: path, content: .document(try PropertyListDocument(bytes: Array(Data(contentsOf: file)))))
      } catch {
        return Store(path: path, content: .unreadable("\(error)"))
      }
    }
  }
}
