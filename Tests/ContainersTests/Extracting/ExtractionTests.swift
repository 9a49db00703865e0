@testable import CarryoverContainers

@Suite("Taking files out of an archive or a backup") struct ExtractionTests {
  let backup = BackupFixture()
  var fixture: TemporaryFolder { backup.fixture }

  private func opened(_ relative: String) throws -> OpenedContainer {
    try ContainerOpener(fileSystem: POSIXFileSystem()).opened(fixture(relative))
  }

  /// Makes and opens a backup of one app, with a file of five bytes.
  private func backupOfOneApp() throws -> OpenedContainer {
    try backup.make([.init("AppDomain-com.acme.shop", "Documents/note", "hello")])
    return try opened("backup")
  }

  private var payload: String {
    let id = BackupFixture.id("AppDomain-com.acme.shop", "Documents/note")
    return backup.root + "/\(id.prefix(2))/\(id)"
  }

  private func failure(_ opened: OpenedContainer, _ extractor: ContainerExtractor) -> ContainerError? {
    thrown { () throws(ContainerError) in try extractor.extract(opened, to: fixture("out")) }
  }

  private func append(to path: String) throws {
    let handle = try #require(FileHandle(forWritingAtPath: path))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data([0]))
    try handle.close()
  }

  private func makesNothing() throws -> Bool {
    try !FileManager.default.contentsOfDirectory(atPath: fixture.path).contains {
      $0 == "out" || $0.contains("carryover-extract")
    }
  }

  @Test func `An archive that was replaced since it was opened is refused, and nothing of either is left`() throws {
    let pack = "zip([(n, d if 'picture' not in n else VALUE * 76_800) for n, d in content.items()])"
    try Packer.pack(fixture("a.zip"), pack.replacing("VALUE", with: "b'1'"))
    let opened = try opened("a.zip")
    try Packer.pack(fixture("b.zip"), pack.replacing("VALUE", with: "b'2'"))
    _ = try FileManager.default.removeItem(atPath: fixture("a.zip"))
    try FileManager.default.moveItem(atPath: fixture("b.zip"), toPath: fixture("a.zip"))
    let error = failure(opened, ContainerExtractor(fileSystem: POSIXFileSystem()))
    #expect(error == ContainerError(fixture("a.zip"), .refusedArchive(.changed)))
    #expect(try makesNothing())
  }

  @Test func `An archive that is written to while it is read is refused, in the first pass and in the second`() throws {
    let changed = ContainerError(fixture("a"), .refusedArchive(.changed))
    try Packer.pack(fixture("a"), "tar('w', content.items())")
    #expect(throws: changed) {
      try ArchiveReader.stream(archiveAt: fixture("a"), selecting: { _ in true }) { part in
        if case .file = part { try? append(to: fixture("a")) }
      }
    }
    let path = fixture("a")
    let writing = OpeningObserver { _ in
      if let handle = FileHandle(forWritingAtPath: path) {
        _ = try? handle.seekToEnd()
        try? handle.write(contentsOf: Data([0]))
      }
      return true
    }
    #expect(throws: changed) { try ArchiveReader.tree(ofArchiveAt: path, observer: writing) }
  }

  /// Makes and opens an archive of several containers.
  private func several(_ pack: String) throws -> LocatedPath {
    try Packer.pack(fixture("a.zip"), pack)
    return try ContainerOpener(fileSystem: POSIXFileSystem()).located(fixture("a.zip"), options: ContainerOptions())
  }

  private func picture(_ name: String) throws -> String {
    // The library that reads archives composes the letter on some systems.
    let caches = fixture("out-\(name)/AppData/Library/Caches")
    let folder = try #require(FileManager.default.contentsOfDirectory(atPath: caches).first)
    return try String(contentsOfFile: "\(caches)/\(folder)/picture.bin", encoding: .utf8)
  }

  @Test func `Containers of one archive are extracted together; a damaged file harms only its own`() throws {
    let located = try several(
      """
      zip([(f"{folder}/{name}", data if "picture" not in name else folder.encode() * 5_000)
        for folder in ("anna", "ben", "carl") for name, data in content.items()], zipfile.ZIP_STORED)
      patch((b"benben", b"BENben"))
      """)
    #expect(try located.severalInArchive()?.map(\.path) == ["anna", "ben", "carl"])
    var extraction = ContainerExtractor(fileSystem: POSIXFileSystem()).extraction(withState: false)
    for name in ["anna", "ben", "carl"] {
      try extraction.add(try located.opened(.path(name)), to: fixture("out-" + name))
      #expect(try !FileManager.default.contentsOfDirectory(atPath: fixture.path).contains("out-" + name))
    }
    let results = extraction.finish()
    #expect(results.map { (try? $0.get())?.files } == [5, nil, 5])
    for name in ["anna", "carl"] { #expect(try picture(name) == String(repeating: name, count: 5_000)) }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: fixture.path).filter { $0 != "a.zip" && $0 != "backup" }
        .sorted() == ["out-anna", "out-carl"])
  }

  @Test func `A hard link to a file of another container is left out`() throws {
    let located = try several(
      """
      files = [(f"{folder}/{name}", data) for folder in ("anna", "ben") for name, data in content.items()
        if (folder, "picture" in name) != ("ben", True)]
      picture = "Library/Caches/Cafe\\u0301/picture.bin"
      tar('w', files + [info("ben/AppData/" + picture, 0, tarfile.LNKTYPE, "anna/AppData/" + picture)])
      """)
    var extraction = ContainerExtractor(fileSystem: POSIXFileSystem()).extraction(withState: false)
    for name in ["anna", "ben"] { try extraction.add(try located.opened(.path(name)), to: fixture("out-" + name)) }
    let reports = try extraction.finish().map { try $0.get() }
    #expect(reports.map(\.files) == [5, 4])
    #expect(reports[0].leftOut.isEmpty && reports[1].leftOut.map { FilePath.name(of: $0.path) } == ["picture.bin"])
  }

  @Test func `The room for the files that the archive is read again for is kept free`() throws {
    let located = try several(
      """
      zip([(f"{folder}/{name}", data if "picture" not in name else b"1" * 50_000)
        for folder in ("anna", "ben") for name, data in content.items()])
      """)
    let extractor = ContainerExtractor(fileSystem: POSIXFileSystem(), freeBytes: { _ in 75_000 })
    var extraction = extractor.extraction(withState: false)
    try extraction.add(try located.opened(.path("anna")), to: fixture("out-anna"))
    let error = thrown { () throws(ContainerError) in
      try extraction.add(try located.opened(.path("ben")), to: fixture("out-ben"))
    }
    guard case .noRoom(_, free: 25_000)? = error?.kind else { return #expect(Bool(false)) }
    #expect(extraction.finish().map { (try? $0.get())?.files } == [5])
  }

  @Test func `The folders of extracted containers have safe, visible and unique names`() {
    var names = ExtractionNames()
    for (path, kind, name) in [
      ("Anna.zip", ContainerKind.xcappdata, "Anna.xcappdata"), ("anna.ZIP", .xcappdata, "anna-2.xcappdata"),
      ("old/Anna.tar.gz", .folder, "old-Anna"), ("old-Anna.zip", .folder, "old-Anna-2"),
      ("Two.zip/Ben.xcappdata", .xcappdata, "Two-Ben.xcappdata"), ("../..", .folder, "container"),
      (".hidden.zip", .folder, "hidden"), ("-rf.zip", .folder, "rf"), ("x\u{1B}[2J\u{202E}y.zip", .folder, "x_[2J_y"),
      (String(repeating: "é", count: 300), .folder, String(repeating: "é", count: 100)),
    ] {
      #expect(names.name(path, kind) == name, "\(path)")
    }
  }

  @Test func `Files that need more room than there is are refused before anything is written`() throws {
    try backup.make([.init("AppDomain-com.acme.shop", "Documents/note", "hello")])
    // Takes no room on the disk until it is copied.
    try #require(FileHandle(forWritingAtPath: payload)).truncate(atOffset: 1 << 33)
    let before = try fixture.listing()
    let error = failure(
      try opened("backup"), ContainerExtractor(fileSystem: POSIXFileSystem(), freeBytes: { _ in 1 << 33 }))
    guard case .noRoom(let needed, 1 << 33)? = error?.kind else { return #expect(Bool(false)) }
    #expect(error?.path == fixture("out"))
    #expect(needed > 1 << 33)
    #expect(error?.description.contains("8192 MiB are free on the disk of “\(fixture("out"))”") == true)
    #expect(error?.description.hasSuffix("Nothing was written.") == true)
    #expect(try fixture.listing() == before)
  }

  @Test func `Files that just fit are taken out, and so are those of a disk that does not tell its room`() throws {
    let opened = try backupOfOneApp()
    let size = ExtractionSources(opened, withState: true).size
    #expect(failure(opened, ContainerExtractor(fileSystem: POSIXFileSystem(), freeBytes: { _ in size })) == nil)
    try FileManager.default.removeItem(atPath: fixture("out"))
    #expect(failure(opened, ContainerExtractor(fileSystem: POSIXFileSystem(), freeBytes: { _ in nil })) == nil)
    #expect(Platform.freeBytes(fixture.path) != nil)
    #expect(Platform.freeBytes(fixture("none")) == nil)
  }

  @Test(arguments: [0, 4, 6, 1 << 40])
  func `A file that has another size than when the container was opened is left out`(size: UInt64) throws {
    let opened = try backupOfOneApp()
    try #require(FileHandle(forWritingAtPath: payload)).truncate(atOffset: size)
    let report = try ContainerExtractor(fileSystem: POSIXFileSystem()).extract(opened, to: fixture("out"))
    #expect(
      report.leftOut == [.init(path: "Documents/note", reason: .unreadable("its size changed while it was read"))])
    #expect(!FileManager.default.fileExists(atPath: fixture("out/Documents/note")))
  }

  @Test func `Where what was made cannot be removed, the first cause is said too`() throws {
    let opened = try backupOfOneApp()
    let staging = fixture(".carryover-extract-1.tmp")
    let stopping = OpeningObserver { _ in !FileManager.default.createFile(atPath: staging + "/foreign", contents: nil) }
    let error = failure(opened, ContainerExtractor(fileSystem: POSIXFileSystem(), observer: stopping))
    let cause = ContainerError(fixture("out"), .cancelled)
    #expect(error == ContainerError(staging, .leftBehind(after: cause)))
    #expect(error?.description.hasPrefix(cause.description) == true)
    #expect(error?.description.contains("remove “\(staging)” yourself") == true)
    let file = ContainerError("/a", .notWritten(FileSystemError(.write, "/a", .system(28))))
    #expect(file.description.hasSuffix("The new files were removed again."))
    let left = ContainerError("/b", .leftBehind(after: file)).description
    #expect(left.contains("Could not write “/a”") && !left.contains("removed again"))
  }
}
