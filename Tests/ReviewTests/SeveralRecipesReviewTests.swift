import Carryover
import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors
import PropertyLists
import Testing

@testable import CarryoverReview

@Suite("A review of several recipes")
struct SeveralRecipesReviewTests {
  private func session(columns: Int = 140) throws -> Session {
    let person = try personPlan()
    return Session(try Plan(acmePlan(), and: [person]), columns: columns, rows: 40)
  }

  private func personPlan() throws -> Plan {
    let path = "AppData/Library/Preferences/com.acme.shop.plist"
    let entry = PropertyListDictionary.Entry(key: "person", value: #"{"name":"Ada","age":"36"}"#)
    let bytes = try PropertyListDocument.encode(.dictionary(PropertyListDictionary(entries: [entry])), as: .binary)
    let container = Container(
      kind: .xcappdata, root: "/x/Acme.xcappdata", dataFolder: "AppData", bundleID: "com.acme.shop",
      stores: [Store(path: path, content: .document(try PropertyListDocument(bytes: bytes)))],
      stateDirectory: "/x/Acme.xcappdata/.carryover")
    return Planner(.person).plan(container, now: acmePlan().now)
  }

  @Test("All fields stand in one list with the recipe before their names, and the title says how many recipes (F10)")
  func list() throws {
    let session = try session()
    #expect(session.lines[0].contains("2 recipes"))
    #expect(session.text.contains("rudderstack-objc/user_id") && session.text.contains("person/person"))
    #expect(session.state.plan.fields.count == acmePlan().fields.count + 1)
  }

  @Test("The details name the file of the field's own recipe")
  func details() throws {
    var session = try session()
    session.type("G<enter>")
    #expect(session.state.selected?.id == "person/person")
    #expect(session.text.contains("person in AppData/Library/Preferences/com.acme.shop.plist"), "\(session.text)")
  }

  @Test("The preview shows each file with its own changes, and the apply has the decisions of all")
  func preview() throws {
    var session = try session()
    for field in session.state.plan.fields where field.status.asks { session.state.decide(field.id) }
    session.type("a")
    #expect(session.state.screen == .preview)
    #expect(session.text.contains("Files 2"), "\(session.text)")
    let text = session.text
    let first = try #require(text.firstRange(of: "analytics.2Kx9mQ7abcd.plist"))
    let own = try #require(text.firstRange(of: "Preferences/com.acme.shop.plist"))
    let person = try #require(text.firstRange(of: "person/person"))
    #expect(first.lowerBound < own.lowerBound && own.lowerBound < person.lowerBound)
  }

  @Test("The recipes' screen shows all that are followed, and leads to the setup, which names them (F10)")
  func recipes() throws {
    var session = try session()
    session.type("r")
    #expect(session.text.contains("(rudderstack-objc, version 3)"))
    #expect(session.text.contains("(person, version 1)"), "\(session.text)")
    session.type("W")
    #expect(session.text.contains("recipes: rudderstack-objc, person"), "\(session.text)")
  }

  @Test("The verdicts of all recipes are shown, the gravest first")
  func verdicts() throws {
    var session = try session()
    #expect(session.state.verdicts.count == 2)
    session.type("V")
    for recipe in session.state.plan.recipes { #expect(session.text.contains(recipe.title), "\(session.text)") }
  }

  @Test("The copied command names every recipe and each field by its recipe")
  func command() throws {
    let plan = try Plan(acmePlan(), and: [personPlan()])
    let line = try CommandLineText(["carryover", "apply", "x"], plan, ["person/person": .skip]).text
    #expect(line.contains("--recipe rudderstack-objc --recipe person") && line.contains("--skip person/person"))
  }

  @Test("Saved decisions are offered for the same recipes only")
  func saved() throws {
    let plan = try Plan(acmePlan(), and: [personPlan()])
    let field = try #require(plan.field("person/person"))
    let review = SavedReview(
      of: plan, decisions: [KeptDecision(field: field.id, decision: .skip, basis: FieldBasis(field))],
      at: plan.now)
    #expect(review.fit(plan).decisions == ["person/person": .skip])
    #expect(review.fit(acmePlan()).decisions.isEmpty)
    #expect(review.fit(try personPlan()).misfits == ["person/person"])
  }
}

extension ReviewState {
  fileprivate mutating func decide(_ id: Field.ID) {
    guard let position = positions[id] else { return }
    let field = plan.fields[position]
    record(field.proposed == nil ? .skip : .migrate, for: field)
  }
}
