import Carryover
import CarryoverReview
import CarryoverVendors

struct LineScene: Sendable {
  var name: String
  var isRedacted = false
  var hold: @Sendable (inout LineTalk) -> Void

  func transcript() throws -> String {
    var plan = try samplePlan("AcmeShop")
    let container = try sampleContainer("AcmeShop")
    var redaction: Redaction?
    if isRedacted {
      var masks = Redaction(recipes: Recipe.builtIn)
      masks.learn(container)
      masks.learn(plan)
      plan = masks.findings(of: plan)
      redaction = masks
    }
    var talk = LineTalk(plan, container: container, redaction: redaction)
    hold(&talk)
    return talk.text
  }

  static let all: [LineScene] = [
    LineScene(name: "apply") {
      $0.type("", "de", "accept", "u", "edit 43", "8", "edit", "4.2", "420", "A", "esc", "a", "y", "yes", "yes")
      var report = acmeReport
      report.outcomes[7] = FieldOutcome(field: "rudder.app_build", outcome: .migrated)
      $0.send(.applied(.success(report)))
      $0.type("esc", "q")
    },
    LineScene(name: "history") {
      $0.type("H")
      $0.send(.history(sampleRuns))
      $0.type("list", "2", "enter")
      $0.send(.rollbackPlan(conflictedPlan))
      $0.type("n", "space", "n", "space", "space", "a", "R", "yes")
      $0.send(
        .rolledBack(
          .failure(
            ReviewFailure(
              message: RunError.stalePlan(
                [
                  PlanBasis(
                    store: "Library/Preferences/com.acme.shop.analytics.1xAcmeWriteKey.plist", key: "user_id",
                    value: nil)
                ], of: .rollback
              ).description,
              remedy: ""))))
    },
    LineScene(name: "stores") { $0.type("b", "2", "close", "list", "search pro", "n", "i", "q", "leave") },
    LineScene(name: "redacted", isRedacted: true) { $0.type("details", "esc", "3", "/ada", "a", "esc", "b", "q") },
  ]
}
