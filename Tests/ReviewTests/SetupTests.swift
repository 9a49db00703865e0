import Carryover
import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors
import Testing

@testable import CarryoverReview

@Suite("The setup of a plan")
struct SetupTests {
  @Test("a missing write key is named in the title bar with the key that asks for it, and typing one plans again")
  func writeKey() throws {
    var session = Session(
      try samplePlan("Findings/target.no-write-key", writeKey: nil), columns: 80, rows: 24,
      container: try sampleContainer("Findings/target.no-write-key"))
    #expect(session.text.contains("write key missing (W)"))
    for keys in ["w", "<enter>"] {
      session.type(keys)
      #expect(session.text.contains("W sets it"), "\(session.state.screen.name)")
    }
    session.type("<esc><esc>3j")
    let cursor = session.state.cursor
    session.type("W")
    #expect(session.state.screen == .writeKey)
    for _ in 0..<4 where session.state.screen != .review { session.type("<esc>") }
    session.type("W")
    #expect(session.state.screen == .writeKey)
    session.type("a/b<enter>")
    #expect(session.effects.last == .bell && session.text.contains("not a valid write key"))
    session.type("<c-u>1xKey<enter>")
    #expect(session.effects.last == .plan(PlanChoices(writeKey: "1xKey")))
    session.type("aj")
    #expect(session.state.screen == .review && session.text.contains("Planning…"))
    session.send(.planned(acmePlan(), PlanChoices(writeKey: "1xKey")))
    #expect(session.state.choices.writeKey == "1xKey" && !session.text.contains("missing"))
    #expect(session.state.cursor == cursor && session.state.message?.hasPrefix("Planned again: ") == true)
  }

  @Test("a write key that no file of the container has is an error on the first screen, with the key that sets it")
  func otherWriteKey() throws {
    let session = Session(try samplePlan("Findings/target.other-write-key"), columns: 100, rows: 40)
    #expect(session.text.contains("No file of write key 1xAcmeWriteKey here, only of 2yAcmeOtherKey."))
    #expect(session.text.contains("W sets it here."))
  }

  @Test("a user who opted out is migrated only after a question, which y alone answers")
  func optedOut() throws {
    var session = Session(try samplePlan("Findings/consent.opted-out"), columns: 80, rows: 24)
    #expect(session.text.contains("opted out (W)"))
    session.type("Wo")
    #expect(session.state.screen == .optedOut)
    session.type("<enter> xn")
    #expect(session.effects.allSatisfy { $0 == .bell })
    session.type("y")
    #expect(session.effects.last == .plan(PlanChoices(allowsOptedOut: true)))
  }

  @Test("a recipe is one of those there are; without a reason to ask, the question is not asked")
  func recipe() {
    var session = Session(columns: 80, rows: 24)
    session.type("Wrnone<enter>")
    #expect(session.text.contains("no such recipe"))
    session.type("<esc>Wr<up><enter>")
    guard case .plan(let choices) = session.effects.last else {
      Issue.record("no plan was asked for")
      return
    }
    #expect(choices.recipes == [Recipe.builtIn[0].reference.id])
    session.send(.failed(ReviewFailure(message: "No.", remedy: "Again.")))
    #expect(session.state.choices == PlanChoices() && session.state.screen == .failure)
    session.type("qWo")
    #expect(session.state.screen != .optedOut)
  }

  @Test("Several recipes are typed with commas between them, or asked for with one word")
  func severalRecipes() {
    var session = Session(columns: 80, rows: 24)
    session.type("Wrperson, rudderstack-objc<enter>")
    #expect(session.effects.last == .plan(PlanChoices(recipes: ["person", "rudderstack-objc"])))
    session = Session(columns: 80, rows: 24)
    session.type("Wrperson,none<enter>")
    #expect(session.text.contains("no such recipe") && session.state.screen == .recipe)
    session.type("<esc>Wrall<enter>")
    #expect(session.effects.last == .plan(PlanChoices(recipes: ["all"])))
    session.type("<esc>")
  }
}

extension SetupTests {
  @Test("an opt-out that a decision leaves behind blocks the preview, and W lets it be left behind")
  func leftBehind() throws {
    let code = "Findings/consent.migrated"
    let container = try sampleContainer(code)
    let recipe = Recipe.mixpanelObjC.filled(["token": "0123456789abcdef0123456789abcdef"])
    let plan = Planner(recipe).plan(container, now: Moment(secondsSince1970: 1_763_640_300))
    var session = Session(plan, columns: 80, rows: 24)
    session.type("nsa")
    #expect(session.text.contains("The plan cannot be applied yet."), "\(session.text)")
    #expect(session.text.contains("consent.opted-out"))
    session.type("y")
    #expect(session.effects == [.bell])
    session.type("Wo")
    #expect(session.text.contains("Migrate this user?"), "\(session.text)")
  }
}
