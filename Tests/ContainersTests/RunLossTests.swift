@testable import Carryover

/// What an app loses by a run of only some fields, on copies of the samples: what the run says is compared with the
/// losses of the container before and after it.
@Suite("What an app loses by a run of some fields") struct RunLossTests {
  private let folder = TemporaryFolder()
  private let migrator: Migrator

  init() throws {
    let key = try #require(StateKey([UInt8](repeating: 7, count: StateKey.length)))
    migrator = Migrator(fileSystem: POSIXFileSystem(), toolVersion: "1.0", key: key) {
      Moment(secondsSince1970: 1_763_640_300)
    }
  }

  private static let samples: [String] = {
    let examples = packageRoot.appending(path: "Examples")
    let own = (try? FileManager.default.contentsOfDirectory(atPath: examples.path)) ?? []
    let findings = (try? FileManager.default.contentsOfDirectory(atPath: examples.path + "/Findings")) ?? []
    return (own + findings.map { "Findings/" + $0 }).filter { $0.hasSuffix(".xcappdata") }.sorted()
  }()

  private func copy(_ sample: String) throws -> String {
    let path = folder.path(UUID().uuidString)
    try FileManager.default.copyItem(
      atPath: packageRoot.appending(path: "Examples/" + sample).path, toPath: path)
    return path
  }

  private func plan(_ path: String) throws -> (plan: Plan, container: Container) {
    let container = try ContainerOpener().open(path)
    let recipe = try Recipe.detect(in: container).recipe.filled([:], in: container)
    let plan = try migrator.plan(
      container, with: recipe, now: Moment(secondsSince1970: 1_763_640_300),
      options: PlannerOptions(writeKey: "1xAcmeWriteKey"))
    return (plan, container)
  }

  private func losses(_ plan: Plan) -> [LostValue] {
    Diagnosis(plan, plan.definition, .of(plan, plan.definition)).losses
  }

  /// Only one field, all but one, and one that is skipped by decision.
  private func runs(_ plan: Plan) -> [Decisions] {
    let fields = plan.fields.filter { $0.proposed != nil && $0.status == .ready }
    guard let first = fields.first, let last = fields.last else { return [] }
    func only(_ meant: [Field], _ other: Decision) -> Decisions {
      let ids = Set(bytesOf: meant.map(\.id))
      return Decisions(
        uniqueKeysWithValues: plan.fields.map { ($0.id, ids.contains($0.id) ? .migrate : other) })
    }
    return [only([first], .omit), only([last], .omit), only(Array(fields.dropFirst()), .omit), only([last], .skip)]
  }

  /// The samples of which at least one run is compared.
  private static let compared = ["AcmeShop.xcappdata", "Clean.xcappdata"]

  @Test(arguments: samples) func `it is what the container has lost after the run, and not before`(
    sample: String
  ) throws {
    var runs = 0
    defer { #expect(runs > 0 || !Self.compared.contains(sample), "No run of \(sample) was compared.") }
    // A user id that the app has removed since an earlier run is no loss by another run.
    guard let (plan, _) = try? plan(copy(sample)), !plan.fields.contains(where: \.isRemovedSince) else { return }
    for decisions in self.runs(plan) {
      let path = try copy(sample)
      let (plan, container) = try self.plan(path)
      guard let report = try? migrator.apply(plan, decisions: decisions, in: container), report.runID != nil else {
        continue
      }
      let next = try self.plan(path).plan
      // Where the verdict cannot tell what is lost, nothing is compared.
      let verdicts = [plan, next].map { $0.definition.verdict(on: $0) }
      guard verdicts.allSatisfy({ $0.certainty != .cannotTell }) else { continue }
      runs += 1
      let (before, after) = (losses(plan), losses(next))
      let lost = after.filter { lost in
        !before.contains { $0.loss.what == lost.loss.what && (!$0.loss.isChange || lost.loss.isChange) }
      }
      let added = lost.filter { lost in !before.contains { $0.loss == lost.loss } }.map(\.loss.what)
      let said = report.losses.filter { $0.migrator != nil }.flatMap(\.losses).map(\.loss.what)
      #expect(plan.losses(ofRun: decisions) == report.losses)
      #expect(said == (plan.definition.migrator == nil ? [] : added), "\(sample): \(decisions)")
    }
  }

  @Test func `RudderStack's migrator does nothing once the file exists`() throws {
    let (plan, _) = try plan(copy("Clean.xcappdata"))
    var decisions = Decisions(uniqueKeysWithValues: plan.fields.map { ($0.id, .omit) })
    decisions["anonymous_id"] = .migrate
    let losses = plan.losses(ofRun: decisions)
    #expect(losses.map(\.migrator) == ["RudderStack's migrator"])
    let fields = losses.flatMap(\.losses).flatMap(\.fields)
    #expect(fields.contains("user_id") && fields.contains("traits") && !fields.contains("anonymous_id"))
    // Skipped by decision, the value is lost as well; with every field migrated, nothing is.
    #expect(plan.losses(ofRun: ["traits": .skip]).flatMap(\.losses).map(\.fields) == [["traits"]])
    #expect(plan.losses(ofRun: [:]).isEmpty)
  }

  @Test(arguments: [["user_id"], ["traits"], ["user_id", "traits"]])
  func `the new SDK's own id stays if a run writes only the user's values beside it`(_ written: [Field.ID]) throws {
    let (plan, _) = try plan(copy("Findings/target.fresh-identity.xcappdata"))
    func losses(_ ids: [Field.ID]) -> [RunLoss] {
      plan.losses(
        ofRun: Decisions(
          uniqueKeysWithValues: plan.fields.map { ($0.id, ids.contains($0.id) ? .migrate : .omit) }))
    }
    #expect(losses(written).map(\.migrator) == [nil])
    #expect(losses(written).flatMap(\.losses).map(\.fields) == [["anonymous_id"]])
    #expect(losses(written + ["anonymous_id"]).isEmpty)
    // The id is as new after this run as before it.
    #expect(losses(["rudder.app_version"]).isEmpty)
    // Whoever decides to keep the id needs no warning.
    #expect(plan.losses(ofRun: ["anonymous_id": .keep]).isEmpty)
  }

  @Test func `a migrator that fills what is missing still runs`() throws {
    let (plan, _) = try plan(copy("Snowplow.xcappdata"))
    #expect(!runs(plan).isEmpty)
    for decisions in runs(plan) { #expect(plan.losses(ofRun: decisions).isEmpty, "\(decisions)") }
  }

  @Test func `what an earlier run settled stays so after a run of other fields`() throws {
    let path = try copy("Clean.xcappdata")
    var (plan, container) = try plan(path)
    var decisions = Decisions(uniqueKeysWithValues: plan.fields.map { ($0.id, .omit) })
    decisions["user_id"] = .edit("u-77")
    _ = try migrator.apply(plan, decisions: decisions, in: container)
    (plan, container) = try self.plan(path)
    #expect(plan.field("user_id")?.status == .unchanged)
    decisions["user_id"] = .omit
    decisions["anonymous_id"] = .migrate
    let report = try migrator.apply(plan, decisions: decisions, in: container)
    #expect(report.outcomes.count { !$0.isOmitted } == 1)
    #expect(try self.plan(path).plan.field("user_id")?.status == .unchanged)
  }
}
