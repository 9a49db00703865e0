import PropertyLists

/// The text for an error that is the cause of another. Messages end up in logs and never contain a user's values.
package enum ErrorText {
  /// An error's own text; for an error that quotes what it could not decode or read, only its kind and the place.
  package static func withoutValues(_ error: any Error) -> String {
    switch error {
    case let error as DecodingError: text(error)
    case let error as EncodingError: text(error)
    case let error as JSONError: error.withoutText.description
    default: "\(error)"
    }
  }

  private static func text(_ error: DecodingError) -> String {
    switch error {
    case .typeMismatch(let type, let context): "a value \(place(context.codingPath)) is not of type \(type)"
    case .valueNotFound(let type, let context): "a value of type \(type) is missing \(place(context.codingPath))"
    case .keyNotFound(let key, let context): "there is no value \(place(context.codingPath + [key]))"
    case .dataCorrupted(let context): "a value \(place(context.codingPath)) is not valid for its type"
    @unknown default: "a value could not be decoded"
    }
  }

  private static func text(_ error: EncodingError) -> String {
    switch error {
    case .invalidValue(_, let context): "a value \(place(context.codingPath)) could not be encoded"
    @unknown default: "a value could not be encoded"
    }
  }

  /// The key of an array's element is its index.
  private static func place(_ path: [any CodingKey]) -> String {
    path.isEmpty
      ? "at the top level"
      : "at \(DisplayText.quoted(path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")))"
  }
}
