import CarryoverStorage

extension SourceStore {
  /// The places as in the documentation, on one line.
  package var words: String { places.joined(separator: " or ") }
}

extension TargetForm {
  /// The required form, with its article: "a string of decimal digits".
  package var words: String {
    switch self {
    case .string: "a string"
    case .decimalString: "a string of decimal digits"
    case .jsonObjectString: "a string with a JSON object"
    case .jsonObjectData: "data with a JSON object"
    case .data: "data"
    case .boolean: "a boolean"
    case .integer: "an integer"
    }
  }
}
