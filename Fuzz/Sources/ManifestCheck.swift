import Carryover
import CarryoverSystem
import PropertyLists

@testable import CarryoverContainers

/// The lists of a device backup: the database of its files, with the log behind it where there is one, or else the
/// property list that describes it, or the record of one file.
enum ManifestCheck {
  static func check(_ bytes: [UInt8]) -> Bool {
    var tree = FileTree()
    if DatabaseImage.isDatabase(bytes) {
      let size = databaseSize(bytes)
      tree.put("Manifest.db", Array(bytes.prefix(size)))
      tree.put("Manifest.db-wal", Array(bytes.dropFirst(size)))
      tree.put("Manifest.plist", description)
    } else {
      _ = BackupFileRecord(bytes)
      tree.put("Manifest.db", [])
      tree.put("Manifest.plist", bytes)
      tree.put("Info.plist", bytes)
    }
    tree.put(contentPath, [1, 2, 3])
    let files = TreeFileSystem(base: POSIXFileSystem(), mount: "/backup", tree: tree)
    do throws(ContainerError) {
      _ = try BackupManifest(root: "/backup", fileSystem: files, limits: limits)
      let backup = try Backup(at: "/backup", fileSystem: files, limits: limits, observer: .none)
      for app in backup.candidates.prefix(4) { check(try backup.tree(of: app.path)) }
    } catch {
      _ = error.description
    }
    return true
  }

  private static func check(_ tree: FileTree) {
    for (path, _) in tree.entries { requireInside(path) }
  }

  /// What its header says: the pages, and how long each is.
  private static func databaseSize(_ bytes: [UInt8]) -> Int {
    let page = Int(bytes[16]) << 8 | Int(bytes[17])
    let count = bytes[28..<32].reduce(0) { $0 << 8 | Int($1) }
    return min(bytes.count, (page == 1 ? 65_536 : page) * count)
  }

  private static let contentPath = "00/00" + String(repeating: "0", count: 38)
  private static let limits = ContainerLimits(databaseSteps: 200_000, databaseBytes: 1 << 20)
  private static let description = require("the description") {
    try PropertyListDocument.encode(["IsEncrypted": false, "Version": "10.0"], as: .xml)
  }
}

extension FileTree {
  fileprivate mutating func put(_ path: String, _ bytes: [UInt8]) {
    require(add(path, .file(File(size: Int64(bytes.count), content: .bytes(bytes)))), "\(path) has a place")
  }
}
