@Suite("The live file system, confined to a folder") struct ConfinedFileSystemTests {
  struct Operation: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let carryOut: @Sendable (any FileSystem, _ folder: String) throws -> Void

    init(_ name: String, _ carryOut: @escaping @Sendable (any FileSystem, _ folder: String) throws -> Void) {
      testDescription = name
      self.carryOut = carryOut
    }
  }

  static let operations = [
    Operation("read") { _ = try $0.read($1 + "/file", limit: 100) },
    Operation("read a part") { _ = try $0.read($1 + "/file", from: 0, count: 1) },
    Operation("status") { _ = try $0.status($1 + "/file") },
    Operation("status of what is not there") { _ = try $0.status($1 + "/none") },
    Operation("list") { _ = try $0.list($1 + "/empty") },
    Operation("create") { try $0.close($0.create($1 + "/new", mode: 0o600)) },
    Operation("lock") { try $0.close($0.lock($1 + "/lock", mode: 0o600)) },
    Operation("replace") { try $0.rename($1 + "/file", to: $1 + "/other", .replacing) },
    Operation("rename") { try $0.rename($1 + "/file", to: $1 + "/new", .exclusive) },
    Operation("exchange") { try $0.rename($1 + "/file", to: $1 + "/other", .exchanging) },
    Operation("remove") { try $0.remove($1 + "/file") },
    Operation("make a folder") { try $0.makeDirectory($1 + "/new", mode: 0o700) },
    Operation("remove a folder") { try $0.removeDirectory($1 + "/empty") },
    Operation("synchronize a file") { try $0.synchronizeFile($1 + "/file") },
    Operation("synchronize a folder") { try $0.synchronizeDirectory($1 + "/empty") },
  ]

  let folder = TemporaryFolder()
  var root: String { folder.path + "/box" }

  init() throws {
    for place in ["box/inner/deep", "outside/deep", "other"] {
      try folder.put(place + "/file", [1], 0o600)
      try folder.put(place + "/other", [2], 0o640)
      try FileManager.default.createDirectory(
        atPath: folder.path + "/\(place)/empty", withIntermediateDirectories: true)
    }
  }

  private func confined(_ walking: Bool) throws -> POSIXFileSystem {
    try POSIXFileSystem().confined(to: [root], walking: walking)
  }

  private func swap(_ path: String, for other: String) throws {
    let path = folder.path + "/" + path
    try FileManager.default.moveItem(atPath: path, toPath: path + ".aside")
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: folder.path + "/" + other)
  }

  @Test(arguments: operations, [false, true])
  func `Does in its folder what the file system does anywhere`(operation: Operation, walking: Bool) throws {
    let system = try confined(walking)
    try operation.carryOut(system, root + "/inner/deep")
    try operation.carryOut(POSIXFileSystem(), folder.path + "/outside/deep")
    let tree = try folder.tree()
    let (inside, outside) = (Self.below("box/inner/", tree), Self.below("outside/", tree))
    #expect(inside == outside)
  }

  private static func below(_ prefix: String, _ tree: [String: String]) -> [String: String] {
    Dictionary(
      uniqueKeysWithValues: tree.filter { $0.key.hasPrefix(prefix) }.map {
        (String($0.key.dropFirst(prefix.count)), $0.value)
      })
  }

  @Test(arguments: operations, [false, true])
  func `Refuses what leads through a link that was put there since`(operation: Operation, walking: Bool) throws {
    let system = try confined(walking)
    for (link, target) in [("box/inner/deep", "outside/deep"), ("box/inner", "outside")] {
      try swap(link, for: target)
      let before = try folder.tree()
      let error = try #require(throws: FileSystemError.self) { try operation.carryOut(system, root + "/inner/deep") }
      #expect(error.reason == .unsafe(.throughLink))
      #expect(error.description.contains("it leads through a symbolic link"))
      #expect(try folder.tree() == before)
      try FileManager.default.removeItem(atPath: folder.path + "/" + link)
      try FileManager.default.moveItem(atPath: folder.path + "/" + link + ".aside", toPath: folder.path + "/" + link)
    }
  }

  @Test(
    "Goes on in the folder itself when that has another name, and something else has its own", arguments: operations,
    [false, true])
  func moved(operation: Operation, walking: Bool) throws {
    let system = try confined(walking)
    try swap("box", for: "other")
    let other = try Self.below("other/", folder.tree())
    try operation.carryOut(system, root + "/inner/deep")
    try operation.carryOut(POSIXFileSystem(), folder.path + "/outside/deep")
    let tree = try folder.tree()
    #expect(Self.below("box.aside/inner/", tree) == Self.below("outside/", tree))
    #expect(Self.below("other/", tree) == other)
  }

  @Test(arguments: operations, [false, true])
  func `Refuses every path outside, however it gets there`(operation: Operation, walking: Bool) throws {
    let system = try confined(walking)
    let before = try folder.tree()
    let ways = [
      folder.path + "/outside/deep", root + "/../outside/deep", root + "/inner/../../outside/deep",
      root + "/inner/./deep", root + "//inner/deep", root + "er", "box/inner/deep", "", folder.path,
    ]
    for way in ways { #expect(try reason { try operation.carryOut(system, way) } == .unsafe(.malformed), "\(way)") }
    #expect(try folder.tree() == before)
  }

  @Test(arguments: [false, true])
  func `Refuses a rename that leads out on either side`(walking: Bool) throws {
    let system = try confined(walking)
    try folder.put("box/file", [1], 0o600)
    try FileManager.default.createSymbolicLink(atPath: root + "/link", withDestinationPath: folder.path + "/outside")
    let before = try folder.tree()
    for mode in [RenameMode.replacing, .exclusive, .exchanging] {
      for (source, destination) in [("file", "link/deep/file"), ("link/deep/file", "file")] {
        let found = try reason { try system.rename(root + "/" + source, to: root + "/" + destination, mode) }
        #expect(found == .unsafe(.throughLink))
      }
    }
    #expect(try folder.tree() == before)
  }

  @Test(arguments: [false, true])
  func `Works on the folder itself, and follows no link in the last component either`(walking: Bool) throws {
    let system = try confined(walking)
    #expect(try system.list(root) == ["inner"])
    #expect(try system.status(root)?.kind == .directory)
    try system.synchronizeDirectory(root)
    try FileManager.default.createSymbolicLink(
      atPath: root + "/link", withDestinationPath: folder.path + "/outside/deep/file")
    #expect(try system.status(root + "/link")?.kind == .symbolicLink)
    #expect(try reason { _ = try system.read(root + "/link", limit: 10) } == .notRegular(.symbolicLink))
    #expect(throws: FileSystemError.self) { try system.lock(root + "/link", mode: 0o600) }
    #expect(folder.bytes("outside/deep/file") == [1])
  }

  @Test(arguments: [false, true])
  func `What is missing or no folder on the way is told as without`(walking: Bool) throws {
    let system = try confined(walking)
    #expect(try system.status(root + "/none/file") == nil)
    #expect(try system.status(root + "/inner/deep/file/x") == nil)
    for (path, number) in [("/none/file", ENOENT), ("/inner/deep/file/x", ENOTDIR)] {
      #expect(try reason { try system.remove(root + path) } == .system(number))
    }
  }

  @Test(arguments: [false, true])
  func `Is not confined to a folder that is reached through a link, or to none`(walking: Bool) throws {
    for (link, target) in [("link", "box"), ("way", ".")] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.path + "/" + link, withDestinationPath: folder.path + "/" + target)
    }
    for (path, expected) in [
      ("/link", FileSystemError.Reason.unsafe(.throughLink)), ("/way/box", .unsafe(.throughLink)),
      ("/link/inner", .unsafe(.throughLink)), ("/none", .system(ENOENT)), ("/box/..", .unsafe(.malformed)),
    ] {
      #expect(try reason { _ = try POSIXFileSystem().confined(to: [folder.path + path], walking: walking) } == expected)
    }
  }

  @Test(arguments: [false, true])
  func `Works in each of several folders, and at the top of all`(walking: Bool) throws {
    let roots = [root + "/inner", folder.path + "/other", root]
    let system = try POSIXFileSystem().confined(to: roots, walking: walking)
    for path in ["/box/inner/deep/file", "/other/file"] {
      #expect(try system.read(folder.path + path, limit: 1).bytes == [1])
    }
    #expect(try system.list(root) == ["inner"])
    #expect(throws: FileSystemError.self) { try system.status(folder.path + "/outside/deep/file") }
    let top = try POSIXFileSystem().confined(to: ["/"], walking: walking)
    #expect(try top.read(root + "/inner/deep/file", limit: 1).bytes == [1])
  }

  #if os(Linux)
    /// The descriptors of this process that are open on something in the folder, which this test alone has.
    private func open() throws -> [Int32] {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap(Int32.init).filter {
        let place = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
        return place?.hasPrefix(folder.path) ?? false
      }
    }

    @Test(
      "Holds one descriptor, which no program that is started inherits, and leaves none behind",
      arguments: [false, true])
    func descriptors(walking: Bool) throws {
      do {
        let system = try confined(walking)
        for operation in Self.operations {
          try? operation.carryOut(system, root + "/inner/deep")
          try? operation.carryOut(system, root + "/inner/none/deep")
          try? operation.carryOut(system, folder.path + "/outside/deep")
        }
        try swap("box/inner", for: "outside")
        for operation in Self.operations { try? operation.carryOut(system, root + "/inner/deep") }
        let held = try open()
        #expect(held.count == 1)
        for descriptor in held { #expect(fcntl(descriptor, F_GETFD) == FD_CLOEXEC) }
        _ = try system.list(root)
      }
      #expect(try open() == [])
    }
  #endif
}
