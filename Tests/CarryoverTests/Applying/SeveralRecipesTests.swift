@Suite("Several recipes in one run") struct SeveralRecipesTests {
  private static let person: PropertyListValue = #"{"name":"Ada","age":"36"}"#
  private static let newPerson: PropertyListValue = #"{"alias":"Ada","email":"---","version":3}"#
  private let box: CleanupBox

  init() throws { box = try CleanupBox(LegacyApp.with(["person": Self.person, "guest": Self.person])) }

  /// A person in the app's own preferences, and another one, with a recipe of its own.
  private static var guest: Recipe {
    var recipe = Recipe.person
    recipe.reference.id = "guest"
    recipe.rules[0].target = "guest"
    recipe.rules[0].candidates[0].source = SourceKey("guest")
    recipe.marks = ["guest"]
    return recipe
  }

  private func plan(_ box: CleanupBox, _ recipe: Recipe = .rudderStackObjC, and others: [Recipe] = [.person]) throws
    -> Plan
  {
    try box.migrator.plan(
      box.container, with: recipe, and: others, now: LegacyApp.now,
      options: PlannerOptions(writeKey: LegacyApp.writeKey))
  }

  private func values(_ box: CleanupBox, _ path: String) -> PropertyListDictionary? {
    box.fileSystem.bytes(CleanupBox.root + "/" + path).flatMap { try? PropertyListDocument(bytes: $0).dictionary }
  }

  private func tree(_ box: CleanupBox) -> [String: TreeEntry] {
    box.fileSystem.tree(CleanupBox.root, excluding: ".carryover")
  }

  @Test func `Two recipes of one file change it together`() throws {
    let plan = try plan(box, .person, and: [Self.guest])
    #expect(plan.targets.count == 1 && plan.fields.map(\.id) == ["person/person", "guest/guest"])
    #expect(try box.migrator.apply(plan, decisions: [:], in: box.container).files == [LegacyApp.standardPath])
    for key in ["person", "guest"] { #expect(values(box, LegacyApp.standardPath)?[key] == Self.newPerson) }
    let only = KeyPlace(file: LegacyApp.standardPath, key: "guest")
    let rollback = try box.migrator.rollback(
      box.migrator.rollbackPlan(in: box.container), only: [only], in: box.container)
    #expect(rollback.outcomes.map(\.field) == ["guest/guest"])
    #expect(try box.migrator.rollback(in: box.container).outcomes.map(\.outcome) == [.restored, .unchanged])
    for key in ["person", "guest"] { #expect(values(box, LegacyApp.standardPath)?[key] == Self.person) }
  }

  @Test func `A later run of another recipe hides no skip of an earlier one in the same file`() throws {
    func alone(_ recipe: Recipe) throws -> Plan { try plan(box, recipe, and: []) }
    _ = try box.migrator.apply(plan(box), decisions: ["person/person": .skip], in: box.container)
    #expect(try alone(.person).field("person")?.status == .unchanged)
    _ = try box.migrator.apply(alone(Self.guest), decisions: [:], in: box.container)
    #expect(try alone(.person).field("person")?.status == .unchanged)
  }

  @Test func `Decisions name a field by its recipe; what one field lacks stops all`() throws {
    let box = try CleanupBox(LegacyApp.with(["person": "nonsense"]))
    let before = box.fileSystem.tree(CleanupBox.root)
    let plan = try plan(box)
    #expect(throws: RunError.decisionsNeeded(["person/person"])) {
      try box.migrator.apply(plan, decisions: [:], in: box.container)
    }
    #expect(throws: RunError.unknownFields(["person"])) {
      try box.migrator.apply(plan, decisions: ["person": .skip], in: box.container)
    }
    #expect(box.fileSystem.tree(CleanupBox.root) == before)
    let report = try box.migrator.apply(plan, decisions: ["person/person": .skip], in: box.container)
    #expect(report.files == [LegacyApp.targetPath])
    #expect(
      report.outcomes.last == FieldOutcome(field: "person/person", file: LegacyApp.standardPath, outcome: .skipped))
    #expect(plan.findings.compactMap(\.field).contains("person/person"))
    let again = try self.plan(box)
    #expect(again.undecided([:]).isEmpty && again.changes([:]).isEmpty)
  }

  @Test func `A rehearsal proves the files of all recipes`() throws {
    let before = box.fileSystem.tree(CleanupBox.root)
    let disk = MemoryFileSystem()
    disk.put("/tmp/other", [1], mode: 0o600)
    let report = try #require(
      try box.migrator.rehearse(plan(box), decisions: [:], of: box.container, in: "/tmp", on: disk))
    #expect(report.problems.isEmpty)
    #expect(report.run.files == [LegacyApp.targetPath, LegacyApp.standardPath])
    #expect(box.fileSystem.tree(CleanupBox.root) == before)
  }

  @Test func `A plan of one recipe is the plan it was`() throws {
    let plain = try box.migrator.plan(
      box.container, with: .person, now: LegacyApp.now, options: PlannerOptions(writeKey: LegacyApp.writeKey))
    let plan = try plan(box, .person, and: [])
    #expect(plan == plain && plan.parts.isEmpty && plan.fields.map(\.id) == ["person"])
    let report = try box.migrator.apply(plan, decisions: [:], in: box.container)
    #expect(report.outcomes == [FieldOutcome(field: "person", outcome: .migrated)])
    let record = try #require(box.fileSystem.bytes("/box/.carryover/runs/\(report.runID ?? "")/record.json"))
    let text = String(decoding: record, as: UTF8.self)
    #expect(!text.contains("otherRecipes") && !text.contains("\"file\"") && text.contains(#""id": "person""#))
  }
}

@Suite("Rehearsals") struct RehearsalTests {
  private func scene(_ format: PropertyListFormat?) throws -> (MemoryFileSystem, SampleBox, MemoryFileSystem) {
    let (fileSystem, box) = try MemoryFileSystem.sample(target: format, mode: 0o644)
    let disk = MemoryFileSystem()
    disk.put("/tmp/copy/other", [1], mode: 0o600)
    return (fileSystem, box, disk)
  }

  private func rehearse(
    _ fileSystem: MemoryFileSystem, _ box: SampleBox, _ disk: any FileSystem, goesOn: () -> Bool = { true }
  ) throws -> RehearsalReport? {
    try fileSystem.migrator.rehearse(
      box.plan(target: fileSystem.target), decisions: [:], of: box.container, in: "/tmp/copy", on: disk, goesOn: goesOn)
  }

  @Test(arguments: [nil, .binary, .xml] as [PropertyListFormat?])
  func `The copy is applied to and rolled back, and the container is not written`(format: PropertyListFormat?) throws {
    let (fileSystem, box, disk) = try scene(format)
    let tree = fileSystem.tree("/")
    let report = try #require(try rehearse(fileSystem, box, disk))
    #expect(report.problems.isEmpty)
    #expect(fileSystem.tree("/") == tree)
    #expect(Set(report.files).isSuperset(of: [SampleBox.sourcePath, SampleBox.targetPath]))
    #expect(disk.bytes("/tmp/copy/container/" + SampleBox.targetPath) == fileSystem.target)
    #expect(report.run.outcomes.count { $0.outcome == .migrated } == 4)
  }

  @Test func `Whenever it is asked to end, it ends without a report`() throws {
    var number = 0
    while true {
      let (fileSystem, box, disk) = try scene(.binary)
      var asked = 0
      let report = try rehearse(fileSystem, box, disk) {
        asked += 1
        return asked <= number
      }
      if report != nil { break }
      number += 1
    }
    #expect(number > 2)
  }

  @Test func `Whatever operation on the disk of the copy fails, the container is as it was`() throws {
    var number = 1
    var failures = 0
    while true {
      let (fileSystem, box, disk) = try scene(.binary)
      let tree = fileSystem.tree("/")
      disk.arm(FaultPlan(faults: [number: .error(ENOSPC)]))
      let report = try? rehearse(fileSystem, box, disk)
      #expect(fileSystem.tree("/") == tree)
      guard disk.counted >= number else { break }
      failures += report == nil ? 1 : 0
      number += 1
    }
    #expect(failures > 20)
  }

  @Test func `A copy that is not as it was is told, file by file`() throws {
    let (fileSystem, box, disk) = try scene(.binary)
    // The last time it is asked, after the apply, the disk changes something behind the rehearsal's back.
    let report = try rehearse(fileSystem, box, disk) {
      if let bytes = disk.bytes("/tmp/copy/container/" + SampleBox.targetPath), bytes != fileSystem.target {
        disk.put("/tmp/copy/container/" + SampleBox.sourcePath, [1, 2, 3], mode: 0o600)
      }
      return true
    }
    let problems = try #require(report).problems
    #expect(problems.count == 1 && problems.first?.contains("rsDefaultsPersistence.plist") == true, "\(problems)")
  }
}
