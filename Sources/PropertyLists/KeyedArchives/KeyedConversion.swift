package struct KeyedConversion<Value: Sendable>: Sendable {
  /// The converted value; nil if the value itself could not be converted.
  package let value: Value?
  /// The omitted values, in the order of the archive; at most 1,000.
  package let leftOut: [KeyedLeftOut]
  /// The number of omitted values, including those beyond 1,000.
  package let leftOutCount: Int

  package var isComplete: Bool { leftOutCount == 0 }

  var plain: (value: Value?, leftOut: [String]) { (value, leftOut.map(\.description)) }
}

package struct KeyedLeftOut: Sendable, Hashable, CustomStringConvertible {
  /// The path from the converted value; empty for that value itself.
  package let path: [Step]
  package let reason: Reason

  package init(path: [Step], reason: Reason) {
    self.path = path
    self.reason = reason
  }

  package enum Step: Sendable, Hashable {
    case name(String)
    /// An element or, in a dictionary, a pair whose key is not a string; counted from 0.
    case index(Int)
  }

  package enum Reason: Error, Sendable, Hashable {
    case foreignClass(String)
    case cycle(object: Int)
    case keyNotString(KeyedValue.Kind)
    case relativeURL
    /// For JSON, a number or date that is not finite, or a date outside the years 1 to 9999.
    case notFinite
  }

  package var pathText: String {
    path.reduce(into: "") { text, step in
      switch step {
      case .index(let index): text += "[\(index)]"
      case .name(let name): text += (text.isEmpty ? "" : ".") + name
      }
    }
  }

  /// A sentence: what was omitted, and why. Names are not escaped.
  package var description: String {
    let what =
      switch reason {
      case .foreignClass(let name): "is of the class “\(name)”, which is not a property-list class, and was skipped"
      case .cycle(let object): "contains itself (object \(object)) and was skipped there"
      case .keyNotString(let kind): "has \(kind.withArticle) as its key instead of a string and was skipped"
      case .relativeURL: "is a URL relative to another one and was skipped"
      case .notFinite: "is a number or date that JSON cannot express and was skipped"
      }
    return "\(path.isEmpty ? "The archive's value" : pathText) \(what)."
  }
}

extension KeyedValue {
  package func propertyList() -> KeyedConversion<PropertyListValue> { KeyedFold<PropertyListShape>.convert(self) }

  package func json() -> KeyedConversion<JSONValue> { KeyedFold<JSONShape>.convert(self) }

  /// The value as JSON without omissions, for display.
  ///
  /// An object has the members `$class` and `$classes` before its own; a cycle is `{"$cycle": number}`; a relative URL
  /// is `{"$relative": …, "$bases": […]}`. A dictionary with a key that is not a string is an array of objects with
  /// `key` and `value`. A number or date that is not finite is text.
  package var shownJSON: JSONValue { KeyedFold<ShownJSONShape>.convert(self).value ?? .null }
}

private protocol KeyedShape {
  associatedtype Output: Sendable
  /// The output for a value without children, and for an omitted object.
  static func leaf(_ value: KeyedValue) throws(KeyedLeftOut.Reason) -> Output
  /// The output for an array, a set or an ordered set.
  static func list(_ elements: [Output], isSet: Bool) -> Output
  static func pairs(_ pairs: [(name: String, value: Output)]) -> Output
  /// The output for an object of another class before its members; nil if such objects are omitted.
  static func head(of object: KeyedObject) -> [(name: String, value: Output)]?
  /// Whether a dictionary with other keys than strings becomes a list of keys and values; if not, omits those pairs.
  static var keepsOtherKeys: Bool { get }
}

extension KeyedShape {
  static func head(of object: KeyedObject) -> [(name: String, value: Output)]? { nil }
  static var keepsOtherKeys: Bool { false }
}

extension KeyedShape where Output == JSONValue {
  static func list(_ elements: [JSONValue], isSet: Bool) -> JSONValue { .array(elements) }

  static func pairs(_ pairs: [(name: String, value: JSONValue)]) -> JSONValue {
    .object(pairs.map { JSONMember($0.name, $0.value) })
  }
}

/// Converts from the leaves up. The readers' limit on depth bounds the recursion.
private struct KeyedFold<Shape: KeyedShape> {
  private var leftOut: [KeyedLeftOut] = []
  private var leftOutCount = 0
  private var path: [KeyedLeftOut.Step] = []

  static func convert(_ value: KeyedValue) -> KeyedConversion<Shape.Output> {
    var fold = KeyedFold()
    let output = fold.output(value)
    return KeyedConversion(value: output, leftOut: fold.leftOut, leftOutCount: fold.leftOutCount)
  }

  private mutating func output(_ value: KeyedValue) -> Shape.Output? {
    switch value {
    case .array(let values), .orderedSet(let values): return Shape.list(elements(values), isSet: false)
    case .set(let values): return Shape.list(elements(values), isSet: true)
    case .dictionary(let pairs): return dictionary(pairs)
    case .object(let object):
      guard let head = Shape.head(of: object) else { return leaf(value) }
      return Shape.pairs(head + named(object.members))
    default: return leaf(value)
    }
  }

  private mutating func dictionary(_ pairs: [KeyedPair]) -> Shape.Output {
    if Shape.keepsOtherKeys, pairs.contains(where: { $0.key.kind != .string }) {
      let elements = elements(
        pairs.map { .dictionary([KeyedPair(.string("key"), $0.key), KeyedPair(.string("value"), $0.value)]) })
      return Shape.list(elements, isSet: false)
    }
    var members: [KeyedMember] = []
    for (place, pair) in pairs.enumerated() {
      if case .string(let name) = pair.key {
        members.append(KeyedMember(name, pair.value))
      } else {
        note(.keyNotString(pair.key.kind), at: path + [.index(place)])
      }
    }
    return Shape.pairs(named(members))
  }

  private mutating func elements(_ values: [KeyedValue]) -> [Shape.Output] {
    var outputs: [Shape.Output] = []
    outputs.reserveCapacity(values.count)
    for (place, value) in values.enumerated() {
      if let output = output(value, under: .index(place)) { outputs.append(output) }
    }
    return outputs
  }

  private mutating func named(_ members: [KeyedMember]) -> [(name: String, value: Shape.Output)] {
    var outputs: [(name: String, value: Shape.Output)] = []
    for member in members {
      if let output = output(member.value, under: .name(member.name)) { outputs.append((member.name, output)) }
    }
    return outputs
  }

  private mutating func output(_ value: KeyedValue, under step: KeyedLeftOut.Step) -> Shape.Output? {
    path.append(step)
    defer { path.removeLast() }
    return output(value)
  }

  @inline(never)
  private mutating func leaf(_ value: KeyedValue) -> Shape.Output? {
    do {
      return try Shape.leaf(value)
    } catch {
      note(error, at: path)
      return nil
    }
  }

  private mutating func note(_ reason: KeyedLeftOut.Reason, at path: [KeyedLeftOut.Step]) {
    leftOutCount += 1
    if leftOut.count < 1000 { leftOut.append(KeyedLeftOut(path: path, reason: reason)) }
  }
}

private enum PropertyListShape: KeyedShape {
  static func leaf(_ value: KeyedValue) throws(KeyedLeftOut.Reason) -> PropertyListValue {
    switch value {
    case .string(let text): return .string(text)
    case .integer(let integer): return .integer(integer)
    case .real(let real): return .real(real)
    case .boolean(let boolean): return .boolean(boolean)
    case .date(let date): return .date(date)
    case .data(let bytes): return .data(bytes)
    case .url(let url):
      guard let text = url.text else { throw .relativeURL }
      return .string(text)
    case .uuid(let uuid): return .string(uuid.description)
    case .object(let object): throw .foreignClass(object.objectClass.name)
    case .cycle(let object): throw .cycle(object: object)
    case .null, .array, .set, .orderedSet, .dictionary: return .null
    }
  }

  static func list(_ elements: [PropertyListValue], isSet: Bool) -> PropertyListValue {
    isSet ? .set(elements) : .array(elements)
  }

  static func pairs(_ pairs: [(name: String, value: PropertyListValue)]) -> PropertyListValue {
    .dictionary(PropertyListDictionary(entries: pairs.map { .init(key: $0.name, value: $0.value) }))
  }
}

private enum JSONShape: KeyedShape {
  static func leaf(_ value: KeyedValue) throws(KeyedLeftOut.Reason) -> JSONValue {
    switch try PropertyListShape.leaf(value) {
    case .string(let text): return .string(text)
    case .integer(let integer): return .number(JSONNumber(checked: integer.description))
    case .real(let real):
      guard let number = JSONNumber(real.value) else { throw .notFinite }
      return .number(number)
    case .boolean(let boolean): return .boolean(boolean)
    case .date(let date):
      guard date.isInCalendarRange else { throw .notFinite }
      return .string(date.description)
    case .data(let bytes): return .string(Base64.text(bytes))
    default: return .null
    }
  }
}

private enum ShownJSONShape: KeyedShape {
  static let keepsOtherKeys = true

  static func leaf(_ value: KeyedValue) throws(KeyedLeftOut.Reason) -> JSONValue {
    switch value {
    case .real(let real) where !real.value.isFinite: .string(real.description)
    case .date(let date): .string(date.description)
    case .cycle(let object): ["$cycle": .number(JSONNumber(object))]
    case .url(let url) where url.text == nil: ["$relative": .string(url.relative), "$bases": JSONValue(url.bases)]
    default: try JSONShape.leaf(value)
    }
  }

  static func head(of object: KeyedObject) -> [(name: String, value: JSONValue)]? {
    [("$class", .string(object.objectClass.name)), ("$classes", JSONValue(object.objectClass.chain))]
  }
}
