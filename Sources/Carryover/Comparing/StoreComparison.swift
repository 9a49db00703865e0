import CarryoverSystem
import PropertyLists

/// What differs between the stores of two containers: by store, then by key, with packed values opened. The time it takes
/// grows with the size of the stores.
package struct StoreComparison: Sendable {
  package struct Options: Sendable {
    /// The paths of the stores to compare, or the ends of their paths; empty for all.
    package var stores: [String]
    /// Differences with one of these paths, or inside one, are counted and not listed: `traits.address`, `*.lastSeen`,
    /// `com.acme.shop.plist: *`.
    package var ignored: [Glob]
    /// Whether the order of keys and the format of stores and packed values count.
    package var isExact: Bool
    /// Whether keys of Apple's frameworks are listed.
    package var listsSystemKeys: Bool
    /// How many values are compared, packed ones opened; see ``StoreComparison/isCut``.
    package var most = 50_000_000

    package init(
      stores: [String] = [], ignored: [Glob] = [], isExact: Bool = false, listsSystemKeys: Bool = false
    ) {
      (self.stores, self.ignored) = (stores, ignored)
      (self.isExact, self.listsSystemKeys) = (isExact, listsSystemKeys)
    }
  }

  /// A store that cannot be compared, or a part of it, because it could not be read.
  package struct Obstacle: Sendable {
    package var path: String
    /// A sentence.
    package var reason: String
    /// Whether the parts that were read are equal.
    package var isPartial = false
  }

  /// The stores that differ, in the order of their paths.
  package private(set) var stores: [StoreDifference] = []
  /// The stores that could not be compared, or only in part.
  package private(set) var obstacles: [Obstacle] = []
  /// What was not read of databases; one that may differ there is also an obstacle.
  package private(set) var gaps: [Obstacle] = []
  /// How many stores are in both containers, or in one of them.
  package private(set) var count = 0
  /// Whether some packed values were too large to open and were compared only as stored.
  package private(set) var isCut = false

  /// The number of equal stores, except for differences that are only counted.
  package var equal: Int { count - stores.count { $0.isListed } - obstacles.count }
  package var systemKeys: Int { stores.reduce(0) { $0 + $1.systemKeys } }
  package var ignored: Int { stores.reduce(0) { $0 + $1.ignored } }
  /// How many values, or stores as a whole, differ and are listed.
  package var differences: Int {
    stores.reduce(0) { $0 + ($1.keys.isEmpty ? $1.isListed ? 1 : 0 : $1.keys.reduce(0) { $0 + $1.count }) }
  }
  package var isEmpty: Bool { !stores.contains { $0.isListed } }

  package init(_ before: Container, _ after: Container, _ options: Options = Options()) {
    var comparison = ValueComparison(isExact: options.isExact, most: options.most)
    let pairs = StorePairs(before, after).pairs.filter { pair in
      options.stores.isEmpty
        || options.stores.contains { pair.before?.isNamed($0) == true || pair.after?.isNamed($0) == true }
    }
    count = pairs.count
    for pair in pairs {
      let problems = pair.isOneFile ? [] : [pair.before, pair.after].flatMap { $0?.tables?.problems ?? [] }
      for reason in problems.distinct() { gaps.append(Obstacle(path: pair.path, reason: reason)) }
      let bundleID = (pair.after == nil ? before : after).bundleID
      do throws(Obstacle) {
        guard var found = try pair.difference(&comparison) else { continue }
        if !options.listsSystemKeys { found.omitSystemKeys(bundleID: bundleID) }
        if !options.ignored.isEmpty { found.omit(options.ignored) }
        if found.isListed || found.systemKeys + found.ignored > 0 { stores.append(found) }
      } catch {
        obstacles.append(error)
      }
    }
    isCut = comparison.isCut
  }
}

extension StoreComparison {
  /// Only the keys that differ in another comparison of the same containers, in which nothing is masked: masks of packed
  /// values differ with their format.
  /// - Parameter path: how a path is masked.
  package func narrowed(to other: StoreComparison, path: (String) -> String) -> StoreComparison {
    let others = Dictionary(firstOf: other.stores.filter(\.isListed).map { (path($0.path), $0) })
    var narrowed = self
    narrowed.stores = stores.compactMap { store in
      guard let other = others[store.path] else { return nil }
      var store = store
      let places = Set(other.keys.map(\.place))
      store.keys = store.keys.filter { places.contains($0.place) }
      (store.systemKeys, store.ignored) = (other.systemKeys, other.ignored)
      return store
    }
    return narrowed
  }
}

extension StoreComparison.Obstacle: Error {}

/// The stores of two containers that are compared with each other: those at the same path in the app's data. A single
/// property list is compared with another one whatever its name, and with the store of its name in a container.
private struct StorePairs {
  struct Pair {
    var before: Store?
    var after: Store?

    var path: String { (after ?? before)?.path ?? "" }

    var isOneFile: Bool {
      guard let before, let after else { return false }
      return Store.areOneFile(before, after)
    }
  }

  private(set) var pairs: [Pair] = []

  init(_ before: Container, _ after: Container) {
    switch (before.kind == .propertyList, after.kind == .propertyList) {
    case (true, false):
      let store = before.store(before.name)
      pairs = [Pair(before: store, after: Self.store(like: before, in: after))]
    case (false, true):
      let store = after.store(after.name)
      pairs = [Pair(before: Self.store(like: after, in: before), after: store)]
    case (let areFiles, _):
      var places: [StringByBytes: Int] = [:]
      for store in before.stores {
        places[StringByBytes(Self.place(of: store, in: before, isFile: areFiles))] = pairs.count
        pairs.append(Pair(before: store))
      }
      for store in after.stores {
        if let place = places[StringByBytes(Self.place(of: store, in: after, isFile: areFiles))] {
          pairs[place].after = store
        } else {
          pairs.append(Pair(after: store))
        }
      }
      pairs.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }
  }

  /// In the app's data, whatever the form of the container.
  private static func place(of store: Store, in container: Container, isFile: Bool) -> String {
    // The file that was opened has any name, and no store has an empty one.
    if isFile { return store.path.hasSameBytes(as: container.name) ? "" : store.path }
    let prefix = container.dataPath("")
    guard store.path.beginsWithBytes(of: prefix) else { return store.path }
    return String(decoding: store.path.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
  }

  private static func store(like file: Container, in container: Container) -> Store? {
    container.store(container.preferencesPath(file.name))
      ?? container.stores.first { $0.name.hasSameBytes(as: file.name) }
  }
}

extension StorePairs.Pair {
  /// Nil if they are equal.
  func difference(_ comparison: inout ValueComparison) throws(StoreComparison.Obstacle) -> StoreDifference? {
    guard let before, let after else {
      guard let store = before ?? after else { return nil }
      let keys = InspectedValue(store).map { root in root.isContainer ? root.children : [] } ?? []
      return StoreDifference(
        path: store.path, change: before == nil ? .added : .removed, before: before, after: after,
        keys: before == nil
          ? keys.enumerated().map { ValueDifference(added: $1, place: $0) }
          : keys.map { ValueDifference(removed: $0, place: 0) })
    }
    var found = StoreDifference(path: after.path, change: .changed, before: before, after: after)
    switch (before.content, after.content) {
    case (.document(let old), .document(let new)): if old.bytes == new.bytes { return nil }
    case (.json(let old), .json(let new)):
      if old.text.hasSameBytes(as: new.text) { return nil }
      if old.hasLoneSurrogate || new.hasLoneSurrogate { return found }
    case (.unreadable(let reason), _), (_, .unreadable(let reason)):
      // Only files that were read have checksums.
      guard case (.string(let old)?, .string(let new)?) = (before.basis.first?.value, after.basis.first?.value) else {
        throw StoreComparison.Obstacle(path: after.path, reason: reason)
      }
      return old == new ? nil : found
    default: break
    }
    let comparable = Store.comparable(before, after)
    guard let old = InspectedValue(comparable.before), let new = InspectedValue(comparable.after) else { return found }
    switch comparison.outcome(of: old, new) {
    case .inside(let keys): found.keys = keys
    case .changed: break
    case .form: found.change = .form
    case nil:
      if case .database = after.content {
        guard let reason = Store.unread(before, after) else { return nil }
        throw StoreComparison.Obstacle(path: after.path, reason: reason, isPartial: true)
      }
      guard comparison.isExact else { return nil }
      found.change = .form
    }
    return found
  }
}

extension StoreDifference {
  /// Whether there is something to list, not only to count.
  package var isListed: Bool { !keys.isEmpty || systemKeys + ignored == 0 }

  /// Counts the keys of Apple's frameworks instead of listing them.
  fileprivate mutating func omitSystemKeys(bundleID: String?) {
    guard case .document? = (after ?? before)?.content else { return }
    let isSystems = SystemKeys.belongs(toFile: FilePath.name(of: path), ofApp: bundleID)
    let kept = keys.filter { key in !isSystems && key.label.name.map(SystemKeys.contains) != true }
    systemKeys = keys.count - kept.count
    keys = kept
  }

  /// Counts the differences at these paths instead of listing them.
  fileprivate mutating func omit(_ patterns: [Glob]) {
    let name = FilePath.name(of: path)
    func isIgnored(_ labels: [InspectedChild.Label]) -> Bool {
      let text = InspectedPath(store: "", labels: labels).labelText
      return patterns.contains {
        $0.matches(text) || $0.matches(name + ": " + text) || $0.matches(path + ": " + text)
      }
    }
    func kept(_ differences: [ValueDifference], in labels: [InspectedChild.Label]) -> [ValueDifference] {
      differences.compactMap { difference in
        let labels = labels + [difference.label]
        if isIgnored(labels) {
          ignored += difference.count
          return nil
        }
        guard !difference.inner.isEmpty else { return difference }
        var rest = difference
        rest.inner = kept(difference.inner, in: labels)
        return rest.inner.isEmpty ? nil : rest
      }
    }
    if keys.isEmpty, systemKeys == 0, isIgnored([]) { ignored += 1 }
    keys = kept(keys, in: [])
  }
}
