@testable import Carryover
@testable import CarryoverReview
import CarryoverStorage

@Suite("A versioned model in the review") struct ModelReviewTests {
  private static let file = "AppData/Library/Preferences/com.acme.shop.plist"
  private static let old = #"{"name":"John Doe","age":"23"}"#
  private static let new = #"{"alias":"John Doe","email":"---","version":3}"#

  private func model(_ story: Rehearsal) throws -> String? {
    guard case .dictionary(let keys) = try PropertyListDocument(bytes: story.bytes(Self.file)).root else { return nil }
    return keys["person"]?.jsonText
  }

  private func story() throws -> Rehearsal { try Rehearsal("Person", size: Size(columns: 120, rows: 40)) }

  @Test func `confirmed, a model gets its newest version; taken back, every byte is what it was (F2, F5)`() throws {
    let story = try story()
    let before = try story.bytes(Self.file)
    #expect(try model(story) == Self.old)
    story.press(" ", 0, "")
    try story.expect("1 accepted")
    story.press("a", 0, "")
    try story.expect("Nothing is written yet")
    #expect(try story.bytes(Self.file) == before)
    story.press("y", 0, "")
    try story.expect("Applied")
    #expect(try model(story) == Self.new)
    story.press("R", 0, "")
    #expect(try model(story) == Self.new)
    story.press("y", 0, "")
    try story.expect("Rolled back")
    #expect(try story.bytes(Self.file) == before)
  }

  @Test func `skipped, a model stays as it is and nothing can be applied; the skip can be undone (F2, F3)`() throws {
    let story = try story()
    let before = try story.bytes(Self.file)
    story.press("s", 0, "")
    try story.expect("1 skipped")
    story.press("a", 0, "")
    story.press("y", 0, "")
    try story.expect("There is nothing to write")
    #expect(try story.bytes(Self.file) == before)
    story.press("<esc>", 0, "")
    story.press("u", 0, "")
    try story.expect("1 ready")
    story.press("a", 0, "")
    story.press("y", 0, "")
    try story.expect("Applied")
    #expect(try model(story) == Self.new)
  }

  @Test func `the details have each step of a model, and confirming, skipping, undoing decide on it (F2)`() throws {
    var session = Session(try samplePlan("Person"), rows: 80, typing: "<enter>")
    for step in ["version 0 → 1: add email", "version 1 → 2: rename name → alias", "version 2 → 3: remove age"] {
      #expect(session.text.contains(step), "\(step): \(session.text)")
    }
    session.type("<esc> ", then: \.state.decisions, is: ["person": .migrate])
    session.type("s", then: \.state.decisions, is: ["person": .skip])
    session.type("u", then: \.state.decisions, is: ["person": .migrate])
    session.type("uu", then: \.state.decisions, is: [:])
    session.type("ay", then: \.effects.last, is: .apply([:]))
  }
}

@Suite("A versioned model in the review") struct ModelWordsTests {
  private func session(_ script: String, redaction: Redaction? = nil) throws -> Session {
    var session = Session(
      try samplePlan("Person"), columns: 120, rows: 60, container: try sampleContainer("Person"), redaction: redaction)
    session.type(script)
    return session
  }

  @Test func `The details say which version the data is in, and what becomes of each member, renamed too`() throws {
    let lines = try session("<enter>").lines
    func line(_ parts: String...) -> Bool { lines.contains { line in parts.allSatisfy(line.contains) } }
    #expect(line("Model", "person", "version 0; the newest is 3"))
    #expect(line("~ ", #""name": "John Doe""#, "becomes alias"))
    #expect(line("- ", #""age": "23""#, "removed"))
    #expect(line("~ ", #""alias": "John Doe""#, "was name"))
    #expect(line("+ ", #""email": "---""#, "added"))
    #expect(line("Target now", "the legacy value: this recipe changes it in place"))
    #expect(line("~ name → alias", #""John Doe""#))
    #expect(lines[1].hasPrefix("┌ person ─"))
    #expect(!lines.contains { $0.contains("stripped") || $0.contains("SDK") })
  }

  @Test func `The editor says that it is JSON in data, and nothing of an SDK`() throws {
    let text = try session("e").text
    #expect(text.contains("Valid: a JSON object in data, as the app stores it. Its members are not checked."))
    #expect(!text.contains("SDK"))
  }

  @Test func `A value of another SDK's is read by that SDK`() {
    let mirror = Field(id: ConvertNames.visitorMirror, group: .identity, sources: [], status: .absent, form: .string)
    let other = Field(id: "user_id", group: .identity, sources: [], status: .absent, form: .string)
    #expect(mirror.reader == "Convert's SDK" && other.reader == "the new SDK")
    #expect(TargetForm.integer.article == "an integer" && TargetForm.jsonObjectData.article == "a JSON object in data")
    #expect(TargetForm.data.article == "data")
  }

  @Test func `A member that goes several ways is told with its first and its last name`() {
    var first = TransformStep(title: "", result: nil, version: 0)
    first.changes = [ModelChange(.renamed, path: ["a"], destination: ["b"], before: 1, after: 1)]
    var second = TransformStep(title: "", result: nil, version: 1)
    second.changes = [
      ModelChange(.moved, path: ["b"], destination: ["c", "d"], before: 1, after: 1),
      ModelChange(.added, path: ["e"], after: 2),
    ]
    var third = TransformStep(title: "", result: nil, version: 2)
    third.changes = [ModelChange(.renamed, path: ["e"], destination: ["f"], before: 2, after: 2)]
    let fates = ModelFates([first, second, third])
    #expect(fates.destination(of: "a") == "c.d" && fates.destination(of: "b") == nil)
    #expect(fates.origin(of: "f") == nil && fates.origin(of: "e") == nil)
  }

  @Test func `With masks the JSON keeps its members, and no word of the person is on any screen`() throws {
    var redaction = Redaction(recipes: Recipe.builtIn)
    redaction.learn(try sampleContainer("Person"))
    redaction.learn(try samplePlan("Person"))
    for script in ["", "<enter>", "a", "b", "<enter><esc> a"] {
      let text = try session(script, redaction: redaction).text
      #expect(!text.contains("John") && !text.contains("\"23\""), "\(script): \(text)")
    }
    let text = try session("<enter>", redaction: redaction).text
    #expect(text.contains(#""alias": "‹text-"#) && text.contains(#""version": 3"#), "\(text)")
  }

  @Test func `A preview of nothing but what was skipped does not say that the target holds it`() throws {
    let text = try session("sa").text
    #expect(text.contains("There is nothing to write. The reasons are below, field by field."), "\(text)")
    #expect(text.contains("skipped") && !text.contains("already holds"))
  }

  @Test func `The stores say what Convert's files are`() throws {
    var container = try sampleContainer("Person")
    let folder = "AppData/Library/Application Support/"
    container.stores += [
      Store(path: folder + "convert-decision-store.json", content: .json(try JSONText(#"{"store":{},"order":[]}"#))),
      Store(path: folder + "com.convertexperiments.sdk/event-queue.json", content: .unreadable("It is damaged.")),
    ]
    let session = Session(try samplePlan("Person"), columns: 120, rows: 40, container: container, typing: "b")
    #expect(
      session.text.contains("Convert's decisions, 0 visitors") && session.text.contains("Convert's queue, damaged"))
  }
}

@Suite("A review of a target that has another user") struct OtherUserReviewTests {
  private func session() throws -> Session {
    var session = Session(try samplePlan("Findings/target.other-user"), columns: 80, rows: 24, atFirstRow: false)
    #expect(session.state.selected?.id == "user_id")
    session.type("t")
    return session
  }

  private func decisions(_ session: Session) -> Decisions {
    session.state.decisions.filter { ["user_id", "traits"].contains($0.key) }
  }

  @Test func `keeping that user skips the legacy user's traits, in one step, and says so`() throws {
    var session = try session()
    #expect(decisions(session) == ["user_id": .keep, "traits": .skip])
    #expect(session.state.message?.contains("traits is skipped too: it does not describe the new SDK's user.") == true)
    session.type("u")
    #expect(decisions(session) == [:])
  }

  @Test func `replacing that user after all takes the traits along again`() throws {
    var session = try session()
    session.type(" ")
    #expect(decisions(session) == ["user_id": .migrate])
    #expect(session.state.message?.contains("traits is no longer skipped: it follows user_id.") == true)
  }

  @Test func `who takes the skip back wants the traits, and that is what the run would write`() throws {
    var session = try session()
    session.type("js")
    #expect(decisions(session) == ["user_id": .keep, "traits": .migrate])
    #expect(session.state.plan.changes(session.state.decisions).contains { $0.key == "traits" })
  }

  @Test func `a proposal accepted before, with all the others, does not stay accepted beside another user`() throws {
    var session = Session(try samplePlan("Findings/target.other-user"), columns: 80, rows: 24, atFirstRow: false)
    session.type("Ar")
    session.type("t")
    #expect(decisions(session) == ["user_id": .keep, "traits": .skip])
  }

  @Test func `keeping every conflict's value at once does the same`() throws {
    var session = Session(try samplePlan("Findings/target.other-user"), columns: 80, rows: 24)
    session.type("At")
    #expect(decisions(session) == ["user_id": .keep, "traits": .skip])
    #expect(session.state.message == "1 kept. traits is skipped too: it does not describe the new SDK's user.")
  }

  @Test(arguments: [["user_id": .migrate, "traits": .migrate], ["user_id": .migrate], [:]] as [Decisions])
  func `a run without the user's id neither writes nor settles the traits`(decisions: Decisions) throws {
    var session = Session(
      try samplePlan("Findings/target.other-user"), decisions: decisions, typing: "fgroup:traits<enter>a")
    let (run, scope) = session.state.runDecisions
    #expect(run["user_id"] == .omit && run["traits"] == .omit && session.state.plan.changes(run).isEmpty)
    #expect(scope?.hasSuffix("only those listed; 1 waits for the field that names its user") == true, "\(scope ?? "")")
    #expect(session.text.contains("There is nothing to write.") && session.state.screen == .preview)
    session.type("y")
    #expect(!session.effects.contains(.apply(run)))
  }

  @Test func `a preview shows the traits as written only once the user's id is decided`() throws {
    let plan = try samplePlan("Findings/target.other-user")
    let open = Session(plan, columns: 100, rows: 60, typing: "a")
    #expect(open.state.pages.preview.changes.allSatisfy { $0.key != "traits" })
    #expect(open.text.contains("waits for the decision on user_id"), "\(open.text)")
    let replacing = Session(plan, columns: 100, rows: 60, decisions: ["user_id": .migrate], typing: "a")
    #expect(replacing.state.pages.preview.changes.contains { $0.key == "traits" })
    #expect(!replacing.text.contains("waits for the decision"), "\(replacing.text)")
  }

  @Test func `the verdict counts the traits as fixed only once the user's id is decided`() throws {
    let plan = try samplePlan("Findings/target.other-user")
    for (decisions, isFixed) in [([:], false), (["user_id": .migrate], true)] as [(Decisions, Bool)] {
      let session = Session(plan, columns: 120, rows: 60, decisions: decisions, typing: "V")
      let lines = session.text.split(separator: "\n").filter { $0.contains("the traits") }
      #expect(!lines.isEmpty && lines.contains { $0.contains("fixed when you apply") } == isFixed, "\(session.text)")
    }
  }

  @Test(arguments: ["P", "aP"])
  func `the next launch has no traits beside another user either, until the user's id is decided`(
    _ keys: String
  ) throws {
    let plan = try samplePlan("Findings/target.other-user")
    let open = Session(plan, columns: 160, rows: 60, typing: keys)
    #expect(open.text.contains("Undecided fields stay as they are now: user_id, traits."), "\(open.text)")
    let launch = try #require(Recipe.rudderStackObjC.nextLaunch(plan, decisions: [:]))
    let traits = try #require(launch.topics.first { $0.name == "traits" }?.facts)
    #expect(traits.first { $0.form == .plan }?.fact.sentence == traits.first { $0.form == .current }?.fact.sentence)
    let replacing = Session(plan, columns: 160, rows: 60, decisions: ["user_id": .migrate], typing: keys)
    #expect(!replacing.text.contains("Undecided fields stay"), "\(replacing.text)")
  }

  /// The plan after a run that kept the user, and so skipped the traits.
  private func planAfterKeeping() throws -> Plan {
    let container = try sampleContainer("Findings/target.other-user")
    let first = try samplePlan("Findings/target.other-user")
    var options = PlannerOptions(writeKey: "1xAcmeWriteKey")
    for id in ["user_id", "traits"] {
      let field = try #require(first.field(id))
      options.settled[id] = SettledField(
        legacy: field.legacy, left: field.current, runID: "r", isKept: true, isFollowing: id == "traits")
    }
    return Planner(try Recipe.detect(in: container).recipe.filled([:], in: container)).plan(
      container, now: first.now, options: options)
  }

  @Test func `replacing a user whom an earlier run kept writes the traits too, and the preview counts them`() throws {
    var session = Session(try planAfterKeeping(), typing: "j")
    #expect(session.state.selected?.id == "user_id" && session.state.tally[.unchanged] == 2)
    session.type(" ")
    #expect(decisions(session) == ["user_id": .migrate, "traits": .migrate])
    #expect(session.state.message?.contains("traits is no longer skipped: it follows user_id.") == true)
    #expect(session.text.contains("Fixed when you apply: the user id"), "\(session.text)")
    var preview = session
    preview.type("a")
    #expect(preview.state.pages.preview.changes.map(\.key).contains("traits"))
    #expect(preview.state.pages.preview.tally[.confirmed] == 2 && preview.state.pages.preview.tally[.unchanged] == 0)
    session.type("u")
    #expect(decisions(session) == [:] && session.state.plan.changes([:]).allSatisfy { $0.key != "traits" })
  }

  @Test func `accepting the traits beside a user whom a run kept has the finding, until the user is replaced`() throws {
    var session = Session(try planAfterKeeping(), typing: "jj")
    func isNoted() -> Bool { session.state.explainable.contains { $0.code == .targetOtherUser } }
    #expect(session.state.selected?.id == "traits" && !isNoted())
    session.type(" ")
    #expect(decisions(session) == ["traits": .migrate] && isNoted())
    session.type("k j")
    #expect(decisions(session) == ["user_id": .migrate, "traits": .migrate])
    #expect(session.state.selected?.id == "traits" && !isNoted())
  }

  @Test func `a run of the traits alone waits for the decision that replaces that user`() throws {
    let session = Session(try planAfterKeeping(), typing: "j fgroup:traits<enter>a")
    let run = session.state.runDecisions.decisions
    #expect(run["user_id"] == .omit && run["traits"] == .omit && session.state.plan.changes(run).isEmpty)
  }

  @Test func `traits that were accepted beside the kept user are written without the user's id too`() throws {
    let session = Session(
      try samplePlan("Findings/target.other-user"), decisions: ["user_id": .keep, "traits": .migrate],
      typing: "fgroup:traits<enter>a")
    #expect(session.state.plan.changes(session.state.runDecisions.decisions).map(\.key) == ["traits"])
  }
}

@Suite("A review of several recipes") struct SeveralRecipesReviewTests {
  private func session(columns: Int = 140) throws -> Session {
    let person = try personPlan()
    return Session(try Plan(acmePlan(), and: [person]), columns: columns, rows: 40)
  }

  private func personPlan() throws -> Plan {
    let path = "AppData/Library/Preferences/com.acme.shop.plist"
    let keys: PropertyListDictionary = ["person": #"{"name":"Ada","age":"36"}"#]
    let container = Container([try Store(path, keys)], kind: .xcappdata, in: "/x/Acme.xcappdata")
    return Planner(.person).plan(container, now: acmePlan().now)
  }

  @Test func `All fields are in one list with the recipe before their names; the title counts recipes (F10)`() throws {
    let session = try session()
    #expect(session.lines[0].contains("2 recipes"))
    #expect(session.text.contains("rudderstack-objc/user_id") && session.text.contains("person/person"))
    #expect(session.state.plan.fields.count == acmePlan().fields.count + 1)
  }

  @Test func `The preview shows the keys of each file, without the recipe`() throws {
    var session = try session()
    session.send(.resized(Size(columns: 140, rows: 100)))
    session.type("a")
    #expect(session.state.screen == .preview && session.text.contains("+ anonymous_id"), "\(session.text)")
    #expect(!session.lines.contains { $0.contains("+ rudderstack-objc/") }, "\(session.text)")
  }

  @Test func `The details name the file of the field's own recipe`() throws {
    var session = try session()
    session.type("G<enter>", then: \.state.selected?.id, is: "person/person")
    #expect(session.text.contains("person in AppData/Library/Preferences/com.acme.shop.plist"), "\(session.text)")
  }

  @Test func `The preview shows each file with its own changes, and the apply has the decisions of all`() throws {
    var session = try session()
    for field in session.state.plan.fields where field.status.asks { session.state.decide(field.id) }
    session.type("a", then: \.state.screen, is: .preview)
    #expect(session.text.contains("Files 2"), "\(session.text)")
    let text = session.text
    let first = try #require(text.firstRange(of: "analytics.2Kx9mQ7abcd.plist"))
    let own = try #require(text.firstRange(of: "Preferences/com.acme.shop.plist"))
    let person = try #require(text.firstRange(of: "~ person "))
    #expect(first.lowerBound < own.lowerBound && own.lowerBound < person.lowerBound)
  }

  @Test func `The recipes' screen shows all that are followed, and leads to the setup, which has them (F10)`() throws {
    var session = try session()
    session.type("r", shows: "(rudderstack-objc, version 3)", "(person, version 1)")
    session.type("W", shows: "recipes: rudderstack-objc, person")
  }

  @Test func `The verdicts of all recipes are shown, the gravest first`() throws {
    var session = try session()
    #expect(session.state.verdicts.count == 2)
    session.type("V")
    var text = session.text
    session.type("G")
    text += session.text
    for recipe in session.state.plan.recipes { #expect(text.contains(recipe.title), "\(text)") }
  }

  @Test func `The copied command names every recipe and each field by its recipe`() throws {
    let plan = try Plan(acmePlan(), and: [personPlan()])
    let line = try CommandLineText.text(["carryover", "apply", "x"], plan, ["person/person": .skip])
    #expect(line.contains("--recipe rudderstack-objc --recipe person") && line.contains("--skip person/person"))
  }

  @Test func `Decisions saved for one of several recipes fit its own plan, and no other recipe's`() throws {
    let part = try #require(try Plan(acmePlan(), and: [personPlan()]).recipePlans.last)
    let field = try #require(part.field("person"))
    let review = SavedReview(
      of: part, decisions: [KeptDecision(field: field.id, decision: .skip, basis: FieldBasis(field))], at: part.now)
    #expect(review.fit(try personPlan()).decisions == ["person": .skip])
    #expect(review.fit(acmePlan()).misfits == ["person"])
  }
}

extension ReviewState {
  fileprivate mutating func decide(_ id: Field.ID) {
    guard let position = positions[id] else { return }
    let field = plan.fields[position]
    record(field.proposed == nil ? .skip : .migrate, for: field)
  }
}
