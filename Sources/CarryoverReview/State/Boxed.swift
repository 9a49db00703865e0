/// A value behind a reference, copied when one of its holders changes it.
///
/// A state is moved about for every key. What it holds in this way takes a word of it, however large it is itself.
@propertyWrapper
package struct Boxed<Value> {
  private final class Box {
    // A struct holds the box, and only one of its holders can be in here at a time.
    @exclusivity(unchecked) var value: Value

    init(_ value: Value) { self.value = value }
  }

  private var box: Box

  /// A value that nobody else holds yet.
  package init(wrappedValue: Value) { box = Box(wrappedValue) }

  /// The value.
  package var wrappedValue: Value {
    _read { yield box.value }
    _modify {
      if !isKnownUniquelyReferenced(&box) { box = Box(box.value) }
      yield &box.value
    }
  }
}

/// It behaves as the value does: nobody sees what another holder does to it.
extension Boxed: @unchecked Sendable where Value: Sendable {}
