/// A plain property-list value.
enum PropertyListShape: KeyedShape {
  static let keepsOtherKeys = false

  static func leaf(_ value: KeyedValue) -> KeyedLeaf<PropertyListValue> {
    switch value {
    case .string(let text): .value(.string(text))
    case .integer(let integer): .value(.integer(integer))
    case .real(let real): .value(.real(real))
    case .boolean(let boolean): .value(.boolean(boolean))
    case .date(let date): .value(.date(date))
    case .data(let bytes): .value(.data(bytes))
    case .url(let url): url.text.map { .value(.string($0)) } ?? .leftOut(.relativeURL)
    case .uuid(let uuid): .value(.string(uuid.description))
    case .object(let object): .leftOut(.foreignClass(object.objectClass.name))
    case .cycle(let object): .leftOut(.cycle(object: object))
    case .null, .array, .set, .orderedSet, .dictionary: .value(.null)
    }
  }

  static func list(_ elements: [PropertyListValue], _ kind: KeyedValue.Kind) -> PropertyListValue {
    kind == .set ? .set(elements) : .array(elements)
  }

  static func pairs(_ pairs: [(name: String, value: PropertyListValue)]) -> PropertyListValue {
    .dictionary(PropertyListDictionary(entries: pairs.map { .init(key: $0.name, value: $0.value) }))
  }

  static func head(of object: KeyedObject) -> [(name: String, value: PropertyListValue)]? { nil }
}

/// JSON without values that it cannot represent.
enum JSONShape: KeyedShape {
  static let keepsOtherKeys = false

  static func leaf(_ value: KeyedValue) -> KeyedLeaf<JSONValue> {
    switch value {
    case .string(let text): .value(.string(text))
    case .integer(let integer): .value(.number(JSONNumber(checked: integer.description)))
    case .real(let real): JSONNumber(real.value).map { .value(.number($0)) } ?? .leftOut(.notFinite)
    case .boolean(let boolean): .value(.boolean(boolean))
    case .date(let date): date.isInCalendarRange ? .value(.string(date.description)) : .leftOut(.notFinite)
    case .data(let bytes): .value(.string(Base64.text(bytes)))
    case .url(let url): url.text.map { .value(.string($0)) } ?? .leftOut(.relativeURL)
    case .uuid(let uuid): .value(.string(uuid.description))
    case .object(let object): .leftOut(.foreignClass(object.objectClass.name))
    case .cycle(let object): .leftOut(.cycle(object: object))
    case .null, .array, .set, .orderedSet, .dictionary: .value(.null)
    }
  }

  static func list(_ elements: [JSONValue], _ kind: KeyedValue.Kind) -> JSONValue { .array(elements) }

  static func pairs(_ pairs: [(name: String, value: JSONValue)]) -> JSONValue {
    .object(pairs.map { JSONMember($0.name, $0.value) })
  }

  static func head(of object: KeyedObject) -> [(name: String, value: JSONValue)]? { nil }
}

/// JSON for display, without omissions.
enum ShownJSONShape: KeyedShape {
  static let keepsOtherKeys = true

  static func leaf(_ value: KeyedValue) -> KeyedLeaf<JSONValue> {
    switch value {
    case .real(let real) where !real.value.isFinite: .value(.string(real.description))
    case .date(let date): .value(.string(date.description))
    case .cycle(let object): .value(["$cycle": .number(JSONNumber(object))])
    case .url(let url) where url.text == nil:
      .value(["$relative": .string(url.relative), "$bases": JSONValue(url.bases)])
    default: JSONShape.leaf(value)
    }
  }

  static func list(_ elements: [JSONValue], _ kind: KeyedValue.Kind) -> JSONValue { .array(elements) }

  static func pairs(_ pairs: [(name: String, value: JSONValue)]) -> JSONValue { JSONShape.pairs(pairs) }

  static func head(of object: KeyedObject) -> [(name: String, value: JSONValue)]? {
    [("$class", .string(object.objectClass.name)), ("$classes", JSONValue(object.objectClass.chain))]
  }
}
