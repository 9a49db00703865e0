import PropertyLists

extension FormMismatch: CustomStringConvertible {
  /// One sentence: the defect of the value, and the required form.
  package var description: String {
    switch self {
    case .type(let kind): "The new SDK does not read \(ValueWording.name(kind)) here."
    case .notDecimal: "Enter an integer from 1 to 18446744073709551615, digits only."
    case .notJSONObject(let error):
      "Enter a JSON object, such as {\"plan\":\"pro\"}. "
        + (error?.description ?? "This is another JSON value.")
    case .notJSON(let error):
      "Enter a JSON string, an integer, true or false." + (error.map { " " + $0.description } ?? "")
    case .outOfRange: "The number must be between -9223372036854775808 and 9223372036854775807."
    case .notBoolean: "Enter true or false."
    case .notHexadecimal: "Enter the bytes as pairs of hexadecimal digits, such as 0aff."
    case .notInteger: "Not an integer. Enter digits, such as 42."
    case .empty: "The new SDK would keep the empty string; skip the field instead."
    }
  }
}
