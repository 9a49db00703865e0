/// Puts binary property lists together from raw objects, well formed or not.
struct BinaryBuilder {
  var objects: [[UInt8]]
  var root: UInt64 = 0
  var offsetSize = 2
  var referenceSize = 1
  var header = Array("bplist00".utf8)
  var offsets: [UInt64]?
  var count: UInt64?
  var table: UInt64?
  var reserved: [UInt8] = [0, 0, 0, 0, 0, 0]

  init(_ objects: [[UInt8]]) { self.objects = objects }

  /// An ASCII string object of up to 14 characters.
  static func ascii(_ text: String) -> [UInt8] { [0x50 | UInt8(text.utf8.count)] + Array(text.utf8) }

  static func bigEndian(_ value: UInt64, _ size: Int) -> [UInt8] {
    (0..<size).reversed().map { $0 >= 8 ? 0 : UInt8(truncatingIfNeeded: value >> UInt64($0 * 8)) }
  }

  var bytes: [UInt8] {
    var bytes = header
    var places: [UInt64] = []
    for object in objects {
      places.append(UInt64(bytes.count))
      bytes += object
    }
    let start = UInt64(bytes.count)
    for offset in offsets ?? places { bytes += Self.bigEndian(offset, offsetSize) }
    bytes += reserved + [UInt8(truncatingIfNeeded: offsetSize), UInt8(truncatingIfNeeded: referenceSize)]
    bytes += Self.bigEndian(count ?? UInt64(places.count), 8)
    bytes += Self.bigEndian(root, 8)
    bytes += Self.bigEndian(table ?? start, 8)
    return bytes
  }
}
