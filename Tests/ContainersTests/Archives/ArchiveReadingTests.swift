@testable import CarryoverContainers

@Suite("Reading archives") struct ArchiveReadingTests {
  let fixture = TemporaryFolder()

  private func tree(
    _ script: String, limits: ArchiveLimits = ArchiveLimits(), observer: OpeningObserver = .none
  ) throws -> FileTree {
    try Packer.pack(fixture("a"), script)
    return try ArchiveReader.tree(ofArchiveAt: fixture("a"), limits: limits, observer: observer)
  }

  private static let forms = [
    ("stored", "zip(content.items(), zipfile.ZIP_STORED)"),
    ("deflated", "zip(content.items())"),
    ("tar", "tar('w', content.items())"),
    ("old tar", "tar('w', content.items(), tarfile.GNU_FORMAT)"),
    ("tar.gz", "tar('w:gz', content.items())"),
    ("tar.bz2", "tar('w:bz2', content.items())"),
    ("tar.xz", "tar('w:xz', content.items())"),
    (
      "tar.zst",
      """
      tar('w', content.items())
      data = open(path, "rb").read()
      with open(path, "wb") as made:
        # A frame without options and a window of 1 MiB; each block, with its last one marked, as it is.
        made.write(bytes([0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x50]))
        for start in range(0, len(data), 1 << 16):
          block = data[start:start + (1 << 16)]
          made.write((len(block) << 3 | (start + len(block) == len(data))).to_bytes(3, "little") + block)
      """
    ),
    (
      "sizes after the data",
      """
      with open(path, "wb") as file, zipfile.ZipFile(Pipe(file), "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in content.items(): made.writestr(name, data)
      """
    ),
    (
      "names without a mark that they are UTF-8, as macOS writes them",
      """
      zip([(name.replace("Cafe\\u0301", "CafeXX"), data) for name, data in content.items()])
      patch((b"CafeXX", "Cafe\\u0301".encode()))
      """
    ),
    (
      "folders listed, with dots and slashes",
      "tar('w', [info('./', 0, tarfile.DIRTYPE), info('./AppData//', 0, tarfile.DIRTYPE)]"
        + " + [('./' + n.replace('/', '//', 1), d) for n, d in content.items()])"
    ),
    (
      "what macOS keeps beside files",
      """
      zip([e for n, d in content.items() for e in [(n, d), ("__MACOSX/._" + n, b"x"),
        (os.path.join(os.path.dirname(n), "._" + os.path.basename(n)), b"x")]])
      """
    ),
  ]

  @Test(arguments: forms)
  func `The same container gives the same tree in every form`(form: (name: String, script: String)) throws {
    let tree = try tree(form.script)
    #expect(
      tree.entries.map(\.path) == [
        "AppData", "AppData/Documents", "AppData/Documents/empty.txt", "AppData/Library",
        "AppData/Library/Application Support", "AppData/Library/Application Support/state.json",
        "AppData/Library/Caches", "AppData/Library/Caches/Cafe\u{301}",
        "AppData/Library/Caches/Cafe\u{301}/picture.bin", "AppData/Library/Preferences",
        "AppData/Library/Preferences/com.acme.shop.plist", "AppDataInfo.plist",
      ])
    let json = Array(String(repeating: #"{"a": 1}"#, count: 40).utf8)
    #expect(tree.bytes("AppData/Library/Application Support/state.json") == json)
    #expect(tree.bytes("AppDataInfo.plist")?.starts(with: "bplist00".utf8) == true)
    #expect(tree.size("AppData/Library/Caches/Cafe\u{301}/picture.bin") == 76_800)
    #expect(tree.bytes("AppData/Library/Caches/Cafe\u{301}/picture.bin") == nil)
    #expect(tree.size("AppData/Documents/empty.txt") == 0)
  }

  @Test func `What containers and backups are read from is kept, of everything else only the size`() throws {
    let hash = "ab" + String(repeating: "0", count: 38)
    let tree = try tree(
      """
      zip([(n, b"x" * 10) for n in ["Manifest.db", "Manifest.db-wal", "A.PLIST", "x/.carryover/runs/1/before",
        "Library/rl_persistence.sqlite", "Library/rl_persistence.sqlite-wal", "picture.png", "Manifest.dbx",
        ".com.apple.mobile_container_manager.metadata.plist"]]
        + [("ab/\(hash)", b"bplist00" + bytes(100)), ("ab/" + "ab" * 20, b"\\x89PNG" + bytes(100)),
           ("cd/\(hash)", b"bplist00"), ("cd/cd", b"bplist00")])
      """)
    let held = tree.entries.map(\.path).filter { tree.bytes($0) != nil }
    #expect(
      held == [
        ".com.apple.mobile_container_manager.metadata.plist", "A.PLIST", "Library/rl_persistence.sqlite",
        "Library/rl_persistence.sqlite-wal", "Manifest.db", "Manifest.db-wal", "ab/\(hash)",
        "x/.carryover/runs/1/before",
      ])
    #expect(tree.size("ab/" + String(repeating: "ab", count: 20)) == 104)
  }

  @Test func `No more is kept than the limits say, and what is not kept says why`() throws {
    let script = "tar('w:gz', [(f'{i}.plist', b'x' * 1000) for i in range(10)])"
    let few = try tree(script, limits: ArchiveLimits(keptBytes: 3_500))
    #expect(few.entries.filter { few.bytes($0.path) != nil }.map(\.path) == ["0.plist", "1.plist", "2.plist"])
    let none = try tree(script, limits: ArchiveLimits(keptFileBytes: 999))
    for entry in none.entries {
      guard case .file(let file) = entry.node, case .unavailable(.beyondArchiveLimit) = file.content else {
        return #expect(Bool(false), "\(entry.path) is kept")
      }
    }
  }

  @Test func `A hard link is the file it stands for, and a link within the archive stays a link`() throws {
    let tree = try tree(
      """
      tar('w:gz', [("a/x.plist", b"abc"), info("b/y.plist", 0, tarfile.LNKTYPE, "a/x.plist"),
        info("b/z", 0, tarfile.SYMTYPE, "../a/x.plist"), info("loop", 0, tarfile.SYMTYPE, "loop")])
      """)
    #expect(tree.bytes("b/y.plist") == Array("abc".utf8))
    guard case .link(let target)? = tree.node("b/z"), case .link? = tree.node("loop") else {
      return #expect(Bool(false))
    }
    #expect(target == "../a/x.plist")
    let zip = try self.tree(#"zip([(link("a/l"), b"../b"), ("b/x", b"")])"#)
    if case .link("../b")? = zip.node("a/l") {} else { Issue.record("no link in the zip") }
  }

  @Test func `A sparse file has zeros in its holes`() throws {
    let tree = try tree(
      """
      made = info("s.plist", 512, tarfile.GNUTYPE_SPARSE)
      header = bytearray(made.tobuf(tarfile.GNU_FORMAT))
      header[386:398], header[398:410] = b"%011o\\0" % 1024, b"%011o\\0" % 512
      header[483:495] = b"%011o\\0" % 4096
      header[148:156] = b"        "
      header[148:156] = b"%06o\\0 " % sum(header)
      open(path, "wb").write(bytes(header) + b"y" * 512 + bytes(1024))
      """)
    let bytes = try #require(tree.bytes("s.plist"))
    #expect(
      bytes == [UInt8](repeating: 0, count: 1024) + [UInt8](repeating: 121, count: 512)
        + .init(repeating: 0, count: 2560))
  }

  @Test func `Names that are not UTF-8 are written out, in zip and tar`() throws {
    let zip = try tree(#"zip([("CafX.plist", b"abc")]); patch((b"CafX", b"Caf\xe9"))"#)
    #expect(zip.entries.map(\.path) == ["Caf%E9.plist"])
    let tar = try tree(#"tar('w', [("Caf\udce9\udcff.plist", b"abc")], tarfile.GNU_FORMAT)"#)
    #expect(tar.entries.map(\.path) == ["Caf%E9%FF.plist"])
    #expect(tar.bytes("Caf%E9%FF.plist") == Array("abc".utf8))
  }

  @Test func `A name that begins with a combining mark is a name like others`() throws {
    let tree = try tree(#"tar('w', [("a/\u0301b/\u0301c", b"")])"#)
    #expect(tree.entries.map(\.path) == ["a", "a/\u{301}b", "a/\u{301}b/\u{301}c"])
    if case .folder(let names)? = tree.node("a") { #expect(names == ["\u{301}b"]) }
  }

  @Test(arguments: [
    "tar('w', [('//' + n, d) for n, d in content.items()])",
    "zip([('X' + n, d) for n, d in content.items()]); patch((b'XApp', b'/App'))",
  ])
  func `Names of a whole file system lose their slashes at the start, which one notice says`(script: String) throws {
    try Packer.pack(fixture("a"), script)
    let container = try fixture.open("a")
    #expect(container.bundleID == "com.acme.shop")
    #expect(container.store("AppData/Library/Preferences/com.acme.shop.plist")?.dictionary?["theme"] == "dark")
    #expect(container.notices == [ArchiveWording.rootedNames])
    let listing = try ContainerOpener(fileSystem: POSIXFileSystem()).containers(at: fixture("a"))
    #expect(listing.notices == [ArchiveWording.rootedNames])
    #expect(try tree("tar('w', content.items())").notices.isEmpty)
  }

  @Test func `Backslashes that Windows tools write into zip files part folders`() throws {
    let tree = try tree(#"zip([("a_b.plist", b"abc")]); patch((b"a_b", b"a\\b"))"#)
    #expect(tree.entries.map(\.path) == ["a", "a/b.plist"])
  }

  @Test func `Archives with nothing in them are empty trees`() throws {
    #expect(try tree("zip([])").entries.isEmpty)
    #expect(try tree("tar('w', [])").entries.isEmpty)
    #expect(try tree("tar('w:gz', [])").entries.isEmpty)
  }

  @Test func `A second pass hands over the files that are selected, and nothing else`() throws {
    try Packer.pack(
      fixture("a"),
      """
      tar('w:xz', [("a/big", bytes(range(251)) * 4000), ("a/none", b""), ("b/other", b"x"),
        info("a/same", 0, tarfile.LNKTYPE, "a/big"), info("a/lost", 0, tarfile.LNKTYPE, "b/other")])
      """)
    var files: [String: [UInt8]] = [:]
    var open: String?
    var copies: [String] = []
    try ArchiveReader.stream(archiveAt: fixture("a"), selecting: { $0.hasPrefix("a/") }) { part in
      switch part {
      case .file(let path):
        open = path
        files[path] = []
      case .bytes(let bytes): open.map { files[$0]?.append(contentsOf: bytes) }
      case .end: open = nil
      case .copy(let path, let of): copies.append("\(path) = \(of)")
      }
    }
    #expect(files.keys.sorted() == ["a/big", "a/none"])
    #expect(files["a/big"] == (0..<4_000).flatMap { _ in (0..<251).map { UInt8($0) } })
    #expect(copies == ["a/same = a/big"])
  }

  @Test(arguments: ["w", "w:gz"])
  func `Progress goes from nothing to the file's size, and ends the work where it is told to`(mode: String) throws {
    let seen = Locked<[OpeningProgress]>([])
    let observer = OpeningObserver { progress in
      seen.withLock { $0.append(progress) }
      return true
    }
    _ = try tree("tar('\(mode)', [(f'{i}', os.urandom(20000)) for i in range(100)])", observer: observer)
    let size = try #require(try POSIXFileSystem().status(fixture("a"))).size
    let done = seen.withLock { $0 }
    #expect(done.first == OpeningProgress(.archive, done: 0, total: Int(size)))
    #expect(done.last == OpeningProgress(.archive, done: Int(size), total: Int(size)))
    #expect(done.map(\.done) == done.map(\.done).sorted())
    #expect(done.count > 10)

    let asked = Locked(0)
    let stopping = OpeningObserver { _ in
      asked.withLock { $0 += 1 }
      return asked.withLock { $0 } < 3
    }
    #expect(throws: ContainerError(fixture("a"), .cancelled)) {
      try ArchiveReader.tree(ofArchiveAt: fixture("a"), observer: stopping)
    }
    #expect(asked.withLock { $0 } == 3)
  }

  @Test func `Nothing is written`() throws {
    _ = try tree("zip(content.items())")
    let before = try fixture.listing()
    _ = try ArchiveReader.tree(ofArchiveAt: fixture("a"))
    try ArchiveReader.stream(archiveAt: fixture("a"), selecting: { _ in true }) { _ in }
    #expect(try fixture.listing() == before)
  }
}

extension FileTree {
  func bytes(_ path: String) -> [UInt8]? {
    if case .file(let file)? = node(path), case .bytes(let bytes) = file.content { bytes } else { nil }
  }

  func size(_ path: String) -> Int64? { if case .file(let file)? = node(path) { file.size } else { nil } }
}

/// Makes archives with CPython's own writers, which can be told to write what no good tool would.
enum Packer {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Runs a script that makes the archive `path`. It has `names` and `content` of a small container, and
  /// `tar(mode, entries)` and `zip(entries)` for entries of its own.
  static func pack(_ path: String, _ script: String) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-c", prelude + script, path]
    let errors = Pipe()
    process.standardOutput = FileHandle.nullDevice
    process.standardError = errors
    try process.run()
    let text = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(description: String(decoding: text, as: UTF8.self)) }
  }

  private static let prelude = """
    import io, os, plistlib, struct, sys, tarfile, warnings, zipfile, zlib
    warnings.simplefilter("ignore")
    path = sys.argv[1]
    plist = lambda **values: plistlib.dumps(values, fmt=plistlib.FMT_BINARY)
    content = {
      "AppDataInfo.plist": plist(CFBundleIdentifier="com.acme.shop"),
      "AppData/Library/Preferences/com.acme.shop.plist": plist(rl_anonymous_id="a", theme="dark"),
      "AppData/Library/Application Support/state.json": b'{"a": 1}' * 40,
      "AppData/Library/Caches/Cafe\\u0301/picture.bin": bytes(range(256)) * 300,
      "AppData/Documents/empty.txt": b"",
    }
    names = list(content)

    def info(name, size=0, type=tarfile.REGTYPE, link=""):
      made = tarfile.TarInfo(name)
      made.size, made.type, made.linkname = size, type, link
      return made

    def tar(mode, entries, format=tarfile.PAX_FORMAT, to=None):
      with tarfile.open(to or path, mode, format=format) as made:
        for entry in entries:
          name, data = entry if isinstance(entry, tuple) else (entry, b"")
          if isinstance(name, str): name = info(name, len(data))
          made.addfile(name, io.BytesIO(data))

    def zip(entries, method=zipfile.ZIP_DEFLATED):
      with zipfile.ZipFile(path, "w", method) as made:
        for entry in entries: made.writestr(*entry, compress_type=method)

    def link(name):
      made = zipfile.ZipInfo(name)
      made.create_system, made.external_attr = 3, 0o120777 << 16
      return made

    def patch(*pairs):
      data = open(path, "rb").read()
      for old, new in pairs:
        assert old in data
        data = data.replace(old, new)
      open(path, "wb").write(data)

    class Pipe(io.RawIOBase):
      "Cannot seek, so that sizes come after the data, as macOS writes them."
      def __init__(self, file): self.file = file
      def writable(self): return True
      def write(self, data): return self.file.write(data)

    """
}
