@testable import CarryoverContainers

@Suite("Archives that are refused") struct ArchiveRefusalTests {
  let fixture = TemporaryFolder()
  private func refusal(_ script: String, _ limits: ArchiveLimits = ArchiveLimits()) throws -> ArchiveRefusal? {
    try Packer.pack(fixture("a"), script)
    do throws(ContainerError) {
      _ = try ArchiveReader.tree(ofArchiveAt: fixture("a"), limits: limits)
      return nil
    } catch {
      if case .refusedArchive(let refusal) = error.kind { return refusal }
      throw error
    }
  }

  private static let names: [(String, ArchiveRefusal)] = [
    ("tar('w', ['/C:/x'])", .absoluteName("/C:/x")),
    (#"tar('w', ['/\\x'])"#, .absoluteName("/\\x")),
    ("tar('w', ['/../x'])", .climbingName("/../x")),
    ("tar('w', [('/x', b''), ('x', b'')])", .repeatedName("x")),
    ("tar('w', ['C:/x'])", .absoluteName("C:/x")),
    (#"tar('w', ['c:\\x'])"#, .absoluteName("c:\\x")),
    (#"tar('w', ['\\x'])"#, .absoluteName("\\x")),
    (#"zip([("../x", b"")])"#, .climbingName("../x")),
    (#"zip([("a/../../x", b"")])"#, .climbingName("a/../../x")),
    (#"zip([("__MACOSX/../../x", b"")])"#, .climbingName("__MACOSX/../../x")),
    (#"zip([("zz_x", b"")]); patch((b"zz_x", b"..\\x"))"#, .climbingName("../x")),
    ("tar('w:gz', ['a/..'])", .climbingName("a/..")),
    (#"tar('w', ['a\\..\\..\\x'])"#, .climbingName("a\\..\\..\\x")),
    (#"zip([("Yab", b"")]); patch((b"Yab", b"\0ab"))"#, .namelessEntry(1)),
    (#"zip([("a", b""), ("é", b"")]); patch(("é".encode(), b"\xe9\xff"))"#, .namelessEntry(2)),
    ("tar('w', [('.', b'abc')])", .namelessEntry(1)),
    ("tar('w', ['n' * 256])", .longName(String(repeating: "n", count: 256))),
  ]

  @Test(arguments: names)
  func `A name that leads out of the archive, or is none`(script: String, refusal: ArchiveRefusal) throws {
    #expect(try self.refusal(script) == refusal)
  }

  @Test func `Hard links that would take up far more than the archive`() throws {
    let script = "tar('w', [('f', bytes(1000))] + [info('h%d' % n, 0, tarfile.LNKTYPE, 'f') for n in range(9)])"
    #expect(try refusal(script, ArchiveLimits(totalBytes: 9_999)) == .tooLarge(limit: 9_999))
    #expect(try refusal(script, ArchiveLimits(totalBytes: 10_000)) == nil)
  }

  @Test func `A path that is too deep`() throws {
    guard case .longName? = try refusal("tar('w', ['a/' * 5000 + 'x'])") else { return #expect(Bool(false)) }
  }

  private static let links: [(String, ArchiveRefusal)] = [
    ("tar('w', [info('l', 0, tarfile.SYMTYPE, '/etc')])", .linkOut("l", target: "/etc")),
    ("tar('w', [info('a/l', 0, tarfile.SYMTYPE, '../../x')])", .linkOut("a/l", target: "../../x")),
    ("tar('w', [info('a/l', 0, tarfile.SYMTYPE, 'b/../x')])", .linkOut("a/l", target: "b/../x")),
    (#"zip([(link("l"), b"..")])"#, .linkOut("l", target: "..")),
    (#"zip([(link("l"), b"C:\\x")])"#, .linkOut("l", target: "C:\\x")),
    ("tar('w', [info('h', 0, tarfile.LNKTYPE, '/etc/passwd')])", .hardLinkOut("h", target: "/etc/passwd")),
    ("tar('w', [info('h', 0, tarfile.LNKTYPE, '../x')])", .hardLinkOut("h", target: "../x")),
    ("tar('w', [info('h', 0, tarfile.LNKTYPE, 'later'), 'later'])", .hardLinkOut("h", target: "later")),
    ("tar('w', [info('h', 0, tarfile.LNKTYPE, 'h')])", .hardLinkOut("h", target: "h")),
    ("tar('w', [info('l', 0, tarfile.SYMTYPE, 'd'), 'l/x'])", .insideFile("l/x", file: "l")),
    (#"zip([("f", b"abc"), ("f/x/y", b"")])"#, .insideFile("f/x/y", file: "f")),
    ("tar('w', ['f/x', 'f'])", .repeatedName("f")),
    ("tar('w', ['f/x', info('f', 0, tarfile.SYMTYPE, 'd')])", .repeatedName("f")),
    (#"zip([("f", b"1"), ("f", b"2")])"#, .repeatedName("f")),
    ("tar('w', ['./f', 'f'])", .repeatedName("f")),
    (#"tar('w', ["e\u0301", "\u00e9"], tarfile.GNU_FORMAT)"#, .repeatedName("\u{E9}")),
    ("tar('w', [info('p', 0, tarfile.FIFOTYPE)])", .specialFile("p")),
    ("tar('w', [info('d', 0, tarfile.CHRTYPE)])", .specialFile("d")),
    ("tar('w', [info('d', 0, tarfile.BLKTYPE)])", .specialFile("d")),
  ]

  @Test("A link that leads out, a name that stands for two things, a device", arguments: links)
  func refusedLink(script: String, refusal: ArchiveRefusal) throws { #expect(try self.refusal(script) == refusal) }

  private static let forms: [(String, ArchiveRefusal)] = [
    (
      #"zip([("a", b"abc")]); patch((b"PK\x03\x04\x14\0\0", b"PK\x03\x04\x14\0\1"), (b"PK\1\2\x14\3\x14\0\0", b"PK\1\2\x14\3\x14\0\1"))"#,
      .encrypted("a")
    ),
    (#"zip([("a", b"abc")]); patch((b"PK\5\6\0\0\0\0", b"PK\5\6\1\0\0\0"))"#, .severalVolumes),
    (
      """
      made = bytearray(info("x", 3).tobuf(tarfile.GNU_FORMAT))
      made[156], made[148:156] = ord("M"), b"        "
      made[148:156] = b"%06o\\0 " % sum(made)
      open(path, "wb").write(bytes(made) + b"abc" + bytes(2045))
      """, .severalVolumes
    ),
    ("import gzip; open(path, 'wb').write(gzip.compress(b'hello' * 99))", .unrecognised),
    (
      """
      import gzip
      tar('w:gz', ['a'])
      data = open(path, 'rb').read()
      open(path, 'wb').write(gzip.compress(data))
      """, .compressedTwice
    ),
    (
      """
      import bz2, lzma
      tar('w:bz2', ['a'])
      data = open(path, 'rb').read()
      open(path, 'wb').write(lzma.compress(data))
      """, .compressedTwice
    ),
    (
      """
      import bz2
      zip([('a', b'abc')])
      data = open(path, 'rb').read()
      open(path, 'wb').write(bz2.compress(data))
      """, .compressedTwice
    ),
    // The name in the inner header is as long as the file goes.
    (
      """
      import gzip
      open(path, 'wb').write(gzip.compress(bytes([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3]) + b'A' * (16 << 20)))
      """, .compressedTwice
    ),
    ("tar('w', ['a'], tarfile.GNU_FORMAT); os.truncate(path, 512)", .truncated),
    ("tar('w', [('a', bytes(9999))]); os.truncate(path, 5000)", .truncated),
    ("tar('w:gz', [('a', os.urandom(400000))]); os.truncate(path, 300000)", .truncated),
    ("zip([('a', b'abc')]); os.truncate(path, 50)", .unrecognised),
    ("zip([('a.plist', b'abc' * 9)], zipfile.ZIP_STORED); patch((b'abc' * 9, b'abd' * 9))", .damaged("")),
  ]

  @Test("An archive that is encrypted, damaged, cut off, in volumes or compressed twice", arguments: forms)
  func refusedForm(script: String, refusal: ArchiveRefusal) throws {
    switch (try self.refusal(script), refusal) {
    case (.damaged?, .damaged): break
    case (let found, _): #expect(found == refusal)
    }
  }

  private static let limits: [(String, ArchiveLimits, ArchiveRefusal)] = [
    ("tar('w', [str(i) for i in range(11)])", ArchiveLimits(entries: 10), .tooManyEntries(limit: 10)),
    ("tar('w', ['a/b/c/d'])", ArchiveLimits(entries: 3), .tooManyEntries(limit: 3)),
    ("zip([(f'._{i}', b'') for i in range(11)])", ArchiveLimits(entries: 10), .tooManyEntries(limit: 10)),
    ("tar('w', ['aaaaa/bbbbb'])", ArchiveLimits(nameBytes: 15), .tooLongNames(limit: 15)),
    ("zip([('a', b'abc')])", ArchiveLimits(fileBytes: 2), .tooLargeFile("a", limit: 2)),
    ("zip([('a', b'abc'), ('b', b'abc')])", ArchiveLimits(totalBytes: 5), .tooLarge(limit: 5)),
    (
      "zip([(str(i), bytes(100000)) for i in range(9)])", ArchiveLimits(unsuspiciousBytes: 9),
      .expandsTooMuch(times: 200)
    ),
    (
      "tar('w', []); open(path, 'wb').write(info('a', 1 << 50).tobuf(tarfile.GNU_FORMAT) + bytes(9999))",
      ArchiveLimits(), .tooLargeFile("a", limit: 64 << 30)
    ),
  ]

  @Test(arguments: limits)
  func `More than the limits allow`(script: String, limits: ArchiveLimits, refusal: ArchiveRefusal) throws {
    #expect(try self.refusal(script, limits) == refusal)
  }

  /// `zeros` is a gigabyte of them, deflated: one piece that refers to nothing outside, again and again.
  private static let zeros = """
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    piece = packer.compress(bytes(1 << 22)) + packer.flush(zlib.Z_FULL_FLUSH)
    zeros = piece * 256 + packer.flush()

    """

  private static let bombs = [
    zeros + """
      fields = b"\\x14\\0\\0\\0\\x08\\0" + struct.pack("<IIIIHH", 0, 0, len(zeros), 1 << 30, 7, 0)
      local = b"PK\\3\\4" + fields + b"0.plist" + zeros
      central = b"PK\\1\\2\\x14\\3" + fields + bytes(14) + b"0.plist"
      end = b"PK\\5\\6" + struct.pack("<HHHHIIH", 0, 0, 1, 1, len(central), len(local), 0)
      open(path, "wb").write(local + central + end)
      """,
    zeros + """
      with open(path, "wb") as made:
        head = zlib.compressobj(0, zlib.DEFLATED, -15)
        made.write(b"\\x1f\\x8b\\x08\\0\\0\\0\\0\\0\\0\\3")
        made.write(head.compress(info("zeros", 60 << 20).tobuf(tarfile.GNU_FORMAT)) + head.flush(zlib.Z_FULL_FLUSH))
        made.write(piece * 15)
        for i in range(20):
          head = zlib.compressobj(0, zlib.DEFLATED, -15)
          made.write(head.compress(info(f"._{i}", 60 << 20).tobuf(tarfile.GNU_FORMAT)) + head.flush(zlib.Z_FULL_FLUSH))
          made.write(piece * 15)
        made.write(b"\\3\\0")
      """,
    """
    import bz2
    entry = bz2.compress(info("._x", 8 << 20).tobuf(tarfile.GNU_FORMAT) + bytes(8 << 20))
    open(path, "wb").write(entry * 128)
    """,
  ]

  @Test(arguments: bombs)
  func `A small archive that unpacks to a gigabyte of zeros, before it is unpacked`(script: String) throws {
    #expect(try refusal(script) == .expandsTooMuch(times: 200))
  }

  @Test func `A few bytes that decompress to a description which would fill the memory`() throws {
    let refusal = try refusal(
      """
      import bz2
      made = info("x", 12 << 20)
      made.pax_headers = {"GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.name": "y",
        "GNU.sparse.realsize": "10"}
      head = made.tobuf(tarfile.PAX_FORMAT) + b"9999999\\n"
      open(path, "wb").write(bz2.compress(head + b"0\\n" * (6 << 20)))
      """)
    #expect(refusal == .endlessDescription(limit: 4 << 20))
  }

  @Test func `A file that unpacks to more than it states is damaged, and no more than stated is kept`() throws {
    let refusal = try refusal(
      """
      zip([("a.plist", bytes(1 << 20))])
      patch((struct.pack("<I", 1 << 20), struct.pack("<I", 10)))
      """)
    guard case .damaged? = refusal else { return #expect(Bool(false), "\(refusal as Any)") }
  }

  @Test func `No library, a link or a folder in the archive's place, nothing there`() throws {
    try Packer.pack(fixture("a"), "zip([('a', b'abc')])")
    try fixture.link("link", to: fixture("a"))
    try fixture.makeFolder("d")
    func kind(_ name: String, _ library: [String] = ArchiveLibrary.names) -> ContainerError.Kind? {
      thrown { () throws(ContainerError) in try ArchiveReader.tree(ofArchiveAt: fixture(name), library: library) }?.kind
    }
    #expect(kind("a", ["libthere-is-none.so.99"]) == .archiveLibraryMissing)
    #expect(kind("a", ["libthere-is-none.so.99"] + ArchiveLibrary.names) == nil)
    #expect(kind("link") == .symbolicLink)
    #expect(kind("d") == .notFileOrFolder)
    #expect(kind("none") == .notFound)
  }
}

@Suite("Damaged archives") struct DamagedArchiveTests {
  let fixture = TemporaryFolder()
  private static let scripts = [
    "zip([(n, d[:4000]) for n, d in content.items()] + [(link('l'), b'AppData')])",
    "tar('w:gz', [(n, d[:4000]) for n, d in content.items()] + [info('l', 0, tarfile.SYMTYPE, 'AppData')])",
    "tar('w', [(n, d[:4000]) for n, d in content.items()] + [info('l', 0, tarfile.LNKTYPE, 'AppDataInfo.plist')])",
  ]

  private static let limits = ArchiveLimits(
    entries: 50, nameBytes: 10_000, fileBytes: 1 << 20, totalBytes: 4 << 20, keptFileBytes: 1 << 16, keptBytes: 1 << 17)

  @Test(
    "Cut off anywhere, or with any byte changed, an archive is read within the limits or refused", arguments: scripts)
  func damage(script: String) throws {
    try Packer.pack(fixture("a"), script)
    let whole = [UInt8](try Data(contentsOf: URL(filePath: fixture("a"))))
    #expect(isReadOrRefused(whole) == true)
    for length in stride(from: 0, to: whole.count, by: Extent.isFull ? 97 : 487) {
      _ = isReadOrRefused(Array(whole[..<length]))
    }
    var generator = SeededGenerator(seed: 20_261_121)
    for _ in 0..<(Extent.isFull ? 500 : 100) {
      var bytes = whole
      bytes[Int(generator.next() % UInt64(bytes.count))] ^= UInt8(truncatingIfNeeded: generator.next() | 1)
      _ = isReadOrRefused(bytes)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.path).sorted() == ["a", "b"])
  }

  @Test(arguments: scripts)
  func `A zip or tar archive without its end is never taken for a whole one`(script: String) throws {
    try Packer.pack(fixture("a"), script)
    let whole = [UInt8](try Data(contentsOf: URL(filePath: fixture("a"))))
    // A tar archive is padded after its end, and gzip ends with a sum.
    for length in stride(from: 0, to: whole.count - 8 - 10_240, by: 97) {
      #expect(!isReadOrRefused(Array(whole[..<length])), "\(length) of \(whole.count) bytes")
    }
  }

  @Test func `The library's words are kept without the line ends after them`() {
    #expect(OpenArchive.refusal("Bad sum\r\n\n") == .damaged("Bad sum"))
    #expect(OpenArchive.refusal("Two\nlines") == .damaged("Two\nlines"))
    #expect(OpenArchive.refusal("\n") == .damaged(""))
    #expect(OpenArchive.refusal("Truncated input\n") == .truncated)
  }

  private func isReadOrRefused(_ bytes: [UInt8]) -> Bool {
    do {
      try Data(bytes).write(to: URL(filePath: fixture("b")))
      let tree = try ArchiveReader.tree(ofArchiveAt: fixture("b"), limits: Self.limits)
      let paths = tree.entries.map(\.path)
      #expect(paths.count <= 50)
      #expect(paths.reduce(0) { $0 + (tree.bytes($1)?.count ?? 0) } <= 1 << 17)
      #expect(!paths.contains { ("/" + $0 + "/").contains("/../") })
      try ArchiveReader.stream(archiveAt: fixture("b"), limits: Self.limits, selecting: { _ in true }) { _ in }
      return true
    } catch {
      #expect(error is ContainerError)
      return false
    }
  }
}
