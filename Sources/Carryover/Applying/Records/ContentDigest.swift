import PropertyLists

/// What tells bytes from others in a record: their size and sums. SHA-256 decides where the record has it; records of
/// earlier versions have FNV-1a alone, which a forger can match.
struct ContentDigest: Hashable {
  /// In bytes.
  var size: Int
  /// FNV-1a, for versions that read nothing else.
  var fnv1a64: String
  /// SHA-256; nil in records of earlier versions.
  var sha256: String?

  init(_ bytes: [UInt8]) {
    size = bytes.count
    fnv1a64 = Checksum.text(bytes)
    sha256 = SHA256.text(bytes)
  }

  /// Whether bytes are those that were summed up.
  func matches(_ bytes: [UInt8]) -> Bool {
    guard bytes.count == size else { return false }
    return sha256.map { $0 == SHA256.text(bytes) } ?? (Checksum.text(bytes) == fnv1a64)
  }

  var members: [JSONMember] {
    [JSONMember("size", JSONValue(size)), JSONMember("fnv1a64", .string(fnv1a64))]
      + (sha256.map { [JSONMember("sha256", .string($0))] } ?? [])
  }

  init(_ json: JSONValue, _ reader: RecordReader) throws(MigrationError) {
    size = try reader.number("size", in: json)
    fnv1a64 = try reader.text("fnv1a64", in: json)
    sha256 = try reader.optionalText("sha256", in: json)
  }
}
