package import Carryover
import CarryoverStorage

/// Inspected values in words and on one line, not escaped.
package enum InspectedText {
  /// After unpacking: `string`, `object`, `ordered set`, or an archived object's class name.
  package static func type(_ value: InspectedValue) -> String { type(value.content) }
  package static func rawType(_ value: InspectedValue) -> String { type(value.raw) }

  /// Outermost last: `JSON in a string`, `keyed archive in data`; nil if it was not packed.
  package static func packing(_ value: InspectedValue) -> String? {
    if value.isLeftPacked, value.packings.isEmpty { return "packed " + type(value) }
    guard !value.packings.isEmpty else { return nil }
    return steps(value).reversed().joined(separator: " in a ")
  }

  /// On one line: a packed container by its form and size, other values as ``FieldSummary/text(_:limit:)`` shows them.
  /// Reads no more of a long text than `limit` columns need.
  package static func inline(_ value: InspectedValue, limit: Int = 200) -> String {
    if value.isLeftPacked { return "\(value.content.byteCount) bytes, not opened here" }
    let plain = plain(value.content, limit: limit)
    guard let last = value.packings.last, let step = steps(value).last else { return plain }
    let outer = steps(value).dropLast().reversed().map { " in a " + $0 }.joined()
    switch (last, value.content) {
    case (.keyedArchive, .keyed(.object(let object))):
      return "keyed archive of " + object.objectClass.name.head(columns: limit) + outer
    case (.jsonText, _), (.jsonData, _):
      return "JSON \(plain) in \(last == .jsonText ? "a string" : "data")" + outer
    case (.binaryPropertyList, _) where value.isContainer:
      return "binary property list of \(value.count) \(value.contentNoun) in data" + outer
    case (.xmlPropertyList, _) where value.isContainer:
      return "XML property list of \(value.count) \(value.contentNoun) in \(value.isText ? "a string" : "data")" + outer
    default: return step + outer + ": " + plain
    }
  }

  /// The columns of a table's row, each with its value, up to about so many columns of text: `id 1, name Ada`.
  /// - Parameter shown: the text of a value that is no secret.
  package static func columns(
    of row: InspectedValue, limit: Int, shown: (InspectedValue) -> String = { inline($0, limit: 80) }
  ) -> String {
    var text = ""
    for place in 0..<row.count where text.utf8.count / 4 <= limit {
      guard let child = row.child(at: place), let name = child.label.name else { continue }
      let value = Secrets.holds(child) ? Secrets.standIn : shown(child.value(limits: .row))
      text += (text.isEmpty ? "" : ", ") + name + " " + value
    }
    return text
  }

  /// All of a value's text, for a clipboard; nil for data and containers.
  package static func whole(_ value: InspectedValue) -> String? {
    switch value.content {
    case .propertyList(let value): value.editableText
    case .json(.string(let text)): text
    case .json(.object), .json(.array): nil
    case .json(let scalar): scalar.text()
    case .keyed(.url(let url)): url.text ?? url.relative
    case .keyed(.uuid(let uuid)): uuid.description
    case .keyed: nil
    }
  }

  private static func type(_ content: InspectedValue.Content) -> String {
    switch content {
    case .propertyList(let value): value.kind.word
    case .json(let json): json.kind.rawValue
    case .keyed(.object(let object)): object.objectClass.name.head(columns: 200)
    case .keyed(let keyed): keyed.kind.word
    }
  }

  private static func plain(_ content: InspectedValue.Content, limit: Int) -> String {
    switch content {
    case .propertyList(let value): return value.inline(limit: limit)
    case .json(.object(let members)): return "object of \(counted(members.count, "member"))"
    case .json(.array(let values)): return "array of \(counted(values.count, "element"))"
    case .json(.string(let text)): return PropertyListValue.string(text).inline(limit: limit)
    case .json(.number(let number)): return number.lexeme.head(columns: limit)
    case .json(let scalar): return scalar.text()
    case .keyed(let keyed): return plain(keyed, limit: limit)
    }
  }

  private static func plain(_ keyed: KeyedValue, limit: Int) -> String {
    switch keyed {
    case .array(let values): "array of \(counted(values.count, "element"))"
    case .set(let values): "set of \(counted(values.count, "element"))"
    case .orderedSet(let values): "ordered set of \(counted(values.count, "element"))"
    case .dictionary(let pairs): "dictionary of \(counted(pairs.count, "key"))"
    case .object(let object):
      object.objectClass.name.head(columns: limit) + " of \(counted(object.members.count, "member"))"
    case .url(let url): url.relative.head(columns: limit)
    case .uuid(let uuid): uuid.description
    case .cycle(let object): "contains itself (object \(object))"
    case .plain(let value): value.inline(limit: limit)
    }
  }

  /// Outermost first; a keyed archive replaces the property list around it.
  private static func steps(_ value: InspectedValue) -> [String] {
    var steps: [String] = []
    for packing in value.packings {
      switch packing {
      case .jsonText: steps.append("JSON in a string")
      case .jsonData: steps.append("JSON in data")
      case .binaryPropertyList: steps.append("binary property list in data")
      case .xmlPropertyList: steps.append("XML property list in " + (value.isText ? "a string" : "data"))
      case .keyedArchive:
        let holder = steps.popLast()
        steps.append("keyed archive" + (holder.map { $0.hasSuffix("string") ? " in a string" : " in data" } ?? ""))
      case .utf8Text: steps.append("text in data")
      }
    }
    return steps
  }
}

extension DatabaseTable {
  /// `id INTEGER (key), name TEXT`.
  package var columnWords: String {
    columns.map { column in
      column.name + (column.type.isEmpty ? "" : " " + column.type) + (column.isKey ? " (key)" : "")
    }.joined(separator: ", ")
  }
}

extension InspectedValue.Content {
  var string: String? {
    switch self {
    case .propertyList(.string(let text)), .json(.string(let text)): text
    default: nil
    }
  }
}

extension InspectedValue {
  /// Whether it is stored as text.
  fileprivate var isText: Bool {
    switch raw {
    case .propertyList(.string), .json(.string): true
    default: false
    }
  }

  /// The type as it is stored, in at most eight letters.
  package var typeWord: String {
    switch raw {
    case .propertyList(.dictionary), .keyed(.dictionary): "dict"
    case .keyed(.object): "object"
    case .keyed(.orderedSet): "set"
    default: InspectedText.rawType(self)
    }
  }

  package var typeWords: String {
    var words = InspectedText.type(self)
    if case .keyed(.object) = content { words = "object of class " + words }
    guard let packing = InspectedText.packing(self) else { return words }
    return packings.isEmpty ? packing : packing + ": " + words
  }

  package var data: [UInt8]? {
    switch content {
    case .propertyList(.data(let bytes)): bytes
    default: nil
    }
  }

  package var string: String? { content.string }

  /// The value as a property list has it; nil for containers and values without such a form.
  package var scalar: PropertyListValue? {
    switch content {
    case .propertyList(let value): value
    case .json(.string(let text)): .string(text)
    case .json(.number(let number)): .string(number.lexeme)
    case .json(.boolean(let flag)): .boolean(flag)
    case .json(.null): .null
    case .json: nil
    case .keyed(let value): value.propertyList().value
    }
  }

  package func searchText(limit: Int) -> String { string ?? InspectedText.inline(self, limit: limit) }

  /// `3 keys`, `1 element`, `empty`.
  package var contentWords: String { count == 0 ? "empty" : "\(count) \(contentNoun)" }

  var contentNoun: String {
    let noun =
      switch content {
      case .propertyList(.dictionary), .keyed(.dictionary): "key"
      case .json(.object), .keyed(.object): "member"
      default: "element"
      }
    return count == 1 ? noun : noun + "s"
  }
}
