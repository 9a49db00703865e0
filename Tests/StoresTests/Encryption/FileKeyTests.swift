import Carryover
import CarryoverEncryption
import CarryoverRouter
import CarryoverStorage
import CarryoverSystem
import Crypto
import Foundation
import PropertyLists
import Testing

@Suite("A key in a file")
final class FileKeyTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "carryover-key-\(UUID().uuidString)")
  private var path: String { folder.appending(path: "key").path }

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
  deinit { try? FileManager.default.removeItem(at: folder) }

  @Test("a key is made where that is asked for, for its owner alone, and is the same from then on (E6)")
  func made() throws {
    #expect(throws: FileKeyError.missing(path)) { try FileKey(path).key() }
    let key = try FileKey(path, making: true).key()
    #expect(key.bitCount == 256)
    #expect(try FileKey(path, making: true).key() == key && FileKey(path).key() == key)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["key"])
  }

  @Test("folders on the way to a key are made for its owner alone, and what a killed process left is removed (E6)")
  func folders() throws {
    let inner = folder.appending(path: "a/b")
    #expect(throws: FileKeyError.missing(inner.path + "/key")) { try FileKey(inner.path + "/key").key() }
    #expect(!FileManager.default.fileExists(atPath: inner.path))
    try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
    let left = inner.appending(path: ".carryover-store-\(Int32.max)-1-1.tmp")
    try Data([9]).write(to: left)
    let key = try FileKey(inner.path + "/key", making: true).key()
    #expect(try FileKey(inner.path + "/key").key() == key)
    #expect(try FileManager.default.contentsOfDirectory(atPath: inner.path) == ["key"])
    let fresh = folder.appending(path: "c/d/key").path
    _ = try FileKey(fresh, making: true).key()
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.appending(path: "c").path)
    #expect(attributes[.posixPermissions] as? Int == 0o700)
  }

  @Test("many that make a key at once get the same one (E6)")
  func atOnce() async throws {
    let path = path
    let keys = try await withThrowingTaskGroup(of: Data.self) { group in
      for _ in 0..<32 {
        group.addTask { try FileKey(path, making: true).key().withUnsafeBytes { Data($0) } }
      }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(keys.count == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["key"])
  }

  @Test("a key others may read, one of another size and one behind a link are refused, and not made again (E6)")
  func refused() throws {
    func write(_ count: Int, mode: Int) throws {
      try Data(repeating: 1, count: count).write(to: URL(filePath: path))
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }
    try write(32, mode: 0o640)
    #expect(throws: FileKeyError.open(path, mode: 0o640)) { try FileKey(path, making: true).key() }
    for count in [0, 31, 33] {
      try write(count, mode: 0o600)
      #expect(throws: FileKeyError.wrongSize(path, count)) { try FileKey(path, making: true).key() }
    }
    try FileManager.default.moveItem(atPath: path, toPath: path + "-real")
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path + "-real")
    #expect(throws: FileKeyError.self) { try FileKey(path, making: true).key() }
    #expect(FileKeyError.wrongSize("/k", 3).description.contains("3 bytes instead of 32"))
  }
}
