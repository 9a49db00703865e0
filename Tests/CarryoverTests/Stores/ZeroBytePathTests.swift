import Carryover
import CarryoverStorage
import CarryoverSystem
import Foundation
import Testing

@Suite("Paths with a zero byte")
struct ZeroBytePathTests {
  @Test("A path with a zero byte is refused, and what stands at the part before it is not touched")
  func refused() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "carryover-zero-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "important.txt").path
    try Data("important".utf8).write(to: URL(filePath: file))
    let hostile = file + "\0x"
    let system = POSIXFileSystem()
    #expect(throws: FileSystemError.self) { try system.read(hostile, limit: 100) }
    #expect(throws: FileSystemError.self) { try system.status(hostile) }
    #expect(throws: FileSystemError.self) { try system.list(folder.path + "\0x") }
    #expect(throws: FileSystemError.self) { try system.resolve(hostile) }
    #expect(throws: FileSystemError.self) { try system.create(folder.path + "/new\0x", mode: 0o600) }
    #expect(throws: FileSystemError.self) { try system.lock(folder.path + "/lock\0x", mode: 0o600) }
    #expect(throws: FileSystemError.self) { try system.rename(hostile, to: folder.path + "/other", .replacing) }
    #expect(throws: FileSystemError.self) { try system.rename(file, to: folder.path + "/other\0x", .exclusive) }
    #expect(throws: FileSystemError.self) { try system.remove(hostile) }
    #expect(throws: FileSystemError.self) { try system.makeDirectory(folder.path + "/made\0x", mode: 0o700) }
    #expect(throws: FileSystemError.self) { try system.removeDirectory(folder.path + "\0x") }
    #expect(throws: DataStoreError.self) { try FileDataStore(folder: hostile).set([1], for: "new") }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["important.txt"])
    #expect(try String(contentsOf: URL(filePath: file), encoding: .utf8) == "important")
  }
}
