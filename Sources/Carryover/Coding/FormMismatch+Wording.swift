import PropertyLists

extension FormMismatch: CustomStringConvertible {
  /// One sentence: what is wrong with the value, and what is needed.
  package var description: String {
    switch self {
    case .type(let kind): "The new SDK does not read \(ValueWording.name(kind)) here."
    case .notDecimal: "A whole number from 1 to 18446744073709551615 is needed, in digits only."
    case .notJSONObject(let error):
      "The text of a JSON object is needed, such as {\"plan\":\"pro\"}. "
        + (error?.description ?? "This is another JSON value.")
    case .notJSON(let error):
      "A string, a whole number, true or false is needed, as JSON." + (error.map { " " + $0.description } ?? "")
    case .outOfRange: "The number must be between -9223372036854775808 and 9223372036854775807."
    case .notBoolean: "Either true or false is needed."
    case .notInteger: "A whole number is needed, in digits."
    case .empty: "The new SDK would keep an empty text for ever; skip the field instead."
    }
  }
}
