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

/// Names that a user may have meant with a text that is not one of them. Only the beginning of a long text counts.
package enum Nearest {
  /// The name that the fewest letters separate from a text; nil if none is near.
  package static func name(to text: String, among names: [String]) -> String? {
    let wanted = Array(text.prefix(40).lowercased().unicodeScalars)
    let nearest = names.map { (name: $0, distance: distances(wanted, $0).last ?? wanted.count) }
      .min { $0.distance < $1.distance }
    guard let nearest, nearest.distance <= max(1, min(3, wanted.count / 2)) else { return nil }
    return nearest.name
  }

  /// The names most similar to a text, most similar first, however different they are.
  ///
  /// Names that contain the text come first; then names that begin like it, with or without the part before a dot.
  package static func names(to text: String, among names: [String], limit: Int = 3) -> [String] {
    let wanted = text.prefix(60).lowercased()
    let containing = wanted.isEmpty ? [] : names.filter { $0.contains(wanted) }
    let scalars = Array(wanted.unicodeScalars)
    // The user may have typed only the beginning of a name.
    func distance(_ name: String) -> Int { distances(scalars, name).min() ?? scalars.count }
    let others = names.filter { !containing.contains($0) }.map { name in
      (name: name, distance: min(distance(name), distance(String(name.drop { $0 != "." }.dropFirst()))))
    }
    let byDistance = others.enumerated().sorted {
      ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset)
    }
    return Array((containing + byDistance.map(\.element.name)).prefix(max(0, limit)))
  }

  /// The number of letters to insert, remove, exchange or swap with the next to convert a text to each beginning of
  /// a name, the empty one first and the whole name last.
  private static func distances(_ text: [Unicode.Scalar], _ name: String) -> [Int] {
    let name = Array(name.unicodeScalars)
    var above: [Int] = []
    var row = Array(0...name.count)
    for (index, scalar) in text.enumerated() {
      var next = [index + 1]
      for (column, other) in name.enumerated() {
        var best = min(row[column + 1] + 1, next[column] + 1, row[column] + (other == scalar ? 0 : 1))
        if index > 0, column > 0, other == text[index - 1], name[column - 1] == scalar {
          best = min(best, above[column - 1] + 1)
        }
        next.append(best)
      }
      (above, row) = (row, next)
    }
    return row
  }
}

/// Who reads a text: it names options of the command, or keys of the review, only to those who can give them.
package enum Reader: Hashable, Sendable {
  case command
  /// The user of the review, where this key opens the setup.
  case review(setup: String)
  /// The developer of an app or a tool that embeds the library.
  case app

  /// - Parameter review: with `%` for the key that opens the setup; nil if the words for an app suit the review.
  package func words(_ command: String, _ app: String, review: String? = nil) -> String {
    switch self {
    case .command: command
    case .review(let setup): review?.replacing("%", with: setup) ?? app
    case .app: app
    }
  }
}

/// Calls a function, and converts the error that it throws.
package func converting<Result, Failure, Converted: Error>(
  _ call: @autoclosure () throws(Failure) -> Result, _ convert: (Failure) -> Converted
) throws(Converted) -> Result {
  do {
    return try call()
  } catch {
    throw convert(error)
  }
}
