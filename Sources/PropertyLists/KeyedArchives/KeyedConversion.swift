package struct KeyedConversion<Value: Sendable>: Sendable {
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
  package func propertyList() -> KeyedConversion<PropertyListValue> {
    KeyedFold.convert(self, to: .propertyList) { $0 }
  }

  package func json() -> KeyedConversion<JSONValue> {
    KeyedFold.convert(self, to: .json) { JSONValue(expressing: $0) }
  }

  /// The value as JSON without omissions, for display.
  ///
  /// An object has the members `$class` and `$classes` before its own; a cycle is `{"$cycle": number}`; a relative URL
  /// is `{"$relative": …, "$bases": […]}`. A dictionary with a key that is not a string is an array of objects with
  /// `key` and `value`. A number or date that is not finite is text.
  package var shownJSON: JSONValue {
    KeyedFold.convert(self, to: .shown) { JSONValue(expressing: $0) }.value ?? .null
  }
}

/// Converts from the leaves up. The readers' limit on depth bounds the recursion.
private struct KeyedFold {
  enum Form {
    case propertyList
    /// Only values that JSON can express.
    case json
    /// The same, without omissions.
    case shown
  }

  private let form: Form
  private var leftOut: [KeyedLeftOut] = []
  private var leftOutCount = 0
  private var path: [KeyedLeftOut.Step] = []

  private init(_ form: Form) { self.form = form }

  static func convert<Output>(
    _ value: KeyedValue, to form: Form, _ expressed: (PropertyListValue) -> Output?
  ) -> KeyedConversion<Output> {
    var fold = KeyedFold(form)
    let output = fold.output(value).flatMap(expressed)
    return KeyedConversion(value: output, leftOut: fold.leftOut, leftOutCount: fold.leftOutCount)
  }

  private mutating func output(_ value: KeyedValue) -> PropertyListValue? {
    switch value {
    case .array(let values), .orderedSet(let values): return .array(elements(values))
    case .set(let values): return form == .propertyList ? .set(elements(values)) : .array(elements(values))
    case .dictionary(let pairs): return dictionary(pairs)
    case .object(let object) where form == .shown:
      let classes = PropertyListValue.array(object.objectClass.chain.map(PropertyListValue.string))
      let head: PropertyListDictionary = ["$class": .string(object.objectClass.name), "$classes": classes]
      return .dictionary(PropertyListDictionary(entries: head.entries + entries(object.members)))
    default: return leaf(value)
    }
  }

  private mutating func dictionary(_ pairs: [KeyedPair]) -> PropertyListValue {
    if form == .shown, pairs.contains(where: { $0.name == nil }) {
      return .array(elements(pairs.map { .dictionary([KeyedPair("key", $0.key), KeyedPair("value", $0.value)]) }))
    }
    var members: [KeyedMember] = []
    for (place, pair) in pairs.enumerated() {
      if let name = pair.name {
        members.append(KeyedMember(name, pair.value))
      } else {
        note(.keyNotString(pair.key.kind), at: path + [.index(place)])
      }
    }
    return .dictionary(PropertyListDictionary(entries: entries(members)))
  }

  private mutating func elements(_ values: [KeyedValue]) -> [PropertyListValue] {
    var outputs: [PropertyListValue] = []
    outputs.reserveCapacity(values.count)
    for (place, value) in values.enumerated() {
      if let output = output(value, under: .index(place)) { outputs.append(output) }
    }
    return outputs
  }

  private mutating func entries(_ members: [KeyedMember]) -> [PropertyListDictionary.Entry] {
    var entries: [PropertyListDictionary.Entry] = []
    for member in members {
      if let output = output(member.value, under: .name(member.name)) {
        entries.append(.init(key: member.name, value: output))
      }
    }
    return entries
  }

  private mutating func output(_ value: KeyedValue, under step: KeyedLeftOut.Step) -> PropertyListValue? {
    path.append(step)
    defer { path.removeLast() }
    return output(value)
  }

  @inline(never)
  private mutating func leaf(_ value: KeyedValue) -> PropertyListValue? {
    do {
      return try converted(value)
    } catch {
      note(error, at: path)
      return nil
    }
  }

  /// The value of a leaf, or of an object that is omitted.
  private func converted(_ value: KeyedValue) throws(KeyedLeftOut.Reason) -> PropertyListValue {
    let isShown = form == .shown
    switch value {
    case .plain(let value) where form == .propertyList: return value
    case .plain(.real(let real)) where !real.value.isFinite:
      guard isShown else { throw .notFinite }
      return .string(real.description)
    case .plain(.date(let date)):
      guard isShown || date.isInCalendarRange else { throw .notFinite }
      return .string(date.description)
    case .plain(.data(let bytes)): return .string(Base64.text(bytes))
    case .plain(let value): return value
    case .url(let url):
      if let text = url.text { return .string(text) }
      guard isShown else { throw .relativeURL }
      return ["$relative": .string(url.relative), "$bases": .array(url.bases.map(PropertyListValue.string))]
    case .uuid(let uuid): return .string(uuid.description)
    case .object(let object): throw .foreignClass(object.objectClass.name)
    case .cycle(let object):
      guard isShown else { throw .cycle(object: object) }
      return ["$cycle": .integer(PropertyListInteger(object))]
    case .array, .set, .orderedSet, .dictionary: return .null
    }
  }

  private mutating func note(_ reason: KeyedLeftOut.Reason, at path: [KeyedLeftOut.Step]) {
    leftOutCount += 1
    if leftOut.count < 1000 { leftOut.append(KeyedLeftOut(path: path, reason: reason)) }
  }
}
