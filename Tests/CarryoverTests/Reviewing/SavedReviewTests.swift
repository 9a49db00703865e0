import PropertyLists
import Testing

@testable import Carryover
@testable import CarryoverStorage
@testable import CarryoverSystem
@testable import CarryoverVendors

@Suite("Decisions kept from one review to the next")
struct SavedReviewTests {
  @Test("what was kept comes back, on the real disk as in memory, for the owner alone", arguments: [true, false])
  func roundTrip(isReal: Bool) throws {
    let folder = try TemporaryFolder()
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

  @Test("a decision fits only a field that is exactly as it was")
  func fits() {
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

  @Test("another version of the recipe fits nothing; of several targets, the plan's own comes first")
  func recipes() throws {
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

  @Test("decisions made before the target was known are offered with it, and those made with it without it")
  func unknownTarget() throws {
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

  @Test("decisions about several recipes fit only the same version of each")
  func severalRecipes() throws {
    let (_, kept) = try KeptBox.inMemory()
    func plan(_ versions: [Int]) -> Plan {
      var plan = kept.plan
      plan.parts = versions.enumerated().map { index, version in
        var part = kept.plan
        part.definition.reference.id += "\(index)"
        part.definition.reference.version = version
        return part
      }
      return plan
    }
    let review = KeptBox.review(plan([3, 2]))
    #expect(review.fit(plan([3, 2])).misfits.isEmpty && !review.decisions.isEmpty)
    for versions in [[2, 3], [4, 1], [3, 3]] {
      #expect(review.fit(plan(versions)).decisions.isEmpty, "\(versions)")
    }
  }

  @Test("a value that the target's reader would not take is not offered, though somebody wrote it into the file")
  func forgedValue() {
    let plan = SampleBox.inMemory(MemoryFileSystem()).plan(target: nil)
    for value: PropertyListValue in ["0", 7, "not a number", .array([])] {
      let (fitting, misfits) = KeptBox.review(plan, ["session_id": .edit(value)]).fit(plan)
      #expect(fitting.isEmpty && misfits == ["session_id"])
    }
  }

  @Test("nothing to keep leaves no file, and the folder only where something else is in it")
  func emptying() throws {
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

  @Test("of the file and its draft the later one counts, whoever wrote them")
  func later() throws {
    let (_, kept) = try KeptBox.inMemory()
    try kept.file().write(kept.review(["session_id": .skip]), durably: true)
    try kept.file(writer: 8).write(kept.review(["session_id": .migrate]), durably: false)
    #expect(kept.file().read(for: kept.plan).review == kept.review(["session_id": .migrate]))
    try kept.file(writer: 9).write(kept.review(), durably: true)
    #expect(kept.file().read(for: kept.plan).review == kept.review())
  }

  @Test("containers that share a state folder have a file each; a run, its recovery and the history do not mind them")
  func sharedFolder() throws {
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

    let migrator = SampleBox.migrator(fileSystem)
    #expect(try migrator.runToRecover(in: one) == nil)
    #expect(try migrator.history(of: one).runs.isEmpty)
    _ = try migrator.apply(kept.plan, decisions: [:], in: one)
    #expect(try migrator.history(of: one).runs.count == 1)
    #expect(try migrator.recover(in: one).isEmpty)
    _ = try migrator.rollback(in: one)
    #expect(kept.file(in: one).read(for: kept.plan).review == kept.review(["session_id": .skip]))
    #expect(kept.file(in: two).read(for: kept.plan).review != nil)
  }
}
