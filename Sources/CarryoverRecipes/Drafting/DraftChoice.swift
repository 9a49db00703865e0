package import Carryover
import CarryoverSystem

/// The stores of a container that a draft reads.
package struct DraftChoice {
  package let sources: [DraftSource]
  /// The other stores with wanted keys, most keys first; none if the user named the stores.
  private let others: [(source: DraftSource, keys: Int)]

  /// - Parameters:
  ///   - names: the stores, by their path, its last parts, or the suite's name. Without names, the app's own suite, or the
  ///     store with the most keys that match.
  ///   - tables: the tables of databases that recipes know.
  package init(
    in container: Container, named names: [String], matching patterns: [Glob], tables: [KeyValueTable],
    _ redaction: Redaction
  ) throws(DraftError) {
    guard names.isEmpty else {
      var sources: [DraftSource] = []
      for name in names {
        let stores = container.stores.filter { Self.isNamed($0.path, name) }
        guard !stores.isEmpty else { throw .noStore(name: name) }
        for store in stores where !sources.contains(where: { $0.path == store.path }) {
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

  private static func isNamed(_ path: String, _ name: String) -> Bool {
    [name, name + NameTemplate.fileExtension].contains { path == $0 || path.hasSuffix("/" + $0) }
  }
}
