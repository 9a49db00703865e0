@testable import CarryoverContainers

@Suite("Device backups") struct BackupTests {
  typealias Row = BackupFixture.Row
  let backup = BackupFixture()

  private let shop = "AppDomain-com.acme.shop"
  private let preferences = "Library/Preferences/com.acme.shop.plist"

  private var rows: [Row] {
    [
      Row(shop, "", flags: 2), Row(shop, "Library", flags: 2), Row(shop, preferences, "own"),
      Row(shop, "Documents/é and more", "text"), Row(shop, "Documents/gone.txt"),
      Row(shop, "Documents/link", flags: 4, target: "../Library"),
      Row("AppDomainGroup-group.com.acme", "shared.json", "{}"), Row("AppDomainGroup-group.com.acme", "lost.json"),
      Row("AppDomainPlugin-com.acme.shop.widget", "Library/w.plist", "w"),
      Row("AppDomain-com.acme.wallet", "Library/a.plist", "a"), Row("AppDomainGroup-group.org.other", "other.txt", "o"),
      Row("HomeDomain", "Library/Preferences/com.apple.springboard.plist", "system"),
    ]
  }

  @Test func `Its apps are listed with their names, files, groups and extensions`() throws {
    try backup.make(rows)
    let opened = try backup.open()
    #expect(opened.apps.map(\.bundleID) == ["com.acme.shop", "com.acme.wallet", "group.org.other"])
    #expect(opened.apps.map(\.files) == [6, 3, 1])
    #expect(opened.apps.map(\.missing) == [2, 1, 0])
    #expect(opened.apps.map(\.groups) == [["group.com.acme"], ["group.com.acme"], []])
    #expect(opened.apps.map(\.extensions) == [["com.acme.shop.widget"], [], []])
    #expect(opened.candidates.map(\.name) == ["Shop", "Acme Wallet", "group.org.other"])
    #expect(opened.candidates.map(\.path) == opened.apps.map(\.bundleID))
    #expect(opened.notices.count == 2)
    #expect(opened.notices.first?.contains("“17.5.1”") == true)
    #expect(opened.notices.last?.contains("lists 2 of the apps' 8 files") == true)
  }

  @Test func `An app's files make a container, with its groups and extensions in folders of their own`() throws {
    try backup.make(rows)
    let tree = try backup.open().tree(of: "com.acme.shop")
    #expect(
      tree.listing() == [
        ".com.apple.mobile_container_manager.metadata.plist made",
        "AppGroups/", "AppGroups/group.com.acme/", "AppGroups/group.com.acme/lost.json missing 1234",
        "AppGroups/group.com.acme/shared.json 2",
        "Documents/", "Documents/gone.txt missing 1234", "Documents/link -> ../Library", "Documents/é and more 4",
        "Library/", "Library/Preferences/", "Library/Preferences/com.acme.shop.plist 3",
        "PlugIns/", "PlugIns/com.acme.shop.widget/", "PlugIns/com.acme.shop.widget/Library/",
        "PlugIns/com.acme.shop.widget/Library/w.plist 1",
      ])
    let files = TreeFileSystem(base: GuardedFileSystem(), mount: "/m", tree: tree)
    #expect(try files.read("/m/" + preferences, limit: 100).bytes == Array("own".utf8))
    #expect(throws: FileSystemError(.read, "/m/Documents/gone.txt", .notInBackup)) {
      _ = try files.read("/m/Documents/gone.txt", limit: 100)
    }
  }

  @Test func `A backup that a tool has decrypted is opened whatever its description says, and that is said`() throws {
    let row = Row(shop, preferences, "<plist><dict><key>a</key><string>b</string></dict></plist>")
    try backup.make([row])
    #expect(try backup.open().reservation == nil)
    let opener = ContainerOpener(fileSystem: GuardedFileSystem())
    func opens(_ words: String) throws {
      let container = try opener.open(backup.root)
      #expect(container.bundleID == "com.acme.shop" && container.store(preferences)?.dictionary?["a"] == "b")
      #expect(container.notices.count == 1 && container.notices.first?.contains(words) == true, "\(container.notices)")
      #expect(try opener.containers(at: backup.root).notices.first == container.notices.first)
    }
    try backup.describe(encrypted: true)
    try opens("says that the backup is encrypted")
    #expect(try backup.open().candidates.map(\.name) == ["Shop"])
    try backup.fixture.write("backup/Manifest.plist", "no property list".utf8)
    try opens("Manifest.plist is damaged")
    try FileManager.default.removeItem(atPath: backup.root + "/Manifest.plist")
    try opens("has no Manifest.plist")
  }

  @Test func `A description of the container that the backup has is kept`() throws {
    let name = ".com.apple.mobile_container_manager.metadata.plist"
    try backup.make([Row(shop, name, "of the device")])
    #expect(try backup.open().tree(of: "com.acme.shop").listing() == [name + " 13"])
  }

  @Test func `A group by itself has its files at the root, and an app that is not there is refused by name`() throws {
    try backup.make(rows)
    #expect(try backup.open().tree(of: "group.org.other").listing().last == "other.txt 1")
    #expect(throws: ContainerError(backup.root, .backup(.lacking("com.acme.none")))) {
      _ = try backup.open().tree(of: "com.acme.none")
    }
  }

  @Test(arguments: [
    ("group.com.acme.shop", true), ("com.acme.shop", true), ("group.com.acme", true), ("group.com.acme.shop.x", true),
    ("group.com", false), ("group.com.acme.shopping", false), ("group.com.ac", false), ("group.org.acme.shop", false),
    ("TEAM.com.acme.shop", false),
  ])
  func `A group belongs to an app by name, whole components only`(group: String, belongs: Bool) {
    let domains = [BackupDomain(kind: .app, id: "com.acme.shop"), BackupDomain(kind: .group, id: group)]
    let apps = BackupApp.apps(in: Dictionary(uniqueKeysWithValues: domains.map { ($0, BackupCount()) }))
    #expect(apps.first { $0.domain == domains[0] }?.groups == (belongs ? [group] : []))
    #expect(apps.count == (belongs ? 1 : 2))
  }

  @Test func `An extension belongs to the app with the longest identifier that it continues`() {
    let apps = ["com.acme", "com.acme.shop"].map { BackupDomain(kind: .app, id: $0) }
    let plugins = ["com.acme.shop.w", "com.acme.w", "org.w"].map { BackupDomain(kind: .plugin, id: $0) }
    let found = BackupApp.apps(
      in: Dictionary(uniqueKeysWithValues: (apps + plugins).map { ($0, BackupCount(files: 1, missing: 0)) }))
    #expect(found.map(\.bundleID) == ["com.acme", "com.acme.shop", "org.w"])
    #expect(found.map(\.extensions) == [["com.acme.w"], ["com.acme.shop.w"], []])
    #expect(found.map(\.files) == [2, 2, 1])
  }

  @Test func `Thousands of rows of which most have no content are counted, and opening only reads`() throws {
    var rows: [Row] = []
    for number in 0..<2_000 {
      rows.append(Row(shop, "Documents/\(number % 50)/\(number)", number % 10 == 0 ? "x" : nil))
      rows.append(Row("CameraRollDomain", "Media/\(number)"))
    }
    try backup.make(rows)
    let before = try backup.fixture.listing()
    let log = ProgressLog()
    let opened = try backup.open(observer: log.observer())
    #expect(opened.apps.map(\.files) == [2_000])
    #expect(opened.apps.map(\.missing) == [1_800])
    #expect(log.all.last == OpeningProgress(.backup, done: 4_000, total: 4_000))
    #expect(log.all.contains(OpeningProgress(.backup, done: 3_000)))
    let listing = try opened.tree(of: "com.acme.shop").listing()
    #expect(listing.filter { $0.contains(" missing ") }.count == 1_800)
    #expect(listing.filter { $0.hasSuffix(" 1") }.count == 200)
    #expect(try backup.fixture.listing() == before)
  }

  @Test func `Wherever the work is ended, it ends as cancelled`() throws {
    try backup.make((0..<2_500).map { Row(shop, "\($0)") })
    let log = ProgressLog()
    let opened = try backup.open(observer: log.observer())
    let reports = log.all.count
    #expect(reports > 257)
    for count in [0, 1, 200, 256, 257, reports - 1] {
      #expect(throws: ContainerError(backup.root, .cancelled)) {
        _ = try backup.open(observer: ProgressLog().observer(endingAfter: count))
      }
    }
    #expect(opened.apps.map(\.files) == [2_500])
    let later = try backup.open(observer: ProgressLog().observer(endingAfter: reports + 1))
    #expect(throws: ContainerError(backup.root, .cancelled)) { _ = try later.tree(of: "com.acme.shop") }
  }

  @Test func `Rows that are committed in a log count, those that are not do not`() throws {
    try backup.describe()
    try backup.fixture.makeFolder("live")
    let path = backup.fixture("live/Manifest.db")
    let database = try Database(path)
    try database.run([
      "PRAGMA journal_mode = WAL", "PRAGMA wal_autocheckpoint = 0", "PRAGMA cache_size = 5", BackupFixture.table,
    ])
    try database.run(backup.statements([Row(shop, "a", "1"), Row(shop, "b", "2")]))
    try database.run(["BEGIN"] + backup.statements((0..<500).map { Row(shop, "later/\($0)") }))
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: backup.root + "/Manifest.db" + suffix)
    }
    let size = try Data(contentsOf: URL(filePath: backup.root + "/Manifest.db-wal")).count
    #expect(size > 100_000)
    #expect(try backup.open().apps.map(\.files) == [2])
    // Without the log there is not even the table.
    try backup.fixture.write("backup/Manifest.db-wal", [])
    #expect(backup.refusal() == .backup(.damaged))
  }

  @Test func `Contents without a row are counted and named`() throws {
    try backup.make(rows)
    let ids = (0..<5).map { BackupFixture.id("AppDomain-none", "\($0)") }
    for id in ids { try backup.fixture.write("backup/\(id.prefix(2))/\(id)", "x".utf8) }
    try backup.fixture.write("backup/00/.DS_Store", [1])
    try backup.fixture.write("backup/00/" + String(repeating: "f", count: 40), [1])
    let named = ids.sorted().prefix(3).map { "“\($0)”" }.joined(separator: ", ")
    #expect(try backup.open().notices.last?.hasSuffix(": \(named) and 2 more.") == true)
  }
}

/// Makes device backups as Finder leaves them, and ones it never would.
struct BackupFixture {
  let fixture = TemporaryFolder()
  var root: String { fixture("backup") }

  static let table =
    "CREATE TABLE Files (fileID TEXT PRIMARY KEY, domain TEXT, relativePath TEXT, flags INTEGER, file BLOB)"

  struct Row {
    var domain: String
    var path: String
    var flags = 1
    var content: String?
    var id: String?
    /// An expression of SQL for the record; one that fits where this is nil.
    var record: String?
    var target: String?

    init(
      _ domain: String, _ path: String, _ content: String? = nil, flags: Int = 1, id: String? = nil,
      record: String? = nil, target: String? = nil
    ) {
      (self.domain, self.path, self.content, self.flags) = (domain, path, content, flags)
      (self.id, self.record, self.target) = (id, record, target)
    }
  }

  init() { try? fixture.makeFolder("backup") }

  func describe(encrypted: Bool = false) throws {
    try fixture.write(
      "backup/Manifest.plist",
      plist: [
        "IsEncrypted": encrypted, "Version": "10.0", "Lockdown": ["ProductVersion": "17.5.1"],
        "Applications": ["com.acme.shop": ["Path": "/var/containers/Bundle/Application/1/Shop.app"]],
      ])
    let metadata = try PropertyListSerialization.data(
      fromPropertyList: ["itemName": "Acme Wallet"], format: .xml, options: 0)
    try fixture.write(
      "backup/Info.plist", plist: ["Applications": ["com.acme.wallet": ["iTunesMetadata": metadata]]], format: .xml)
  }

  func make(_ rows: [Row], table: String = Self.table) throws {
    try describe()
    try Database.make(root + "/Manifest.db", [table, "BEGIN"] + statements(rows) + ["COMMIT"])
  }

  func statements(_ rows: [Row]) throws -> [String] {
    try rows.map { row in
      let id = row.id ?? Self.id(row.domain, row.path)
      if let content = row.content { try fixture.write("backup/\(id.prefix(2))/\(id)", content.utf8) }
      let record = try row.record ?? Self.record(size: row.content?.utf8.count ?? 1_234, target: row.target)
      return "INSERT INTO Files VALUES(\(text(id)), \(text(row.domain)), \(text(row.path)), \(row.flags), \(record))"
    }
  }

  private func text(_ text: String) -> String { "CAST(x'\(Array(text.utf8).hexadecimal)' AS TEXT)" }

  static func id(_ domain: String, _ path: String) -> String {
    Array(domain.utf8).withUnsafeBufferPointer { domain in
      Array(path.utf8).withUnsafeBufferPointer { BackupFileID(domain: domain, path: $0).text }
    }
  }

  static func record(size: Int, target: String?) throws -> String {
    var file: PropertyListValue = ["$class": .uid(2), "Size": .integer(PropertyListInteger(size)), "Mode": 33_188]
    if target != nil, case .dictionary(var members) = file {
      members["Target"] = .uid(3)
      file = .dictionary(members)
    }
    let objects: [PropertyListValue] = [
      "$null", file, ["$classname": "MBFile", "$classes": ["MBFile", "NSObject"]], .string(target ?? ""),
    ]
    let archive: PropertyListValue = [
      "$version": 100_000, "$archiver": "NSKeyedArchiver", "$top": ["root": .uid(1)], "$objects": .array(objects),
    ]
    return "x'\(try PropertyListDocument.encode(archive, as: .binary).hexadecimal)'"
  }

  func open(
    _ limits: ContainerLimits = ContainerLimits(), observer: OpeningObserver = .none
  ) throws(ContainerError) -> Backup {
    try Backup(at: root, fileSystem: GuardedFileSystem(), limits: limits, observer: observer)
  }

  func refusal(_ limits: ContainerLimits = ContainerLimits()) -> ContainerError.Kind? {
    thrown { () throws(ContainerError) in try open(limits) }?.kind
  }
}

extension FileTree {
  func listing() -> [String] {
    entries.map { entry in
      switch entry.node {
      case .folder: entry.path + "/"
      case .link(let target): "\(entry.path) -> \(target)"
      case .file(let file):
        switch file.content {
        case .bytes: "\(entry.path) made"
        case .file: "\(entry.path) \(file.size)"
        case .unavailable(.notInBackup): "\(entry.path) missing \(file.size)"
        case .unavailable: "\(entry.path) unreadable"
        }
      }
    }
  }
}

final class ProgressLog: Sendable {
  private let log = Locked<[OpeningProgress]>([])
  var all: [OpeningProgress] { log.withLock { $0 } }

  func observer(endingAfter count: Int = .max) -> OpeningObserver {
    OpeningObserver { progress in
      self.log.withLock { log in
        log.append(progress)
        return log.count <= count
      }
    }
  }
}
