import CarryoverSystem
import CarryoverVendors
import PropertyLists

@testable import Carryover

/// What was saved for later: plans, and the decisions of a review. Both are held against the plan of one container.
enum SavedCheck {
  static func plan(_ bytes: [UInt8]) -> Bool {
    do throws(SavedPlanError) {
      let saved = try SavedPlans(json: bytes, path: "plan.json").first
      // Printed anew, the document says the same.
      let text = require("the document") { try JSONText(bytes: bytes).value.text(pretty: true, visible: true) }
      let again = require("the plan printed anew") { try SavedPlans(json: Array(text.utf8), path: "plan.json").first }
      require(again == saved, "another plan")
      var present = saved
      // Else every new version of the recipe would leave the corpus behind.
      if saved.recipe.id == Recipe.rudderStackObjC.reference.id { present.recipe = Recipe.rudderStackObjC.reference }
      try carryOut(present)
    } catch {
      _ = error.description
    }
    return true
  }

  /// As the command does, up to the writing: what would be written is the new plan's word, never the document's.
  private static func carryOut(_ saved: SavedPlan) throws(SavedPlanError) {
    let plan = try saved.plan(Sample.container, by: .rudderStackObjC)
    try saved.check(plan, in: Sample.container, decisions: saved.decisions)
    for change in plan.changes(saved.decisions) {
      guard let field = plan.field(change.key) else { continue }
      if case .edit(let value)? = saved.decisions[field.id] {
        require(change.after == value, "another value than was decided")
      } else {
        require(change.after == field.proposed, "another value than was proposed")
      }
    }
  }

  static func review(_ bytes: [UInt8]) -> Bool {
    do throws(DocumentDamage) {
      let (document, _) = try ReviewDocument.read(bytes)
      let written = Array(document.json.text().utf8)
      let again = require("the document it writes") { try ReviewDocument.read(written).document }
      require(again == document, "another document")
      for review in document.reviews {
        let (fitting, misfits) = review.fit(Sample.plan)
        require(fitting.count + misfits.count == review.decisions.count, "a decision is lost")
        for (id, decision) in fitting {
          guard case .edit(let value) = decision else { continue }
          require(Sample.plan.field(id)?.form.mismatch(value) == nil, "a value of another form is offered")
        }
      }
    } catch {
      _ = "\(error)"
    }
    return true
  }
}

/// The container that plans and decisions are held against.
private enum Sample {
  static let container: Container = {
    let values: PropertyListDictionary = [
      "rl_anonymous_id": "9f1c2a7e-6b0d-4c35-8e21-5d7f03a9b642",
      "rl_traits": #"{"userId":"u-1001","email":"ada@acme.example"}"#,
      "rl_session_id": 1_763_640_000, "rl_application_build_key": "420",
    ]
    let document = require("the sample") {
      try PropertyListDocument(bytes: PropertyListDocument.encode(.dictionary(values), as: .binary))
    }
    let path = "AppData/Library/Preferences/com.acme.shop.plist"
    return Container(
      kind: .xcappdata, root: "/box/Acme.xcappdata", dataFolder: "AppData", bundleID: "com.acme.shop",
      bundleIDOrigin: .option, stores: [Store(path: path, content: .document(document))],
      stateDirectory: "/box/Acme.xcappdata/.carryover")
  }()

  static let plan = Planner(.rudderStackObjC).plan(
    container, now: Moment(secondsSince1970: 1_763_640_300), options: PlannerOptions(writeKey: "1xAcmeWriteKey"))
}
