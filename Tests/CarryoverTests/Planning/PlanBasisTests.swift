import Carryover
import CarryoverSystem
import CarryoverVendors
import PropertyLists
import Testing

@Suite("A plan depends on what an apply reads again")
struct PlanBasisTests {
  @Test(
    "a plan that nothing has changed is never stale, whatever keys of other SDKs are there", arguments: Recipe.builtIn)
  func neverStale(_ recipe: Recipe) throws {
    let parameters = [
      PlannerOptions.writeKeyParameter: LegacyApp.writeKey, "token": "ff", "apiKey": "ff", "namespace": "ff",
    ]
    let recipe = recipe.filled(parameters)
    for known in Recipe.builtIn.map({ $0.filled(parameters) }) {
      var keys = LegacyApp.clean
      for key in known.knownKeys.sorted().map(\.text) + known.optOutKeys + ["standardDefaultsCopied"]
      where keys[key] == nil { keys[key] = .string("v") }
      let box = try CleanupBox(LegacyApp(standard: keys, file: keys))
      let options = PlannerOptions(parameters: parameters, allowed: Set(FindingCode.allCases))
      let plan = try box.migrator.plan(box.container, with: recipe, now: LegacyApp.now, options: options)
      let decisions = plan.fields.reduce(into: Decisions()) { decisions, field in
        if field.status.asks { decisions[field.id] = field.proposed == nil ? .skip : .migrate }
      }
      guard plan.target != nil, !plan.changes(decisions).isEmpty else { continue }
      do {
        _ = try box.migrator.apply(plan, decisions: decisions, in: box.container)
      } catch {
        if case .stalePlan(let basis, _) = error { Issue.record("\(recipe.reference.id): \(basis)") }
      }
    }
  }

  @Test("the beta's recipe is applied although the preferences have a mark of the older SDK, which counts as a value")
  func beta() throws {
    var keys = try BetaApp.clean()
    keys["standardDefaultsCopied"] = true
    let box = try CleanupBox(LegacyApp(standard: keys, file: nil))
    let options = PlannerOptions(writeKey: LegacyApp.writeKey)
    let plan = try box.migrator.plan(box.container, with: .rudderStackSwiftV2, now: LegacyApp.now, options: options)
    #expect(plan.basis.first { $0.key == "standardDefaultsCopied" }?.value == true)
    let decisions = plan.fields.reduce(into: Decisions()) { if $1.status.asks { $0[$1.id] = .skip } }
    #expect(try box.migrator.apply(plan, decisions: decisions, in: box.container).runID != nil)
    let again = try CleanupBox(LegacyApp(standard: keys, file: nil))
    let stale = try again.migrator.plan(
      again.container, with: .rudderStackSwiftV2, now: LegacyApp.now, options: options)
    keys["standardDefaultsCopied"] = false
    try again.put(LegacyApp.standardPath, keys)
    #expect(throws: RunError.self) { try again.migrator.apply(stale, decisions: decisions, in: again.container) }
  }
}
