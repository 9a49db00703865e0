import CarryoverStorage
import PropertyLists

extension PropertyListValue {
  /// The value as bytes of a store. Data and text are unchanged, booleans and numbers are JSON text, and all others are
  /// a binary property list with sorted keys, so that equal values give equal bytes. Nil for a number without JSON
  /// text.
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
