@testable import Carryover
import CarryoverStorage
import CarryoverSystem
import CarryoverVendors
import PropertyLists
import Testing

@testable import CarryoverReview

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
    #expect(line("Target now", "the legacy value: this recipe changes it in place"))
    #expect(line("~ name → alias", #""John Doe""#))
    #expect(lines[1].hasPrefix("┌ person ─"))
    #expect(!lines.contains { $0.contains("stripped") || $0.contains("SDK") })
  }

  @Test("The editor says that it is JSON in data, and nothing of an SDK")
  func editor() throws {
    let text = try session("e").text
    #expect(text.contains("Valid: a JSON object in data, as the app stores it. Its members are not checked."))
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

  @Test("A preview of nothing but what was skipped does not say that the target holds it")
  func skipped() throws {
    let text = try session("sa").text
    #expect(text.contains("There is nothing to write. The reasons are below, field by field."), "\(text)")
    #expect(text.contains("skipped") && !text.contains("already holds"))
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
  }
}
