import Foundation

/// A folder on the real disk for one test; gone with it.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appendingPathComponent("carryover-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func put(_ relative: String, _ bytes: [UInt8], _ mode: UInt32) throws {
    let file = URL(fileURLWithPath: path).appendingPathComponent(relative)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: Int(mode)], ofItemAtPath: file.path)
  }

  func bytes(_ relative: String) -> [UInt8]? {
    FileManager.default.contents(atPath: path + "/" + relative).map(Array.init)
  }

  func mode(_ relative: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path + "/" + relative)[.posixPermissions] as? Int
  }

  /// Everything below the folder, by path: mode and bytes. The state folder is left out.
  func tree() throws -> [String: String] {
    var result: [String: String] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: path) where !name.hasPrefix(".carryover") {
      let mode = try mode(name) ?? 0
      result[name] = "\(String(mode, radix: 8)) \(Data(bytes(name) ?? []).base64EncodedString())"
    }
    return result
  }

  var box: SampleBox { SampleBox(root: path) { try self.put($0, $1, $2) } }
}
