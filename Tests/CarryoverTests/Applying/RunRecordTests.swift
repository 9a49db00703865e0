@testable import Carryover

@Suite("The record of a run") struct RunRecordTests {
  private func record(_ fileSystem: MemoryFileSystem) throws -> String {
    String(decoding: try #require(fileSystem.bytes(Self.path)), as: UTF8.self)
  }

  private static let path = "/box/.carryover/runs/\(SampleBox.firstRun)/record.json"

  private func applied() throws -> (MemoryFileSystem, SampleBox) {
    let (fileSystem, box) = try MemoryFileSystem.sample(target: .binary)
    _ = try fileSystem.migrator.apply(
      box.plan(target: fileSystem.target, status: ["session_id": .needsDecision]),
      decisions: ["session_id": .edit("5")], in: box.container)
    return (fileSystem, box)
  }

  @Test func `says what was decided, field by field, and which files were changed`() throws {
    let (fileSystem, _) = try applied()
    let json = try JSONText(record(fileSystem)).value
    #expect(json["schema"] == "carryover.run/1")
    #expect(json["id"] == .string(SampleBox.firstRun))
    #expect(json["kind"] == "apply")
    #expect(json["state"] == "done")
    #expect(json["moment"] == "2025-11-20T12:05:00Z")
    #expect(json["tool"] == "0.1.0")
    #expect(json["recipe"]?["id"] == "rudderstack-objc")
    let field = try #require(json["fields"]?.elements?[1])
    #expect(field["id"] == "session_id")
    #expect(field["decision"] == "edit")
    #expect(field["legacy"] == ["type": "integer", "value": "1763640000"])
    #expect(field["before"] == JSONValue.null)
    #expect(field["after"] == ["type": "string", "value": "5"])
    #expect(field["outcome"] == "migrated")
    let file = try #require(json["files"]?.elements?.first)
    #expect(file["path"] == .string(SampleBox.targetPath))
    #expect(file["before"]?["mode"] == "600")
    #expect(file["after"]?["size"] == JSONValue(fileSystem.target?.count))
  }

  @Test func `reads back as it was, members it does not know included`() throws {
    let (fileSystem, box) = try applied()
    let text = try record(fileSystem)
    let record = try read(Array(text.utf8))
    #expect(try fileSystem.resealed(record.document.text()) == Array(text.utf8))
    let later = text.replacing("\"tool\":", with: "\"sinceThen\": [1, {}], \"tool\":")
    #expect(later != text)
    #expect(try read(Array(later.utf8)) == record)
    try fileSystem.putSealed(Self.path, later)
    _ = try fileSystem.migrator.rollback(in: box.container)
  }

  @Test func `of a later version is refused, and so is one that is damaged; nothing is changed`() throws {
    let (fileSystem, box) = try applied()
    let text = try record(fileSystem)
    try fileSystem.putSealed(Self.path, text.replacing("carryover.run/1", with: "carryover.run/2"))
    let tree = fileSystem.tree("/")
    let newer = RunError.newerRecord(path: Self.path, schema: "carryover.run/2")
    #expect(throws: newer) { try fileSystem.migrator.rollback(in: box.container) }
    #expect(throws: newer) { try fileSystem.migrator.lastRun(in: box.container) }
    #expect(try fileSystem.migrator.settled(in: box.container, target: SampleBox.targetPath).isEmpty)
    #expect(fileSystem.tree("/") == tree)
    for (old, new) in [
      ("{", "["), ("\"done\"", "\"perhaps\""), (SampleBox.firstRun, "20251120T120500Z-2"), ("\"600\"", "\"rw\""),
      ("\"migrated\"", "7"), ("\"integer\"", "\"number\""), (SampleBox.targetPath, "../../etc/passwd"),
      ("1-com.acme.shop", "../1-com.acme.shop"), ("\"folders\": []", "\"folders\": [\"/\"]"),
      ("\"folders\": []", "\"folders\": [\"AppData/Documents\"]"),
      ("\"folders\": []", "\"folders\": [\"\(SampleBox.targetPath)\"]"), ("sha256", "sum"),
    ] {
      let damaged = text.replacing(old, with: new)
      #expect(damaged != text, "\(old)")
      if let sealed = try? fileSystem.resealed(damaged) {
        fileSystem.put(Self.path, sealed, mode: 0o600)
      } else {
        fileSystem.put(Self.path, Array(damaged.utf8), mode: 0o600)
      }
      let tree = fileSystem.tree("/")
      #expect(throws: RunError.self, "\(old)") { try fileSystem.migrator.rollback(in: box.container) }
      #expect(try fileSystem.migrator.settled(in: box.container, target: SampleBox.targetPath).isEmpty, "\(old)")
      #expect(fileSystem.tree("/") == tree, "\(old)")
    }
  }

  @Test func `keeps long values by type, size and checksum, so that it stays short enough to be read`() throws {
    let (fileSystem, box) = try MemoryFileSystem.sample(target: .binary)
    let before = fileSystem.target
    let migrator = fileSystem.migrator
    // Each of these characters takes six bytes of JSON.
    let long = PropertyListValue.string(String(repeating: "\u{1b}", count: 20_000))
    _ = try migrator.apply(box.plan(target: before), decisions: ["anonymous_id": .edit(long)], in: box.container)
    let text = try record(fileSystem)
    #expect(text.utf8.count < SavedValue.longest)
    let after = try JSONText(text).value["fields"]?.elements?.first?["after"]
    let coded = CodedValue.json(long).text()
    #expect(
      after == [
        "type": "string", "size": JSONValue(coded.utf8.count),
        "sha256": .string(SHA256.hexDigest(Array(coded.utf8))),
      ])
    #expect(try fileSystem.resealed(read(Array(text.utf8)).document.text()) == Array(text.utf8))
    #expect(SavedValue("short") == .whole("short"))
    let settled = try migrator.settled(in: box.container, target: SampleBox.targetPath)
    #expect(settled.keys.sorted() == ["is_manual_session", "rudder.app_build", "session_id"])
    _ = try migrator.rollback(in: box.container)
    #expect(fileSystem.target == before)
  }

  @Test func `is refused before anything is written where it could not be read back`() throws {
    let (fileSystem, box) = try MemoryFileSystem.sample(target: .binary)
    var plan = box.plan(target: fileSystem.target)
    plan.definition.reference.version = -1
    let tree = fileSystem.tree("/")
    let error = try #require(throws: RunError.self) {
      try fileSystem.migrator.apply(plan, decisions: [:], in: box.container)
    }
    guard case .notEncodable(Self.path, _) = error else { return #expect(Bool(false), "\(error)") }
    #expect(fileSystem.tree("/") == tree)
    plan.definition.reference.version = 1
    _ = try fileSystem.migrator.apply(plan, decisions: [:], in: box.container)
    let bytes = try #require(fileSystem.bytes(Self.path))
    let record = try read(bytes)
    // Without its seal.
    let length = record.document.text(pretty: true).utf8.count + 1
    try record.checkReadable(path: "x", limit: length)
    #expect(throws: RunError.self) { try record.checkReadable(path: "x", limit: length - 1) }
  }

  @Test func `survives the loss of any of its bytes with an error, never a crash`() throws {
    let (fileSystem, _) = try applied()
    let bytes = Array(try record(fileSystem).utf8)
    for count in stride(from: 0, to: bytes.count - 2, by: 7) {
      #expect(throws: RunError.self) { try read(Array(bytes.prefix(count))) }
    }
  }

  @Test func `is named after its moment, and numbered after the run before it, within a limit`() throws {
    let first = try #require(RunID(Moment(secondsSince1970: 1_763_640_300), after: nil))
    #expect(first.text == SampleBox.firstRun)
    #expect(RunID(Moment(secondsSince1970: 0), after: first)?.text == "19700101T000000Z-2")
    #expect(RunID("20251120T120500Z-10").map { $0 > first } == true)
    for text in [
      "", "-1", "a-1", "20251120T120500Z", "20251120T120500Z-0", "20251120T120500Z-01", "2-1-1",
      "2-99999999999999999999", "1-9223372036854775807", "20251120T120500Z-1000000",
    ] {
      #expect(RunID(text) == nil, "\(text)")
    }
    let last = try #require(RunID("20251120T120500Z-999999"))
    #expect(RunID(Moment(millisecondsSince1970: .max), after: last) == nil)
    #expect(Moment(millisecondsSince1970: -1).text == "1969-12-31T23:59:59Z")
  }

  @Test func `names the batch of its run, if it has one; anything else in its place is damage`() throws {
    let batch = BatchID(Moment(secondsSince1970: 1_763_640_300), digits: 0x7F00_3A1C)
    #expect(batch.text == "b20251120T120500Z-003a1c" && BatchID(batch.text) == batch)
    for text in ["", "b-003a1c", "20251120T120500Z-003a1c", "b20251120T120500Z-1", "b20251120T120500Z-003A1C"] {
      #expect(BatchID(text) == nil, "\(text)")
    }
    let (fileSystem, box) = try MemoryFileSystem.sample(target: .binary)
    let migrator = fileSystem.migrator.recording(batch)
    _ = try migrator.apply(
      box.plan(target: fileSystem.target, status: ["session_id": .needsDecision]),
      decisions: ["session_id": .edit("5")], in: box.container)
    #expect(try migrator.runs(in: box.container).map(\.batch) == [batch])
    let text = try record(fileSystem)
    #expect(try read(Array(text.utf8)).batch == batch)
    #expect(throws: RunError.self) { try read(Array(text.replacing(batch.text, with: "b1-1").utf8)) }
    let (earlier, _) = try applied()
    #expect(try !record(earlier).contains("batch"))
  }

  private func read(_ bytes: [UInt8]) throws -> RunRecord { try RunRecord(RecordReader(bytes, path: "x")) }

  @Test func `has the checksum that FNV-1a gives for known text`() {
    #expect(Checksum.text([]) == "cbf29ce484222325")
    #expect(Checksum.text(Array("a".utf8)) == "af63dc4c8601ec8c")
    #expect(Checksum.text(Array("foobar".utf8)) == "85944171f73967e8")
  }
}
