package import Foundation

/// A folder on the real disk for one test, gone with it. No part of its path is a link.
package final class TemporaryFolder: Sendable {
  package let path: String

  /// Makes the folder. Where that fails, whatever the test does in it fails.
  package init() {
    let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appendingPathComponent("carryover-\(UUID().uuidString)")
    path = folder.path
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  package var url: URL { URL(fileURLWithPath: path) }

  package func path(_ name: String) -> String { name.isEmpty ? path : path + "/" + name }

  /// Writes a file, in folders that are made for it.
  package func place(_ name: String, _ bytes: some Sequence<UInt8>) throws {
    let file = URL(fileURLWithPath: path(name))
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
  }
}

/// The folder with `Package.swift`.
package let packageRoot = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent()
