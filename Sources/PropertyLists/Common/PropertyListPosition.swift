/// Where in a file something is.
package struct PropertyListPosition: Sendable, Hashable {
  /// The offset in bytes from the start of the file.
  package var offset: Int
  /// The line, counted from 1; XML and JSON only.
  package var line: Int?
  /// The column in characters, counted from 1; XML and JSON only.
  package var column: Int?
  /// The index in the object table; binary only.
  package var object: Int?

  package init(offset: Int, line: Int? = nil, column: Int? = nil, object: Int? = nil) {
    self.offset = offset
    self.line = line
    self.column = column
    self.object = object
  }
}

/// Turns offsets in ascending order into lines and columns in one pass over the text.
struct LineCounter {
  private let text: UnsafeBufferPointer<UInt8>
  private var offset = 0
  private var line = 1
  private var column = 1
  /// The number of UTF-16 units before the offset.
  private(set) var utf16Units = 0

  init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

  /// The line and column at an offset, which must not be smaller than the last one. A column is a Unicode scalar.
  mutating func position(at target: Int) -> (line: Int, column: Int) {
    while offset < target, offset < text.count {
      let byte = text[offset]
      offset += 1
      if byte & 0xC0 != 0x80 { utf16Units += byte >= 0xF0 ? 2 : 1 }
      if byte == 0x0A || (byte == 0x0D && !(offset < text.count && text[offset] == 0x0A)) {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80, byte != 0x0D {
        column += 1
      }
    }
    return (line, column)
  }
}
