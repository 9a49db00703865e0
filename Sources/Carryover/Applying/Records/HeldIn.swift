import PropertyLists

/// The file that held what a cleanup removed, as it was then.
struct HeldIn: Hashable {
  /// The path, relative to the container's root.
  var path: String
  /// The size in bytes.
  var size: Int
  var checksum: String

  init(path: String, bytes: [UInt8]) {
    self.path = path
    size = bytes.count
    checksum = Checksum.text(bytes)
  }

  /// Whether bytes are those it had.
  func matches(_ bytes: [UInt8]) -> Bool { bytes.count == size && Checksum.text(bytes) == checksum }

  var json: JSONValue {
    .object([
      JSONMember("path", .string(path)), JSONMember("size", JSONValue(size)),
      JSONMember("fnv1a64", .string(checksum)),
    ])
  }

  init(_ json: JSONValue, _ reader: RecordReader) throws(MigrationError) {
    path = try reader.text("path", in: json)
    guard (try? ContainerPath.components(path)) != nil else { throw reader.damaged("heldIn") }
    size = try reader.number("size", in: json)
    checksum = try reader.text("fnv1a64", in: json)
  }
}
