@testable import Carryover

@Suite("Decisions kept from one review to the next") struct SavedReviewTests {
  @Test(arguments: [true, false])
  func `what was kept comes back, on the real disk as in memory, for the owner alone`(isReal: Bool) throws {
    let folder = TemporaryFolder()
    let kept: KeptBox
    if isReal {
      kept = KeptBox(POSIXFileSystem(), folder.box)
      try kept.box.putSource()
    } else {
      kept = try KeptBox.inMemory().1
    }
    let fileSystem = kept.fileSystem
    for durably in [false, true] {
      var decisions = KeptBox.decisions
      decisions["rudder.app_build"] = durably ? .keep : .omit
      let review = kept.review(decisions)
      try kept.file().write(review, durably: durably)
      #expect(kept.file().read(for: kept.plan).review == review)
      #expect(kept.file().read(for: kept.plan).problem == nil)
      let (fitting, misfits) = review.fit(kept.plan)
      #expect(fitting == decisions && misfits.isEmpty)
      let name = durably ? "review.json" : "review.json.draft"
      #expect(try fileSystem.list(kept.state) == [name])
      #expect(try fileSystem.status(kept.state + "/" + name)?.mode == 0o600)
      #expect(try fileSystem.status(kept.state)?.mode == 0o700)
    }
  }

  @Test func `a decision fits only a field that is exactly as it was`() {
    let plan = SampleBox.inMemory(MemoryFileSystem()).plan(target: nil)
    let review = KeptBox.review(plan)
    let changes: [(inout Field) -> Void] = [
      { $0.legacy = "another" }, { $0.proposed = "another" }, { $0.current = "there by now" },
      { $0.status = .needsDecision }, { $0.findings = [Finding(.anonymousIDNotString(7))] },
      { $0.legacyText = "1.0" }, { $0.legacy = nil }, { $0.legacy = .data(Array("x".utf8)) },
    ]
    for (number, change) in changes.enumerated() {
      var other = plan
      change(&other.fields[0])
      let (fitting, misfits) = review.fit(other)
      #expect(misfits == ["anonymous_id"] && fitting.count == 2, "change \(number)")
    }
    var without = plan
    without.fields.removeFirst()
    #expect(review.fit(without).misfits == ["anonymous_id"])
    // What only says more about the same values makes no other question of it.
    var reworded = plan
    reworded.fields[0].steps = []
    reworded.now = Moment(secondsSince1970: 1)
    #expect(review.fit(reworded).misfits.isEmpty)
  }

  @Test func `another version of the recipe fits nothing; of several targets, the plan's own comes first`() throws {
    let (_, kept) = try KeptBox.inMemory()
    try kept.file().write(kept.review(), durably: true)
    var later = kept.plan
    later.definition.reference.version += 1
    let review = try #require(kept.file().read(for: later).review)
    #expect(review.fit(later).decisions.isEmpty && review.fit(later).misfits.count == 3)
    var elsewhere = kept.plan
    elsewhere.target?.path += "x"
    #expect(kept.file().read(for: elsewhere).review == kept.review())
    try kept.file().write(KeptBox.review(elsewhere, ["session_id": .skip]), durably: true)
    #expect(kept.file().read(for: kept.plan).review == kept.review())
    #expect(kept.file().read(for: elsewhere).review?.decisions.count == 1)
    try kept.file().write(KeptBox.review(elsewhere, [:]), durably: true)
    #expect(kept.file().read(for: elsewhere).review == kept.review())
    #expect(kept.file().read(for: kept.plan).review == kept.review())
  }

  @Test func `decisions made before the target was known are offered with it, and the other way round`() throws {
    let (_, kept) = try KeptBox.inMemory()
    var unknown = kept.plan
    unknown.target = nil
    let before = KeptBox.review(unknown, ["session_id": .skip])
    try kept.file().write(before, durably: true)
    #expect(kept.file().read(for: kept.plan).review == before)
    #expect(before.fit(kept.plan).decisions == ["session_id": .skip])
    // The same review goes on with the target, and leaves nothing behind of what it had saved without.
    try kept.file().write(kept.review(), replacing: [nil], durably: true)
    #expect(kept.file().read(for: unknown).review == kept.review())
    #expect(kept.review().fit(unknown).misfits.isEmpty)
    try kept.file().write(KeptBox.review(unknown, [:]), replacing: [kept.plan.target?.path], durably: true)
    #expect(kept.file().read(for: unknown).review == nil && kept.file().read(for: kept.plan).review == nil)
  }

  @Test func `a value that the target's reader would not take is not offered, though it is in the file`() {
    let plan = SampleBox.inMemory(MemoryFileSystem()).plan(target: nil)
    for value: PropertyListValue in ["0", 7, "not a number", .array([])] {
      let (fitting, misfits) = KeptBox.review(plan, ["session_id": .edit(value)]).fit(plan)
      #expect(fitting.isEmpty && misfits == ["session_id"])
    }
  }

  @Test func `a run's record gives its decisions, for fields with the same values`() throws {
    let (fileSystem, box) = try MemoryFileSystem.sample(target: nil)
    let plan = box.plan(target: nil)
    let decisions: Decisions = ["anonymous_id": .skip, "session_id": .edit("7"), "rudder.app_build": .migrate]
    _ = try fileSystem.migrator.apply(plan, decisions: decisions, in: box.container)
    _ = try fileSystem.migrator.rollback(in: box.container)
    let run = try #require(fileSystem.migrator.runs(in: box.container).last)
    #expect(run.decisions(for: plan).decisions == decisions && run.decisions(for: plan).misfits.isEmpty)
    var later = plan
    later.fields[0].legacy = "another"
    later.fields[1].status = .unchanged
    // Written without a decision, it needs one now.
    later.fields[2].status = .needsDecision
    #expect(run.decisions(for: later).decisions == ["is_manual_session": .migrate, "rudder.app_build": .migrate])
    #expect(run.decisions(for: later).misfits == ["anonymous_id"])
  }

  @Test func `nothing to keep leaves no file, and the folder only where something else is in it`() throws {
    let (fileSystem, kept) = try KeptBox.inMemory()
    try kept.file().write(kept.review([:]), durably: true)
    #expect(try fileSystem.status(kept.state) == nil)
    try kept.file().write(kept.review(), durably: true)
    try kept.file().write(kept.review(), durably: false)
    #expect(try fileSystem.list(kept.state) == ["review.json", "review.json.draft"])
    try kept.file().write(kept.review([:]), durably: true)
    #expect(try fileSystem.status(kept.state) == nil)
    fileSystem.put(kept.state + "/lock", [])
    try kept.file().write(kept.review(), durably: false)
    try kept.file().write(kept.review([:]), durably: false)
    #expect(try fileSystem.list(kept.state) == ["lock"])
  }

  @Test func `of the file and its draft the later one counts, whoever wrote them`() throws {
    let (_, kept) = try KeptBox.inMemory()
    try kept.file().write(kept.review(["session_id": .skip]), durably: true)
    try kept.file(writer: 8).write(kept.review(["session_id": .migrate]), durably: false)
    #expect(kept.file().read(for: kept.plan).review == kept.review(["session_id": .migrate]))
    try kept.file(writer: 9).write(kept.review(), durably: true)
    #expect(kept.file().read(for: kept.plan).review == kept.review())
  }

  @Test func `containers that share a state folder have a file each; runs and the history do not mind`() throws {
    let (fileSystem, kept) = try KeptBox.inMemory()
    fileSystem.putFolder("/state")
    var one = kept.container
    one.stateDirectory = "/state"
    var two = one
    two.root = "/other"
    try kept.file(in: one).write(kept.review(["session_id": .skip]), durably: true)
    try kept.file(in: two).write(kept.review(["session_id": .migrate]), durably: true)
    #expect(kept.file(in: one).read(for: kept.plan).review == kept.review(["session_id": .skip]))
    #expect(try fileSystem.list("/state").count == 2)

    #expect(try fileSystem.migrator.runToRecover(in: one) == nil)
    #expect(try fileSystem.migrator.history(of: one).runs.isEmpty)
    _ = try fileSystem.migrator.apply(kept.plan, decisions: [:], in: one)
    #expect(try fileSystem.migrator.history(of: one).runs.count == 1)
    #expect(try fileSystem.migrator.recover(in: one).isEmpty)
    _ = try fileSystem.migrator.rollback(in: one)
    #expect(kept.file(in: one).read(for: kept.plan).review == kept.review(["session_id": .skip]))
    #expect(kept.file(in: two).read(for: kept.plan).review != nil)
  }
}

@Suite("Files of kept decisions that somebody else has made") struct HostileReviewFileTests {
  private static let later = #"{"schema":"carryover.review/2","tool":"9","number":1,"reviews":[]}"#

  @Test(arguments: [
    "", "{", "[]", "null", #"{"schema":"carryover.plan/1"}"#, #"{"schema":"carryover.review/1"}"#,
    #"{"schema":"carryover.review/1","tool":"0","number":-1,"reviews":[]}"#,
    #"{"schema":"carryover.review/1","tool":"0","number":9223372036854775807,"reviews":[]}"#,
    #"{"schema":"carryover.review/1","tool":"0","number":1,"reviews":[{"recipe":7}]}"#,
    #"{"schema":"carryover.review/1","tool":"0","number":1,"reviews":[{"recipe":{"id":"r","version":1},"target":null,"#
      + #""milliseconds":"1","decisions":[{"field":"a","decision":"edit","value":{},"basis":"#
      + #""0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"}]}]}"#,
    #"{"schema":"carryover.review/1","tool":"0","number":1,"reviews":[{"recipe":{"id":"r","version":1},"target":null,"#
      + #""milliseconds":"1","decisions":[{"field":"a","decision":"skip","basis":"../../etc"}]}]}"#,
    "\u{1B}[2J\u{202E}",
  ])
  func `what cannot be read is said and stays as it is, until there is something to keep`(text: String) throws {
    let (fileSystem, kept) = try KeptBox.inMemory()
    let path = kept.file().path
    fileSystem.put(path, Array(text.utf8), mode: 0o600)
    let before = fileSystem.tree("/")
    let (review, _, problem) = kept.file().read(for: kept.plan)
    #expect(review == nil)
    guard case .damaged(path, _)? = problem else { return #expect(Bool(false), "\(problem as Any)") }
    let sentence = try #require(problem?.description)
    #expect(sentence.contains("review.json") && sentence.unicodeScalars.allSatisfy { $0.value >= 0x20 })
    try kept.file().write(kept.review([:]), durably: true)
    #expect(fileSystem.tree("/") == before)
    try kept.file().write(kept.review(), durably: true)
    #expect(kept.file().read(for: kept.plan).review == kept.review())
    #expect(kept.file().read(for: kept.plan).problem == nil)
  }

  @Test func `a file beyond the limit is not read into memory, and is replaced like any damaged one`() throws {
    let (fileSystem, kept) = try KeptBox.inMemory()
    fileSystem.put(kept.file().path, Array(repeating: 0x20, count: ReviewDocument.largest + 1))
    let problem = kept.file().read(for: kept.plan).problem
    #expect(problem == .damaged(path: kept.file().path, .tooLong(limit: ReviewDocument.largest)))
    try kept.file().write(kept.review(), durably: false)
    #expect(kept.file().read(for: kept.plan).review == kept.review())
  }

  @Test func `decisions beyond the limit are refused, and what was kept stays`() throws {
    let (_, kept) = try KeptBox.inMemory()
    try kept.file().write(kept.review(), durably: true)
    let text = String(repeating: "x", count: ReviewDocument.largest)
    #expect(throws: SavedReviewError.tooLong(limit: ReviewDocument.largest)) {
      try kept.file().write(kept.review(["anonymous_id": .edit(.string(text))]), durably: true)
    }
    #expect(kept.file().read(for: kept.plan).review == kept.review())
  }

  @Test(arguments: ["", ".draft"])
  func `a later version's file, a link and a folder in its place are never replaced`(ending: String) throws {
    for kind in [FileKind.regular, .symbolicLink, .directory] {
      let (fileSystem, kept) = try KeptBox.inMemory()
      let path = kept.file().path + ending
      switch kind {
      case .symbolicLink: fileSystem.putLink(path)
      case .directory: fileSystem.putFolder(path)
      default: fileSystem.put(path, Array(Self.later.utf8))
      }
      let before = fileSystem.tree("/")
      #expect(kept.file().read(for: kept.plan).review == nil)
      #expect(kept.file().read(for: kept.plan).problem != nil)
      for durably in [true, false] {
        #expect(throws: SavedReviewError.self) { try kept.file().write(kept.review(), durably: durably) }
        #expect(throws: SavedReviewError.self) { try kept.file().write(kept.review([:]), durably: durably) }
      }
      #expect(fileSystem.tree("/") == before, "\(kind)")
    }
  }

  @Test func `a link or a file in the place of the state folder is not followed`() throws {
    for isLink in [true, false] {
      let (fileSystem, kept) = try KeptBox.inMemory()
      if isLink { fileSystem.putLink(kept.state) } else { fileSystem.put(kept.state, [1]) }
      let expected = SavedReviewError.occupied(path: kept.state, isLink ? .symbolicLink : .regular)
      #expect(kept.file().read(for: kept.plan).problem == expected)
      #expect(throws: expected) { try kept.file().write(kept.review(), durably: true) }
    }
  }

  @Test func `nothing is written into what is only read, or into a live container without permission`() throws {
    let (fileSystem, kept) = try KeptBox.inMemory()
    fileSystem.putFolder("/state")
    var wrapped = kept.container
    wrapped.wrapper = ContainerWrapper(.archive, path: "/a.zip")
    var live = kept.container
    live.liveness = .home("/Users/me")
    let before = fileSystem.tree("/")
    #expect(throws: SavedReviewError.wrapped(ContainerWrapper(.archive, path: "/a.zip"))) {
      try kept.file(in: wrapped).write(kept.review(), durably: true)
    }
    #expect(throws: SavedReviewError.live) { try kept.file(in: live).write(kept.review(), durably: true) }
    #expect(fileSystem.tree("/") == before)
    for var container in [wrapped, live] {
      container.stateDirectory = "/state"
      try kept.file(in: container).write(kept.review(), durably: true)
      #expect(kept.file(in: container).read(for: kept.plan).review == kept.review())
    }
    try kept.file(in: live).write(kept.review(), durably: true, allowing: [.liveRunningStore])
    #expect(kept.file(in: live).read(for: kept.plan).review == kept.review())
  }
}
