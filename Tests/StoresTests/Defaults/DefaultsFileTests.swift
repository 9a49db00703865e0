@testable import CarryoverRestore
@testable import CarryoverUserDefaults

#if os(Linux)
  /// What Foundation writes on Linux, and what stands beside it. Each test is an app of its own: Foundation keeps every
  /// suite of a process in memory, and one that cannot be written makes all other writes fail.
  @Suite("The file behind a suite, on Linux")
  struct DefaultsFileTests {
    @Test func `A file that was cut off gives way to its copy without room for another`() async {
      await #expect(processExitsWith: .success) {
        try Home.with { home in
          let good = try home.cutOff("suite", ["a": "precious"])
          // Nothing can be written in the file's place, as on a full disk; a renaming can.
          try home.block("suite.plist.tmp")
          let store = try DefaultsDataStore(suite: home.suite("suite"))
          try expect(try store.data(for: "a") == Array("precious".utf8) && home.bytes("suite.plist") == good)
          try home.unblock("suite.plist.tmp")
          try store.set(Array("1".utf8), for: "n")
          try expect(home.keys("suite.plist") == ["a", "n"] && home.names() == ["suite.plist"])
        }
      }
    }

    @Test func `A suite whose copy cannot be put back is not opened, and nothing is written`() async {
      await #expect(processExitsWith: .success) {
        try Home.with { home in
          let good = try home.cutOff("suite", ["a": "precious"])
          try home.remove("suite.plist")
          try home.block("suite.plist")
          try expect((try? DefaultsDataStore(suite: home.suite("suite"))) == nil)
          do {
            _ = try UserDefaultsDomain(suite: home.suite("suite"))
            throw Unexpected()
          } catch DefaultsDomainError.notRestored {}
          try expect(home.bytes("suite.plist.carryover-copy") == good)
        }
      }
    }

    @Test func `A file that is damaged while the app runs never replaces its copy`() async {
      await #expect(processExitsWith: .success) {
        try Home.with { home in
          let store = try DefaultsDataStore(suite: home.suite("suite"))
          try store.set(Array("precious".utf8), for: "a")
          _ = try home.cutOff("suite", ["a": "precious"])
          try store.set(Array("1".utf8), for: "n")
          try expect(home.keys("suite.plist") == ["a", "n"] && home.names() == ["suite.plist"])
        }
      }
    }

    @Test func `A damaged file without a copy is set aside before anything is written`() async {
      await #expect(processExitsWith: .success) {
        try Home.with { home in
          try home.write("suite.plist", Array("bplist00 cut off".utf8))
          let store = try DefaultsDataStore(suite: home.suite("suite"))
          try store.set(Array("1".utf8), for: "n")
          try expect(home.keys("suite.plist") == ["n"])
          let aside = home.names().filter { $0.hasPrefix("suite.plist.corrupt-") }
          try expect(aside.count == 1 && home.bytes(aside[0]) == Array("bplist00 cut off".utf8))
          try expect(store.filesSetAside.map { $0.split(separator: "/").last?.hasSuffix(aside[0]) } == [true])
          try expect(store.writingText().filesSetAside == store.filesSetAside)
          try store.set(Array("2".utf8), for: "n")
          try expect(store.filesSetAside.count == 1)
        }
      }
    }

    @Test func `where the new SDK's suite was damaged, the report says where its file is now (A19)`() async {
      await #expect(processExitsWith: .success) {
        try Home.with { home in
          try home.write("suite.plist", Array("bplist00 cut off".utf8))
          let legacy = try UserDefaultsDomain(suite: home.suite("legacy"))
          try legacy.set("9f1c", for: "rl_anonymous_id")
          let places = LegacyPersistence(
            standard: legacy, target: try UserDefaultsDomain(suite: home.suite("suite")),
            library: URL(filePath: "/nonexistent"), bundleIdentifier: "com.acme.shop")
          let migrator = PersistentMigrator(writeKey: "k", places: places, now: { Date() })
          let report = migrator.restorePersistence()
          try expect(report.fields(.migrated) == [.anonymousID] && report.filesSetAside.count == 1)
          try expect("\(report)".contains("set aside: “") && "\(report)".contains("suite.plist.corrupt-"))
          try expect(home.names().contains { report.filesSetAside[0].hasSuffix($0) })
          try expect(migrator.restorePersistence().filesSetAside.isEmpty)
        }
      }
    }

    @Test(
      "The file is where Foundation has it: a configuration folder counts only with its whole path",
      arguments: [
        ([:], "/.config"), (["HOME": ""], "/.config"), (["HOME": "/home/a"], "/home/a/.config"),
        (["HOME": "/home/a", "XDG_CONFIG_HOME": ""], "/home/a/.config"),
        (["HOME": "/home/a", "XDG_CONFIG_HOME": "relative"], "/home/a/.config"),
        (["HOME": "/home/a", "XDG_CONFIG_HOME": "/etc/a"], "/etc/a"),
      ])
    func places(environment: [String: String], folder: String) { #expect(DefaultsFile.folder(environment) == folder) }

    @Test(arguments: [
      "", ".", "..", "a/b", "../../x", "NSGlobalDomain", "kCFPreferencesCurrentApplication", "a\0b",
      String(repeating: "x", count: 201),
    ])
    func `A name that leads elsewhere than to a file of its own is refused with a sentence`(name: String) {
      #expect(throws: DefaultsDomainError.badName(name)) { try UserDefaultsDomain(suite: name) }
      #expect(throws: DefaultsDomainError.badName(name)) { try DefaultsDataStore(suite: name) }
      #expect("\(DefaultsDomainError.badName(name))".contains("Choose another name."))
    }

    @Test func `A suite that cannot be written does not make the writes of others fail`() async {
      await #expect(processExitsWith: .success) {
        try Home.with { home in
          let long = UserDefaults(suiteName: String(repeating: "x", count: 300))
          long?.set("v", forKey: "k")
          try expect(long?.synchronize() == false)
          let store = try DefaultsDataStore(suite: home.suite("suite")).writingText()
          try store.set(Array("1".utf8), for: "n")
          try expect(try store.data(for: "n") == Array("1".utf8) && home.names() == ["suite.plist"])
          let domain = try UserDefaultsDomain(suite: home.suite("other"))
          try domain.set(["a", 1, true], for: "list")
          try domain.synchronize()
          try expect(home.keys("other.plist") == ["list"])
          try domain.remove("list")
          try domain.synchronize()
          try store.remove("n")
          try expect(try store.data(for: "n") == nil && home.keys("suite.plist").isEmpty)
        }
      }
    }

    @Test func `What could not be written is taken back`() async {
      await #expect(processExitsWith: .success) {
        try Home.with { home in
          let domain = try UserDefaultsDomain(suite: home.suite("suite"))
          try domain.set("old", for: "a")
          try domain.synchronize()
          try home.block("suite.plist.carryover-copy")
          try domain.set("new", for: "a")
          try domain.set("new", for: "b")
          do {
            try domain.synchronize()
            throw Unexpected()
          } catch DefaultsDomainError.notWritten {}
          try expect(try domain.value(for: "a") == "old" && domain.value(for: "b") == nil)
          try home.unblock("suite.plist.carryover-copy")
          try domain.set("newer", for: "a")
          try domain.synchronize()
          try expect(home.keys("suite.plist") == ["a"] && home.names() == ["suite.plist"])
        }
      }
    }
  }

  private struct Unexpected: Error {
    var line: UInt
    init(line: UInt = #line) { self.line = line }
  }

  /// `#expect` of a child process is not its parent's; an error is.
  private func expect(_ condition: @autoclosure () throws -> Bool, line: UInt = #line) throws {
    if try !condition() { throw Unexpected(line: line) }
  }

  /// The files of suites of one test, in the folder that Foundation took down when the process began. A test's suites begin
  /// with its own prefix.
  private struct Home {
    let prefix: String
    private let folder = URL(filePath: DefaultsFile.folder(ProcessInfo.processInfo.environment))

    static func with(_ body: (Home) throws -> Void) throws {
      let home = Home(prefix: "carryover-tests-\(UUID().uuidString)-")
      try FileManager.default.createDirectory(at: home.folder, withIntermediateDirectories: true)
      defer { for name in home.names() + home.locks() { try? home.remove(name) } }
      try body(home)
    }

    func suite(_ name: String) -> String { prefix + name }

    func cutOff(_ suite: String, _ values: PropertyListValue) throws -> [UInt8] {
      let good = try PropertyListDocument.encode(values, as: .binary)
      try write("\(suite).plist.carryover-copy", good)
      try write("\(suite).plist", Array(good.prefix(good.count / 2)))
      return good
    }

    func write(_ name: String, _ bytes: [UInt8]) throws { try Data(bytes).write(to: url(name)) }
    func bytes(_ name: String) -> [UInt8]? { (try? Data(contentsOf: url(name))).map(Array.init) }
    func remove(_ name: String) throws { try FileManager.default.removeItem(at: url(name)) }

    func names() -> [String] { all().filter { !$0.hasSuffix(".carryover-lock") } }
    func locks() -> [String] { all().filter { $0.hasSuffix(".carryover-lock") } }

    private func all() -> [String] {
      ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).filter { $0.hasPrefix(prefix) }
        .map { String($0.dropFirst(prefix.count)) }.sorted()
    }

    func keys(_ name: String) -> [String] {
      guard let bytes = bytes(name), let document = try? PropertyListDocument(bytes: bytes) else { return [] }
      return (document.dictionary?.entries ?? []).map(\.key).sorted()
    }

    /// Something that is no file in a file's place, so that it can be neither written nor removed as one.
    func block(_ name: String) throws {
      try FileManager.default.createDirectory(
        at: url(name).appending(path: "inside"), withIntermediateDirectories: true)
    }

    func unblock(_ name: String) throws { try remove(name) }

    private func url(_ name: String) -> URL { folder.appending(path: prefix + name) }
  }
#endif

@Suite("A suite of UserDefaults holds what is stored in it") struct OwnDefaultsTests {
  private let suite = "carryover-own-\(UUID().uuidString)"
  private let key = "own.\(UUID().uuidString)"

  private func cleanUp() {
    UserDefaults.standard.removePersistentDomain(forName: suite)
    #if os(Linux)
      let folder = DefaultsFile.folder(ProcessInfo.processInfo.environment)
      for ending in ["plist", "plist.carryover-lock"] {
        try? FileManager.default.removeItem(atPath: "\(folder)/\(suite).\(ending)")
      }
    #endif
  }

  @Test func `Registered defaults are no data of the suite`() throws {
    defer { cleanUp() }
    let store = try DefaultsDataStore(suite: suite)
    let defaults = try #require(UserDefaults(suiteName: suite))
    defaults.register(defaults: [key: "registered"])
    #expect(defaults.string(forKey: key) == "registered")
    #expect(try store.data(for: key) == nil)
    #expect(try !store.names().contains(key))
    try store.remove(key)
    try store.set(Array("mine".utf8), for: key)
    #expect(try store.data(for: key) == Array("mine".utf8) && store.names() == [key])
    try store.remove(key)
    #expect(try store.data(for: key) == nil && store.names().isEmpty)
    #expect(defaults.string(forKey: key) == "registered")
  }

  @Test func `A stored value that equals a registered default is data all the same`() throws {
    defer { cleanUp() }
    let store = try DefaultsDataStore(suite: suite).writingText()
    UserDefaults.standard.register(defaults: [key: "same"])
    try store.set(Array("same".utf8), for: key)
    #expect(try store.data(for: key) == Array("same".utf8) && store.names() == [key])
    try store.remove(key)
    #expect(try store.data(for: key) == nil && store.names().isEmpty)
  }

  @Test func `The same holds for the app's own defaults and for a suite that was opened by the app`() throws {
    defer { cleanUp() }
    let defaults = try #require(UserDefaults(suiteName: suite))
    UserDefaults.standard.register(defaults: [key: "same"])
    let standard = DefaultsDataStore(.standard, label: "UserDefaults.standard")
    for store in [DefaultsDataStore(defaults, label: suite).writingText(), standard.writingText()] {
      #expect(try store.data(for: key) == nil)
      try store.set(Array("same".utf8), for: key)
      #expect(try store.data(for: key) == Array("same".utf8))
      try store.remove(key)
      #expect(try store.data(for: key) == nil && !store.names().contains(key))
    }
  }
}
