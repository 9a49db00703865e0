import CarryoverSystem
import PropertyLists

extension Transform {
  /// The step in a few words, with the recipe's own texts. Not escaped: escape it for display.
  package var title: String {
    switch self {
    case .exactText: "as text"
    case .numberText: "as the shortest text"
    case .wholeNumber: "a whole number"
    case .integerFromText: "the integer it spells"
    case .prefix(let prefix): "with \(DisplayText.quoted(prefix)) before it"
    case .dropPrefix(let prefix): "without \(DisplayText.quoted(prefix)) at its start"
    case .lowercase: "in lower case"
    case .uppercase: "in upper case"
    case .boolean: "true or false"
    case .invert: "inverted"
    case .isPresent: "true, because there is a value"
    case .only(let values): "only \(Self.words(values))"
    case .except(let values): "not \(Self.words(values))"
    case .map(let entries):
      entries.map { "\(Self.words([$0.from])) → \(Self.words([$0.to]))" }.joined(separator: ", ")
    case .pastSecondsToMilliseconds: "seconds → milliseconds, a moment not in the future"
    case .millisecondsToSeconds: "milliseconds → seconds"
    case .dateToMilliseconds: "date → milliseconds"
    case .iso8601: "date → ISO 8601 text"
    case .jsonWithoutMembers(let names): "without \(names.joined(separator: ", "))"
    case .jsonOnlyMembers(let names): "only the members \(names.joined(separator: ", "))"
    case .jsonRenamedMembers(let entries):
      "with other names: " + entries.map { "\($0.from) → \($0.to)" }.joined(separator: ", ")
    case .archivedJSON: "keyed archive → JSON"
    case .jsonText: "as JSON text"
    case .decimalPropertyList: "JSON → property list with decimal numbers"
    case .propertyListData: "as a binary property list"
    case .keyedArchive: "as a keyed archive"
    case .wrap(let name): "in a dictionary under \(name)"
    case .unwrap(let name): "the value under \(name), the only key"
    case .model(let rule): rule.title
    }
  }

  static func words(_ values: [PropertyListValue]) -> String {
    values.map { value in
      switch value {
      case .string(let text): DisplayText.quoted(text)
      case .boolean(let flag): "\(flag)"
      case .integer(let integer): integer.description
      default: "a value"
      }
    }.joined(separator: " or ")
  }
}
