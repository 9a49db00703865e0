import CarryoverSystem

/// A value that differs between two stores, or a container with such values inside.
package struct ValueDifference: Sendable {
  /// The raw value is the word in JSON output.
  package enum Change: String, Sendable {
    case added, removed, changed
    /// The value is the same, but its order or format is not. Only an exact comparison reports it.
    case form
  }

  package var change: Change
  /// The label after the change; of a removed value, the one before.
  package var label: InspectedChild.Label
  /// The position among the values after the change; of a removed value, that of the value which it preceded.
  package var place: Int
  /// Nil if the value was added.
  package var before: InspectedChild?
  /// Nil if the value was removed.
  package var after: InspectedChild?
  /// What differs inside; empty if the value differs as a whole.
  package var inner: [ValueDifference] = []

  package init(added child: InspectedChild, place: Int) {
    (change, label, self.place, after) = (.added, child.label, place, child)
  }

  package init(removed child: InspectedChild, place: Int) {
    (change, label, self.place, before) = (.removed, child.label, place, child)
  }

  package init(
    _ change: Change, _ before: InspectedChild, _ after: InspectedChild, place: Int, inner: [ValueDifference] = []
  ) {
    (self.change, label, self.place) = (change, after.label, place)
    (self.before, self.after, self.inner) = (before, after, inner)
  }

  /// Passes on every value inside that differs as a whole, with its path.
  package func forEach(
    in path: InspectedPath, _ body: (InspectedPath, ValueDifference) throws -> Void
  ) rethrows {
    let path = InspectedPath(store: path.store, labels: path.labels + [label])
    if inner.isEmpty { return try body(path, self) }
    for difference in inner { try difference.forEach(in: path, body) }
  }

  /// How many values differ as a whole.
  package var count: Int { inner.isEmpty ? 1 : inner.reduce(0) { $0 + $1.count } }
}

package struct StoreDifference: Sendable {
  /// The path after the change; of a removed store, the one before.
  package var path: String
  package var change: ValueDifference.Change
  /// Nil if the store was added.
  package var before: Store?
  /// Nil if the store was removed.
  package var after: Store?
  /// The keys that differ and are listed; empty if the store differs as a whole.
  package var keys: [ValueDifference] = []
  /// How many keys of Apple's frameworks differ and are not listed.
  package var systemKeys = 0
  /// How many differences were ignored as was asked for.
  package var ignored = 0

  /// Passes on every value that differs as a whole, with its path. A store that differs as a whole has none.
  package func forEach(_ body: (InspectedPath, ValueDifference) throws -> Void) rethrows {
    for key in keys { try key.forEach(in: InspectedPath(store: path), body) }
  }
}
