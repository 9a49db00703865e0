import Carryover
import CarryoverStorage
import CarryoverSystem
import CarryoverVendors
import PropertyLists
import Testing

@testable import CarryoverReview

/// How the review speaks of a versioned model: a person in version 0.
@Suite("A versioned model in the review")
struct ModelWordsTests {
  private func session(_ script: String, redaction: Redaction? = nil) throws -> Session {
    var session = Session(
      try samplePlan("Person"), columns: 120, rows: 60, container: try sampleContainer("Person"), redaction: redaction)
    session.type(script)
    return session
  }

  @Test("The details say which version the data is in, and what becomes of each member, of the renamed one too")
  func details() throws {
    let lines = try session("<enter>").lines
    func line(_ parts: String...) -> Bool { lines.contains { line in parts.allSatisfy(line.contains) } }
    #expect(line("Model", "person", "version 0; the newest is 3"))
    #expect(line("~ ", #""name": "John Doe""#, "becomes alias"))
    #expect(line("- ", #""age": "23""#, "removed"))
    #expect(line("~ ", #""alias": "John Doe""#, "was name"))
    #expect(line("+ ", #""email": "---""#, "added"))
    #expect(line("Target now", "the legacy value itself: it is changed in its place"))
    #expect(line("~ name → alias", #""John Doe""#))
    #expect(lines[1].hasPrefix("┌ person ─"))
    #expect(!lines.contains { $0.contains("stripped") || $0.contains("SDK") })
  }

  @Test("The editor says that it is JSON in data, and nothing of an SDK")
  func editor() throws {
    let text = try session("e").text
    #expect(text.contains("This fits: a JSON object in data, as the app stores it. Its members are not checked."))
    #expect(!text.contains("SDK"))
  }

  @Test("A value of another SDK's is read by that SDK")
  func readers() {
    let mirror = Field(
      id: ConvertNames.visitorMirror, group: .identity, sources: [], status: .absent, form: .string)
    let other = Field(id: "user_id", group: .identity, sources: [], status: .absent, form: .string)
    #expect(mirror.reader == "Convert's SDK" && other.reader == "the new SDK")
    #expect(TargetForm.integer.article == "an integer" && TargetForm.jsonObjectData.article == "a JSON object in data")
  }

  @Test("A member that goes several ways is told with its first and its last name")
  func fates() {
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

  @Test("With masks the JSON keeps its members, and no word of the person is on any screen")
  func redacted() throws {
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

  @Test("By prompts it is said what the data is now, in which version, what it becomes, and each step in a sentence")
  func linear() throws {
    var session = LinearSession(try samplePlan("Person"), container: try sampleContainer("Person"))
    session.type("1")
    #expect(
      session.answer == """
        1 of 1. person, ready.
        Now: data, {"name":"John Doe","age":"23"}, in version 0; found as person in \
        AppData/Library/Preferences/com.acme.shop.plist.
        Becomes: data, {"alias":"John Doe","email":"---","version":3}, in version 3.
        Step from version 0 to 1: email is added, "---".
        Step from version 1 to 2: name is renamed to alias.
        Step from version 2 to 3: age is removed, it was "23"; version is added, 3.
        It is changed in its place; nothing else is written over.
        """)
    session.type("details")
    #expect(session.answer.contains("data, 30 bytes, as text: {\"name\""))
    for words in ["legacy SDK", "guide", "helper", "7b"] { #expect(!session.answer.contains(words)) }
  }

  @Test("A preview of nothing but what was skipped does not say that the target holds it")
  func skipped() throws {
    let text = try session("sa").text
    #expect(text.contains("There is nothing to write. Why, stands below field by field."), "\(text)")
    #expect(text.contains("skipped, by decision") && !text.contains("already holds"))
  }

  @Test("Data that is no model's JSON is not called JSON, and what stands there already is not written")
  func others() throws {
    var plan = try samplePlan("Person")
    plan.fields[0].legacy = .data(Array("{x".utf8))
    plan.fields[0].model?.version = nil
    var session = LinearSession(plan)
    session.type("details")
    #expect(session.answer.contains(#"Now: data, 2 bytes, as text: {x, in a version that cannot be told;"#))
    plan = try samplePlan("Person")
    plan.fields[0].status = .unchanged
    session = LinearSession(plan)
    session.type("confirm")
    #expect(session.answer.contains("stands there already") && !session.answer.contains("is written"))
  }

  @Test("A change is a sentence, whatever was done")
  func sentences() {
    let changes = [
      ModelChange(.added, path: ["a"], after: 1), ModelChange(.removed, path: ["a"], before: 1),
      ModelChange(.renamed, path: ["a"], destination: ["b"], before: 1, after: 1),
      ModelChange(.renamed, path: ["a"], destination: ["b"], before: "1", after: 1),
      ModelChange(.moved, path: ["a"], destination: ["b", "c"], before: 1, after: 1),
      ModelChange(.retyped, path: ["a"], before: "1", after: 1),
      ModelChange(.changed, path: ["a"], before: 1, after: 2),
      ModelChange(.changed, path: [], before: 1, after: 2),
    ]
    let text = changes.map { change in
      change.sentence(name: { $0 }, value: { $0.map { ModelSummary.text($0) { $0 } } ?? "" })
    }
    #expect(
      text == [
        "a is added, 1", "a is removed, it was 1", "a is renamed to b", #"a is renamed to b, and is 1 instead of "1""#,
        "a is moved to b.c", #"a changes its type, from "1" to 1"#, "a is changed from 1 to 2",
        "the whole is changed from 1 to 2",
      ])
  }

  @Test("The stores say what Convert's files are")
  func stores() throws {
    var container = try sampleContainer("Person")
    let folder = "AppData/Library/Application Support/"
    container.stores += [
      Store(path: folder + "convert-decision-store.json", content: .json(try JSONText(#"{"store":{},"order":[]}"#))),
      Store(path: folder + "com.convertexperiments.sdk/event-queue.json", content: .unreadable("It is damaged.")),
    ]
    var session = Session(try samplePlan("Person"), columns: 120, rows: 40, container: container)
    session.type("b")
    #expect(
      session.text.contains("Convert's decisions, 0 visitors") && session.text.contains("Convert's queue, damaged"))
    var stores = LinearStores(container, options: ReviewOptions())
    let said = stores.start().lines.joined(separator: "\n")
    #expect(said.contains("It is damaged: the SDK deletes it at its next start."), "\(said)")
  }
}
