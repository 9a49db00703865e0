import Carryover
import CarryoverPages
import CarryoverSystem

extension ValueDifference {
  /// The value that another one replaced, shown beside it; nil if there is none.
  var replaced: InspectedChild? { inner.isEmpty && change == .changed ? before : nil }
}

/// A value with what differs inside it from another container: what was removed is between the values that are there.
struct ComparedValue: Sendable {
  let value: InspectedValue
  private let differences: [ValueDifference]
  /// The places of the differences, and those of what was removed, ascending.
  private let places: [Int]
  private let removed: [Int]

  init(_ value: InspectedValue, _ differences: [ValueDifference] = []) {
    (self.value, self.differences) = (value, differences)
    places = Self.places(differences)
    removed = zip(differences, places).filter { $0.0.change == .removed }.map(\.1)
  }

  /// The place of each difference among the values and what was removed.
  static func places(_ differences: [ValueDifference]) -> [Int] {
    var before = 0
    return differences.map { difference in
      defer { if difference.change == .removed { before += 1 } }
      return difference.place + before
    }
  }

  var count: Int { value.count + removed.count }

  func child(at place: Int) -> InspectedChild? {
    if let difference = difference(at: place) { return difference.after ?? difference.before }
    return value.child(at: place - removed.indices.firstNot { removed[$0] < place })
  }

  /// Nil for a value that is in both containers.
  func difference(at place: Int) -> ValueDifference? {
    let index = places.indices.firstNot { places[$0] < place }
    return places.element(index) == place ? differences[index] : nil
  }

  /// A value inside, opened.
  func inside(_ place: Int) -> ComparedValue? {
    child(at: place).map { ComparedValue($0.value, difference(at: place)?.inner ?? []) }
  }
}
