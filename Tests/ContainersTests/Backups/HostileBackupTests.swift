@testable import CarryoverContainers

@Suite("Device backups that are refused or made by somebody hostile") struct HostileBackupTests {
  typealias Row = BackupFixture.Row
  let backup = BackupFixture()
  private let shop = "AppDomain-com.acme.shop"

  @Test func `An encrypted backup is refused before its list is looked at, and says what to ask for`() throws {
    try backup.describe(encrypted: true)
    try backup.fixture.write("backup/Manifest.db", (0..<4_096).map { UInt8(truncatingIfNeeded: $0 &* 131 &+ 7) })
    #expect(backup.refusal() == .backup(.encrypted))
    let sentence = ContainerError(backup.root, .backup(.encrypted)).description
    #expect(sentence.contains("encryption turned off") && sentence.contains("Xcode"))
    // Where the description says nothing, the first bytes do.
    try backup.describe()
    #expect(backup.refusal() == .backup(.notDatabase))
    try backup.fixture.write("backup/Manifest.plist", plist: ["IsEncrypted": 1])
    #expect(backup.refusal() == .backup(.encrypted))
  }

  @Test func `What is missing is told before what is in the files`() throws {
    #expect(backup.refusal() == .backup(.incomplete("Manifest.db")))
    try backup.fixture.write("backup/Manifest.mbdb", "mbdb".utf8)
    #expect(backup.refusal() == .backup(.legacy))
    try backup.fixture.write("backup/Manifest.db", "no database".utf8)
    #expect(backup.refusal() == .backup(.incomplete("Manifest.plist")))
    let sentence = ContainerError(backup.root, .backup(.incomplete("Manifest.plist"))).description
    #expect(sentence.contains("without its Manifest.plist") && !sentence.contains("Manifest.db"))
    try backup.fixture.write("backup/Manifest.plist", "no property list".utf8)
    guard case .corruptPropertyList = backup.refusal() else { return #expect(Bool(false)) }
  }

  @Test func `A list without the table, with a view in its place or with a column missing is refused`() throws {
    try backup.describe()
    let path = backup.root + "/Manifest.db"
    for statements in [
      ["CREATE TABLE Other(a)"],
      [
        "CREATE TABLE Rows(a)",
        "CREATE VIEW Files AS SELECT a fileID, a domain, a relativePath, 1 flags, a file FROM Rows",
      ],
      [
        "CREATE VIEW Files AS WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i+1 FROM n) "
          + "SELECT '' fileID, '' domain, '' relativePath, i flags, '' file FROM n"
      ],
      ["CREATE TABLE Files(fileID, domain, flags)"],
      [
        "PRAGMA writable_schema = ON",
        "INSERT INTO sqlite_schema VALUES('table', 'Files', 'Files', 0, 'CREATE VIRTUAL TABLE Files USING fts5(a)')",
      ],
    ] {
      try? FileManager.default.removeItem(atPath: path)
      try Database.make(path, statements)
      #expect(backup.refusal() == .backup(.damaged), "\(statements)")
    }
  }

  @Test func `A list that is cut, or was being changed, is refused`() throws {
    try backup.make((0..<300).map { Row(shop, "\($0)") })
    let whole = try Data(contentsOf: URL(filePath: backup.root + "/Manifest.db"))
    try backup.fixture.write("backup/Manifest.db", whole.prefix(whole.count / 2))
    #expect(backup.refusal() == .backup(.damaged))
    try backup.fixture.write("backup/Manifest.db", whole)
    #expect(backup.refusal() == nil)
    try backup.fixture.write("backup/Manifest.db-journal", [0xD9])
    #expect(backup.refusal() == .backup(.unfinished))
  }

  @Test func `One long description that many apps share is read once`() throws {
    let apps = (0..<9).map { "com.acme.app\($0)" }
    try backup.make(apps.map { BackupFixture.Row("AppDomain-\($0)", "x") })
    try Packer.pack(
      backup.root + "/Info.plist",
      """
      shared = plist(itemName="Acme", padding="x" * 10_000)
      apps = {"com.acme.app%d" % n: {"iTunesMetadata": shared} for n in range(9)}
      open(path, "wb").write(plist(Applications=apps))
      """)
    #expect(try backup.open().candidates.count { $0.name == "Acme" } == 1)
  }

  @Test func `A larger list than the limits allow is refused`() throws {
    try backup.make((0..<3_000).map { Row(shop, "\($0)", record: "NULL") })
    #expect(backup.refusal(ContainerLimits(databaseBytes: 10_000)) == .backup(.tooLarge))
    #expect(backup.refusal(ContainerLimits(databaseSteps: 2_000)) == .backup(.tooLarge))
    #expect(backup.refusal() == nil)
  }

  @Test func `Rows with impossible paths, names and kinds are left out and counted`() throws {
    let deep = String(repeating: "d/", count: 70) + "f"
    let bad = [
      Row(shop, "/etc/passwd", "x"), Row(shop, "../../escape", "x"), Row(shop, "a/../../b", "x"),
      Row(shop, "a//b", "x"),
      Row(shop, "a/", "x"), Row(shop, "./a", "x"), Row(shop, "a\0b", "x"), Row(shop, "", "x"), Row(shop, deep, "x"),
      Row(shop, String(repeating: "x", count: 300), "x"), Row(shop, "kind", "x", flags: 3),
      Row(shop, "short", id: "abc"), Row(shop, "upper", id: String(repeating: "A", count: 40)),
      Row(shop, "way out", id: "../../../../../../../../../../etc/passwd"),
      Row("AppDomain-", "a", "x"), Row("AppDomain-..", "a", "x"), Row("AppDomain-a/../../b", "a", "x"),
      Row("AppDomainGroup-../..", "a", "x"),
    ]
    try backup.make(bad + [Row(shop, "good", "yes")])
    try Database.make(
      backup.root + "/Manifest.db",
      [
        "INSERT INTO Files VALUES(NULL, NULL, NULL, NULL, NULL)",
        "INSERT INTO Files VALUES(x'00', 'AppDomain-com.acme.shop', 5, 'text', 1.5)",
        "INSERT INTO Files VALUES('\(String(repeating: "b", count: 40))', 'AppDomain-com.acme.shop', "
          + "CAST(x'FF41' AS TEXT), 1, NULL)",
      ])
    let opened = try backup.open()
    #expect(opened.apps.map(\.bundleID) == ["com.acme.shop"])
    #expect(opened.apps.map(\.files) == [1])
    #expect(opened.notices.contains { $0.hasPrefix("\(bad.count + 3) entries in the backup's list have ") })
    let listing = try opened.tree(of: "com.acme.shop").listing()
    #expect(listing == [".com.apple.mobile_container_manager.metadata.plist made", "good 3"])
  }

  @Test func `A file under a name that is not its own is read and noted`() throws {
    let id = String(repeating: "c", count: 40)
    try backup.make([Row(shop, "a", "text", id: id), Row(shop, "b", "text")])
    let opened = try backup.open()
    #expect(opened.apps.map(\.missing) == [0])
    #expect(opened.notices.contains { $0.hasPrefix("1 file of the apps has a name") })
    #expect(try opened.tree(of: "com.acme.shop").listing().suffix(2) == ["a 4", "b 4"])
  }

  @Test func `Records that are damaged, too large or of another kind cost nothing but the size`() throws {
    try backup.make([
      Row(shop, "a", record: "x'00112233'"), Row(shop, "b", record: "'text'"), Row(shop, "c", record: "NULL"),
      Row(shop, "d", record: "zeroblob(3000000)"), Row(shop, "e", "kept", record: "x'62706C6973743030'"),
      Row(shop, "f", flags: 4, record: "x'01'"),
      Row(shop, "g", record: try BackupFixture.record(size: -5, target: nil)),
    ])
    #expect(
      try backup.open().tree(of: "com.acme.shop").listing().dropFirst()
        == ["a missing 0", "b missing 0", "c missing 0", "d missing 0", "e 4", "f -> ", "g missing 0"])
  }

  @Test func `Of what stands at one path, the app's own is kept; a file is no folder for others`() throws {
    try backup.make([
      Row("AppDomainGroup-group.com.acme.shop", "x", "group"), Row(shop, "AppGroups", "app's own"),
      Row(shop, "f/inside", "no"), Row(shop, "f", "file"),
    ])
    #expect(try backup.open().tree(of: "com.acme.shop").listing().dropFirst() == ["AppGroups 9", "f 4"])
  }

  @Test func `Links in the places of the list, of folders and of contents are not followed`() throws {
    let outside = backup.fixture("secret")
    try backup.fixture.write("secret", "secret".utf8)
    try backup.make([Row(shop, "a"), Row(shop, "b"), Row(shop, "c", "x")])
    let a = BackupFixture.id(shop, "a")
    let b = BackupFixture.id(shop, "b")
    try #require(a.prefix(2) != b.prefix(2))
    try backup.fixture.link("backup/\(a.prefix(2))/\(a)", to: outside)
    try backup.fixture.write("elsewhere/" + b, "secret".utf8)
    try backup.fixture.link("backup/\(b.prefix(2))", to: backup.fixture("elsewhere"))
    #expect(
      try backup.open().tree(of: "com.acme.shop").listing().dropFirst() == ["a unreadable", "b missing 1234", "c 1"])
    for name in ["Manifest.db", "Manifest.plist"] {
      try FileManager.default.moveItem(atPath: backup.root + "/" + name, toPath: backup.fixture(name))
      try backup.fixture.link("backup/" + name, to: backup.fixture(name))
      #expect(backup.refusal() == .symbolicLink)
      try FileManager.default.removeItem(atPath: backup.root + "/" + name)
      try FileManager.default.moveItem(atPath: backup.fixture(name), toPath: backup.root + "/" + name)
    }
  }

  @Test func `A folder that may not be listed is an error, since its contents would look missing`() throws {
    try backup.make([Row(shop, "a", "x")])
    let folder = backup.root + "/" + BackupFixture.id(shop, "a").prefix(2)
    #expect(throws: ContainerError(folder, .permissionDenied)) {
      _ = try Backup(
        at: backup.root, fileSystem: GuardedFileSystem(denying: [folder]), limits: ContainerLimits(), observer: .none)
    }
  }

  @Test func `A list with changed bytes neither crashes nor leads out of the backup`() throws {
    try backup.make((0..<60).map { Row(shop, "Library/\($0)/file", $0 % 2 == 0 ? "x" : nil) })
    let path = backup.root + "/Manifest.db"
    let whole = [UInt8](try Data(contentsOf: URL(filePath: path)))
    var random = SeededGenerator(seed: 8_128)
    var opened = 0
    for _ in 0..<60 {
      var bytes = whole
      for _ in 0..<6 { bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next()) }
      try Data(bytes).write(to: URL(filePath: path))
      guard let tree = try? backup.open(ContainerLimits(databaseSteps: 1_000_000)).tree(of: "com.acme.shop") else {
        continue
      }
      opened += 1
      for entry in tree.entries {
        #expect(
          !entry.path.split(separator: "/", omittingEmptySubsequences: false).contains { ["", ".", ".."].contains($0) })
        if case .file(let file) = entry.node, case .file(let below) = file.content {
          #expect(below.hasPrefix(backup.root + "/") && !below.contains(".."))
        }
      }
    }
    #expect(opened > 0)
  }
}

@Suite("SHA-1") struct SHA1Tests {
  @Test(arguments: [
    ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"), ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
    ("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "84983e441c3bd26ebaae4aa1f95129e5e54670f1"),
    (String(repeating: "a", count: 55), "c1c8bbdc22796e28c0e15163d20899b65621d65a"),
    (String(repeating: "a", count: 63), "03f09f5b158a7a8cdad920bddc29b81c18a551f5"),
    (String(repeating: "a", count: 64), "0098ba824b5c16427bd7a1122a5a442a25ec644d"),
    (String(repeating: "a", count: 1_000), "291e9a6c66994949b57ba5e650361e98fc36b1ba"),
  ])
  func `The digests of known texts, at the lengths where blocks end`(text: String, digest: String) {
    #expect(SHA1.hexDigest(text.utf8) == digest)
    #expect(BackupFileID(digest.utf8)?.text == digest)
  }

  @Test func `A file's name in a backup is that of its domain and path`() {
    #expect(BackupFixture.id("HomeDomain", "Library/SMS/sms.db") == "3d0d7e5fb2ce288813306e4d4636395e047a3d28")
  }
}
