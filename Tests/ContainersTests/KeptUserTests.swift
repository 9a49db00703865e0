@testable import Carryover

@Suite("Fields that follow a user whom an earlier run kept") struct KeptUserTests {
  private let folder = TemporaryFolder()
  private let migrator: Migrator
  private let path: String

  init() throws {
    let key = try #require(StateKey([UInt8](repeating: 7, count: StateKey.length)))
    migrator = Migrator(fileSystem: POSIXFileSystem(), toolVersion: "1.0", key: key) {
      Moment(secondsSince1970: 1_763_640_300)
    }
    path = folder.path("App.xcappdata")
    try FileManager.default.copyItem(
      atPath: packageRoot.appending(path: "Examples/Findings/target.other-user.xcappdata").path, toPath: path)
  }

  private func plan() throws -> (plan: Plan, container: Container) {
    let container = try ContainerOpener().open(path)
    let plan = try migrator.plan(
      container, with: Recipe.detect(in: container).recipe.filled([:], in: container),
      now: Moment(secondsSince1970: 1_763_640_300), options: PlannerOptions(writeKey: "1xAcmeWriteKey"))
    return (plan, container)
  }

  @discardableResult
  private func apply(_ decisions: Decisions, _ policy: ConflictPolicy = .fail) throws -> RunReport {
    let (plan, container) = try plan()
    return try migrator.apply(plan, decisions: decisions, in: container, onConflict: policy)
  }

  /// The fields that a run with these decisions would write now.
  private func written(_ decisions: Decisions) throws -> [Field.ID] { try plan().plan.changes(decisions).map(\.key) }

  /// A run of these fields only.
  private func only(_ decisions: Decisions) throws -> Decisions {
    let fields = try plan().plan.fields
    return Decisions(uniqueKeysWithValues: fields.map { ($0.id, .omit) }).merging(decisions)
  }

  private func edit(_ file: String, _ keys: [String: Any]) throws {
    let url = URL(filePath: path + "/AppData/Library/" + file)
    var format = PropertyListSerialization.PropertyListFormat.binary
    let old = try PropertyListSerialization.propertyList(from: Data(contentsOf: url), format: &format)
    let new = (old as? [String: Any] ?? [:]).merging(keys) { $1 }
    try PropertyListSerialization.data(fromPropertyList: new, format: format, options: 0).write(to: url)
  }

  private static let target = "Preferences/com.acme.shop.analytics.1xAcmeWriteKey.plist"

  @Test func `skipped traits stay skipped while that user is kept, and are written once the user is replaced`() throws {
    #expect(try apply(["user_id": .keep]).outcomes.first { $0.field == "traits" }?.outcome == .skipped)
    #expect(try written([:]).isEmpty && written(["user_id": .keep]).isEmpty)
    #expect(try apply([:]).runID == nil)
    #expect(try written(["user_id": .migrate]) == ["user_id", "traits"])
    // If the run is only of the user id, the next one writes them.
    try apply(only(["user_id": .migrate]))
    #expect(try written([:]) == ["traits"])
    try apply([:])
    let after = try plan().plan
    #expect(after.field("traits")?.current != nil && after.field("traits")?.isKept == false)
    #expect(after.fields.allSatisfy { $0.status == .unchanged })
  }

  @Test func `a run of other fields in between changes none of this`() throws {
    try apply(["user_id": .keep, "session_id": .omit])
    try apply(only(["session_id": .migrate]))
    #expect(try written([:]).isEmpty && written(["user_id": .migrate]) == ["user_id", "traits"])
  }

  @Test func `once the app has the legacy user again, their traits are proposed`() throws {
    try apply(["user_id": .keep])
    try edit(Self.target, ["user_id": "u-1001"])
    #expect(try written([:]) == ["traits"])
  }

  @Test func `skipping the traits by name beside the kept user changes none of this`() throws {
    try apply(["user_id": .keep, "traits": .skip])
    #expect(try written(["user_id": .migrate]) == ["user_id", "traits"])
    #expect(try written(["user_id": .migrate, "traits": .skip]) == ["user_id"])
  }

  @Test(arguments: [ConflictPolicy.keep, .fail])
  func `another user's traits, kept by a policy, are replaced with that user`(policy: ConflictPolicy) throws {
    try edit(Self.target, ["traits": #"{"name":"Bob"}"#])
    let kept = DecisionPolicy([.targetConflict: .keep])
    try apply(policy == .keep ? [:] : kept.applied(to: plan().plan, [:]), policy)
    let next = try plan().plan
    #expect(next.changes([:]).isEmpty && next.field("traits")?.findings == [])
    #expect(try written(["user_id": .migrate]) == ["user_id", "traits"])
  }

  @Test func `traits that a finding asks about are not written: the next plan asks`() throws {
    try edit("rsDefaultsPersistence.plist", ["rl_traits": #"{"userId":"u-1001","email":"other@acme.example"}"#])
    try #require(plan().plan.field("traits")?.status == .needsDecision)
    try apply(["user_id": .keep])
    #expect(try plan().plan.undecided([:]).isEmpty && written(["user_id": .migrate]) == ["user_id"])
    try apply(["user_id": .migrate])
    #expect(try plan().plan.undecided([:]).map(\.id) == ["traits"])
  }
}
