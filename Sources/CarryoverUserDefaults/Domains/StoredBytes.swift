import CarryoverStorage
import PropertyLists

extension PropertyListValue {
  /// The value as bytes of a store: data and text as they are, booleans and numbers as JSON text, everything else as a
  /// binary property list, its keys sorted so that the same value gives the same bytes. Nil for a number JSON cannot say.
  var storedBytes: [UInt8]? {
    switch self {
    case .data(let bytes): bytes
    case .string(let text): Array(text.utf8)
    case .boolean(let value): Array((value ? "true" : "false").utf8)
    case .integer(let number): (number.int64.map(String.init) ?? number.uint64.map(String.init)).map { Array($0.utf8) }
    case .real(let number): number.value.isFinite ? Array("\(number.value)".utf8) : nil
    case .date, .array, .dictionary, .uid, .set, .null: try? PropertyListDocument.encode(sortedByKeys, as: .binary)
    }
  }
}
