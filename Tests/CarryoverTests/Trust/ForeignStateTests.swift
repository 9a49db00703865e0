@testable import Carryover

@Suite("State that came with a container") struct ForeignStateTests {
  private static let journal = "/box/.carryover/journal.json"
  private static let run = "/box/.carryover/runs/\(SampleBox.firstRun)"

  /// A container whose apply was killed right after its journal was in place, as another user's Carryover left it.
  private func left(
    by key: StateKey = TestKey.other, afterRename rename: Int = 2
  ) throws -> (MemoryFileSystem, SampleBox, before: [UInt8]) {
    let (fileSystem, box) = try MemoryFileSystem.sample(target: .binary)
    let before = try #require(fileSystem.target)
    fileSystem.arm(FaultPlan(faults: [rename: .crashAfter], only: [.rename]))
    _ = try? migrator(fileSystem, key).apply(box.plan(target: before), decisions: [:], in: box.container)
    #expect(fileSystem.crashed)
    fileSystem.restart()
    return (fileSystem, box, before)
  }

  private func migrator(_ fileSystem: MemoryFileSystem, _ key: StateKey = TestKey.own) -> Migrator {
    Migrator(fileSystem: fileSystem, toolVersion: "0.1.0", key: key, now: { SampleBox.moment })
  }

  private func data(_ fileSystem: MemoryFileSystem) -> [String: TreeEntry] {
    fileSystem.tree("/box", excluding: ".carryover")
  }

  private func commands(_ migrator: Migrator, _ box: SampleBox, _ target: [UInt8]?) -> [() throws -> Void] {
    [
      { _ = try migrator.apply(box.plan(target: target), decisions: [:], in: box.container) },
      { _ = try migrator.rollback(in: box.container) }, { _ = try migrator.recover(in: box.container) },
      { _ = try migrator.recover(in: box.container, keeping: true) },
      { _ = try migrator.prune(in: box.container, runs: [SampleBox.firstRun]) },
    ]
  }

  @Test func `is never acted upon: what writes names it, its files and the way out, and changes nothing`() throws {
    let (fileSystem, box, before) = try left()
    let (data, state) = (data(fileSystem), fileSystem.bytes(Self.journal))
    for command in commands(migrator(fileSystem), box, before) {
      let error = #expect(throws: RunError.self) { try command() }
      guard case .foreignJournal(let run)? = error else { return #expect(Bool(false), "\(error as Any)") }
      #expect(run.id == SampleBox.firstRun && run.reason == .otherKey)
      #expect(run.files.map(\.path) == [SampleBox.targetPath] && run.files.allSatisfy(\.isAllowed))
      #expect(run.files[0].present == before.count && run.files[0].changes.map(\.key).contains("session_id"))
      let sentence = error?.description ?? ""
      for part in [SampleBox.targetPath, "recover PATH --adopt", "--discard", "would be replaced", "session_id"] {
        #expect(sentence.contains(part), "\(part) in \(sentence)")
      }
      #expect(self.data(fileSystem) == data && fileSystem.bytes(Self.journal) == state)
    }
    #expect(try migrator(fileSystem).foreignRun(in: box.container)?.id == SampleBox.firstRun)
  }

  @Test func `is recovered where it is the user's own, also after the container was moved`() throws {
    for moved in [false, true] {
      let (fileSystem, box, before) = try left(by: TestKey.own)
      var container = box.container
      if moved {
        try fileSystem.rename("/box", to: "/elsewhere", .replacing)
        (container.root, container.stateDirectory) = ("/elsewhere", "/elsewhere/.carryover")
      }
      #expect(try migrator(fileSystem).recover(in: container).map(\.ending) == [.finished])
      #expect(fileSystem.bytes(container.root + "/" + SampleBox.targetPath) != before)
    }
  }

  @Test func `is told by seal, key, place and owner`() throws {
    let (fileSystem, box, _) = try left(by: TestKey.own)
    let sealed = try #require(fileSystem.bytes(Self.journal))
    let text = String(decoding: sealed, as: UTF8.self)
    let unsealed = try JSONText(text).value.members?.filter { $0.name != "seal" } ?? []
    let changed = text.replacing("\"mode\": \"600\"", with: "\"mode\": \"777\"")
    #expect(changed != text)
    fileSystem.putFolder("/other")
    for (bytes, user, reason) in [
      (Array(JSONValue.object(unsealed).text().utf8), 501, ForeignReason.unsealed),
      (try fileSystem.resealed(text, with: TestKey.other), 501, .otherKey),
      (try fileSystem.resealed(text, in: "/other"), 501, .notGenuine),
      (Array(changed.utf8), 501, .notGenuine),
      (sealed, 502, .otherOwner(502)),
    ] as [([UInt8], UInt32, ForeignReason)] {
      fileSystem.put(Self.journal, bytes, mode: 0o600, user: user)
      #expect(try migrator(fileSystem).foreignRun(in: box.container)?.reason == reason)
    }
    fileSystem.put(Self.journal, sealed, mode: 0o600)
    #expect(try migrator(fileSystem).foreignRun(in: box.container) == nil)
  }

  @Test(arguments: [true, false])
  func `a record exchanged under the user's own journal stops the recovery`(isSealed: Bool) throws {
    let (fileSystem, box, _) = try left(by: TestKey.own)
    let record = Self.run + "/record.json"
    let text = String(decoding: try #require(fileSystem.bytes(record)), as: UTF8.self)
    let other = text.replacing("\"600\"", with: "\"666\"")
    #expect(other != text)
    if isSealed { try fileSystem.putSealed(record, other) } else { fileSystem.put(record, Array(other.utf8)) }
    let data = data(fileSystem)
    let error = #expect(throws: RunError.self) { try migrator(fileSystem).recover(in: box.container) }
    guard case .damagedJournal? = error else { return #expect(Bool(false), "\(error as Any)") }
    #expect(self.data(fileSystem) == data)
  }

  @Test func `that is the user's own can be neither adopted nor discarded`() throws {
    let (fileSystem, box, _) = try left(by: TestKey.own)
    let tree = fileSystem.tree("/box")
    for runID in [nil, SampleBox.firstRun] {
      #expect(throws: RunError.nothingToDecide(run: runID)) {
        try migrator(fileSystem).adopt(in: box.container, runID: runID)
      }
      #expect(throws: RunError.nothingToDecide(run: runID)) {
        try migrator(fileSystem).discard(in: box.container, runID: runID)
      }
    }
    #expect(fileSystem.tree("/box") == tree)
  }

  @Test func `cannot be adopted with a foreign file, another copy, or a journal unlike its record`() throws {
    let sound = try left()
    for (old, new) in [
      (SampleBox.targetPath, ".ssh/authorized_keys"), (SampleBox.targetPath, "AppData/Documents/x.desktop"),
      (SampleBox.targetPath, "AppData/Library/Preferences/.hidden.plist"),
    ] {
      let (fileSystem, box) = (MemoryFileSystem(copying: sound.0), sound.1)
      for path in [Self.journal, Self.run + "/record.json"] {
        let text = String(decoding: try #require(fileSystem.bytes(path)), as: UTF8.self)
        let changed = text.replacing("\"" + old + "\"", with: "\"" + new + "\"")
        #expect(changed != text)
        fileSystem.put(path, Array(changed.utf8), mode: 0o600)
      }
      let (data, shown) = (data(fileSystem), try migrator(fileSystem).foreignRun(in: box.container))
      #expect(shown?.files.allSatisfy(\.isAllowed) == false)
      #expect(throws: RunError.outsideStores(new)) { try migrator(fileSystem).adopt(in: box.container) }
      #expect(self.data(fileSystem) == data)
      // Neither is it done where it carries the user's own seal.
      for path in [Self.journal, Self.run + "/record.json"] {
        try fileSystem.putSealed(path, String(decoding: try #require(fileSystem.bytes(path)), as: UTF8.self))
      }
      #expect(throws: RunError.outsideStores(new)) { try migrator(fileSystem).recover(in: box.container) }
      #expect(self.data(fileSystem) == data)
    }
    for path in [Self.run + "/after/1-com.acme.shop.analytics.KEY.plist", Self.run + "/record.json"] {
      let (fileSystem, box) = (MemoryFileSystem(copying: sound.0), sound.1)
      if path.hasSuffix("record.json") {
        let text = String(decoding: try #require(fileSystem.bytes(path)), as: UTF8.self)
        fileSystem.put(path, Array(text.replacing("\"600\"", with: "\"666\"").utf8), mode: 0o600)
      } else {
        fileSystem.put(path, [1, 2, 3], mode: 0o600)
      }
      let data = data(fileSystem)
      #expect(throws: RunError.self) { try migrator(fileSystem).adopt(in: box.container) }
      #expect(self.data(fileSystem) == data)
      #expect(try migrator(fileSystem).foreignRun(in: box.container) != nil)
    }
  }

  @Test func `cannot be adopted where its record cannot be read, which the error names`() throws {
    let (fileSystem, box, _) = try left()
    let record = Self.run + "/record.json"
    fileSystem.put(record, [1, 2, 3], mode: 0o600)
    for runID in [nil, SampleBox.firstRun] {
      let error = #expect(throws: RunError.self) { try migrator(fileSystem).adopt(in: box.container, runID: runID) }
      guard case .damagedRecord(record, _)? = error else { return #expect(Bool(false), "\(error as Any)") }
    }
  }

  @Test func `an undecided run of somebody else's is left alone: no temporary or folder of its is removed`() throws {
    let (fileSystem, box, before) = try left(afterRename: 1)
    #expect(fileSystem.bytes(Self.journal) == nil)
    let temporary = "/box/AppData/Library/Preferences/.carryover-\(SampleBox.firstRun)-1.tmp"
    fileSystem.put(temporary, [1, 2, 3])
    let data = data(fileSystem)
    #expect(try migrator(fileSystem).recover(in: box.container).isEmpty)
    #expect(self.data(fileSystem) == data)
    _ = try migrator(fileSystem).apply(box.plan(target: before), decisions: [:], in: box.container)
    #expect(fileSystem.bytes(temporary) == [1, 2, 3])
  }

  @Test func `finished runs cannot be pruned`() throws {
    let (fileSystem, box) = try MemoryFileSystem.sample(target: .binary)
    let before = fileSystem.target
    _ = try migrator(fileSystem, TestKey.other).apply(box.plan(target: before), decisions: [:], in: box.container)
    let mine = migrator(fileSystem)
    let runs = try mine.history(of: box.container).runs
    #expect(runs.map(\.foreign) == [.otherKey])
    #expect(PruneSelection.keepingNewest(0).selected(from: runs).isEmpty)
    let tree = fileSystem.tree("/box")
    #expect(throws: RunError.noRunToPrune(SampleBox.firstRun)) {
      try mine.prune(in: box.container, runs: [SampleBox.firstRun])
    }
    #expect(fileSystem.tree("/box") == tree)
  }

  @Test func `runs that cannot be read stop nothing where they are certainly not the user's own`() throws {
    let (fileSystem, box) = try MemoryFileSystem.sample(target: .binary)
    let before = fileSystem.target
    _ = try migrator(fileSystem).apply(box.plan(target: before), decisions: [:], in: box.container)
    let applied = fileSystem.target
    let record = String(decoding: try #require(fileSystem.bytes(Self.run + "/record.json")), as: UTF8.self)
    let newer = record.replacing("carryover.run/1", with: "carryover.run/2")
    func path(_ number: Int) -> String { "/box/.carryover/runs/20251120T120500Z-\(number)" }
    try fileSystem.putSealed(path(2) + "/record.json", newer, with: TestKey.other)
    fileSystem.put(path(3) + "/record.json", Array(newer.utf8), mode: 0o600)
    fileSystem.put(path(4) + "/record.json", [1, 2, 3], mode: 0o600, user: 502)
    fileSystem.putLink(path(5))
    fileSystem.put(path(6), [1, 2, 3])
    let mine = migrator(fileSystem)
    #expect(try mine.history(of: box.container).problems.count == 5)
    #expect(try mine.settled(in: box.container, target: SampleBox.targetPath).isEmpty == false)
    #expect(try mine.recover(in: box.container).isEmpty)
    for number in 2...6 {
      let copy = MemoryFileSystem(copying: fileSystem)
      #expect(throws: Never.self) {
        _ = try migrator(copy).discard(in: box.container, runID: FilePath.name(of: path(number)))
      }
      #expect(try migrator(copy).history(of: box.container).problems.count == 4)
    }
    // One that may be the user's own stops what follows from the newest run.
    let copy = MemoryFileSystem(copying: fileSystem)
    copy.put(path(4) + "/record.json", [1, 2, 3], mode: 0o600)
    #expect(throws: RunError.self) { try migrator(copy).rollback(in: box.container) }
    #expect(copy.target == applied)
    let report = try mine.rollback(in: box.container)
    #expect(report.rolledBack == SampleBox.firstRun && report.runID == "20251120T120500Z-7")
    #expect(fileSystem.target == before)
  }

  @Test func `where new files are another user's nothing is applied or adopted, and the error says why`() throws {
    let (fileSystem, box, before) = try left()
    fileSystem.state.withLock { $0.owner = 502 }
    let data = data(fileSystem)
    let record = Self.run + "/record.json"
    #expect(throws: RunError.ownerNotShown(path: record, user: 502)) {
      try migrator(fileSystem).adopt(in: box.container)
    }
    _ = try migrator(fileSystem).discard(in: box.container)
    #expect(throws: RunError.ownerNotShown(path: record, user: 502)) {
      try migrator(fileSystem).apply(box.plan(target: before), decisions: [:], in: box.container)
    }
    // The run that was discarded may have left its new file, which a run of the same number clears away.
    #expect(self.data(fileSystem) == data.filter { !$0.key.hasSuffix(".tmp") })
    #expect(fileSystem.bytes(record) == nil)
  }

  @Test func `a journal that nobody can read is moved aside by recover --keep, never deleted`() throws {
    let (fileSystem, box, _) = try left()
    fileSystem.put(Self.journal, [1, 2, 3], mode: 0o600)
    let data = data(fileSystem)
    _ = try migrator(fileSystem).recover(in: box.container, keeping: true)
    #expect(fileSystem.bytes(Self.journal) == nil)
    #expect(fileSystem.bytes("/box/.carryover/discarded/1/journal.json") == [1, 2, 3])
    #expect(self.data(fileSystem) == data)
  }

  @Test func `what a run would do to a file that takes long to compare is told by what is there`() throws {
    let (fileSystem, box, _) = try left()
    fileSystem.put("/box/" + SampleBox.targetPath, [UInt8](repeating: 0, count: 5 << 20), mode: 0o600)
    let file = try #require(try migrator(fileSystem).foreignRun(in: box.container)?.files.first)
    #expect(file.changes.isEmpty)
    #expect(file.sentence(namingKeys: true).contains("would be replaced with"), "\(file.sentence(namingKeys: true))")
    fileSystem.putLink("/box/" + SampleBox.targetPath)
    let unreachable = try #require(try migrator(fileSystem).foreignRun(in: box.container)?.files.first)
    #expect(!unreachable.isReachable && unreachable.sentence(namingKeys: true).contains("cannot be reached"))
  }

  @Test func `a run that is named is shown by what its copies would do, and adopted only as it was shown`() throws {
    let (killed, box, _) = try left()
    let mine = migrator(killed)
    #expect(try mine.foreignRun(in: box.container, runID: SampleBox.firstRun) == mine.foreignRun(in: box.container))

    let (fileSystem, _) = try MemoryFileSystem.sample(target: .binary)
    let before = fileSystem.target
    _ = try migrator(fileSystem, TestKey.other).apply(box.plan(target: before), decisions: [:], in: box.container)
    let record = Self.run + "/record.json"
    let text = String(decoding: try #require(fileSystem.bytes(record)), as: UTF8.self)
    // The record's own words about the fields count for nothing.
    let lying = text.replacing("session_id", with: "harmless")
    #expect(lying != text)
    fileSystem.put(record, Array(lying.utf8), mode: 0o600)
    let run = try #require(try migrator(fileSystem).foreignRun(in: box.container, runID: SampleBox.firstRun))
    #expect(run.isFinished && run.files[0].changes.contains { $0.key == "session_id" && $0.after == nil })
    fileSystem.put("/box/" + SampleBox.targetPath, before ?? [], mode: 0o600)
    #expect(throws: RunError.self) {
      try migrator(fileSystem).adopt(in: box.container, runID: SampleBox.firstRun, shown: run)
    }
    #expect(try migrator(fileSystem).history(of: box.container).runs.map(\.standing) == [.cameAlong])
  }

  @Test func `a record or journal that cannot be opened stops no more than it must, and can go aside`() throws {
    let (fileSystem, box) = try MemoryFileSystem.sample(target: .binary)
    let before = fileSystem.target
    let record = Self.run + "/record.json"
    fileSystem.put(record, [1], mode: 0)
    let mine = migrator(fileSystem)
    #expect(try mine.history(of: box.container).problems.count == 1)
    #expect(try mine.recover(in: box.container).isEmpty)
    #expect(try mine.apply(box.plan(target: before), decisions: [:], in: box.container).runID != nil)
    _ = try mine.rollback(in: box.container)
    #expect(fileSystem.target == before)
    _ = try mine.discard(in: box.container, runID: SampleBox.firstRun)
    #expect(try mine.history(of: box.container).problems.isEmpty)
    fileSystem.put(Self.journal, [1], mode: 0)
    #expect(throws: RunError.self) { try mine.recover(in: box.container) }
    _ = try mine.discard(in: box.container)
    #expect(try mine.recover(in: box.container).isEmpty)
  }

  @Test func `a run with a made-up number shadows none: the next run is numbered after the user's own`() throws {
    let (fileSystem, box) = try MemoryFileSystem.sample(target: .binary)
    let before = fileSystem.target
    _ = try migrator(fileSystem).apply(box.plan(target: before), decisions: [:], in: box.container)
    let record = String(decoding: try #require(fileSystem.bytes(Self.run + "/record.json")), as: UTF8.self)
    for id in ["20251120T120500Z-9223372036854775807", "20251120T120500Z-1000000", "20251120T120500Z-999999"] {
      fileSystem.put(
        "/box/.carryover/runs/\(id)/record.json", Array(record.replacing(SampleBox.firstRun, with: id).utf8),
        mode: 0o600)
    }
    let runs = try migrator(fileSystem).runs(in: box.container)
    #expect(runs.map(\.id) == ["20251120T120500Z-999999", SampleBox.firstRun])
    #expect(runs.map(\.standing) == [.cameAlong, .holds])
    #expect(try migrator(fileSystem).lastRun(in: box.container)?.id == SampleBox.firstRun)
    let report = try migrator(fileSystem).rollback(in: box.container)
    #expect(report.rolledBack == SampleBox.firstRun && report.runID == "20251120T120500Z-2")
    #expect(fileSystem.target == before)
  }

  @Test func `journals of too many operations, long records and copies, and too many runs are refused`() throws {
    let (fileSystem, box, _) = try left()
    let text = String(decoding: try #require(fileSystem.bytes(Self.journal)), as: UTF8.self)
    let json = try JSONText(text).value
    let operation = try #require(json["operations"]?.elements?.first)
    let many = JSONValue.object(
      (json.members ?? []).map { member in
        member.name == "operations"
          ? JSONMember("operations", .array(Array(repeating: operation, count: RunStore.mostFiles + 1))) : member
      })
    for bytes in [Array(many.text().utf8), [UInt8](repeating: 0x20, count: RunStore.largestRecord + 1)] {
      fileSystem.put(Self.journal, bytes, mode: 0o600)
      let error = #expect(throws: RunError.self) { try migrator(fileSystem).recover(in: box.container) }
      guard case .damagedJournal? = error else { return #expect(Bool(false), "\(error as Any)") }
      // It can be put out of the way all the same.
      let copy = MemoryFileSystem(copying: fileSystem)
      _ = try migrator(copy).discard(in: box.container)
      #expect(try migrator(copy).recover(in: box.container).isEmpty)
    }
    let (crowded, crowdedBox) = try MemoryFileSystem.sample(target: .binary)
    for number in 1...(RunStore.mostRuns + 1) { crowded.putFolder("/box/.carryover/runs/1-\(number)") }
    let tooMany = RunError.tooManyRuns(path: "/box/.carryover/runs", limit: RunStore.mostRuns)
    #expect(throws: tooMany) { try migrator(crowded).history(of: crowdedBox.container) }
    let place = try migrator(crowded).discard(in: crowdedBox.container)
    #expect(try crowded.list(place).count == RunStore.mostRuns + 1)
    #expect(try migrator(crowded).history(of: crowdedBox.container).runs.isEmpty)
  }
}
