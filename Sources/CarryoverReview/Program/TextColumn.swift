/// The texts of each row of a list one after the other, each ended by a byte that no text has.
struct TextColumn: Sendable {
  private(set) var bytes: [UInt8] = []
  /// Where the texts of each row end.
  private var ends: [Int] = []
  private let isExact: Bool

  /// Never a byte of UTF-8, so that no match reaches from one text into another.
  private static let separator: UInt8 = 0xFF

  init(isExact: Bool, count: Int) {
    self.isExact = isExact
    ends.reserveCapacity(count)
  }

  mutating func append(_ text: String, limit: Int = .max) {
    var text = text
    let isExact = isExact
    let isDone = text.withUTF8 { utf8 in
      let head = utf8.prefix(limit)
      if isExact {
        bytes.append(contentsOf: head)
        return true
      }
      guard head.allSatisfy({ $0 < 0x80 }) else { return false }
      for byte in head { bytes.append(byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte) }
      return true
    }
    if !isDone { bytes.append(contentsOf: text.lowercased().utf8.prefix(limit)) }
    bytes.append(Self.separator)
  }

  /// Ends the texts of a row.
  mutating func close() { ends.append(bytes.count) }

  /// The rows that hold a text, ascending.
  func rows(holding wanted: SearchText) -> [Int] {
    wanted.bytes.withUnsafeBufferPointer { bytes in
      read { reader in reader.ends.indices.filter { reader.holds(bytes, at: $0) } }
    }
  }

  /// Lets the texts be read where they are.
  func read<Result>(_ body: (Reader) -> Result) -> Result {
    bytes.withUnsafeBufferPointer { bytes in ends.withUnsafeBufferPointer { body(Reader(bytes: bytes, ends: $0)) } }
  }

  /// Lets the texts of several columns be read where they are.
  static func read(_ columns: [TextColumn], _ readers: [Reader] = [], _ body: ([Reader]) -> Void) {
    guard readers.count < columns.count else { return body(readers) }
    columns[readers.count].read { read(columns, readers + [$0], body) }
  }

  struct Reader {
    let bytes: UnsafeBufferPointer<UInt8>
    let ends: UnsafeBufferPointer<Int>

    func holds(_ wanted: UnsafeBufferPointer<UInt8>, at position: Int) -> Bool {
      guard position < ends.count else { return false }
      return SearchText.contains(bytes, (position == 0 ? 0 : ends[position - 1])..<ends[position], wanted)
    }
  }
}
