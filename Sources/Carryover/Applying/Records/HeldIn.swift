import CarryoverSystem
import PropertyLists

/// The file that contained the values a cleanup removed, in its state at that time.
struct HeldIn: Hashable {
  /// The path, relative to the container's root.
  var path: String
  var digest: ContentDigest

  init(path: String, bytes: [UInt8]) {
    self.path = path
    digest = ContentDigest(bytes)
  }

  /// Whether these are the file's bytes at that time.
  func matches(_ bytes: [UInt8]) -> Bool { digest.matches(bytes) }

  var json: JSONValue {
    .object([JSONMember("path", .string(path))] + digest.members)
  }

  init(_ json: JSONValue, _ reader: RecordReader) throws(RunError) {
    path = try reader.text("path", in: json)
    guard (try? ContainerPath.components(path)) != nil else { throw reader.damaged("heldIn") }
    digest = try reader.digest(json)
  }
}
