@testable import CarryoverCommand

@Suite("The migrator of containers for tools") struct ContainerMigratorTests {
  private let folder = TemporaryFolder()
  private let migrator: ContainerMigrator

  init() throws {
    let legacy: [String: Any] = [
      "rl_anonymous_id": "0f5a1c2e-7a0e-4e8e-9a57-3d6b1f2a9c11",
      "rl_traits": #"{"userId":42,"email":"jo@acme.example"}"#,
    ]
    try folder.write("App/Library/Preferences/com.acme.shop.plist", plist: legacy)
    migrator = ContainerMigrator(
      toolVersion: "1.0", keyFile: folder.path("state/key"),
      now: { Moment(secondsSince1970: 1_763_640_300) })
  }

  private func opened() throws -> Container {
    try ContainerOpener().open(folder.path("App"), options: ContainerOptions(bundleID: "com.acme.shop"))
  }

  private func plan() throws -> Plan {
    try migrator.plan(opened(), with: .rudderStackObjC, options: PlannerOptions(writeKey: "KEY"))
  }

  private func target() throws -> [String: Any]? {
    let path = folder.url.appending(path: "App/Library/Preferences/com.acme.shop.analytics.KEY.plist")
    guard FileManager.default.fileExists(atPath: path.path) else { return nil }
    return try PropertyListSerialization.propertyList(from: Data(contentsOf: path), format: nil) as? [String: Any]
  }

  @Test func `a flagged field stops an apply; decided, it is written, settled, and rolled back`() throws {
    let first = try plan()
    let refusal = try #require(throws: MigrationError.self) { try migrator.apply(first, to: opened()) }
    #expect(refusal.code == .decisionsNeeded && refusal.aftermath == nil)
    #expect(refusal.description.contains("user_id"))
    #expect(try target() == nil && migrator.runs(of: opened()).isEmpty)

    let report = try migrator.apply(first, decisions: ["user_id": .skip], to: opened())
    #expect(report.files == ["Library/Preferences/com.acme.shop.analytics.KEY.plist"])
    let written = try #require(try target())
    #expect(written["anonymous_id"] as? String == "0f5a1c2e-7a0e-4e8e-9a57-3d6b1f2a9c11" && written["user_id"] == nil)
    #expect(try migrator.runs(of: opened()).map(\.id) == [report.runID])

    // Skipping it was a decision, so the next plan asks nothing and an apply of it writes nothing.
    let second = try plan()
    #expect(second.undecided([:]).isEmpty)
    #expect(try migrator.apply(second, to: opened()).runID == nil)
    #expect(try migrator.recover(opened()).isEmpty)

    try migrator.rollback(opened())
    #expect(try target() == nil)
  }

  @Test func `errors say by their code what can be done`() throws {
    #expect(try #require(throws: MigrationError.self) { try migrator.rollback(opened()) }.code == .failed)
    let stale = try plan()
    try folder.write("App/Library/Preferences/com.acme.shop.plist", plist: ["rl_anonymous_id": "other"])
    let refusal = try #require(throws: MigrationError.self) {
      try migrator.apply(stale, decisions: ["user_id": .migrate], to: opened())
    }
    #expect(refusal.code == .stalePlan && refusal.aftermath == nil)

    try folder.makeFolder("App/.carryover")
    let files = POSIXFileSystem()
    let lock = try files.lock(folder.path("App/.carryover/lock"), mode: 0o600)
    let busy = try #require(throws: MigrationError.self) {
      try migrator.apply(plan(), decisions: ["anonymous_id": .migrate], to: opened())
    }
    try files.close(lock)
    #expect(busy.code == .busy && busy.aftermath == nil)
  }
}

@Suite("What is said when a path cannot be opened") struct ContainerWordingTests {
  private static let kinds: [ContainerError.Kind] =
    [
      .invalidPath, .notFound, .permissionDenied,
      .failed(FileSystemError(.read, "/a", .system(5))), .symbolicLink, .notFileOrFolder, .emptyFolder, .notContainer,
      .noContainerWithin(folders: 4), .nestedArchives([hostile]),
      .incompletePackage, .partOfContainer("/a"), .holdsContainers(candidates("b"), more: 0),
      .holdsContainers(candidates("b", "c"), more: 2), .noSuchApp("com.a", candidates("b")),
      .severalApps("com.a", candidates("b", "c")), .invalidSelection,
      .linkedFolder("Library"), .backup(.legacy), .backup(.incomplete("Manifest.db")),
      .archive(.zip),
      .placeholder(hostile), .androidData,
      .archive(.xz),
      .database, .tooLarge(limit: 1 << 20), .notPropertyList(PropertyListError(.unrecognised)),
      .precededArchive,
      .corruptPropertyList(PropertyListError(.trailerMissing)),
    ] + refusals.map { .refusedArchive($0) } + [.archiveLibraryMissing, .archive(.zstd)]

  private static let hostile = "x\u{1B}[31m\n\u{202E}y" + String(repeating: "z", count: 10_000)
  private static let refusals: [ArchiveRefusal] = [
    .namelessEntry(1), .absoluteName(hostile), .climbingName(hostile), .longName(hostile),
    .linkOut(hostile, target: hostile), .hardLinkOut(hostile, target: hostile), .insideFile(hostile, file: hostile),
    .repeatedName(hostile), .specialFile(hostile), .encrypted(hostile), .tooManyEntries(limit: 1),
    .tooLongNames(limit: 1), .endlessDescription(limit: 1 << 20), .tooLargeFile(hostile, limit: 1 << 30),
    .tooLarge(limit: 1 << 40), .expandsTooMuch(times: 200), .severalVolumes, .compressedTwice, .unrecognised,
    .truncated, .changed,
    .damaged(""), .damaged(hostile),
  ]

  @Test func `Every refusal of an archive is short, says what to do, and is like no other`() {
    let texts = Self.refusals.map { ContainerError("a.zip", .refusedArchive($0)).description }
    #expect(Set(texts).count == texts.count)
    #expect(texts.allSatisfy { $0.hasPrefix("“a.zip” ") && $0.count < 1_000 })
    let missing = ContainerError("a.zip", .archiveLibraryMissing).description
    #expect(missing.contains("libarchive13") && missing.contains("macOS has it"))
  }

  @Test("Every error names the path and what to do, on one line, with hostile names written out", arguments: kinds)
  func sentence(kind: ContainerError.Kind) {
    let text = ContainerError("/in/x\u{1B}[31m\n\u{202E}y", kind).description
    #expect(text.hasSuffix("."))
    #expect(text.contains(": ") || text.contains(". "))
    #expect(!text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
    if case .failed = kind { return }
    #expect(text.contains("/in/x\\u{1"))
  }

  @Test func `The words for an archive, a backup and a choice say what it is and what to do`() {
    #expect(ContainerError("a.zip", .archive(.zip)).description.contains("a zip archive"))
    #expect(ContainerError("a.zip", .archive(.zip)).description.contains("extract it first"))
    #expect(ContainerError("b", .backup(.legacy)).description.contains("device backup"))
    let choice = ContainerError("b", .holdsContainers(Self.candidates("x", "y"), more: 2)).sentence(for: .command)
    #expect(choice.contains("choose one with --container or --app: “x”, “y” and 2 more"))
    #expect(choice.contains("carryover list"))
    let many = Self.candidates((1...12).map { "c\($0)" })
    let cut = ContainerError("b", .holdsContainers(many, more: 5)).description
    #expect(cut.contains("“c10” and 7 more"))
    #expect(!cut.contains("c11"))
    let other = ContainerError("b", .noSuchApp("com.a", [Self.candidate("x", app: "com.b")])).description
    #expect(other.contains("“com.a”"))
    #expect(other.contains("“x” (com.b)"))
    #expect(ContainerError("b", .invalidBundleID("a/b")).description.contains("“a/b”"))
  }

  private static func candidates(_ paths: String...) -> [ContainerCandidate] { candidates(paths) }

  private static func candidates(_ paths: [String]) -> [ContainerCandidate] { paths.map { candidate($0) } }

  private static func candidate(_ path: String, app: String? = nil) -> ContainerCandidate {
    ContainerCandidate(path: path, kind: .folder, bundleID: app, name: path)
  }

  @Test func `A path that is not found and may have lost bytes says so and what to do`() {
    let lost = ContainerError("/in/caf\u{FFFD}.plist", .notFound).description
    #expect(lost.contains("bytes that are not UTF-8. Rename it"))
    #expect(!ContainerError("/in/café.plist", .notFound).description.contains("UTF-8"))
  }

  @Test func `A name of any length is shortened`() {
    #expect(ContainerError(String(repeating: "x", count: 100_000), .notFound).description.count < 1_200)
  }
}

@Suite("Plans of the samples") struct SampleBasisTests {
  private static let examples = packageRoot.appending(path: "Examples")

  private static var samples: [String] {
    get throws {
      try [examples, examples.appending(path: "Findings")].flatMap { folder in
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".xcappdata") }.sorted()
          .map { folder.appending(path: $0).path }
      }
    }
  }

  @Test(arguments: Recipe.builtIn.indices)
  func `a rehearsal never finds a plan stale, for any sample and recipe`(_ index: Int) throws {
    let recipe = Recipe.builtIn[index]
    let key = try #require(StateKey([UInt8](repeating: 7, count: StateKey.length)))
    let now = Moment(secondsSince1970: 1_763_640_300)
    let migrator = Migrator(fileSystem: POSIXFileSystem(), toolVersion: "0", key: key, now: { now })
    let parent = TemporaryFolder()
    var options = ContainerOptions()
    options.files += recipe.files
    // In short, a quarter of the samples for each recipe, and not the same ones.
    for (number, path) in try Self.samples.enumerated() where Extent.isFull || number % 4 == index % 4 {
      let container = try ContainerOpener().open(path, options: options)
      let found = recipe.parameters.map { ($0.name, recipe.values(of: $0, in: container).first ?? "ff") }
      let filled = recipe.filled(Dictionary(found) { first, _ in first })
      let planning = PlannerOptions(writeKey: "1xAcmeWriteKey", allowed: Set(FindingCode.allCases))
      let plan = try migrator.plan(container, with: filled, now: now, options: planning)
      let decisions = plan.fields.reduce(into: Decisions()) { decisions, field in
        if field.status.asks { decisions[field.id] = field.proposed == nil ? .skip : .migrate }
      }
      guard plan.target != nil, !plan.changes(decisions).isEmpty else { continue }
      // Each copy needs a folder without another.
      try? FileManager.default.removeItem(atPath: parent.path("container"))
      do {
        _ = try migrator.rehearse(plan, decisions: decisions, of: container, in: parent.path, on: POSIXFileSystem())
      } catch {
        if case .stalePlan(let basis, _) = error { Issue.record("\(path), \(recipe.reference.id): \(basis)") }
      }
    }
  }
}

@Suite("The audit of an input") struct UnitAuditTests {
  /// - Parameter containers: those to audit, each by itself; nil for all that are found.
  private func audited(
    _ path: String, _ fileSystem: any FileSystem, each containers: [String]? = nil
  ) -> [AuditedContainer] {
    let unit = UnitAudit(
      fileSystem: fileSystem, recipe: nil, parameters: ParameterValues(values: [:]),
      now: Moment(millisecondsSince1970: 0),
      allowed: [], policy: DecisionPolicy())
    var found: [AuditedContainer] = []
    guard let containers else {
      unit.audit(path) { found.append($0) }
      return found
    }
    for container in containers { unit.audit(path, container: container) { found.append($0) } }
    return found
  }

  private func outcome(_ container: AuditedContainer) -> String? {
    let row = container.lines(number: 0, path: nil).first.map { Data($0.utf8) }
    let object = row.flatMap { try? JSONSerialization.jsonObject(with: $0) } as? [String: Any]
    return object?["outcome"] as? String
  }

  /// A file below `Library`, and what another program makes of it: of a property list, of JSON, of what is neither.
  private static let writes = [
    ("Preferences/com.acme.shop.plist", list(""), list("<key>rl_anonymous_id</key><string>another</string>")),
    ("Application Support/state.json", #"{"launches": 1}"#, #"{"launches": 2}"#),
    ("Preferences/damaged.plist", "bplist00 one", "bplist00 two"),
  ]

  private static func list(_ entries: String) -> String { #"<plist version="1.0"><dict>\#(entries)</dict></plist>"# }

  @Test(arguments: writes)
  func `a container that a program writes to has the outcome changed, and no plan`(
    path: String, before: String, after: String
  ) throws {
    let fixture = TemporaryFolder()
    try fixture.makePackage()
    let store = "Shop.xcappdata/AppData/Library/" + path
    try fixture.write(store, before.utf8)
    let quiet = try #require(audited(fixture("Shop.xcappdata"), GuardedFileSystem()).first)
    #expect(outcome(quiet) != "changed" && quiet.id != nil)

    let files = GuardedFileSystem { [file = fixture(store)] path in
      if path == file { try? Data(after.utf8).write(to: URL(filePath: file)) }
    }
    let container = try #require(audited(fixture("Shop.xcappdata"), files).first)
    #expect(outcome(container) == "changed" && container.lines(number: 0, path: nil).count == 1 && container.id == nil)
    let later = try #require(audited(fixture("Shop.xcappdata"), GuardedFileSystem()).first)
    #expect(later.id != nil && later.id != quiet.id)
  }

  @Test(arguments: [false, true])
  func `a backup's list is read once for all its apps, even if each is audited by itself`(isEachAsked: Bool) throws {
    let backup = BackupFixture()
    let apps = ["com.acme.app", "com.acme.other", "com.acme.shop"]
    try backup.make(
      apps.flatMap { app -> [BackupFixture.Row] in
        [.init("AppDomain-\(app)", "", flags: 2), .init("AppDomain-\(app)", "Library", flags: 2)]
      })
    let files = GuardedFileSystem()
    let found = audited(backup.root, files, each: isEachAsked ? apps : nil)
    #expect(isEachAsked ? found.count == apps.count : found.map(\.inner) == apps)
    #expect(found.allSatisfy { outcome($0) == "nothing-to-migrate" })
    #expect(files.read.count { $0.hasSuffix("/Manifest.db") } == 1)
  }
}
