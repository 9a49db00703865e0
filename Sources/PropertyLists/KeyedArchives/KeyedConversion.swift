/// What a conversion made of a keyed value, and what it had to leave out.
package struct KeyedConversion<Value: Sendable>: Sendable {
  /// Everything that could be converted; nil when the value itself could not.
  package let value: Value?
  /// What was left out, in the order of the archive; at most a thousand.
  package let leftOut: [KeyedLeftOut]
  /// How many were left out, those beyond a thousand included.
  package let leftOutCount: Int

  /// True when nothing was left out.
  package var isComplete: Bool { leftOutCount == 0 }

  /// The value, and a sentence for each value left out.
  var plain: (value: Value?, leftOut: [String]) { (value, leftOut.map(\.description)) }
}

/// Something that a conversion left out, and why.
package struct KeyedLeftOut: Sendable, Hashable {
  /// The way to it from the value that was converted; empty for that value itself.
  package let path: [Step]
  /// Why.
  package let reason: Reason

  /// Something left out, as given.
  package init(path: [Step], reason: Reason) {
    self.path = path
    self.reason = reason
  }

  /// A step into a value.
  package enum Step: Sendable, Hashable {
    /// The value under a key of a dictionary.
    case name(String)
    /// An element, or of a dictionary the pair when its key is no string, counted from 0.
    case index(Int)
  }

  /// Why something was left out, as data.
  package enum Reason: Sendable, Hashable {
    /// It is an object of this class.
    case foreignClass(String)
    /// It is an object that contains itself.
    case cycle(object: Int)
    /// The key of a pair is no string.
    case keyNotString(KeyedValue.Kind)
    /// A URL that is relative to another one.
    case relativeURL
    /// A number or date that is none or infinite, for JSON; a date outside the years 1 to 9999 too.
    case notFinite
  }

  /// The way as text: `address.lines[2]`. Names are not escaped.
  package var pathText: String { KeyedArchiveWording.path(path) }
}

extension KeyedLeftOut: CustomStringConvertible {
  /// A sentence: what was left out, why. Names are not escaped.
  package var description: String { KeyedArchiveWording.sentence(for: self) }
}

extension KeyedValue {
  /// The value as a plain property-list value, as ``KeyedArchive/propertyList()`` says.
  package func propertyList() -> KeyedConversion<PropertyListValue> { KeyedFold<PropertyListShape>.convert(self) }

  /// The value as JSON, as ``KeyedArchive/json()`` says: what traits become.
  package func json() -> KeyedConversion<JSONValue> { KeyedFold<JSONShape>.convert(self) }

  /// The value as JSON with nothing left out, for showing.
  ///
  /// An object has the members `$class` and `$classes` before its own, a cycle is `{"$cycle": number}`, a relative URL
  /// `{"$relative": …, "$bases": […]}`. A dictionary with a key that is no string is an array of objects with `key` and
  /// `value`. A number or date that is none is text.
  package var shownJSON: JSONValue { KeyedFold<ShownJSONShape>.convert(self).value ?? .null }
}
