/// Why a file system refuses what is done.
func reason(_ body: () throws -> Void) throws -> FileSystemError.Reason {
  try #require(throws: FileSystemError.self) { try body() }.reason
}

@Suite("The live file system") struct POSIXFileSystemTests {
  let folder = TemporaryFolder()
  let fileSystem = POSIXFileSystem()
  private func path(_ name: String) -> String { folder.path + "/" + name }

  @Test func `writes, renames, reads and removes a file`() throws {
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

  @Test func `reads an empty file, and refuses one over the limit`() throws {
    try folder.put("empty", [], 0o600)
    try folder.put("ten", Array(repeating: 7, count: 10), 0o600)
    #expect(try fileSystem.read(path("empty"), limit: 0).bytes.isEmpty)
    #expect(try fileSystem.read(path("ten"), limit: 10).bytes.count == 10)
    #expect(try reason { _ = try fileSystem.read(path("ten"), limit: 9) } == .tooLarge(limit: 9))
  }

  @Test func `tells the real path, and the one spelling of a place that may be a link or nothing`() throws {
    try folder.put("real/file", [1], 0o600)
    try FileManager.default.createSymbolicLink(atPath: path("link"), withDestinationPath: "real")
    for way in ["real/file", "link/file", "real/../link/./file"] {
      #expect(try fileSystem.resolve(path(way)) == path("real/file"))
      #expect(try fileSystem.location(of: path(way)) == path("real/file"))
    }
    #expect(try fileSystem.resolve(path("link")) == path("real"))
    #expect(try reason { _ = try fileSystem.resolve(path("none")) } == .system(ENOENT))
    #expect(try reason { _ = try fileSystem.resolve("") } == .system(ENOENT))
    #expect(try fileSystem.location(of: path("real/../link//")) == path("link"))
    #expect(try fileSystem.location(of: path("link/none")) == path("real/none"))
    #expect(try fileSystem.location(of: path("link/..")) == folder.path)
    #expect(try fileSystem.location(of: path("link/.")) == path("real"))
    #expect(try fileSystem.location(of: "/") == "/")
    #expect(try fileSystem.location(of: "/none") == "/none")
    #expect(throws: FileSystemError(.inspect, path("none/x"), .system(ENOENT))) {
      try fileSystem.location(of: path("none/x"))
    }
  }

  @Test func `follows no link, and waits for no pipe`() throws {
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

  @Test func `creates only what is not there yet`() throws {
    try folder.put("file", [1], 0o600)
    #expect(try reason { _ = try fileSystem.create(path("file"), mode: 0o600) } == .system(EEXIST))
    #expect(folder.bytes("file") == [1])
  }

  @Test func `lists names by their bytes`() throws {
    for name in ["b", "a", "B", "ä", ".hidden"] { try folder.put(name, [], 0o600) }
    #expect(try fileSystem.list(folder.path) == [".hidden", "B", "a", "b", "ä"])
    #expect(try reason { _ = try fileSystem.list(path("missing")) } == .system(ENOENT))
  }

  @Test func `makes a folder and removes it when it is empty`() throws {
    try fileSystem.makeDirectory(path("new"), mode: 0o700)
    #expect(try fileSystem.status(path("new"))?.mode == 0o700)
    try folder.put("new/file", [], 0o600)
    #expect(try reason { try fileSystem.removeDirectory(path("new")) } == .system(ENOTEMPTY))
    try fileSystem.remove(path("new/file"))
    try fileSystem.removeDirectory(path("new"))
    #expect(try fileSystem.status(path("new")) == nil)
  }

  @Test func `gives a lock to one, names it to the other, and to the other when it is given up`() throws {
    let first = try fileSystem.lock(path("lock"), mode: 0o600)
    #expect(try reason { _ = try fileSystem.lock(path("lock"), mode: 0o600) } == .busy(holder: getpid()))
    try fileSystem.remove(path("lock"))
    try fileSystem.close(first)
    let second = try fileSystem.lock(path("lock"), mode: 0o600)
    #expect(try reason { _ = try fileSystem.lock(path("lock"), mode: 0o600) } == .busy(holder: getpid()))
    try fileSystem.close(second)
  }

  @Test func `does not empty a file that merely stands where the lock should`() throws {
    let bytes = Array(repeating: UInt8(9), count: 100)
    try folder.put("lock", bytes, 0o600)
    try fileSystem.close(fileSystem.lock(path("lock"), mode: 0o600))
    #expect(folder.bytes("lock") == bytes)
    try folder.put("other", [1, 2], 0o600)
    #expect(link(path("other"), path("linked")) == 0)
    try fileSystem.close(fileSystem.lock(path("linked"), mode: 0o600))
    #expect(folder.bytes("other") == [1, 2])
  }

  @Test func `an error is one sentence: what, where, why and what to do`() {
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

@Suite("Files with keys") struct KeyedFileTests {
  private static let path = "Library/Application Support/acme/id"

  @Test(arguments: ["id", "id.plist"])
  func `JSON is edited by byte range; property lists as before`(_ name: String) throws {
    let bytes = Array(#"{"id":"x"}"#.utf8)
    guard name == "id" else {
      #expect(throws: KeyedFile.Problem.self) { try KeyedFile(bytes: bytes, path: name) }
      return
    }
    let file = try KeyedFile(bytes: bytes, path: name)
    #expect(file.format == .json && file.dictionary["id"] == "x")
    #expect(try file.editing([.set("id", "y"), .set("n", 7)]) == Array(#"{"id":"y","n":7}"#.utf8))
    #expect(try file.editing([.remove("id")]) == Array("{}".utf8))
    #expect(try file.editing([]) == bytes)
  }

  @Test func `values keep their meaning in JSON, at any size, and what JSON cannot express is refused`() throws {
    let expressible: [PropertyListValue] = [
      "text", true, 0, -7, .integer(try #require(PropertyListInteger("18446744073709551615"))),
      .real(PropertyListReal(1.5)),
      ["a", 1, ["b": false]], [:], .null,
    ]
    for value in expressible {
      let bytes = try KeyedFile.encode(["key": value], as: .json)
      #expect(try KeyedFile(bytes: bytes, path: Self.path).dictionary["key"] == value)
    }
    let others: [PropertyListValue] = [
      .data([1]), .real(PropertyListReal(Double.infinity)), .real(PropertyListReal(Double.nan)), [.data([])],
      ["a": .data([])],
    ]
    for value in others {
      #expect(throws: KeyedFile.Problem.self) { try KeyedFile.encode(["key": value], as: .json) }
      #expect(throws: KeyedFile.Problem.self) {
        try KeyedFile(bytes: Array("{}".utf8), path: Self.path).editing([.set("key", value)])
      }
    }
  }

  @Test func `a keyed archive is edited in its object table, unless its name says that it is a property list`() throws {
    let bytes = try KeyedFile.encode(["id": "x", "n": 1], as: .archive)
    #expect(try KeyedFile(bytes: bytes, path: "id.plist").format == .binary)
    let file = try KeyedFile(bytes: bytes, path: Self.path)
    #expect(file.format == .archive && file.dictionary == ["id": "x", "n": 1])
    let edited = try KeyedFile(bytes: file.editing([.set("id", "y"), .remove("n")]), path: Self.path)
    #expect(edited.dictionary == ["id": "y"])
    #expect(throws: KeyedFile.Problem.self) { try KeyedFile(bytes: KeyedArchive.encode(["x"]), path: Self.path) }
  }

  @Test(arguments: ["", "[1]", "{", "\"x\"", "{} x", "7"])
  func `a file without keys says why`(_ text: String) {
    #expect(throws: KeyedFile.Problem.self) { try KeyedFile(bytes: Array(text.utf8), path: Self.path) }
  }
}

@Suite("Telling a live container by its path") struct LivenessTests {
  private static let device = "11111111-2222-3333-4444-555555555555"
  private static let app = "AAAAAAAA-bbbb-CCCC-dddd-EEEEEEEEEEEE"
  private static let data = "CoreSimulator/Devices/\(device)/data/Containers"

  @Test(
    "A simulator's container is, wherever its set of devices lies",
    arguments: [
      "/Users/ada/Library/Developer/\(data)/Data/Application/\(app)", "/\(data)/Data/Application/\(app)",
      "/\(data)/Shared/AppGroup/\(app)", "/\(data)/Data/Application/\(app)/Library/Preferences",
      "/Volumes/Work/\(data)/Data/Application/\(app)/Copy.xcappdata/AppData",
    ])
  func simulator(path: String) { #expect(Liveness(ofDataAt: path) == .simulator(device: Self.device)) }

  @Test func `A backup that keeps all of the components counts as live, and so does another spelling of them`() {
    let path = "/Volumes/Backups/2025-11-20/Users/ada/Library/Developer/\(Self.data)/Data/Application/\(Self.app)"
    #expect(Liveness(ofDataAt: path) == .simulator(device: Self.device))
    let device = "aaaaaaaa-BBBB-cccc-DDDD-eeeeeeeeeeee"
    let other = "/x/coresimulator/DEVICES/\(device)/Data/containers/data/application/\(Self.app)"
    #expect(Liveness(ofDataAt: other) == .simulator(device: device))
    #expect(Liveness(ofDataAt: "/users/ada/library/preferences") == .home("/users/ada"))
  }

  @Test func `Of two devices in one path the inner one counts`() {
    let outer =
      "/CoreSimulator/Devices/00000000-0000-0000-0000-000000000000/data/Containers/Data/Application/\(Self.app)"
    let path = "\(outer)/tmp/\(Self.data)/Data/Application/\(Self.app)"
    #expect(Liveness(ofDataAt: path) == .simulator(device: Self.device))
  }

  @Test(
    "What was copied out, or only looks like a simulator's container, is not",
    arguments: [
      "", "/", "/cases/4711/\(app)", "/cases/\(device)/data/Containers/Data/Application/\(app)",
      "/\(data)/Data/Application", "/\(data)/Data/Application/com.acme.shop", "/\(data)/Bundle/Application/\(app)",
      "/\(data)/Shared/Application/\(app)", "/CoreSimulator/Devices/\(device)/Containers/Data/Application/\(app)",
      "/CoreSimulator/Devices/device/data/Containers/Data/Application/\(app)",
      "/CoreSimulator/Devices/11111111-2222-3333-4444-55555555555g/data/Containers/Data/Application/\(app)",
      "/CoreSimulator/Devices/111111112222-3333-4444-5555-55555555/data/Containers/Data/Application/\(app)",
      "/CoreSimulator.old/Devices/\(device)/data/Containers/Data/Application/\(app)",
      "/Devices/CoreSimulator/\(device)/data/Containers/Data/Application/\(app)",
      "\(data)/Data/Application/\(app)",
    ])
  func lookalikes(path: String) { #expect(Liveness(ofDataAt: path) == nil) }

  @Test(arguments: [
    "", "/Library/Preferences", "/Library/Preferences/ByHost", "/Library/Containers/com.acme.shop/Data",
    "/Library/Containers/com.acme.shop/Data/Library/Preferences",
  ])
  func `An app's data in a Mac's own library is`(below: String) {
    #expect(Liveness(ofDataAt: "/Users/ada" + below) == .home("/Users/ada"))
    #expect(Liveness(ofDataAt: "/srv/homes/ada" + below, home: "/srv/homes/ada/") == .home("/srv/homes/ada"))
    #expect(Liveness(ofDataAt: "/srv/homes/ada" + below, home: "/srv/homes/bob") == nil)
    #expect(Liveness(ofDataAt: "/srv/homes/ada" + below) == nil)
    #expect(Liveness(ofDataAt: "/Volumes/Backup/Users/ada" + below, home: "/Users/ada") == nil)
  }

  @Test(arguments: [
    "/Desktop/Library/Preferences", "/Downloads/AcmeShop.xcappdata/AppData", "/Library", "/Library/Containers",
    "/Library/Containers/com.acme.shop", "/Library/Containers/Data", "/Library/Caches", "/Library/Preferences.old",
    "/cases/Library/Containers/com.acme.shop/Data",
  ])
  func `Anything else in a home folder is not`(below: String) {
    #expect(Liveness(ofDataAt: "/Users/ada" + below, home: "/Users/ada") == nil)
    #expect(Liveness(ofDataAt: "/srv/ada" + below, home: "/srv/ada") == nil)
  }

  @Test(arguments: ["", "/", "//", "Users/ada", "."])
  func `A home that is no place of its own makes nothing live`(home: String) {
    #expect(Liveness(ofDataAt: "/cases/Library/Preferences", home: home) == nil)
    #expect(Liveness(ofDataAt: "/Library/Preferences", home: home) == nil)
  }

  @Test func `Marks that combine with a slash, and paths without end, are only paths`() {
    #expect(Liveness(ofDataAt: "/Users/ada/\u{301}Library/Preferences") == nil)
    let long = String(repeating: "/CoreSimulator/Devices", count: 20_000)
    #expect(Liveness(ofDataAt: long + "/\(Self.device)/data/Containers/Data/Application/\(Self.app)") != nil)
    #expect(Liveness(ofDataAt: long) == nil)
  }
}

@Suite("Paths with a zero byte") struct ZeroBytePathTests {
  @Test func `A path with a zero byte is refused, and what stands at the part before it is not touched`() throws {
    let folder = TemporaryFolder()
    let file = folder.path("important.txt")
    try folder.place("important.txt", "important".utf8)
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
