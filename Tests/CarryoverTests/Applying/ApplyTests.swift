@testable import Carryover

@Suite("Applying a plan") struct ApplyTests {
  @Test(arguments: [PropertyListFormat.binary, .xml])
  func `writes the decided values, and leaves all other keys as they were`(format: PropertyListFormat) throws {
    let (fileSystem, box) = try MemoryFileSystem.sample(target: format)
    let before = try #require(fileSystem.target.map { try PropertyListDocument(bytes: $0) })
    let source = fileSystem.tree("/box")[SampleBox.sourcePath]
    let report = try fileSystem.migrator.apply(box.plan(target: fileSystem.target), decisions: [:], in: box.container)

    let after = try #require(fileSystem.target.map { try PropertyListDocument(bytes: $0) })
    #expect(after.format == format)
    let old = try #require(before.dictionary)
    let new = try #require(after.dictionary)
    #expect(Array(new.entries.prefix(old.count)) == old.entries)
    #expect(new["anonymous_id"] == "9f1c2a7e-6b0d-4a1e-9c55-0d1f2a3b4c5d")
    #expect(new["session_id"] == "1763640000")
    #expect(new["is_manual_session"] == false)
    #expect(new["rudder.app_build"] == 42)
    #expect(new.count == old.count + 4)
    #expect(report.outcomes.map(\.outcome) == [.migrated, .migrated, .migrated, .migrated])
    #expect(source != nil && fileSystem.tree("/box")[SampleBox.sourcePath] == source)
    #expect(report.files == [SampleBox.targetPath])
    #expect(report.runID == SampleBox.firstRun)
    #expect(report.synchronizations == fileSystem.log.filter { $0.operation == .synchronize }.count)
  }

  @Test func `shows its state folder to nobody else`() throws {
    let (fileSystem, _) = try MemoryFileSystem.sample(target: .binary, isApplied: true)
    let state = fileSystem.tree("/box/.carryover")
    let run = "runs/" + SampleBox.firstRun
    #expect(
      Set(state.keys) == [
        "", "lock", "runs", run, run + "/before", run + "/after", run + "/record.json",
        run + "/before/1-com.acme.shop.analytics.KEY.plist", run + "/after/1-com.acme.shop.analytics.KEY.plist",
      ])
    for (path, entry) in state {
      switch entry {
      case .folder(let mode): #expect(mode == 0o700, "\(path)")
      case .file(let mode, _, _): #expect(mode == 0o600, "\(path)")
      case .link: Issue.record("a link at \(path)")
      }
    }
  }

  @Test func `remembers what it settled until it is rolled back`() throws {
    let (fileSystem, box) = try MemoryFileSystem.sample(target: .binary)
    let migrator = fileSystem.migrator
    #expect(try migrator.settled(in: box.container, target: SampleBox.targetPath).isEmpty)
    let plan = box.plan(
      target: fileSystem.target, status: ["session_id": .needsDecision, "rudder.app_build": .dropped])
    _ = try migrator.apply(plan, decisions: ["session_id": .skip, "anonymous_id": .edit("mine")], in: box.container)
    fileSystem.arm()
    let settled = try migrator.settled(in: box.container, target: SampleBox.targetPath)
    #expect(fileSystem.log.filter(\.operation.writes).isEmpty)
    #expect(
      settled == [
        "anonymous_id": SettledField(
          legacy: "9f1c2a7e-6b0d-4a1e-9c55-0d1f2a3b4c5d", left: "mine", runID: SampleBox.firstRun, isWritten: true),
        "session_id": SettledField(legacy: 1_763_640_000, left: nil, runID: SampleBox.firstRun, isKept: true),
        "is_manual_session": SettledField(legacy: true, left: false, runID: SampleBox.firstRun, isWritten: true),
      ])
    #expect(try migrator.settled(in: box.container, target: "another.plist").isEmpty)
    _ = try migrator.rollback(in: box.container)
    #expect(try migrator.settled(in: box.container, target: SampleBox.targetPath).isEmpty)
  }
}

@Suite("Applying on a real disk") struct LiveMigratorTests {
  private let folder = TemporaryFolder()

  @Test(arguments: [PropertyListFormat.binary, .xml, nil])
  func `applies, applies again without a change, and rolls back to the same tree`(target: PropertyListFormat?) throws {
    let box = folder.box
    try box.putSource()
    if let target { try box.putTarget(target, mode: 0o644) }
    let before = try folder.tree()
    let migrator = SampleBox.migrator(POSIXFileSystem())

    let report = try migrator.apply(
      box.plan(target: folder.bytes(SampleBox.targetPath)), decisions: [:], in: box.container)
    let bytes = try #require(folder.bytes(SampleBox.targetPath))
    let new = try #require(try PropertyListDocument(bytes: bytes).dictionary)
    #expect(new["is_manual_session"] == false)
    #expect(report.synchronizations > 0)
    #expect(try PropertyListDocument(bytes: bytes).format == target ?? .binary)
    #expect(try folder.mode(SampleBox.targetPath) == (target == nil ? 0o640 : 0o644))
    #expect(try folder.mode(".carryover") == 0o700)
    #expect(try folder.mode(".carryover/runs/\(SampleBox.firstRun)/record.json") == 0o600)

    let after = try folder.tree()
    #expect(try migrator.apply(box.plan(target: bytes), decisions: [:], in: box.container).runID == nil)
    #expect(try folder.tree() == after)

    _ = try migrator.rollback(in: box.container)
    #expect(try folder.tree() == before)
  }

  @Test func `many migrators at once: one writes, the others are told why they may not`() async throws {
    let box = folder.box
    try box.putSource()
    try box.putTarget(.binary)
    let plan = box.plan(target: folder.bytes(SampleBox.targetPath))
    let container = box.container
    let results = await withTaskGroup(of: Result<RunReport, any Error>.self) { group in
      for _ in 0..<8 {
        group.addTask {
          Result { try SampleBox.migrator(POSIXFileSystem()).apply(plan, decisions: [:], in: container) }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    var written = 0
    for result in results {
      switch result {
      case .success: written += 1
      case .failure(let error as RunError):
        switch error {
        case .busy, .stalePlan: break
        default: Issue.record("another error: \(error)")
        }
      case .failure(let error): Issue.record("another error: \(error)")
      }
    }
    #expect(written == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/.carryover/runs").count == 1)
    _ = try SampleBox.migrator(POSIXFileSystem()).rollback(in: container)
  }
}

@Suite("Values in JSON with their type") struct CodedValueTests {
  private static let values: [PropertyListValue] =
    (SampleBox.foreign + SampleBox.binaryForeign).map(\.1) + [
      "", "\0\u{1b}", 0, .integer(PropertyListInteger(Int64.min)), .real(PropertyListReal(-0.0)),
      .real(PropertyListReal(.infinity)), .real(PropertyListReal(Double(nan: 5, signaling: false))),
      .real(PropertyListReal(.leastNonzeroMagnitude)), .date(PropertyListDate(secondsSince2001: .nan)),
      .date(PropertyListDate(secondsSince2001: 1e300)), .date(PropertyListDate(secondsSince2001: 0.1)), false, .null,
      .set(["a", 1]), .uid(.max), [:], ["k": 1, "k": 2], ["e\u{301}": 1, "\u{e9}": 2], ["n": .null],
    ]

  @Test func `come back with type and bits, through the text of a file`() throws {
    for value in Self.values {
      let text = CodedValue.json(value).text(pretty: true)
      #expect(CodedValue.value(try JSONText(text).value) == value, "\(text)")
    }
  }

  @Test func `are as plain as they can be`() {
    #expect(CodedValue.json(42).text() == #"{"type":"integer","value":"42"}"#)
    #expect(CodedValue.json(true).text() == #"{"type":"boolean","value":"true"}"#)
    #expect(CodedValue.json(.data([1, 2])).text() == #"{"type":"data","value":"AQI="}"#)
    #expect(
      CodedValue.json(.date(PropertyListDate(secondsSince2001: 0))).text()
        == #"{"type":"date","value":"2001-01-01T00:00:00Z"}"#)
    #expect(
      CodedValue.json(["a": [1.5]]).text()
        == #"{"type":"dictionary","value":{"a":{"type":"array","value":[{"type":"real","value":"1.5"}]}}}"#)
  }

  @Test func `come back however deep they are nested, and readers of the JSON are spared the depth`() throws {
    var value: PropertyListValue = "core"
    for _ in 0..<400 { value = [value] }
    #expect(CodedValue.value(try JSONText(CodedValue.json(value).text()).value) == value)
  }

  @Test func `are not made from JSON that is something else`() throws {
    for text in [
      "null", "1", "{}", #"{"type":"integer"}"#, #"{"type":"integer","value":42}"#, #"{"type":"integer","value":"x"}"#,
      #"{"type":"boolean","value":"yes"}"#, #"{"type":"data","value":"A"}"#, #"{"type":"number","value":"1"}"#,
      #"{"type":"array","value":[1]}"#, #"{"type":"string","value":"a","binary":"AAAA"}"#,
      #"{"type":"dictionary","value":[]}"#, #"{"type":"date","value":"soon"}"#, #"{"type":"uid","value":"-1"}"#,
    ] {
      #expect(CodedValue.value(try JSONText(text).value) == nil, "\(text)")
    }
  }

  @Test func `base64 is that of RFC 4648, and nothing else is taken for it`() {
    let known = ["": "", "f": "Zg==", "fo": "Zm8=", "foo": "Zm9v", "foobar": "Zm9vYmFy"]
    for (text, code) in known {
      #expect(Base64.text(Array(text.utf8)) == code)
      #expect(Base64.bytes(code) == Array(text.utf8))
    }
    for text in ["Z", "Zg", "Zg=", "Zh==", "Zg==Zg==", "Z g=", "Zm9v=", "*"] {
      #expect(Base64.bytes(text) == nil, "\(text)")
    }
    let all = (0...255).map(UInt8.init)
    #expect(Base64.bytes(Base64.text(all)) == all)
  }
}
