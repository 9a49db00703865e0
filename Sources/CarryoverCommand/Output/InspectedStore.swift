import Carryover
import PropertyLists

/// A store with what it holds, and those of its keys that are to be shown.
struct InspectedStore {
  var store: Store
  /// Nil for a store that could not be read.
  var root: InspectedValue?
  /// Where the keys stand in it; a key itself is much larger.
  private var places: [Int]

  /// - Parameter names: the keys to show; all where none is named.
  init(_ store: Store, names: Set<StringByBytes> = []) {
    self.store = store
    root = InspectedValue(store)
    places = Array(0..<(root?.count ?? 0))
    if !names.isEmpty { keep { $0.label.name.map { names.contains($0) } ?? false } }
  }

  var isEmpty: Bool { places.isEmpty }

  /// The keys, made as they are asked for.
  var keys: some Sequence<InspectedChild> { places.lazy.compactMap { [root] in root?.child(at: $0) } }

  /// Keeps the keys that something is true of.
  mutating func keep(_ isKept: (InspectedChild) -> Bool) {
    guard let root else { return }
    places.removeAll { place in root.child(at: place).map(isKept) != true }
  }
}
