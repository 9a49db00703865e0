/// The result of converting a keyed value, and the omitted values.
package struct KeyedConversion<Value: Sendable>: Sendable {
  /// The converted value; nil if the value itself could not be converted.
  package let value: Value?
  /// The omitted values, in the order of the archive; at most 1,000.
  package let leftOut: [KeyedLeftOut]
  /// The number of omitted values, including those beyond 1,000.
  package let leftOutCount: Int

  /// Whether nothing was omitted.
  package var isComplete: Bool { leftOutCount == 0 }

  /// The value, and a sentence for each omitted value.
  var plain: (value: Value?, leftOut: [String]) { (value, leftOut.map(\.description)) }
}

/// A value that a conversion omitted, and the reason.
package struct KeyedLeftOut: Sendable, Hashable {
  /// The path from the converted value; empty for that value itself.
  package let path: [Step]
  /// The reason.
  package let reason: Reason

  package init(path: [Step], reason: Reason) {
    self.path = path
    self.reason = reason
  }

  /// A step into a value.
  package enum Step: Sendable, Hashable {
    /// The value under a key of a dictionary.
    case name(String)
    /// An element or, in a dictionary, a pair whose key is not a string; counted from 0.
    case index(Int)
  }

  /// The reason, as data.
  package enum Reason: Sendable, Hashable {
    /// It is an object of this class.
    case foreignClass(String)
    /// It is an object that contains itself.
    case cycle(object: Int)
    /// The key of a pair is not a string.
    case keyNotString(KeyedValue.Kind)
    /// A URL that is relative to another one.
    case relativeURL
    /// For JSON, a number or date that is not finite, or a date outside the years 1 to 9999.
    case notFinite
  }

  /// The path as text: `address.lines[2]`. Names are not escaped.
  package var pathText: String { KeyedArchiveWording.path(path) }
}

extension KeyedLeftOut: CustomStringConvertible {
  /// A sentence: what was omitted, and why. Names are not escaped.
  package var description: String { KeyedArchiveWording.sentence(for: self) }
}

extension KeyedValue {
  /// The value as a plain property-list value, as in ``KeyedArchive/propertyList()``.
  package func propertyList() -> KeyedConversion<PropertyListValue> { KeyedFold<PropertyListShape>.convert(self) }

  /// The value as JSON, as in ``KeyedArchive/json()``; for traits.
  package func json() -> KeyedConversion<JSONValue> { KeyedFold<JSONShape>.convert(self) }

  /// The value as JSON without omissions, for display.
  ///
  /// An object has the members `$class` and `$classes` before its own; a cycle is `{"$cycle": number}`; a relative URL
  /// is `{"$relative": …, "$bases": […]}`. A dictionary with a key that is not a string is an array of objects with
  /// `key` and `value`. A number or date that is not finite is text.
  package var shownJSON: JSONValue { KeyedFold<ShownJSONShape>.convert(self).value ?? .null }
}
