import Carryover
import CarryoverStorage
import CarryoverSystem
import Foundation
import PropertyLists
import Testing

@Suite("The live file system")
struct POSIXFileSystemTests {
  let folder: TemporaryFolder
  let fileSystem = POSIXFileSystem()

  init() throws { folder = try TemporaryFolder() }

  private func path(_ name: String) -> String { folder.path + "/" + name }

  private func reason(_ body: () throws -> Void) throws -> FileSystemError.Reason {
    try #require(throws: FileSystemError.self) { try body() }.reason
  }

  @Test("writes, renames, reads and removes a file")
  func roundTrip() throws {
    let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let handle = try fileSystem.create(path("a"), mode: 0o600)
    try fileSystem.write(bytes, to: handle)
    try fileSystem.write([], to: handle)
    try fileSystem.write([1], to: handle)
    try fileSystem.setMode(0o640, of: handle)
    try fileSystem.synchronize(handle)
    try fileSystem.close(handle)
    try fileSystem.rename(path("a"), to: path("b"), .replacing)
    try fileSystem.synchronizeDirectory(folder.path)
    let image = try fileSystem.read(path("b"), limit: 300_001)
    #expect(image.bytes == bytes + [1])
    #expect(image.status == (try fileSystem.status(path("b"))))
    #expect(image.status.mode == 0o640)
    #expect(image.status.kind == .regular)
    #expect(image.status.size == 300_001)
    #expect(image.status.links == 1)
    #expect(try fileSystem.status(path("a")) == nil)
    try fileSystem.remove(path("b"))
    #expect(try fileSystem.status(path("b")) == nil)
  }

  @Test("reads an empty file, and refuses one over the limit")
  func limits() throws {
    try folder.put("empty", [], 0o600)
    try folder.put("ten", Array(repeating: 7, count: 10), 0o600)
    #expect(try fileSystem.read(path("empty"), limit: 0).bytes.isEmpty)
    #expect(try fileSystem.read(path("ten"), limit: 10).bytes.count == 10)
    #expect(try reason { _ = try fileSystem.read(path("ten"), limit: 9) } == .tooLarge(limit: 9))
  }

  @Test("tells the real path, and the one spelling of a place whose last component may be a link or nothing")
  func resolving() throws {
    try folder.put("real/file", [1], 0o600)
    try FileManager.default.createSymbolicLink(atPath: path("link"), withDestinationPath: "real")
    for way in ["real/file", "link/file", "real/../link/./file"] {
      #expect(try fileSystem.resolve(path(way)) == path("real/file"))
      #expect(try fileSystem.location(of: path(way)) == path("real/file"))
    }
    #expect(try fileSystem.resolve(path("link")) == path("real"))
    #expect(try reason { _ = try fileSystem.resolve(path("none")) } == .system(Errno.noEntry))
    #expect(try reason { _ = try fileSystem.resolve("") } == .system(Errno.noEntry))
    #expect(try fileSystem.location(of: path("real/../link//")) == path("link"))
    #expect(try fileSystem.location(of: path("link/none")) == path("real/none"))
    #expect(try fileSystem.location(of: path("link/..")) == folder.path)
    #expect(try fileSystem.location(of: path("link/.")) == path("real"))
    #expect(try fileSystem.location(of: "/") == "/")
    #expect(try fileSystem.location(of: "/none") == "/none")
    #expect(throws: FileSystemError(.inspect, path("none/x"), .system(Errno.noEntry))) {
      try fileSystem.location(of: path("none/x"))
    }
  }

  @Test("follows no link, and waits for no pipe")
  func specialFiles() throws {
    try folder.put("file", [1], 0o600)
    try FileManager.default.createSymbolicLink(atPath: path("link"), withDestinationPath: path("file"))
    try FileManager.default.createSymbolicLink(atPath: path("self"), withDestinationPath: folder.path)
    #expect(mkfifo(path("pipe"), 0o600) == 0)
    #expect(try reason { _ = try fileSystem.read(path("link"), limit: 10) } == .notRegular(.symbolicLink))
    #expect(try reason { _ = try fileSystem.read(path("pipe"), limit: 10) } == .notRegular(.other))
    #expect(try reason { _ = try fileSystem.read(folder.path, limit: 10) } == .notRegular(.directory))
    #expect(try fileSystem.status(path("link"))?.kind == .symbolicLink)
    #expect(try reason { _ = try fileSystem.create(path("link"), mode: 0o600) } == .system(EEXIST))
    #expect(throws: FileSystemError.self) { try fileSystem.list(path("self")) }
    #expect(throws: FileSystemError.self) { try fileSystem.synchronizeDirectory(path("self")) }
    #expect(throws: FileSystemError.self) { try fileSystem.lock(path("link"), mode: 0o600) }
    #expect(folder.bytes("file") == [1])
  }

  @Test("creates only what is not there yet")
  func exclusive() throws {
    try folder.put("file", [1], 0o600)
    #expect(try reason { _ = try fileSystem.create(path("file"), mode: 0o600) } == .system(EEXIST))
    #expect(folder.bytes("file") == [1])
  }

  @Test("lists names by their bytes")
  func lists() throws {
    for name in ["b", "a", "B", "ä", ".hidden"] { try folder.put(name, [], 0o600) }
    #expect(try fileSystem.list(folder.path) == [".hidden", "B", "a", "b", "ä"])
    #expect(try reason { _ = try fileSystem.list(path("missing")) } == .system(ENOENT))
  }

  @Test("makes a folder and removes it when it is empty")
  func folders() throws {
    try fileSystem.makeDirectory(path("new"), mode: 0o700)
    #expect(try fileSystem.status(path("new"))?.mode == 0o700)
    try folder.put("new/file", [], 0o600)
    #expect(try reason { try fileSystem.removeDirectory(path("new")) } == .system(ENOTEMPTY))
    try fileSystem.remove(path("new/file"))
    try fileSystem.removeDirectory(path("new"))
    #expect(try fileSystem.status(path("new")) == nil)
  }

  @Test("gives a lock to one, names it to the other, and to the other when it is given up")
  func locks() throws {
    let first = try fileSystem.lock(path("lock"), mode: 0o600)
    #expect(try reason { _ = try fileSystem.lock(path("lock"), mode: 0o600) } == .busy(holder: getpid()))
    try fileSystem.remove(path("lock"))
    try fileSystem.close(first)
    let second = try fileSystem.lock(path("lock"), mode: 0o600)
    #expect(try reason { _ = try fileSystem.lock(path("lock"), mode: 0o600) } == .busy(holder: getpid()))
    try fileSystem.close(second)
  }

  @Test("does not empty a file that merely stands where the lock should")
  func lockOnAnotherFile() throws {
    let bytes = Array(repeating: UInt8(9), count: 100)
    try folder.put("lock", bytes, 0o600)
    try fileSystem.close(fileSystem.lock(path("lock"), mode: 0o600))
    #expect(folder.bytes("lock") == bytes)
    try folder.put("other", [1, 2], 0o600)
    #expect(link(path("other"), path("linked")) == 0)
    try fileSystem.close(fileSystem.lock(path("linked"), mode: 0o600))
    #expect(folder.bytes("other") == [1, 2])
  }

  @Test("an error is one sentence: what, where, why and what to do")
  func wording() {
    #expect(
      FileSystemError(.write, "/box/a\u{1b}[2J\u{202e}\n.plist", .system(ENOSPC)).description
        == "Could not write “/box/a\\u{1B}[2J\\u{202E}\\n.plist”: No space left on device; "
        + "free some space on that disk and try again.")
    #expect(
      FileSystemError(.lock, "/box/lock", .busy(holder: 12)).description
        == "Could not lock “/box/lock”: process 12 is working on it; wait until it has ended and try again.")
    let numbers = [EACCES, ENOENT, EROFS, EIO, EMFILE, ELOOP, EEXIST, ENAMETOOLONG, EXDEV, ENOTEMPTY, EINVAL]
    let sentences = numbers.map { FileSystemError(.read, "/a", .system($0)).description }
    #expect(Set(sentences).count == numbers.count)
    #expect(sentences.allSatisfy { $0.hasPrefix("Could not read “/a”: ") && $0.hasSuffix(".") })
  }
}
