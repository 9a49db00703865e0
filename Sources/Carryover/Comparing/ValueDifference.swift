import CarryoverSystem
package import PropertyLists

/// A value that differs between two stores, or a container with such values inside.
package struct ValueDifference: Sendable {
  /// The raw value is the word in JSON output.
  package enum Change: String, Sendable, JSONConvertible {
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

  /// How many values differ as a whole.
  package var count: Int { inner.isEmpty ? 1 : inner.reduce(0) { $0 + $1.count } }
  /// How many of them have the same value in another order or format.
  var formCount: Int { inner.isEmpty ? change == .form ? 1 : 0 : inner.reduce(0) { $0 + $1.formCount } }
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
  /// The number of differences that the user chose to ignore.
  package var ignored = 0

  /// How many of the listed values differ, and how many only in their order or format.
  package var valueCount: Int { keys.reduce(0) { $0 + $1.count } - formCount }
  package var formCount: Int { keys.reduce(0) { $0 + $1.formCount } }

  /// The values that differ as a whole, with their paths; none if the store itself does.
  /// - Parameter isOpaque: whether a value is listed as a whole though only a part of it differs.
  package func values(
    where isOpaque: (ValueDifference) -> Bool = { _ in false }
  ) -> [(path: InspectedPath, difference: ValueDifference)] {
    var found: [(path: InspectedPath, difference: ValueDifference)] = []
    func add(_ differences: [ValueDifference], in labels: [InspectedChild.Label]) {
      for difference in differences {
        let labels = labels + [difference.label]
        if difference.inner.isEmpty || isOpaque(difference) {
          found.append((InspectedPath(store: path, labels: labels), difference))
        } else {
          add(difference.inner, in: labels)
        }
      }
    }
    add(keys, in: [])
    return found
  }
}

extension StoreDifference {
  /// What differs between two values of a key, packed ones opened. A value that is nil is missing.
  package init(path: String, key: String, before: PropertyListValue?, after: PropertyListValue?) {
    func root(_ value: PropertyListValue?) -> InspectedValue {
      InspectedValue(
        .dictionary(PropertyListDictionary(entries: value.map { [.init(key: key, value: $0)] } ?? [])))
    }
    self.init(path: path, change: .changed)
    var comparison = ValueComparison(isExact: false, most: 1_000_000)
    if case .inside(let keys)? = comparison.outcome(of: root(before), root(after)) { self.keys = keys }
  }
}
