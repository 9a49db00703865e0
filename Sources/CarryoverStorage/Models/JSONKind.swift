package import PropertyLists

/// The types of a JSON value, as steps and reports name them.
public enum JSONKind: String, Hashable, Sendable, CaseIterable {
  case object, array, string, number, boolean, null
}

extension JSONValue {
  /// The value's type.
  package var kind: JSONKind {
    switch self {
    case .object: .object
    case .array: .array
    case .string: .string
    case .number: .number
    case .boolean: .boolean
    case .null: .null
    }
  }

  /// The value converted to another type; nil if that is not possible.
  ///
  /// A string becomes the number or boolean that it spells in JSON; a number or boolean becomes its JSON text; 1 and 0
  /// become true and false, and back. Objects, arrays and null are not converted.
  func converted(to kind: JSONKind) -> JSONValue? {
    if kind == self.kind { return self }
    switch (self, kind) {
    case (.string(let text), .number): return JSONNumber(lexeme: text).map(JSONValue.number)
    case (.string("true"), .boolean): return true
    case (.string("false"), .boolean): return false
    case (.number(let number), .string): return .string(number.lexeme)
    case (.boolean(let value), .string): return .string(value ? "true" : "false")
    case (.boolean(let value), .number): return value ? 1 : 0
    case (.number(let number), .boolean): return number.int64 == 1 ? true : number.int64 == 0 ? false : nil
    default: return nil
    }
  }
}
