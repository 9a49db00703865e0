import CarryoverStorage

extension SourceStore {
  /// The places as in the documentation, on one line.
  package var words: String { places.joined(separator: " or ") }
}

extension Candidate {
  /// The key and its transform, step by step.
  package var words: String {
    source.label + (transforms.isEmpty ? "" : ": " + transforms.map(\.title).joined(separator: ", then "))
  }
}

extension Candidate {
  /// The steps of its models, in words: "version 0 → 1: add email".
  package var modelSteps: [String] {
    transforms.flatMap { transform -> [String] in
      guard case .model(let rule) = transform else { return [] }
      return rule.migrator.steps.map { "version \($0.from) → \($0.to): \($0.title)" }
    }
  }
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
