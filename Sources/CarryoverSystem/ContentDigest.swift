package import PropertyLists

/// Identifies bytes by their size and checksums. SHA-256 decides if it is recorded; earlier versions recorded only
/// FNV-1a, which is easy to forge.
package struct ContentDigest: Hashable, Sendable {
  /// The size in bytes.
  package var size: Int
  /// FNV-1a, for versions that read only this.
  var fnv1a64: String
  /// SHA-256; nil in records of earlier versions.
  var sha256: String?

  package init(_ bytes: [UInt8]) {
    size = bytes.count
    fnv1a64 = Checksum.text(bytes)
    sha256 = SHA256.hexDigest(bytes)
  }

  /// Whether bytes are those of the digest.
  package func matches(_ bytes: [UInt8]) -> Bool {
    guard bytes.count == size else { return false }
    return sha256.map { $0 == SHA256.hexDigest(bytes) } ?? (Checksum.text(bytes) == fnv1a64)
  }

  package var members: [JSONMember] {
    [JSONMember("size", JSONValue(size)), JSONMember("fnv1a64", .string(fnv1a64))]
      + (sha256.map { [JSONMember("sha256", .string($0))] } ?? [])
  }

  /// Decodes a digest from a document; nil if a member is missing or not valid.
  package init?(_ json: JSONValue) {
    guard let size = json["size"]?.numberValue.flatMap({ Int($0.lexeme) }), size >= 0,
      let fnv1a64 = json["fnv1a64"]?.stringValue, fnv1a64.utf8.count == 16
    else { return nil }
    self.size = size
    self.fnv1a64 = fnv1a64
    if let sum = json["sha256"] {
      guard let text = sum.stringValue else { return nil }
      sha256 = text
    }
  }
}
