@Suite("Examples of findings") struct ExampleFindingsTests {
  private let folder = TemporaryFolder()
  private static let company: [FindingCode: Set<FindingCode>] = [
    // The new id stands in the target where the legacy one is to go.
    .targetFreshIdentity: [.targetConflict],
    // The beta SDK 2 never stores an anonymous id, so none of its containers has one.
    .sourceV1AndV2: [.v2AnonymousIDNotStored],
    .targetOtherUser: [.targetConflict],
    // After the logout, the new SDK has an id of its own.
    .targetRemovedSince: [.targetConflict],
    .v2SessionStopped: [.v2AnonymousIDNotStored],
    .v2TraitsArchive: [.v2AnonymousIDNotStored],
  ]

  /// Codes that `plan` cannot report: each has a test of its own below.
  private static let special: Set<FindingCode> = [
    .targetRolledBack, .liveStoreChanged, .recipeUntrusted, .sourceNotAsRequired,
  ]

  @Test func `The index has every code once, in the order of the codes, and says what was changed`() throws {
    let examples = try Example.all()
    #expect(Set(examples.map(\.code)).count == examples.count)
    let missing = FindingCode.allCases.map(\.rawValue).filter { code in !examples.contains { $0.code == code } }
    #expect(missing == [], "make an example of it in Examples/samples")
    #expect(examples.map(\.code).filter { FindingCode(rawValue: $0) == nil } == [])
    for example in examples {
      #expect(example.change.hasSuffix("."), "\(example.code)")
      #expect(FileManager.default.fileExists(atPath: example.path), "\(example.path)")
    }
  }

  @Test(arguments: FindingCode.allCases.filter { !special.contains($0) })
  func `Each example shows its finding, and no other error that could be left out`(_ code: FindingCode) throws {
    let example = try Example.of(code)
    let found = try Findings(of: Tool.carryover(["plan", example.path] + example.options + ["--json"]))
    #expect(found.severities[code.rawValue] == code.severity.rawValue, "\(found.severities)")
    let company = Set((Self.company[code] ?? []).map(\.rawValue))
    #expect(found.errors.subtracting([code.rawValue]) == company, "\(found.errors)")
  }

  @Test func `The container they all start from has no finding above a note`() throws {
    let sample = try SampleCopy("Clean")
    let found = try Findings(of: sample.run("plan", "--json"))
    #expect(Set(found.severities.values).isSubset(of: [Severity.note.rawValue]), "\(found.severities)")
  }

  @Test func `Without a write key the plan has the finding, alone, and apply asks for the key`() throws {
    let example = try Example.of(.targetNoWriteKey)
    #expect(!example.options.contains("--write-key"))
    try Tool.carryover(["apply", example.path] + example.options + ["--yes"]).ended(64, saying: "--write-key")
    let container = try ContainerOpener(fileSystem: POSIXFileSystem()).open(example.path)
    let plan = Planner(.rudderStackObjC).plan(container, now: Moment(secondsSince1970: 1_763_640_300))
    let findings = plan.findings + plan.fields.flatMap(\.findings)
    #expect(findings.map(\.code) == [.targetNoWriteKey])
  }

  @Test func `A value that a recipe file does not accept has the finding that names the requirement`() throws {
    let example = try Example.of(.sourceNotAsRequired)
    let file = try folder.recipe(
      """
      read: [{suite: "${bundle-id}"}]
      write: {suite: "${bundle-id}.acme"}
      detect: [rl_anonymous_id]
      opt-out-keys: []
      fields: [{key: id, form: string, from: [{key: rl_anonymous_id}], require: [{glob: "acme-*"}]}]
      """)
    let found = try Findings(of: Tool.carryover("plan", example.path, "--recipe", file, "--json"))
    #expect(found.severities[example.code] == Severity.warning.rawValue, "\(found.severities)")
  }

  @Test func `A field that was rolled back by itself asks before it is written again`() throws {
    let example = try Example.of(.targetRolledBack)
    let sample = try SampleCopy("Findings/" + example.code)
    defer { withExtendedLifetime(sample) {} }
    let container = sample.path
    try Tool.carryover(["apply", container, "--yes"] + example.options).ended()
    try Tool.carryover("rollback", container, "--only", "user_id", "--yes").ended()
    let found = try Findings(of: Tool.carryover(["plan", container] + example.options + ["--json"]))
    #expect(found.severities[example.code] == Severity.warning.rawValue, "\(found.severities)")

    let before = try FileState.files(under: container)
    try Tool.carryover(["apply", container, "--yes"] + example.options).ended(2, saying: "--accept user_id")
    #expect(try FileState.files(under: container) == before)
    try Tool.carryover(["apply", container, "--yes", "--accept", "user_id"] + example.options).ended()
    let settled = try Findings(of: Tool.carryover(["plan", container] + example.options + ["--json"]))
    #expect(settled.severities[example.code] == nil)
  }

  @Test func `what a run wrote and the app removed asks: by an older plan, and after a later run`() throws {
    let sample = try SampleCopy("Clean")
    let saved = sample.folder.path("p.json")
    #expect(try sample.run("plan", "-o", saved).status == 0)
    #expect(try Tool.carryover("apply", saved, "--container", sample.path, "--yes").status == 0)
    try Tool.edit(sample.target, "for key in ('user_id', 'traits', 'rudder.app_version'): values.pop(key, None)")
    try Tool.carryover("apply", saved, "--container", sample.path, "--yes").ended(2, saying: "user_id")
    #expect(try sample.run("apply", "--only", "rudder.app_version", "--yes").status == 0)
    try sample.run("apply", "--yes", "--on-conflict", "keep").ended(2, saying: "user_id")
    let found = try Findings(of: sample.run("plan", "--json"))
    #expect(found.severities[FindingCode.targetRemovedSince.rawValue] == Severity.error.rawValue)
  }

  @Test func `A plan saved before the store changed is refused, and nothing is written`() throws {
    let example = try Example.of(.liveStoreChanged)
    let planned = try #require(example.plannedFor)
    let (container, plan) = (folder.path("AcmeShop.xcappdata"), folder.path("plan.json"))
    try FileManager.default.copyItem(atPath: planned, toPath: container)
    try Tool.carryover(["plan", container] + example.options + ["-o", plan]).ended()

    try FileManager.default.removeItem(atPath: container)
    try FileManager.default.copyItem(atPath: example.path, toPath: container)
    let before = try FileState.files(under: container)
    let applied = try Tool.carryover("apply", plan, "--yes").ended(4)
    for words in ["The plan is stale", "com.acme.shop.plist", "rl_traits"] {
      #expect(applied.error.contains(words), "\(applied.error)")
    }
    #expect(try FileState.files(under: container) == before)
  }
}

struct Example: Decodable {
  var code: String
  var container: String
  var options: [String]
  var change: String
  private var planned: String?

  var path: String { Self.folder.appendingPathComponent(container).path }
  var plannedFor: String? { planned.map { Self.folder.appendingPathComponent($0).standardizedFileURL.path } }

  private enum CodingKeys: String, CodingKey {
    case code, container, options, change
    case planned = "plannedFor"
  }

  private struct Index: Decodable { var examples: [Example] }

  private static let folder = packageRoot.appendingPathComponent("Examples/Findings")

  static func all() throws -> [Example] {
    let data = try Data(contentsOf: folder.appendingPathComponent("index.json"))
    return try JSONDecoder().decode(Index.self, from: data).examples
  }

  static func of(_ code: FindingCode) throws -> Example {
    try #require(try all().first { $0.code == code.rawValue }, "no example of \(code.rawValue)")
  }
}

private struct Findings {
  var severities: [String: String] = [:]
  var errors: Set<String> { Set(severities.filter { $0.value == Severity.error.rawValue }.keys) }

  init(of result: Tool.Result) throws {
    guard result.status == 0 else { throw Tool.Missing("a plan: \(result.error)") }
    for finding in try #require(try result.json()["findings"] as? [[String: Any]]) {
      let code = try #require(finding["code"] as? String)
      severities[code] = try #require(finding["severity"] as? String)
    }
  }
}
