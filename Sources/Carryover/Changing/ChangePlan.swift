import CarryoverSystem
package import PropertyLists

/// What a list of changes does to the stores of a container. Making the plan writes nothing.
package struct ChangePlan: Sendable {
  package private(set) var changes: [PlannedChange] = []
  /// The stores whose bytes change.
  package private(set) var stores: [ChangedStore] = []

  package static let mostChanges = 1000

  package var isEmpty: Bool { stores.isEmpty }

  /// Plans changes in their order: each sees the result of those before it.
  /// - Throws: the reason that one of them cannot be made.
  package init(_ changes: [ValueChange], in container: Container) throws(ChangeError) {
    guard changes.count <= Self.mostChanges else { throw .tooMany(limit: Self.mostChanges) }
    let paths = changes.map(\.path.store).distinct()
    var planned: [Int: PlannedChange] = [:]
    for path in paths {
      guard let store = container.store(path) else { throw .noStore(path, nearest: nil) }
      let file = try store.editable
      var editing = StoreEditing(file, path: path)
      for (place, change) in changes.enumerated() where change.path.store.hasSameBytes(as: path) {
        do throws(ChangeError) {
          planned[place] = try editing.make(change)
        } catch {
          if case .noValue = error { throw container.missing(change.path) }
          throw error
        }
      }
      let changed = try editing.finished()
      if !changed.keys.isEmpty { stores.append(changed) }
    }
    self.changes = Self.merged(changes.indices.compactMap { planned[$0] })
  }

  /// With the changes of a value as one, from the value before the first of them to the last. They stay apart around a
  /// removal of an element, which moves others, and around changes of values in it or around it.
  private static func merged(_ changes: [PlannedChange]) -> [PlannedChange] {
    var merged: [PlannedChange] = []
    var places: [InspectedPath: Int] = [:]
    for change in changes {
      if let place = places[change.path], merged[place].after != nil, !change.isOfOrder,
        !merged[(place + 1)...].contains(where: { $0.isOfOrder || $0.path.isInOrAround(change.path) })
      {
        merged[place].change.new = change.change.new
        merged[place].after = change.after
      } else {
        places[change.path] = merged.count
        merged.append(change)
      }
    }
    return merged.filter { $0.before != nil || $0.after != nil }
  }
}

/// A change with the values before and after it.
package struct PlannedChange: Hashable, Sendable {
  package var change: ValueChange
  /// Nil for a new value.
  package var before: PropertyListValue?
  /// Nil for a removed value.
  package var after: PropertyListValue?

  package var path: InspectedPath { change.path }

  /// Whether it removes an element, so that those after it have other indexes.
  package var isOfOrder: Bool {
    if case .index? = path.labels.last { after == nil } else { false }
  }
}

extension InspectedPath {
  /// Whether it is the other path, in it or around it.
  package func isInOrAround(_ other: InspectedPath) -> Bool {
    store.hasSameBytes(as: other.store) && zip(labels, other.labels).allSatisfy { $0 == $1 }
  }
}

package struct ChangedStore: Sendable {
  package var path: String
  /// The top-level keys whose values differ, which are what a rollback restores.
  package var keys: [KeyChange]
  /// The top-level keys that differ or that a change names, even if it changes nothing.
  package var touched: [KeyChange]
  package var changes: [ValueChange]
  package var sizeBefore: Int
  let file: KeyedFile

  package var format: KeyedFile.Format { file.format }
  package var sizeAfter: Int { file.bytes.count }
}

extension Container {
  /// The container after a plan.
  package func applying(_ plan: ChangePlan) -> Container {
    var changed = self
    for store in plan.stores {
      guard let place = changed.stores.firstIndex(where: { $0.path.hasSameBytes(as: store.path) }) else { continue }
      let modified = changed.stores[place].modified
      changed.stores[place] = Store(path: store.path, content: store.file.content)
      changed.stores[place].modified = modified
    }
    return changed
  }
}

extension KeyedFile {
  fileprivate var content: StoreContent {
    switch self {
    case .propertyList(let document): .document(document)
    case .archive(let archive): .document(archive.document)
    case .json(let json): .json(json)
    }
  }
}

extension Store {
  /// The store as a file that can be edited.
  var editable: KeyedFile {
    get throws(ChangeError) {
      let place = InspectedPath(store: path)
      if case .database = content { throw .refused(place, reason: ChangeError.readOnlyDatabase) }
      return try converting(try KeyedFile(self)) { (problem: KeyedFile.Problem) in
        ChangeError.refused(place, reason: DisplayText.harmless(problem.reason))
      }
    }
  }
}

/// A store while changes are made in it, in memory.
struct StoreEditing {
  private let path: String
  private let original: KeyedFile
  private var current: KeyedFile
  private var changes: [ValueChange] = []
  /// The pairs of a property list that were changed, which is written once; nil for a removed one.
  private var pairs: [StringByBytes: PropertyListValue?] = [:]

  init(_ file: KeyedFile, path: String) {
    self.path = path
    (original, current) = (file, file)
  }

  mutating func make(_ change: ValueChange) throws(ChangeError) -> PlannedChange {
    var editor = ValueEditor(change)
    let labels = change.path.labels[...]
    switch current {
    case .propertyList(let document) where !document.isKeyedArchive:
      guard case .key(let key)? = labels.first else { throw .noValue(change.path, nearest: nil) }
      try editor.requireExact(document, labels)
      let present: [PropertyListDictionary.Entry]? = pairs[key].map { value in
        value.map { [.init(key: key.text, value: $0)] } ?? []
      }
      let dictionary = present.map(PropertyListDictionary.init(entries:)) ?? document.dictionary ?? [:]
      pairs[key] = .some(try editor.editedPair(key, of: dictionary, labels))
    case .propertyList(let document): try replace(editor.edited(document, labels))
    case .json(let json): try replace(Array(editor.edited(json, labels).utf8))
    case .archive(let archive):
      let bytes = try editor.edited(archive, labels)
      try problem(try current.checkChange(of: labels.first?.name.map { [$0] } ?? []))
      try replace(bytes)
    }
    changes.append(change)
    return PlannedChange(change: change, before: editor.before, after: editor.after)
  }

  func finished() throws(ChangeError) -> ChangedStore {
    let edits = pairs.sorted { $0.key < $1.key }.map { key, value in
      value.map { PropertyListEdit.set(key.text, $0) } ?? .remove(key.text)
    }
    let file = try problem(try KeyedFile(bytes: current.editing(edits), path: path))
    let (keys, touched) = keys(file)
    return ChangedStore(
      path: path, keys: keys, touched: touched, changes: changes, sizeBefore: original.bytes.count, file: file)
  }

  /// The keys whose values differ. If only the notation of a value has changed, the key of that value.
  private func keys(_ file: KeyedFile) -> (changed: [KeyChange], touched: [KeyChange]) {
    let (old, new) = (original.dictionary.indexed(), file.dictionary.indexed())
    func change(_ key: String) -> KeyChange { KeyChange(key: key, before: old[key], after: new[key]) }
    let all = (old.dictionary.keys + new.dictionary.keys).distinct()
    let changed = all.map(change).filter { $0.before != $0.after }
    var named = changes.compactMap(\.path.labels.first?.name)
    if changed.isEmpty, file.bytes != original.bytes {
      let keys = named.distinct().map(change)
      return (keys, keys)
    }
    // The changes of a property list that is itself a keyed archive lead to values in it, not to keys of the list.
    if case .propertyList(let document) = original, document.isKeyedArchive { named = [] }
    return (changed, (changed.map(\.key) + named).distinct().map(change))
  }

  private mutating func replace(_ bytes: [UInt8]) throws(ChangeError) {
    current = try problem(try KeyedFile(bytes: bytes, path: path))
  }

  private func problem<Value>(
    _ work: @autoclosure () throws(KeyedFile.Problem) -> Value
  ) throws(ChangeError) -> Value {
    try converting(try work()) { (problem: KeyedFile.Problem) in
      ChangeError.refused(InspectedPath(store: path), reason: DisplayText.harmless(problem.reason))
    }
  }
}
