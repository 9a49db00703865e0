/// Maps names to file names, one to one.
enum FileNameEscaping {
  private static let digits = Array("0123456789abcdef".utf8)
  private static let ending = ".data"

  static func fileName(_ name: String) -> String { escaped(name) + ending }

  /// The file name of a name's lock, which no name has.
  static func lockName(_ name: String) -> String { escaped(NameStem.of(name)) + ".carryover-lock" }

  private static func escaped(_ name: String) -> String {
    var bytes: [UInt8] = []
    for byte in name.utf8 {
      if isPlain(byte, isFirst: bytes.isEmpty) {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The name that a file name encodes; nil if ``fileName(_:)`` does not produce that file name.
  static func name(_ file: String) -> String? {
    guard file.hasSuffix(ending) else { return nil }
    var bytes: [UInt8] = []
    var rest = Array(file.utf8.dropLast(ending.utf8.count))[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(digits.firstIndex), let low = rest.popFirst().flatMap(digits.firstIndex)
      else { return nil }
      bytes.append(UInt8(high << 4 | low))
    }
    let name = String(decoding: bytes, as: UTF8.self)
    return !name.isEmpty && fileName(name) == file ? name : nil
  }

  private static func isPlain(_ byte: UInt8, isFirst: Bool) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
      UInt8(ascii: "_"):
      true
    case UInt8(ascii: "."): !isFirst
    default: false
    }
  }
}
