import Carryover
import CarryoverSystem
import Foundation
import PropertyLists

@testable import CarryoverContainers

/// Both ways through an archive: for the tree of its files, and for their bytes.
enum ArchiveCheck {
  static func check(_ bytes: [UInt8]) -> Bool {
    require(library != nil, "libarchive is missing")
    require("the archive's file") { try Data(bytes).write(to: URL(fileURLWithPath: path)) }
    do throws(ContainerError) {
      let tree = try ArchiveReader.tree(ofArchiveAt: path, limits: limits)
      check(tree)
      try stream(tree)
    } catch {
      _ = error.description
    }
    return true
  }

  /// Every file that is handed over is one of the tree's and has the size it says.
  private static func stream(_ tree: FileTree) throws(ContainerError) {
    var left: Int64?
    try ArchiveReader.stream(archiveAt: path, as: tree.archive, limits: limits, selecting: { _ in true }) { part in
      switch part {
      case .file(let path):
        require(left == nil, "a file within a file: \(path)")
        if case .file(let file)? = tree.node(path) { left = file.size }
        require(left.map { $0 <= limits.fileBytes } == true, "a file that the tree does not have: \(path)")
      case .bytes(let bytes):
        left = left.map { $0 - Int64(bytes.count) }
        require(left.map { $0 >= 0 } == true, "more bytes than the file has")
      case .end:
        require(left == 0, "fewer bytes than the file has")
        left = nil
      case .copy(let path, _):
        require(left == nil && tree.node(path)?.kind == .regular, "a copy that the tree does not have: \(path)")
      }
    }
  }

  private static func check(_ tree: FileTree) {
    for (path, node) in tree.entries {
      requireInside(path)
      if case .link(let target) = node { require(!target.hasPrefix("/"), "a link that leads out: \(target)") }
      if case .file(let file) = node, case .bytes(let bytes) = file.content {
        require(Int64(bytes.count) == file.size, "another size: \(path)")
      }
    }
  }

  /// Small, so that an input that unfolds costs little; what they are checked by is the same.
  private static let limits = ArchiveLimits(
    entries: 2_000, nameBytes: 1 << 20, fileBytes: 4 << 20, totalBytes: 8 << 20, unsuspiciousBytes: 1 << 20,
    keptFileBytes: 1 << 20, keptBytes: 4 << 20)

  /// Held, so that it is not loaded for every input anew.
  nonisolated(unsafe) private static let library = ArchiveLibrary()

  private static let path =
    NSTemporaryDirectory() + "/carryover-fuzz-\(ProcessInfo.processInfo.processIdentifier)"
}
