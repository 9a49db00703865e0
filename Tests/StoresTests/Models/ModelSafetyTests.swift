@testable import CarryoverStorage

@Suite("Versioned models: what is never written, and never said") struct ModelSafetyTests {
  private static let secret = "hunter2secret"

  private final class Contested: ByteStore, @unchecked Sendable {
    private let memory: MemoryDataStore
    private let lock = NSLock()
    private var theirs: [UInt8]??
    private let name: String
    var label: String { "contested" }

    init(_ name: String, _ stored: String, theirs: String?) {
      self.name = name
      memory = MemoryDataStore([name: Array(stored.utf8)])
      self.theirs = .some(theirs.map { Array($0.utf8) })
    }

    func data(for name: String) throws(DataStoreError) -> [UInt8]? { try memory.data(for: name) }
    func remove(_ name: String) throws(DataStoreError) { try memory.remove(name) }
    func names() throws(DataStoreError) -> [String] { try memory.names() }
    func set(_ data: [UInt8], for name: String) throws(DataStoreError) {
      try memory.set(data, for: name)
      let next = lock.withLock {
        defer { if name == self.name { theirs = nil } }
        return name == self.name ? theirs : nil
      }
      guard let next else { return }
      if let next { try memory.set(next, for: name) } else { try memory.remove(name) }
    }
    var text: String? { (try? data(for: name)).flatMap { $0 }.map { String(decoding: $0, as: UTF8.self) } }
  }

  private static func migrator(_ step: ModelStep) throws -> ModelMigrator {
    try ModelMigrator(model: "m", version: 1, versioning: ModelVersioning(marker: "v", unmarked: 0), steps: [step])
  }

  private static func migration(
    _ store: any ByteStore, _ step: ModelStep = ModelStep(from: 0, [.add("new", 1)])
  ) throws -> ModelMigration<[UInt8]> {
    ModelMigration(try migrator(step), of: "m", in: store) { $0 }
  }

  @Test func `a later version that somebody writes right after the migration's write stands (D11)`() throws {
    let store = Contested("m", #"{"a":"old"}"#, theirs: #"{"a":"theirs","v":2}"#)
    let error = #expect(throws: ModelMigrationError.self) { try Self.migration(store).run() }
    #expect(error?.reason.model == .newer(found: 2, known: 1))
    #expect(store.text == #"{"a":"theirs","v":2}"#)
  }

  @Test func `an edit of the old version right after the migration's write is taken up, not undone (D11)`() throws {
    let store = Contested("m", #"{"a":"old"}"#, theirs: #"{"a":"edited"}"#)
    #expect(try Self.migration(store).run().to == 1 && store.text == #"{"a":"edited","new":1,"v":1}"#)
    #expect(try Self.migration(store).listBackups().count == 2)
  }

  @Test func `data that is removed right after the migration's write does not come back (D11)`() throws {
    let store = Contested("m", #"{"a":"personal"}"#, theirs: nil)
    let error = #expect(throws: ModelMigrationError.self) { try Self.migration(store).run() }
    #expect(error?.reason.name == "changed")
    #expect(store.text == nil)
  }

  @Test func `what reads back damaged gives way to the old data (D11)`() throws {
    let store = Contested("m", #"{"a":"old"}"#, theirs: #"{"a":"ol"#)
    let error = #expect(throws: ModelMigrationError.self) { try Self.migration(store).run() }
    #expect(error?.reason.name == "write")
    #expect(store.text == #"{"a":"old"}"#)
  }

  @Test(arguments: [3, 1000, 100_000])
  func `a step that nests too deep to be read again is refused before anything is written (D11)`(levels: Int) throws {
    let deep = #"{"a":"# + String(repeating: "[", count: 510) + String(repeating: "]", count: 510) + "}"
    let store = CountingStore(["m": Array(deep.utf8)])
    for step in [
      ModelStep(from: 0, "wrap") { value in
        var inner = value["a"] ?? .null
        for _ in 0..<levels { inner = .array([inner]) }
        value = .object([JSONMember("a", inner)])
      },
      ModelStep(from: 0, [.move("a", to: "b.c.d.e")]),
    ] {
      let error = #expect(throws: ModelMigrationError.self) { try Self.migration(store, step).run() }
      guard case .model(.stepTooDeep(from: 0, _, limit: 512))? = error?.reason else { return #expect(Bool(false)) }
    }
    #expect(store.writes == 0)
  }

  @Test func `a step that fails with a value 100,000 levels deep in its hands is a failure and no more (D11)`() throws {
    struct Stopped: Error {}
    let step = ModelStep(from: 0, "wrap and stop") { value in
      for _ in 0..<100_000 { value = .array([value]) }
      throw Stopped()
    }
    #expect(throws: ModelError.self) { try Self.migrator(step).migrated(JSONText("{}").value) }
  }

  @Test func `setting one of many members of a name takes the others away in one go (D2)`() throws {
    let factor = try Growth.factor(from: 10_000) { count in
      let members = (0..<count).map { #","a":"1","k\#($0)":0"# }.joined()
      return try JSONText(#"{"a":"0"\#(members)}"#).value
    } _: { value in
      value.set("new", at: "a")
      #expect(value.members?.count { $0.name == "a" } == 1 && value["a"] == "new" && value["k9999"] == 0)
    }
    #expect(factor < Growth.most)
  }

  @Test(arguments: [
    #"{"a":"\ud800"}"#, #"{"\ud800":1,"\ud801":2}"#,
    #"{"n":["# + String(repeating: "1.0,", count: 1500) + #""\udfff"]}"#,
  ])
  func `half a surrogate pair, which a step would lose, is refused, and the data stands (D11)`(stored: String) throws {
    let store = CountingStore(["m": Array(stored.utf8)])
    let migration = try Self.migration(store)
    let error = #expect(throws: ModelMigrationError.self) { try migration.run() }
    guard case .loneSurrogate? = error?.reason, case .failed = migration.state() else { return #expect(Bool(false)) }
    #expect(store.writes == 0)
    #expect("\(try #require(error))".contains("half a surrogate pair"))
  }

  @Test func `the error about data that does not decode names the kind and the place, and no value (D9)`() throws {
    enum Role: String, Codable { case admin }
    struct Account: Codable { var roles: [Role] }
    let store = MemoryDataStore(["m": Array(#"{"roles":["\#(Self.secret)"]}"#.utf8)])
    let error = #expect(throws: ModelMigrationError.self) {
      try ModelMigration(Account.self, try Self.migrator(ModelStep(from: 0, [.add("n", 1)])), of: "m", in: store).run()
    }
    let text = "\(try #require(error))"
    #expect(error?.cause is DecodingError && !text.contains(Self.secret))
    #expect(text.contains("a value at “roles.0” is not valid for its type"), "\(text)")
  }

  @Test func `the errors about what is no JSON have no piece of it (D9)`() throws {
    let store = MemoryDataStore(["m": Array(Self.secret.utf8)])
    let error = #expect(throws: ModelMigrationError.self) { try Self.migration(store).run() }
    #expect(!"\(try #require(error))".contains("hunter"))
    let decoded = #expect(throws: JSONError.self) { try StorageSerializer.json.decode(Array(Self.secret.utf8)) }
    #expect(!"\(try #require(decoded))".contains("hunter"))
    let folder = TemporaryFolder()
    let file = folder.url.appending(path: "file.json")
    try Data(Self.secret.utf8).write(to: file)
    let corrupt = #expect(throws: JSONFileError.self) { try JSONFile(file.path).read() }
    #expect(!"\(try #require(corrupt))".contains("hunter"))
  }

  @Test func `what is printed or dumped of a report names versions and places, and no value (D9)`() throws {
    let store = MemoryDataStore(["m": Array(#"{"name":"\#(Self.secret)"}"#.utf8)])
    let migrator = try Self.migrator(ModelStep(from: 0, [.rename("name", to: "alias")]))
    let report = try ModelMigration(migrator, of: "m", in: store) { String(decoding: $0, as: UTF8.self) }.run()
    #expect(try #require(report.value).contains(Self.secret))
    let stages = try migrator.trace(["name": .string(Self.secret)])
    var dumped = ""
    dump(report, to: &dumped)
    dump(stages, to: &dumped)
    let printed = "\(report) \(String(reflecting: report)) \(stages) \(report.stages)" + dumped
    #expect(!printed.contains(Self.secret))
    #expect("\(report)".contains("Version 0 → 1") && "\(report)".contains("“alias”: nothing → string"), "\(report)")
  }
}

@Suite("Versioned models: hostile data") struct ModelHostileTests {
  @Test(
    "a marker that is not a whole number of 0 or more, or says several things, is refused in a sentence (D4)",
    arguments: [
      (#"{"v":-1}"#, "its version in “v” is not a whole number of 0 or more"),
      (#"{"v":1e3}"#, "its version in “v” is not a whole number of 0 or more"),
      (#"{"v":1.0}"#, "its version in “v” is not a whole number of 0 or more"),
      (#"{"v":"1"}"#, "its version in “v” is not a whole number of 0 or more"),
      (#"{"v":null}"#, "its version in “v” is not a whole number of 0 or more"),
      (#"{"v":123456789012345678901234567890}"#, "its version in “v” is not a whole number of 0 or more"),
      (#"{"v":1,"v":2}"#, "its version in “v” is there more than once and differs"),
      ("[]", "the data is of type array, and a model is an object"),
    ])
  func markers(stored: String, sentence: String) throws {
    let migrator = try ModelMigrator(
      model: "m", version: 2, versioning: ModelVersioning(marker: "v", unmarked: 1),
      steps: [ModelStep(from: 1, [.add("a", 1)])])
    let error = #expect(throws: ModelError.self) { try migrator.migrated(JSONText(stored).value) }
    let text = "\(try #require(error))"
    #expect(
      text == "The version of “m” cannot be determined: \(sentence). Look at the stored data; nothing was written.")
  }

  @Test func `the largest version there can be is newer than any, and a step from it is refused (D4)`() throws {
    let migrator = try ModelMigrator(model: "m", version: 0, versioning: ModelVersioning(marker: "v"), steps: [])
    let error = #expect(throws: ModelError.self) {
      try migrator.version(of: JSONText(#"{"v":9223372036854775807}"#).value)
    }
    #expect(error?.reason == .newer(found: .max, known: 0))
    let chain = #expect(throws: ModelChainError.self) {
      try ModelMigrator(
        model: "m", version: .max, versioning: ModelVersioning(marker: "v"), steps: [ModelStep(from: .max, [])])
    }
    #expect(chain?.problem == .beyond(version: .max, step: .max))
  }

  @Test func `shapes look into objects, and numbers keep their text through every step (D2)`() throws {
    let migrator = try ModelMigrator(
      model: "m", version: 1,
      versioning: ModelVersioning(shapes: [
        0: ModelShape(required: ["a.b"], forbidden: ["a.c"]), 1: ModelShape(required: ["a.c"], forbidden: ["a.b"]),
      ]),
      steps: [ModelStep(from: 0, [.rename("a.b", to: "c")])])
    let result = try migrator.migrated(
      JSONText(#"{"a":{"b":1.50},"big":123456789012345678901234567890,"e":1E5,"z":-0}"#).value)
    #expect(result.text() == #"{"a":{"c":1.50},"big":123456789012345678901234567890,"e":1E5,"z":-0}"#)
    #expect(throws: ModelError.self) { try migrator.version(of: JSONText(#"{"a":7}"#).value) }
  }

  @Test func `of members with one name, a value that is set leaves one; renaming and removing take all (D2)`() throws {
    for (operation, expected) in [
      (ModelOperation.retype("a", to: .string), #"{"a":"1","b":0}"#), (.rename("a", to: "c"), #"{"c":1,"b":0,"c":2}"#),
      (.remove("a"), #"{"b":0}"#),
    ] {
      var value = try JSONText(#"{"a":1,"b":0,"a":2}"#).value
      try operation(&value)
      #expect(value.text() == expected)
    }
  }

  @Test func `changes pair members of one name in their order (D2)`() throws {
    func between(_ before: String, _ after: String) throws -> [ModelChange] {
      ModelChange.between(try JSONText(before).value, try JSONText(after).value)
    }
    #expect(try between(#"{"a":1,"a":2}"#, #"{"a":1,"a":2}"#).isEmpty)
    #expect(try between(#"{"a":1,"a":2}"#, #"{"a":1}"#) == [ModelChange(path: ["a"], before: 2, after: nil)])
    #expect(try between(#"{"a":1}"#, #"{"a":1,"a":2}"#) == [ModelChange(path: ["a"], before: nil, after: 2)])
    #expect(try between(#"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#).isEmpty)
    #expect(try between("1", "[]") == [ModelChange(path: [], before: 1, after: [])])
    #expect(
      try between(#"{"a":{"b":1,"c":2}}"#, #"{"a":{"b":3,"d":2}}"#) == [
        ModelChange(path: ["a", "b"], before: 1, after: 3), ModelChange(path: ["a", "c"], before: 2, after: nil),
        ModelChange(path: ["a", "d"], before: nil, after: 2),
      ])
  }

  @Test func `ten megabytes, 100,000 members and 500 levels migrate with every other byte kept (D8)`() throws {
    let filling = String(repeating: "x", count: 90)
    let count = Extent.isFull ? 100_000 : 10_000
    let members = (0..<count).map { "\"member \($0)\":\"\(filling)\"" }.joined(separator: ",")
    let deep = String(repeating: #"{"d":"#, count: 500) + "1" + String(repeating: "}", count: 500)
    let text = #"{"name":"J","age":"1",\#(members),"deep":\#(deep)}"#
    #expect(text.utf8.count > 100 * count)
    let report = try Person.migration(in: MemoryDataStore(["person": Array(text.utf8)])).run()
    #expect(report.value?.alias == "J")
    #expect(report.stages.map { $0.changes.count } == [1, 2, 1])
  }

  @Test func `what is deeper than any parser goes is corrupt, and stands (D11)`() throws {
    let text = String(repeating: "[", count: 100_000)
    let store = CountingStore(["person": Array(text.utf8)])
    let error = #expect(throws: ModelMigrationError.self) { try Person.migration(in: store).run() }
    #expect(error?.reason.name == "corrupt")
    #expect(store.writes == 0)
  }

  @Test func `what somebody else writes during a migration is taken up, never written over (D11)`() throws {
    let store = CountingStore(["person": Array(try #require(Person.fixtures[0]).utf8)])
    let theirs = Array(#"{"alias":"theirs","email":"new@b.co"}"#.utf8)
    let migration = try Person.migration(in: store) { event in
      if case .backedUp = event { try? store.set(theirs, for: "person") }
    }
    let report = try migration.run()
    #expect(report.value?.alias == "theirs" && !report.hasWritten)
    #expect(try store.data(for: "person") == theirs)
  }

  @Test func `data that changes at every attempt is an error in the end, and stands (D11)`() throws {
    let store = CountingStore(["person": Array(try #require(Person.fixtures[0]).utf8)])
    let count = Noted<Int>()
    let migration = try Person.migration(in: store) { event in
      guard case .backedUp = event else { return }
      count.add(0)
      try? store.set(Array(#"{"name":"J \#(count.all.count)","age":"1"}"#.utf8), for: "person")
    }
    let error = #expect(throws: ModelMigrationError.self) { try migration.run() }
    #expect("\(try #require(error))".contains("was changed by other code while it was migrated"))
    #expect(try store.data(for: "person") == Array(#"{"name":"J 3","age":"1"}"#.utf8))
  }
}

@Suite("Versioned models under names of every kind") struct ModelNamesTests {
  private static let text = #"{"name":"Jo"}"#

  private func migration(_ name: String, in store: any ByteStore) throws -> ModelMigration<[UInt8]> {
    let migrator = try ModelMigrator(
      model: "person", version: 1, versioning: ModelVersioning(marker: "version", unmarked: 0),
      steps: [ModelStep(from: 0, [.add("email", "---")])])
    return ModelMigration(migrator, of: name, in: store) { $0 }
  }

  @Test(
    "a name as long as a store takes it, and one that is escaped byte by byte, has its backup (D7)",
    arguments: [StoreKind.files, .encryptedFiles],
    [
      "p", String(repeating: "n", count: 64), String(repeating: "n", count: 65), String(repeating: "n", count: 250),
      String(repeating: "顧", count: 27),
    ])
  func long(kind: StoreKind, name: String) throws {
    let place = StorePlace(kind)
    defer { withExtendedLifetime(place) {} }
    let store = try place.open()
    try store.set(Array(Self.text.utf8), for: name)
    let backup = try #require(try migration(name, in: store).run().backup)
    #expect(try migration(name, in: store).listBackups() == [backup] && backup.version == 0)
    #expect(try migration(name + "x", in: store).listBackups().isEmpty)
    try migration(name, in: store).restore(backup)
    #expect(try store.data(for: name) == Array(Self.text.utf8))
    #expect(try migration(name, in: store).run().hasWritten)
    #expect(try migration(name, in: store).prune { _ in false }.count == 2)
    #expect(try store.names() == [name])
  }
}
