import Foundation

enum Tool {
  /// Under CI a missing program fails the test; elsewhere the test is skipped with a reason.
  static let isRequired = ProcessInfo.processInfo.environment["CI"] == "true"

  static let python = find("python3")
  static let plutil = find("plutil")

  /// Looks in PATH, then beside the `swift` that PATH names.
  private static func find(_ name: String) -> URL? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let folders = path.split(separator: ":").map { URL(fileURLWithPath: String($0)) }
    let beside = folders.map { $0.appendingPathComponent("swift").resolvingSymlinksInPath() }
      .filter { FileManager.default.isExecutableFile(atPath: $0.path) }.map { $0.deletingLastPathComponent() }
    return (folders + beside).map { $0.appendingPathComponent(name) }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }

  struct Missing: Error, CustomStringConvertible {
    let name: String
    var description: String { "\(name) is not installed, and CI=true requires it" }
  }

  static func run(_ tool: URL?, _ name: String, _ arguments: [String]) throws -> (output: Data, status: Int32) {
    guard let tool else { throw Missing(name: name) }
    let process = Process()
    process.executableURL = tool
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (output, process.terminationStatus)
  }

  /// A new folder that is removed after `body`.
  static func withFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("property-lists-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }
}
