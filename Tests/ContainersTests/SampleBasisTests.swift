import Carryover
import CarryoverContainers
import CarryoverSystem
import CarryoverVendors
import Foundation
import Testing

@Suite("Plans of the samples")
struct SampleBasisTests {
  private static let examples = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appending(path: "Examples")

  private static var samples: [String] {
    get throws {
      try [examples, examples.appending(path: "Findings")].flatMap { folder in
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".xcappdata") }.sorted()
          .map { folder.appending(path: $0).path }
      }
    }
  }

  @Test("a rehearsal never finds a plan stale, for any sample and recipe", arguments: Recipe.builtIn)
  func neverStale(_ recipe: Recipe) throws {
    let key = try #require(StateKey([UInt8](repeating: 7, count: StateKey.length)))
    let now = Moment(secondsSince1970: 1_763_640_300)
    let migrator = Migrator(fileSystem: POSIXFileSystem(), toolVersion: "0", key: key, now: { now })
    let parent = FileManager.default.temporaryDirectory.appending(path: "samples-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: parent) }
    var options = ContainerOptions()
    options.files += recipe.files
    for path in try Self.samples {
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
      try? FileManager.default.removeItem(at: parent.appending(path: "container"))
      do {
        _ = try migrator.rehearse(plan, decisions: decisions, of: container, in: parent.path, on: POSIXFileSystem())
      } catch {
        if case .stalePlan(let basis, _) = error { Issue.record("\(path), \(recipe.reference.id): \(basis)") }
      }
    }
  }
}
