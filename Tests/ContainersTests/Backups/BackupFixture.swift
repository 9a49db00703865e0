import Carryover
import CarryoverSystem
import Foundation
import PropertyLists

@testable import CarryoverContainers

/// Makes device backups as Finder leaves them, and ones it never would.
struct BackupFixture {
  let fixture: Fixture
  var root: String { fixture("backup") }

  static let table =
    "CREATE TABLE Files (fileID TEXT PRIMARY KEY, domain TEXT, relativePath TEXT, flags INTEGER, file BLOB)"

  struct Row {
    var domain: String
    var path: String
    var flags = 1
    /// The content; nil where the backup does not have it.
    var content: String?
    var id: String?
    /// An expression of SQL for the record; one that fits where this is nil.
    var record: String?
    var target: String?

    init(
      _ domain: String, _ path: String, _ content: String? = nil, flags: Int = 1, id: String? = nil,
      record: String? = nil, target: String? = nil
    ) {
      (self.domain, self.path, self.content, self.flags) = (domain, path, content, flags)
      (self.id, self.record, self.target) = (id, record, target)
    }
  }

  init() throws {
    fixture = try Fixture()
    try fixture.makeFolder("backup")
  }

  func describe(encrypted: Bool = false) throws {
    try fixture.write(
      "backup/Manifest.plist",
      plist: [
        "IsEncrypted": encrypted, "Version": "10.0", "Lockdown": ["ProductVersion": "17.5.1"],
        "Applications": ["com.acme.shop": ["Path": "/var/containers/Bundle/Application/1/Shop.app"]],
      ])
    let metadata = try PropertyListSerialization.data(
      fromPropertyList: ["itemName": "Acme Wallet"], format: .xml, options: 0)
    try fixture.write(
      "backup/Info.plist", plist: ["Applications": ["com.acme.wallet": ["iTunesMetadata": metadata]]], format: .xml)
  }

  func make(_ rows: [Row], table: String = Self.table) throws {
    try describe()
    try Database.make(root + "/Manifest.db", [table, "BEGIN"] + statements(rows) + ["COMMIT"])
  }

  func statements(_ rows: [Row]) throws -> [String] {
    try rows.map { row in
      let id = row.id ?? Self.id(row.domain, row.path)
      if let content = row.content { try fixture.write("backup/\(id.prefix(2))/\(id)", content.utf8) }
      let record = try row.record ?? Self.record(size: row.content?.utf8.count ?? 1_234, target: row.target)
      return "INSERT INTO Files VALUES(\(text(id)), \(text(row.domain)), \(text(row.path)), \(row.flags), \(record))"
    }
  }

  private func text(_ text: String) -> String { "CAST(x'\(Self.hex(text.utf8))' AS TEXT)" }

  static func id(_ domain: String, _ path: String) -> String {
    Array(domain.utf8).withUnsafeBufferPointer { domain in
      Array(path.utf8).withUnsafeBufferPointer { BackupFileID(domain: domain, path: $0).text }
    }
  }

  /// An archived `MBFile` as SQL.
  static func record(size: Int, target: String?) throws -> String {
    var file: PropertyListValue = ["$class": .uid(2), "Size": .integer(PropertyListInteger(size)), "Mode": 33_188]
    if target != nil, case .dictionary(var members) = file {
      members["Target"] = .uid(3)
      file = .dictionary(members)
    }
    let objects: [PropertyListValue] = [
      "$null", file, ["$classname": "MBFile", "$classes": ["MBFile", "NSObject"]], .string(target ?? ""),
    ]
    let archive: PropertyListValue = [
      "$version": 100_000, "$archiver": "NSKeyedArchiver", "$top": ["root": .uid(1)], "$objects": .array(objects),
    ]
    return "x'\(hex(try PropertyListDocument.encode(archive, as: .binary)))'"
  }

  private static func hex(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { String(format: "%02x", $0) }.joined()
  }

  /// Opens the backup through a file system that can only be read.
  func open(
    _ limits: ContainerLimits = ContainerLimits(), observer: OpeningObserver = .none
  ) throws(ContainerError) -> Backup {
    try Backup(at: root, fileSystem: GuardedFileSystem(), limits: limits, observer: observer)
  }

  /// Why the backup cannot be opened; nil when it can.
  func refusal(_ limits: ContainerLimits = ContainerLimits()) -> ContainerError.Kind? {
    do throws(ContainerError) {
      _ = try open(limits)
      return nil
    } catch {
      return error.kind
    }
  }
}

extension FileTree {
  func listing() -> [String] {
    entries.map { entry in
      switch entry.node {
      case .folder: entry.path + "/"
      case .link(let target): "\(entry.path) -> \(target)"
      case .file(let file):
        switch file.content {
        case .bytes: "\(entry.path) made"
        case .file: "\(entry.path) \(file.size)"
        case .unavailable(.notInBackup): "\(entry.path) missing \(file.size)"
        case .unavailable: "\(entry.path) unreadable"
        }
      }
    }
  }
}

final class ProgressLog: Sendable {
  private let log = Locked<[OpeningProgress]>([])
  var all: [OpeningProgress] { log.withLock { $0 } }

  func observer(endingAfter count: Int = .max) -> OpeningObserver {
    OpeningObserver { progress in
      self.log.withLock { log in
        log.append(progress)
        return log.count <= count
      }
    }
  }
}
