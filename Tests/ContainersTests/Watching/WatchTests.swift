@testable import CarryoverContainers

@Suite("Watching") struct WatchTests {
  let fixture = TemporaryFolder()
  private let preferences = "x/Library/Preferences/com.acme.shop.plist"
  private let store = "Library/Preferences/com.acme.shop.plist"
  /// Long after the files were written, so that their states tell of every later change.
  private let start = Moment(timeIntervalSince1970: Date().timeIntervalSince1970 + 60)

  init() throws {
    try fixture.write(preferences, plist: ["theme": "dark", "launches": 1])
    try fixture.write("x/Library/Preferences/com.other.plist", plist: ["a": 1])
    try fixture.write("x/Documents/state.json", "{\"a\": 1}".utf8)
    try fixture.write("x/Documents/picture.jpg", [0xFF, 0xD8])
  }

  private func watch(_ path: String = "x", _ fileSystem: any FileSystem = POSIXFileSystem()) throws -> ContainerWatch {
    try ContainerWatch(fixture(path), options: ContainerOptions(), fileSystem: fileSystem, now: start)
  }

  private func later(_ milliseconds: Int64) -> Moment {
    Moment(millisecondsSince1970: start.millisecondsSince1970 + milliseconds)
  }

  /// What changed, each with the value of a key before and after.
  private func changes(_ news: [ContainerWatch.News], _ key: String = "theme") -> [String] {
    news.flatMap { item -> [String] in
      switch item.kind {
      case .changed(let before, let after):
        let paths = Set(before.stores.map(\.path) + after.stores.map(\.path)).sorted()
        return paths.map { path in
          func text(_ container: Container) -> String {
            container.store(path).map { $0.dictionary?[key].map { "\($0)" } ?? "there" } ?? "none"
          }
          return "\(FilePath.name(of: path)) \(text(before)) \(text(after))"
        }
      case .unreadable(let path, _): return ["\(FilePath.name(of: path)) unreadable"]
      case .appeared(let container): return ["\(item.container) appeared with \(container.stores.count)"]
      case .vanished: return ["\(item.container) vanished"]
      }
    }
  }

  private func text(_ text: String) -> String { "\(PropertyListValue.string(text))" }

  @Test func `without a change nothing is read, and after one only the file that changed`() throws {
    let guarded = GuardedFileSystem()
    var watch = try watch("x", guarded)
    let before = guarded.read.count
    for look in 1...20 { #expect(watch.look(at: later(Int64(look) * 250)).isEmpty) }
    #expect(guarded.read.count == before)
    try fixture.write(preferences, plist: ["theme": "light"])
    let news = watch.look(at: later(10_000))
    #expect(changes(news) == ["com.acme.shop.plist \(text("dark")) \(text("light"))"])
    #expect(guarded.read.dropFirst(before) == [fixture(preferences)])
  }

  @Test func `a store that is added or removed is seen, also in a new folder and without an extension`() throws {
    var watch = try watch()
    try fixture.write("x/Documents/deep/er/new.json", "{\"b\": 1}".utf8)
    try fixture.write("x/Library/identity", "{\"id\": 1}".utf8)
    #expect(changes(watch.look(at: later(250))) == ["new.json none there", "identity none there"])
    try FileManager.default.removeItem(atPath: fixture("x/Documents/deep/er/new.json"))
    for look in 2...5 { #expect(watch.look(at: later(Int64(look) * 250)).isEmpty) }
    let news = (6...9).flatMap { watch.look(at: later($0 * 250)) }
    #expect(changes(news) == ["new.json there none"])
  }

  @Test func `a file in the middle of being written is tried again, and not reported as removed`() throws {
    let whole = try Data(contentsOf: URL(filePath: fixture(preferences)))
    var watch = try watch()
    try fixture.write(preferences, whole.prefix(20))
    #expect(watch.look(at: later(250)).isEmpty)
    try fixture.write(preferences, [])
    #expect(watch.look(at: later(500)).isEmpty)
    try FileManager.default.removeItem(atPath: fixture(preferences))
    #expect(watch.look(at: later(750)).isEmpty)
    try fixture.write(preferences, plist: ["theme": "light"])
    #expect(changes(watch.look(at: later(1_000))) == ["com.acme.shop.plist \(text("dark")) \(text("light"))"])
    // It stays damaged.
    try fixture.write(preferences, whole.prefix(30))
    let news = (5...15).flatMap { watch.look(at: later($0 * 250)) }
    #expect(changes(news) == ["com.acme.shop.plist unreadable"])
    try fixture.write(preferences, plist: ["theme": "blue"])
    #expect(changes(watch.look(at: later(4_000))) == ["com.acme.shop.plist \(text("light")) \(text("blue"))"])
  }

  @Test func `the container may be missing for a moment, or for good`() throws {
    var watch = try watch()
    try FileManager.default.moveItem(atPath: fixture("x"), toPath: fixture("y"))
    #expect(watch.look(at: later(250)).isEmpty)
    try FileManager.default.moveItem(atPath: fixture("y"), toPath: fixture("x"))
    #expect(changes(watch.look(at: later(500))).isEmpty)
    try FileManager.default.removeItem(atPath: fixture("x"))
    #expect(changes((3...20).flatMap { watch.look(at: later($0 * 250)) }) == [" vanished"])
  }

  @Test func `what a database commits is seen, from its log, by the key of the row`() throws {
    let path = "x/Documents/shop.sqlite"
    let database = try Database(fixture(path))
    try database.run([
      "PRAGMA journal_mode = WAL", "CREATE TABLE t(id INTEGER PRIMARY KEY, v)", "INSERT INTO t VALUES(1, 'one')",
    ])
    var watch = try watch()
    #expect(watch.look(at: later(250)).isEmpty)
    try database.run(["UPDATE t SET v = 'two' WHERE id = 1"])
    guard case .changed(let before, let after)? = watch.look(at: later(500)).first?.kind else {
      throw CocoaError(.fileReadCorruptFile)
    }
    #expect(before.stores.first?.tables?.table("t")?.rows["1"] == ["id": 1, "v": "one"])
    #expect(after.stores.first?.tables?.table("t")?.rows["1"] == ["id": 1, "v": "two"])
    #expect(before.stores.count == 1 && after.stores.count == 1)
  }

  @Test func `what is remembered of databases counts for the limit of a container`() throws {
    func insert(_ count: Int, into name: String) throws {
      let database = try Database(fixture("x/Documents/\(name).sqlite"))
      try database.run(["CREATE TABLE IF NOT EXISTS t(id INTEGER PRIMARY KEY, v)"])
      for _ in 0..<count { try database.run(["INSERT INTO t(v) VALUES('value')"]) }
    }
    try insert(1, into: "a")
    try insert(3, into: "b")
    var options = ContainerOptions()
    options.limits.tables.keptBytes = 1_000
    var watch = try ContainerWatch(fixture("x"), options: options, fileSystem: POSIXFileSystem(), now: start)
    func isComplete() throws -> Bool {
      let container = try #require(watch.containers.first?.container)
      return try #require(container.store("Documents/b.sqlite")?.tables?.table("t")).isComplete
    }
    #expect(try isComplete())
    try insert(5, into: "a")
    #expect(watch.look(at: later(10_000)).count == 1)
    #expect(try !isComplete())
  }

  @Test func `the containers of a folder beyond the limit are counted`() throws {
    for number in 1...202 { try fixture.makePackage("downloads/\(number).xcappdata") }
    let watch = try watch("downloads")
    #expect(watch.containers.count == 200 && watch.notWatched == 2)
  }

  @Test func `an empty folder is watched until an app writes to it, containers arrive, or it is gone`() throws {
    for name in ["data", "downloads"] {
      try FileManager.default.createDirectory(atPath: fixture(name), withIntermediateDirectories: true)
    }
    var data = try watch("data")
    #expect(data.containers.isEmpty && !data.isOfFolder && data.look(at: later(250)).isEmpty)
    try fixture.write("data/" + store, plist: ["theme": "dark"])
    let written = (2...20).flatMap { data.look(at: later($0 * 250)) }
    #expect(changes(written) == ["com.acme.shop.plist none \(text("dark"))"])
    try FileManager.default.removeItem(atPath: fixture("data"))
    try FileManager.default.createDirectory(atPath: fixture("data"), withIntermediateDirectories: true)
    var empty = try watch("data")
    try FileManager.default.removeItem(atPath: fixture("data"))
    #expect(empty.look(at: later(250)).isEmpty)
    #expect(changes((2...20).flatMap { empty.look(at: later($0 * 250)) }) == [" vanished"])
    try fixture.write("data/" + store, plist: ["theme": "dark"])
    let again = (21...40).flatMap { empty.look(at: later($0 * 250)) }
    #expect(changes(again) == ["com.acme.shop.plist none \(text("dark"))"])
    var downloads = try watch("downloads")
    for name in ["A", "B"] { try fixture.makePackage("downloads/\(name).xcappdata") }
    let arrived = (1...20).flatMap { downloads.look(at: later($0 * 250)) }
    #expect(Set(arrived.map(\.container)) == ["A.xcappdata", "B.xcappdata"] && downloads.isOfFolder)
  }

  @Test func `in a folder, a container that arrives is watched once it is quiet, until it is removed`() throws {
    try fixture.write("downloads/notes.txt", [])
    try fixture.makePackage("downloads/A.xcappdata")
    var watch = try watch("downloads")
    #expect(watch.isOfFolder && watch.containers.map(\.path) == ["A.xcappdata"])
    try fixture.write("downloads/B.xcappdata/AppDataInfo.plist", plist: ["CFBundleIdentifier": "com.acme.b"])
    #expect(watch.look(at: later(250)).isEmpty)
    try fixture.makeDataContainer("downloads/B.xcappdata/AppData")
    let arrived = (2...20).map { watch.look(at: later($0 * 250)) }
    #expect(changes(arrived.flatMap(\.self)) == ["B.xcappdata appeared with 2"])
    #expect(arrived.prefix(4).allSatisfy { $0.isEmpty })
    try fixture.write(
      "downloads/B.xcappdata/AppData/Library/Preferences/com.acme.shop.plist", plist: ["theme": "light"])
    let news = watch.look(at: later(6_000))
    #expect(changes(news) == ["com.acme.shop.plist \(text("dark")) \(text("light"))"])
    #expect(news.first?.container == "B.xcappdata")
    try FileManager.default.removeItem(atPath: fixture("downloads/B.xcappdata"))
    #expect(changes((25...40).flatMap { watch.look(at: later($0 * 250)) }) == ["B.xcappdata vanished"])
    #expect(watch.containers.map(\.path) == ["A.xcappdata"])
  }

  @Test func `a container in an archive is read again when the archive is replaced`() throws {
    try Packer.pack(
      fixture("a.zip"),
      "content['AppData/Library/Preferences/com.acme.shop.plist'] = plist(theme='dark')\nzip(content.items())")
    var watch = try watch("a.zip")
    #expect(watch.look(at: later(250)).isEmpty)
    try Packer.pack(
      fixture("a.zip"),
      "content['AppData/Library/Preferences/com.acme.shop.plist'] = plist(theme='light')\nzip(content.items())")
    #expect(
      changes(watch.look(at: later(500))).contains("com.acme.shop.plist \(text("dark")) \(text("light"))"))
  }

  @Test func `a file that has only just changed counts as changed until its state would tell`() {
    let now = Moment(millisecondsSince1970: 1_000_000)
    func isOld(_ milliseconds: Int64, exact: Bool = true) -> Bool {
      let nanoseconds = milliseconds * 1_000_000 + (exact ? 1 : 0)
      return FileStatus.Changes(content: nanoseconds, attributes: nanoseconds).isOld(at: now)
    }
    #expect(!isOld(999_950) && isOld(999_850))
    #expect(!isOld(998_000, exact: false) && isOld(997_000, exact: false))
    // Another clock's future is no reason to read a file for ever.
    #expect(!isOld(1_001_000) && isOld(1_010_000))
  }

  @Test func `it looks four times a second, and less often if a look takes long`() throws {
    #expect(WatchClock.pause(after: .zero) == .milliseconds(250))
    #expect(WatchClock.pause(after: .milliseconds(2)) == .milliseconds(250))
    #expect(WatchClock.pause(after: .milliseconds(10)) == .seconds(1))
    #expect(WatchClock.pause(after: .seconds(100)) == .seconds(30))
    var watch = try watch()
    var (looks, used, slept) = (0, Duration.zero, [Duration]())
    let clock = WatchClock(
      now: { self.later(Int64(looks) * 250) },
      processorTime: {
        looks += 1
        used += looks % 2 == 1 ? .zero : .milliseconds(5)
        return used
      },
      sleep: { pause in
        slept.append(pause)
        return slept.count < 4
      })
    watch.run(clock) { _, _, _ in }
    #expect(slept.dropFirst().allSatisfy { $0 == .milliseconds(500) || $0 == .milliseconds(250) } && slept.count == 4)
  }
}
