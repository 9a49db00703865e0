import Carryover
import CarryoverEncryption
import CarryoverRouter
import CarryoverStorage
import CarryoverSystem
import Crypto
import Foundation
import Testing

@Suite("Stores of files on a disk that fails")
final class FileStoreFaultTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "carryover-faults-\(UUID().uuidString)")
  private static let key = SymmetricKey(data: Array(repeating: 3, count: 32))

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
  deinit { try? FileManager.default.removeItem(at: folder) }

  private func store(_ encrypted: Bool, _ fileSystem: any FileSystem = POSIXFileSystem()) -> any ByteStore {
    let path = folder.appending(path: "store").path
    return encrypted
      ? EncryptedFileStore(folder: path, keys: Self.key, fileSystem: fileSystem)
      : FileDataStore(folder: path, fileSystem: fileSystem)
  }

  private func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "store").path)
  }

  @Test(
    "whichever operation fails, the old bytes stand or the new ones, and the error says why (E6)",
    arguments: [false, true])
  func everyFailure(encrypted: Bool) throws {
    for number in [ENOSPC, EIO, EROFS, EDQUOT] {
      for once in [true, false] {
        var count = 0
        while true {
          try store(encrypted).set([1, 1], for: "token")
          let disk = FailingFileSystem(after: count, number, once: once)
          do throws(DataStoreError) {
            try store(encrypted, disk).set([2, 2, 2], for: "token")
          } catch {
            let cause = try #require(error.cause as? FileSystemError)
            #expect(cause.reason == .system(number))
            #expect("\(error)".contains("token"))
          }
          let found = try store(encrypted).data(for: "token")
          #expect(found == [1, 1] || found == [2, 2, 2])
          #expect(try store(encrypted).names() == ["token"])
          guard disk.hasFailed else { break }
          count += 1
        }
        #expect(count > 3)
      }
    }
  }

  @Test("folders that are missing on the way to a store are made with the first write, for their owner alone (E6)")
  func missingFolders() throws {
    let folder = folder.appending(path: "Application Support/Acme")
    let stores: [any ByteStore] = [
      FileDataStore(folder: folder.path + "/Settings"),
      EncryptedFileStore(folder: folder.path + "/Secrets", keys: Self.key),
    ]
    for store in stores {
      #expect(try store.data(for: "theme") == nil && store.names().isEmpty)
      try store.remove("theme")
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path))
    for store in stores {
      #expect(try store.setIfAbsent([1], for: "theme"))
      #expect(try store.data(for: "theme") == [1])
    }
    for path in [folder.path, folder.path + "/Settings"] {
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o700)
    }
  }

  @Test("what a write that was killed has left is removed by the next start, and what others write now is not (E6)")
  func leftovers() throws {
    try store(false).set([1], for: "token")
    let store = folder.appending(path: "store")
    // No process has the largest number there is.
    let left = ".carryover-store-\(Int32.max)-1-1.tmp"
    let ours = ".carryover-store-\(ProcessInfo.processInfo.processIdentifier)-0-1.tmp"
    let living = ".carryover-store-1-1-1.tmp"
    for name in [left, ours, living, "not-ours.tmp"] { try Data([9]).write(to: store.appending(path: name)) }
    #expect(try self.store(false).names() == ["token"])
    try self.store(false).set([2], for: "token")
    #expect(try Set(files()) == ["token.data", living, "not-ours.tmp"])
  }

  @Test("a folder that can only be read is read, and refuses writes without a change (E6)", arguments: [false, true])
  func readOnly(encrypted: Bool) throws {
    try store(encrypted).set([1], for: "token")
    let before = try files()
    let disk = FailingFileSystem(after: 0, EROFS)
    #expect(try store(encrypted, disk).data(for: "token") == [1])
    for operation in [
      { try self.store(encrypted, disk).set([2], for: "token") }, { try self.store(encrypted, disk).remove("token") },
    ] as [() throws -> Void] {
      let error = #expect(throws: DataStoreError.self) { try operation() }
      #expect((error?.cause as? FileSystemError)?.reason == .system(EROFS))
    }
    #expect(try files() == before)
  }

  @Test("something else than a file under a name is an error and no missing value (E6)")
  func notAFile() throws {
    try store(false).set([1], for: "token")
    let store = folder.appending(path: "store")
    try FileManager.default.createDirectory(at: store.appending(path: "folder.data"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      at: store.appending(path: "link.data"), withDestinationURL: store.appending(path: "token.data"))
    for name in ["folder", "link"] {
      #expect(throws: DataStoreError.self) { try self.store(false).data(for: name) }
    }
  }

  @Test("a name that no file can have is refused (E6)")
  func longName() throws {
    let error = #expect(throws: DataStoreError.self) {
      try store(false).set([1], for: String(repeating: "n", count: 251))
    }
    #expect(error?.reason == .badName(.tooLong))
    try store(false).set([1], for: String(repeating: "n", count: 250))
    #expect(try store(false).names().count == 1)
  }
}
