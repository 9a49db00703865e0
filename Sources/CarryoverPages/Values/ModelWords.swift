package import Carryover
package import CarryoverStorage
import CarryoverVendors

extension Field {
  /// Whether the target's value is the legacy value itself.
  package var isChangedInPlace: Bool { legacy != nil && current == legacy && origin?.source == SourceKey(id) }

  package var reader: String {
    if model != nil { return "the app" }
    return id == ConvertNames.visitorMirror ? "Convert's SDK" : "the new SDK"
  }

  package var absence: String {
    if model != nil { return "absent from the model's own store" }
    let stores = id == ConvertNames.visitorMirror ? "stores of Convert's SDK" : "legacy store"
    return "absent from the \(stores)"
  }
}

extension TargetForm {
  /// `an integer`, `a JSON object in data`, `data`.
  package var article: String {
    if self == .data { return kind.word }
    let word = self == .jsonObjectData ? "JSON object in data" : kind.word
    return ("aeiou".contains(word.prefix(1)) ? "an " : "a ") + word
  }
}

extension ModelChange {
  package func name(_ shown: (String) -> String) -> String {
    let place = path.isEmpty ? "the whole" : shown(Self.text(path))
    guard let destination else { return place }
    return place + " → " + shown(Self.text(destination))
  }

  private static func text(_ path: [String]) -> String { path.joined(separator: ".") }
}

/// What all steps together do to a model's outermost members.
package struct ModelFates {
  private var places: [(first: [String]?, last: [String])] = []

  package init(_ steps: [TransformStep]) {
    for change in steps.flatMap(\.changes) {
      guard let destination = change.destination else {
        if change.kind == .added { places.append((nil, change.path)) }
        continue
      }
      if let index = places.firstIndex(where: { $0.last == change.path }) {
        places[index].last = destination
      } else {
        places.append((change.path, destination))
      }
    }
  }

  /// Where an outermost member of the old data is in the new.
  package func destination(of name: String) -> String? {
    places.first { $0.first == [name] }.map { $0.last.joined(separator: ".") }
  }

  /// Where an outermost member of the new data was in the old.
  package func origin(of name: String) -> String? {
    places.first { $0.last == [name] && $0.first != nil }?.first?.joined(separator: ".")
  }
}

/// Parts of a model as text, not escaped.
package enum ModelSummary {
  /// On one line, of which about `limit` columns will be shown: text in quotes, numbers as they are written.
  /// - Parameter shown: The value, masked if need be.
  package static func text(
    _ json: JSONValue, limit: Int = 200, _ shown: (PropertyListValue) -> PropertyListValue
  ) -> String {
    switch json {
    case .object, .array: return shown(.string(json.text())).inline(limit: limit)
    case .string(let text):
      guard case .string(let text) = shown(.string(text)) else { return "" }
      return "\"" + text.head(columns: limit) + "\""
    case .number(let number):
      let value =
        PropertyListInteger(number.lexeme).map(PropertyListValue.integer)
        ?? .real(PropertyListReal(number.double ?? .nan))
      // A property list spells numbers its own way; an unmasked number is shown as written.
      let seen = shown(value)
      return seen == value ? String(number.lexeme.prefix(limit)) : seen.inline(limit: limit)
    case .boolean, .null: return json.text()
    }
  }
}
