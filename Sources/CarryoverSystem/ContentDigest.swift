package import PropertyLists

/// Identifies bytes by their size and SHA-256.
package struct ContentDigest: Hashable, Sendable {
  /// The size in bytes.
  package var size: Int
  var sha256: String

  package init(_ bytes: [UInt8]) {
    size = bytes.count
    sha256 = SHA256.hexDigest(bytes)
  }

  /// Whether bytes are those of the digest.
  package func matches(_ bytes: [UInt8]) -> Bool { bytes.count == size && SHA256.hexDigest(bytes) == sha256 }

  package var members: [JSONMember] {
    [JSONMember("size", JSONValue(size)), JSONMember("sha256", .string(sha256))]
  }

  /// Decodes a digest from a document; nil if a member is missing or not valid.
  package init?(_ json: JSONValue) {
    guard let size = json["size"]?.numberValue.flatMap({ Int($0.lexeme) }), size >= 0,
      let sha256 = json["sha256"]?.stringValue, sha256.utf8.count == 64
    else { return nil }
    self.size = size
    self.sha256 = sha256
  }
}
