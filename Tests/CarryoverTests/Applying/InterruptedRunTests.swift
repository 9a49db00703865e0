@Suite("A run that was interrupted and then overtaken") struct InterruptedRunTests {
  private static let run = "/box/.carryover/runs/" + SampleBox.firstRun
  private static let temporary = "/box/AppData/Library/Preferences/.carryover-\(SampleBox.firstRun)-1.tmp"

  /// A container on which an apply crashed before a rename: the first puts the record in place, the second the journal,
  /// the third the target.
  private func crashed(atRename rename: Int) throws -> (MemoryFileSystem, SampleBox, before: [UInt8]) {
    let (fileSystem, box) = try MemoryFileSystem.sample(target: .binary)
    let before = try #require(fileSystem.target)
    fileSystem.arm(FaultPlan(faults: [rename: .crashBefore], only: [.rename]))
    _ = try? fileSystem.migrator.apply(box.plan(target: before), decisions: [:], in: box.container)
    #expect(fileSystem.crashed)
    fileSystem.restart()
    return (fileSystem, box, before)
  }

  /// A container on which an apply crashed once it was decided, and whose target the app then wrote.
  private func overtaken() throws -> (MemoryFileSystem, SampleBox, before: [UInt8]) {
    let (fileSystem, box, before) = try crashed(atRename: 3)
    try box.put(SampleBox.targetPath, SampleBox.bytes([("written.since", 1)]), 0o600)
    return (fileSystem, box, before)
  }

  @Test func `is reported by apply and rollback, which change no file but the run's own temporary`() throws {
    let (fileSystem, box, before) = try overtaken()
    let tree = fileSystem.tree("/")
    #expect(fileSystem.bytes(Self.temporary) != nil)
    let error = RunError.interrupted(
      run: SampleBox.firstRun, paths: [SampleBox.targetPath], backup: Self.run + "/before")
    let plan = box.plan(target: fileSystem.target)
    let skips = Decisions(uniqueKeysWithValues: plan.fields.map { ($0.id, Decision.skip) })
    for decisions in [[:], skips] {
      #expect(throws: error) { try fileSystem.migrator.apply(plan, decisions: decisions, in: box.container) }
    }
    #expect(throws: error) { try fileSystem.migrator.rollback(in: box.container) }
    #expect(fileSystem.tree("/") == tree.filter { "/" + $0.key != Self.temporary })
    #expect(fileSystem.bytes(Self.run + "/before/1-com.acme.shop.analytics.KEY.plist") == before)
    for part in [SampleBox.targetPath, Self.run + "/before", "Recovery changed no file.", "recover PATH --keep"] {
      #expect(error.description.contains(part), "\(part)")
    }
  }

  @Test func `that changed nothing is not cleared up where a folder stands among its copies`() throws {
    let (fileSystem, box, before) = try crashed(atRename: 2)
    fileSystem.putFolder(Self.run + "/before/folder")
    let tree = fileSystem.tree("/")
    let error = try #require(throws: RunError.self) {
      try fileSystem.migrator.apply(box.plan(target: before), decisions: [:], in: box.container)
    }
    guard case .damagedRecord(Self.run + "/record.json", _) = error else { return #expect(Bool(false), "\(error)") }
    #expect(fileSystem.tree("/") == tree.filter { $0.key != "box/.carryover/journal.json.tmp" })
  }

  @Test func `is not passed over where the system refuses an open record, and goes the next time`() throws {
    for number in [EACCES, EPERM] {
      let (fileSystem, box, before) = try crashed(atRename: 2)
      let reason = FileSystemError(.read, Self.run + "/record.json", .system(number))
      for reading in 1...2 {
        fileSystem.arm(FaultPlan(faults: [reading: .error(number)], only: [.read]))
        #expect(throws: RunError.file(reason, .nothingChanged)) { try fileSystem.migrator.recover(in: box.container) }
      }
      fileSystem.arm(FaultPlan(faults: [1: .error(number)], only: [.read]))
      #expect(throws: RunError.file(reason, .nothingChanged)) {
        try fileSystem.migrator.apply(box.plan(target: before), decisions: [:], in: box.container)
      }
      fileSystem.arm()
      #expect(try fileSystem.migrator.recover(in: box.container).map(\.ending) == [.discarded])
      #expect(fileSystem.target == before && fileSystem.bytes(Self.run + "/record.json") == nil)
    }
  }

  @Test func `leaves a temporary with bytes that are not the run's`() throws {
    let (fileSystem, box, _) = try overtaken()
    fileSystem.put(Self.temporary, [1, 2, 3], mode: 0o600)
    #expect(throws: RunError.self) { try fileSystem.migrator.rollback(in: box.container) }
    #expect(fileSystem.bytes(Self.temporary) == [1, 2, 3])
  }

  @Test func `is finished once the backup was copied back by hand`() throws {
    let (fileSystem, box, before) = try overtaken()
    #expect(throws: RunError.self) { try fileSystem.migrator.recover(in: box.container) }
    #expect(try fileSystem.migrator.runToRecover(in: box.container)?.files == [SampleBox.targetPath])
    try box.put(SampleBox.targetPath, before, 0o600)
    let recovered = try fileSystem.migrator.recover(in: box.container)
    #expect(recovered.map(\.ending) == [.finished] && recovered.map(\.id) == [SampleBox.firstRun])
    #expect(try fileSystem.migrator.runToRecover(in: box.container) == nil)
    #expect(fileSystem.target != before)
    _ = try fileSystem.migrator.rollback(in: box.container)
    #expect(fileSystem.target == before)
  }

  @Test func `is closed with every file as it stands where a person says so, and keeps its backup`() throws {
    let (fileSystem, box, before) = try overtaken()
    let container = fileSystem.tree("/box", excluding: ".carryover")
    #expect(try fileSystem.migrator.recover(in: box.container, keeping: true).map(\.ending) == [.kept])
    #expect(fileSystem.tree("/box", excluding: ".carryover") == container.filter { "/box/" + $0.key != Self.temporary })
    #expect(fileSystem.bytes("/box/.carryover/journal.json") == nil)
    #expect(fileSystem.bytes(Self.run + "/before/1-com.acme.shop.analytics.KEY.plist") == before)
    #expect(try fileSystem.migrator.recover(in: box.container).isEmpty)
  }

  @Test func `has a damaged copy: nothing is touched until a person closes it, and no temporary is left then`() throws {
    let (fileSystem, box, before) = try crashed(atRename: 3)
    let copy = Self.run + "/after/1-com.acme.shop.analytics.KEY.plist"
    fileSystem.put(copy, [1, 2, 3])
    let tree = fileSystem.tree("/")
    #expect(throws: RunError.damagedCopy(run: SampleBox.firstRun, path: copy)) {
      try fileSystem.migrator.recover(in: box.container)
    }
    #expect(fileSystem.tree("/") == tree)
    #expect(try fileSystem.migrator.recover(in: box.container, keeping: true).map(\.ending) == [.kept])
    #expect(fileSystem.target == before)
    #expect(fileSystem.bytes(Self.temporary) == nil && fileSystem.bytes("/box/.carryover/journal.json") == nil)
    #expect(try fileSystem.migrator.recover(in: box.container).isEmpty)
  }
}

@Suite("Folders swapped for links while a run is at work") struct SwappedLinkTests {
  enum Job: CaseIterable, Sendable { case apply, applyNew, rollback }

  /// The folders on the way to what a run writes; empty for the container's root.
  static let folders = ["", "AppData/Library/Preferences", ".carryover", ".carryover/runs"]

  private struct Scene {
    static let outside = "outside"

    let folder: TemporaryFolder
    let swapped: String
    var root: String { folder.path + "/box" }
    var place: String { swapped.isEmpty ? root : root + "/" + swapped }
    var box: SampleBox { SampleBox(root: root) { [folder] in try folder.put("box/" + $0, $1, $2) } }

    init(_ job: Job, _ swapped: String) throws {
      folder = TemporaryFolder()
      self.swapped = swapped
      try box.putSource()
      if job != .applyNew { try box.putTarget(.binary) }
      if job == .rollback { try Self.apply(box, SampleBox.migrator(POSIXFileSystem()), target) }
      let outside = folder.path + "/" + Self.outside
      if FileManager.default.fileExists(atPath: place) {
        try FileManager.default.copyItem(atPath: place, toPath: outside)
      }
      try folder.put(Self.outside + "/lock", Array("something of somebody's".utf8), 0o644)
      try folder.put(Self.outside + "/runs/lock", [1], 0o644)
    }

    var target: [UInt8]? { folder.bytes("box/" + SampleBox.targetPath) }

    static func apply(_ box: SampleBox, _ migrator: Migrator, _ target: [UInt8]?) throws {
      _ = try migrator.apply(box.plan(target: target), decisions: [:], in: box.container)
    }

    func carryOut(_ job: Job, _ migrator: Migrator) throws {
      switch job {
      case .apply, .applyNew: try Self.apply(box, migrator, target)
      case .rollback: _ = try migrator.rollback(in: box.container)
      }
    }

    func swap() {
      rename(place, place + ".aside")
      symlink(folder.path + "/" + Self.outside, place)
    }

    func restore() {
      if (try? FileManager.default.destinationOfSymbolicLink(atPath: place)) != nil { unlink(place) }
      rename(place + ".aside", place)
    }

    func tree(_ name: String) throws -> [String: String] {
      let below = FileManager.default.enumerator(atPath: folder.path + "/" + name)
      var result: [String: String] = [:]
      while let path = below?.nextObject() as? String {
        let path = name + "/" + path
        let mode = try folder.mode(path) ?? 0
        result[path] = "\(String(mode, radix: 8)) \(Data(folder.bytes(path) ?? []).base64EncodedString())"
      }
      return result
    }

    func files() throws -> [String: String] {
      try tree("box").filter { $0.key != "box/.carryover" && !$0.key.hasPrefix("box/.carryover/") }
    }
  }

  /// Does a job while somebody swaps a folder, and judges what that leaves.
  /// - Parameter migrator: makes one that lets somebody swap the folder at the moment of that number.
  private func struck(
    _ job: Job, _ swapped: String, at number: Int, _ after: [String: String],
    _ migrator: (_ swap: @escaping @Sendable () -> Void) -> Migrator
  ) throws {
    let scene = try Scene(job, swapped)
    let (before, outside) = (try scene.files(), try scene.tree(Scene.outside))
    var failure: RunError?
    do {
      try scene.carryOut(job, migrator { scene.swap() })
    } catch {
      failure = try #require(error as? RunError)
    }
    let when = "\(job), \(swapped) swapped at \(number): \(failure?.description ?? "done")"
    #expect(try scene.tree(Scene.outside) == outside, "\(when)")
    scene.restore()
    _ = try SampleBox.migrator(POSIXFileSystem()).recover(in: scene.box.container)
    let found = try scene.files()
    switch failure?.aftermath {
    case .unfinished: #expect(found == before || found == after, "\(when)")
    case .complete: #expect(found == after, "\(when)")
    default: #expect(found == (failure == nil ? after : before), "\(when)")
    }
  }

  private func undisturbed(
    _ job: Job, _ migrator: (_ pass: @escaping @Sendable () -> Void) -> Migrator
  ) throws -> (after: [String: String], moments: Int) {
    let scene = try Scene(job, "")
    let count = MomentCount()
    try scene.carryOut(job, migrator { count.next() })
    return (try scene.files(), count.passed)
  }

  private static func migrator(
    before number: Int?, walking: Bool = false, _ moment: @escaping @Sendable () -> Void
  ) -> Migrator {
    SampleBox.migrator(MomentaryFileSystem(walking: walking, before: number, moment))
  }

  @Test(arguments: Job.allCases, folders)
  func `Swapped before any operation: nothing outside changes, the run ends as told`(job: Job, swapped: String) throws {
    let (after, moments) = try undisturbed(job) { Self.migrator(before: nil, $0) }
    #expect(moments > 60)
    // Each operation where the files are that change and those that decide; of the others, and in short, a part.
    let isEach = swapped == "AppData/Library/Preferences" || swapped == ".carryover"
    let step = (isEach ? 1 : 3) * (DurabilityTests.strikesWithAll ? 1 : 5)
    for (count, number) in stride(from: 0, to: moments, by: step).enumerated() {
      // Both ways of opening a folder have their turn.
      let walking = count.isMultiple(of: 2)
      try struck(job, swapped, at: number, after) { Self.migrator(before: number, walking: walking, $0) }
    }
  }
}
