import Carryover

/// A store with what it holds, and those of its keys that are to be shown.
struct InspectedStore {
  var store: Store
  /// Nil for a store that could not be read.
  var root: InspectedValue?
  var keys: [InspectedChild]

  /// - Parameter names: the keys to show; all where none is named.
  init(_ store: Store, names: Set<String> = []) {
    self.store = store
    root = InspectedValue(store)
    let keys = root?.children ?? []
    self.keys = names.isEmpty ? keys : keys.filter { $0.label.name.map(names.contains) ?? false }
  }
}
