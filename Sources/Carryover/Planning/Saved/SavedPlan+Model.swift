import CarryoverStorage
import PropertyLists

extension SavedPlan {
  /// The model in a field, with the effect of each step on its data; empty for other fields.
  static func model(_ field: Field) -> [JSONMember] {
    guard let model = field.model else { return [] }
    let steps = field.steps.compactMap(json)
    let version = model.version.map { JSONValue($0) } ?? .null
    return [
      JSONMember(
        "model",
        .object([
          JSONMember("name", .string(model.name)), JSONMember("from", version),
          JSONMember("to", steps.isEmpty ? version : JSONValue(model.newest)),
          JSONMember("newest", JSONValue(model.newest)), JSONMember("steps", .array(steps)),
        ]))
    ]
  }

  private static func json(_ step: TransformStep) -> JSONValue? {
    guard let from = step.version else { return nil }
    return .object([
      JSONMember("from", JSONValue(from)), JSONMember("to", JSONValue(from < Int.max ? from + 1 : from)),
      JSONMember("title", .string(step.operation ?? step.title)), JSONMember("changes", .array(step.changes.map(json))),
    ])
  }

  private static func json(_ change: ModelChange) -> JSONValue {
    .object([
      JSONMember("change", .string(change.kind.rawValue)), JSONMember("path", JSONValue(change.path)),
      JSONMember("destination", change.destination.map { JSONValue($0) } ?? .null),
      JSONMember("before", value(change.before)), JSONMember("after", value(change.after)),
    ])
  }

  /// A JSON value with its type, so that it can be masked. Objects and arrays are JSON text.
  private static func value(_ json: JSONValue?) -> JSONValue {
    guard let json else { return .null }
    let text: JSONValue
    switch json {
    case .string: text = json
    case .null: text = .null
    case .number(let number): text = .string(number.lexeme)
    case .boolean, .array, .object: text = .string(json.text())
    }
    return ["type": .string(json.kind.rawValue), "value": text]
  }
}
