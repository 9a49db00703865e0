import CarryoverSystem
import PropertyLists

/// The file that held what a cleanup removed, as it was then.
struct HeldIn: Hashable {
  /// The path, relative to the container's root.
  var path: String
  var digest: ContentDigest

  init(path: String, bytes: [UInt8]) {
    self.path = path
    digest = ContentDigest(bytes)
  }

  /// Whether bytes are those it had.
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
