import Carryover
import CarryoverRestore
import CarryoverRouter
import CarryoverStorage
import CarryoverSystem
import CarryoverUserDefaults
import Foundation
import PropertyLists
import Testing

@Suite("Versioned models: what is never written, and never said")
struct ModelSafetyTests {
  private static let secret = "hunter2secret"

  /// A store where somebody else is quicker, between a write and the look at it.
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
    try ModelMigrator(
      model: "m", version: 1, versioning: ModelVersioning(marker: "v", unmarked: 0), steps: [step])
  }

  private static func migration(
    _ store: any ByteStore, _ step: ModelStep = ModelStep(from: 0, [.add("new", 1)])
  ) throws -> ModelMigration<[UInt8]> {
    ModelMigration(try migrator(step), of: "m", in: store) { $0 }
  }

  @Test("a later version that somebody writes right after the migration's write stands (D11)")
  func theirNewer() throws {
    let store = Contested("m", #"{"a":"old"}"#, theirs: #"{"a":"theirs","v":2}"#)
    let error = #expect(throws: ModelMigrationError.self) { try Self.migration(store).run() }
    guard case .model(.newer(found: 2, known: 1))? = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(store.text == #"{"a":"theirs","v":2}"#)
  }

  @Test("an edit of the old version that comes right after the migration's write is taken up, not undone (D11)")
  func theirEdit() throws {
    let store = Contested("m", #"{"a":"old"}"#, theirs: #"{"a":"edited"}"#)
    let report = try Self.migration(store).run()
    #expect(report.to == 1 && store.text == #"{"a":"edited","new":1,"v":1}"#)
    #expect(try Self.migration(store).listBackups().count == 2)
  }

  @Test("data that is removed right after the migration's write does not come back (D11)")
  func theirRemoval() throws {
    let store = Contested("m", #"{"a":"personal"}"#, theirs: nil)
    let error = #expect(throws: ModelMigrationError.self) { try Self.migration(store).run() }
    guard case .changed? = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(store.text == nil)
  }

  @Test("what reads back damaged gives way to the old data (D11)")
  func damaged() throws {
    let store = Contested("m", #"{"a":"old"}"#, theirs: #"{"a":"ol"#)
    let error = #expect(throws: ModelMigrationError.self) { try Self.migration(store).run() }
    guard case .write? = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(store.text == #"{"a":"old"}"#)
  }

  @Test(
    "a step that nests too deep to be read again is refused before anything is written (D11)",
    arguments: [3, 1000, 100_000])
  func tooDeep(levels: Int) throws {
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
      guard case .model(.stepTooDeep(from: 0, _, limit: 512))? = error?.reason else {
        Issue.record("\(String(describing: error))")
        return
      }
    }
    #expect(store.writes == 0)
  }

  @Test("a step that fails with a value 100,000 levels deep in its hands is a failure and no more (D11)")
  func failsDeep() throws {
    struct Stopped: Error {}
    let step = ModelStep(from: 0, "wrap and stop") { value in
      for _ in 0..<100_000 { value = .array([value]) }
      throw Stopped()
    }
    #expect(throws: ModelError.self) { try Self.migrator(step).migrated(JSONText("{}").value) }
  }

  @Test("setting one of 400,000 members of a name takes the others away in one go (D2)")
  func manyDuplicates() throws {
    var text = #"{"a":"0""#
    for number in 0..<400_000 { text += #","a":"1","k\#(number)":0"# }
    var value = try JSONText(text + "}").value
    let clock = ContinuousClock()
    let time = clock.measure { value.set("new", at: "a") }
    #expect(value.members?.count == 400_001 && value["a"] == "new")
    // One after the other takes about a minute.
    #expect(time < .seconds(10))
  }

  @Test(
    "half a surrogate pair, which a step would lose, is refused, and the data stands (D11)",
    arguments: [
      #"{"a":"\ud800"}"#, #"{"\ud800":1,"\ud801":2}"#,
      #"{"n":["# + String(repeating: "1.0,", count: 1500) + #""\udfff"]}"#,
    ])
  func loneSurrogate(stored: String) throws {
    let store = CountingStore(["m": Array(stored.utf8)])
    let migration = try Self.migration(store)
    let error = #expect(throws: ModelMigrationError.self) { try migration.run() }
    guard case .loneSurrogate? = error?.reason, case .failed = migration.state() else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(store.writes == 0)
    #expect("\(try #require(error))".contains("half a surrogate pair"))
  }

  @Test("the error about data that does not decode names the kind and the place, and no value (D9)")
  func undecodable() throws {
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

  @Test("the errors about what is no JSON have no piece of it (D9)")
  func noJSON() throws {
    let store = MemoryDataStore(["m": Array(Self.secret.utf8)])
    let error = #expect(throws: ModelMigrationError.self) { try Self.migration(store).run() }
    #expect(!"\(try #require(error))".contains("hunter"))
    let decoded = #expect(throws: JSONError.self) { try StorageSerializer.json.decode(Array(Self.secret.utf8)) }
    #expect(!"\(try #require(decoded))".contains("hunter"))
    let folder = FileManager.default.temporaryDirectory.appending(path: "carryover-json-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "file.json")
    try Data(Self.secret.utf8).write(to: file)
    let corrupt = #expect(throws: JSONFileError.self) { try JSONFile(file.path).read() }
    #expect(!"\(try #require(corrupt))".contains("hunter"))
  }

  @Test("what is printed or dumped of a report names versions and places, and no value (D9)")
  func printed() throws {
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
