import Carryover
import PropertyLists

/// Why typed text does not fit its field, as sentences.
enum MismatchWording {
  static func sentence(_ mismatch: FormMismatch) -> String {
    switch mismatch {
    case .type(let kind): "The new SDK would read a value of type \(kind.rawValue) as absent."
    case .notDecimal: "This must be a whole number above 0, in digits alone, up to 18446744073709551615."
    case .notJSONObject(let line, let column):
      "This must be a JSON object; it stops being one at line \(line), column \(column)."
    case .outOfRange: "This integer is too large; the largest is 9223372036854775807."
    case .notBoolean: "This must be true or false."
    case .notInteger: "This must be a whole number in digits, such as 42."
    case .empty: "This must not be empty: the new SDK would keep the empty text for ever. Skip the field instead."
    }
  }
}
