import Carryover
import CarryoverStorage
import CarryoverSystem
import CarryoverVendors
import PropertyLists
import Testing

@Suite("Which recipe a container is for")
struct RecipeChoiceTests {
  private func both() throws -> LegacyApp {
    var keys = LegacyApp.clean
    for entry in try BetaApp.clean().entries { keys[entry.key] = entry.value }
    return LegacyApp(standard: keys, file: LegacyApp.clean)
  }

  @Test("each recipe has a name of its own, and is found by it")
  func names() {
    #expect(
      Recipe.builtIn.map(\.reference.id) == [
        "rudderstack-objc", "rudderstack-swift-v2", "convert-ios", "mixpanel-objc", "segment-objc",
        "amplitude-objc", "snowplow-objc", "posthog-before-3-20", "segment-to-rudderstack", "mixpanel-to-rudderstack",
        "amplitude-to-posthog", "statsig-to-file", "person",
      ])
    for recipe in Recipe.builtIn { #expect(Recipe(id: recipe.reference.id) == recipe) }
    #expect(Recipe(id: "rudderstack") == nil)
  }

  @Test("every key a recipe knows has one of its prefixes or is its own mark, and no two recipes share a mark")
  func marks() {
    for recipe in Recipe.builtIn {
      #expect(recipe.marks.isSubset(of: recipe.knownKeys), "\(recipe.marks.subtracting(recipe.knownKeys))")
    }
    #expect(Recipe.rudderStackObjC.marks.isDisjoint(with: Recipe.rudderStackSwiftV2.knownKeys))
    #expect(Recipe.rudderStackSwiftV2.marks.isDisjoint(with: Recipe.rudderStackObjC.knownKeys))
  }

  @Test("the keys decide: the Objective-C SDK's, the beta's, both, or none (A20)")
  func detection() throws {
    func chosen(_ app: LegacyApp) throws -> (String, [String]) {
      let detection = Recipe.detect(in: try app.container())
      return (detection.recipe.reference.id, detection.evidence.map(\.recipe.id))
    }
    #expect(try chosen(LegacyApp()) == ("rudderstack-objc", ["rudderstack-objc"]))
    #expect(try chosen(BetaApp.with([:])) == ("rudderstack-swift-v2", ["rudderstack-swift-v2"]))
    #expect(try chosen(both()) == ("rudderstack-swift-v2", ["rudderstack-objc", "rudderstack-swift-v2"]))
    #expect(try chosen(LegacyApp(standard: ["com.acme": 1], file: nil)) == ("rudderstack-objc", []))
    // What both SDKs write says nothing; a status of the beta alone does not outweigh the other's keys.
    #expect(try chosen(LegacyApp(standard: ["rl_session_id": 1], file: nil)) == ("rudderstack-objc", []))
    let status = LegacyApp.with(["rl_session_manual_track_status": true])
    #expect(try chosen(status) == ("rudderstack-objc", ["rudderstack-objc", "rudderstack-swift-v2"]))
  }

  @Test("what a cleanup removed still decides")
  func afterCleanup() throws {
    let app = LegacyApp(standard: ["rl_session_id": 1], file: nil)
    let removed = [KeyPlace(file: LegacyApp.standardPath, key: "rs_user_id"): PropertyListValue.string("u")]
    #expect(
      Recipe.detect(in: try app.container(), removed: removed).recipe.reference.id == "rudderstack-swift-v2")
  }

  @Test("source.v1-and-v2: says whose keys are whose and which recipe is followed; each offers the other's values")
  func bothSDKs() throws {
    var app = try both()
    for (recipe, other) in [
      (Recipe.rudderStackSwiftV2, "rudderstack-objc"), (.rudderStackObjC, "rudderstack-swift-v2"),
    ] {
      app.recipe = recipe
      let plan = try app.plan()
      let finding = try #require(plan.containerFindings.first { $0.code == .sourceV1AndV2 })
      let evidence = Recipe.detect(in: try app.container()).evidence
      #expect(evidence.map(\.recipe.id) == ["rudderstack-objc", "rudderstack-swift-v2"])
      #expect(evidence[0].keys.contains("rl_traits") && evidence[1].keys.contains("rs_traits"))
      #expect(finding.observation == .sourceV1AndV2(chosen: recipe.reference.id, evidence: evidence))
      #expect(finding.message.contains("This plan follows \(recipe.reference.id)."))
      #expect(finding.commandRemedy.contains("--recipe \(other)"))
      let offered = try #require(plan.field("traits")?.alternatives.first { $0.label == other })
      #expect(offered.value != plan.field("traits")?.proposed)
      #expect(plan.field("user_id")?.alternatives.isEmpty == true)
    }
    app.recipe = .rudderStackSwiftV2
    let id = try #require(try app.field("anonymous_id"))
    #expect(id.alternatives.map(\.value) == [.string(LegacyApp.anonymousID)])
    #expect(try BetaApp.with([:]).plan().codes.contains(.sourceV1AndV2) == false)
  }

  @Test("a value of the other SDK that changes makes the plan stale: consent, and the choice of recipe, depend on it")
  func basis() throws {
    let keys = Set(try LegacyApp().plan().basis.map(\.key))
    #expect(keys.isSuperset(of: ["rs_user_id", "rs_opt_status", "rl_opt_status", "rn_session_manual_track_status"]))
  }

  @Test("source.purgeable: the file in tvOS's caches is noted, another place is not")
  func purgeable() throws {
    let app = LegacyApp(filePath: "Library/Caches/rsDefaultsPersistence.plist")
    let plan = try app.plan()
    #expect(
      plan.findings.map(\.observation) == [
        .sourcePurgeable(store: "AppData/Library/Caches/rsDefaultsPersistence.plist")
      ])
    #expect(try !LegacyApp().plan().codes.contains(.sourcePurgeable))
  }
}
