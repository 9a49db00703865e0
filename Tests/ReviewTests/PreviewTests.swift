@testable import Carryover
@testable import CarryoverReview

@Suite("The preview of an apply") struct PreviewTests {
  private func session(_ plan: Plan, skipping: Bool = false) -> Session {
    let skips = skipping ? Decisions(uniqueKeysWithValues: plan.fields.map { ($0.id, Decision.skip) }) : [:]
    return Session(plan, rows: 100, decisions: skips, typing: "a")
  }

  private func said(_ plan: Plan, skipping: Bool = false) -> String {
    let skips = skipping ? Decisions(uniqueKeysWithValues: plan.fields.map { ($0.id, Decision.skip) }) : [:]
    var session = LineTalk(plan, decisions: skips)
    session.type("apply")
    return session.answer
  }

  @Test func `a backup is spoken of where something would be written, and nowhere else`() throws {
    let plan = try samplePlan("Clean")
    #expect(session(plan).lines.contains { $0.contains(" Backup ") })
    #expect(said(plan).contains("Backup"))
    #expect(session(plan, skipping: true).text.contains("There is nothing to write"))
    #expect(!session(plan, skipping: true).text.contains("Backup"))
    #expect(!said(plan, skipping: true).contains("Backup"))
    // What cannot be applied yet would be, once all is decided.
    #expect(session(try samplePlan("AcmeShop")).text.contains(" Backup "))
    var nameless = plan
    nameless.target = nil
    #expect(!session(nameless).text.contains("Backup") && !said(nameless).contains("Backup"))
  }

  @Test func `what is absent is said to be absent from where it was looked for`() throws {
    for (sample, id, words) in [
      ("Person", "person", "absent from the model's own store"),
      ("Clean", "user_id", "absent from the legacy store"),
      ("Findings/convert.uploading", ConvertNames.visitorMirror, "absent from the stores of Convert's SDK"),
    ] {
      var plan = try samplePlan(sample)
      let index = try #require(plan.fields.firstIndex { $0.id == id })
      plan.fields[index].legacy = nil
      plan.fields[index].origin = nil
      plan.fields[index].proposed = nil
      plan.fields[index].current = nil
      plan.fields[index].status = .absent
      plan.fields[index].findings = []
      for text in [session(plan).text, said(plan)] {
        #expect(text.contains(words), "\(text)")
        #expect(sample == "Clean" || !text.contains("legacy store"))
      }
    }
  }
}

@Suite("The change in words") struct ChangeSummaryTests {
  @Test(
    arguments: [
      ("a", "a", "as is"), (true, false, "inverted"), (1_763_640_000, "1763640000", "→ string"),
      (1_763_640_123, "1763640123000", "s → ms, → string"), (1_763_640_123.75, "1763640123750", "s → ms, → string"),
      ("42", 42, "→ integer"), ("a", "b", "changed"), (nil, true, "by default"), (nil, nil, "absent"),
      (#"{"a":1,"id":2}"#, #"{"a":1}"#, "−1 member"),
      (#"{"a":1,"id":2,"userId":{"x":[1,2]},"anonymousId":""}"#, #"{"a":1}"#, "−3 members"), ("x", nil, "not migrated"),
    ] as [(PropertyListValue?, PropertyListValue?, String)])
  func `from legacy value to proposal`(legacy: PropertyListValue?, proposed: PropertyListValue?, words: String) {
    #expect(ChangeSummary.text(field(legacy, proposed), nil) == words)
  }

  @Test func `a type the legacy SDK does not write is named`() {
    var field = field(42, "42")
    field.findings = [Finding(.userIDNotString(kind: "number", text: "42"))]
    #expect(ChangeSummary.text(field, nil) == "number → string")
  }

  @Test func `what cannot be carried over says why`() {
    var field = field("4.2.0-rc1", nil)
    field.findings = [Finding(.appBuildNotInteger("4.2.0-rc1", normalised: nil))]
    #expect(ChangeSummary.text(field, nil) == "not an integer")
  }

  @Test func `what the beta SDK 2 never stored, and a session that was ended, are named`() {
    var field = field(nil, nil)
    field.status = .needsDecision
    field.findings = [Finding(.v2AnonymousIDNotStored(stored: []))]
    #expect(ChangeSummary.text(field, nil) == "not stored")
    field.status = .dropped
    field.findings = [Finding(.v2SessionStopped)]
    #expect(ChangeSummary.text(field, nil) == "session ended")
  }

  @Test func `the target's own value is told of before anything else`() {
    var field = field("a", "a")
    field.current = "b"
    field.status = .conflict
    #expect(ChangeSummary.text(field, nil) == "target differs")
    #expect(ChangeSummary.text(field, .migrate) == "replaces target's")
    field.status = .needsDecision
    field.findings = [Finding(.targetWrongType(1, needs: .string))]
    #expect(ChangeSummary.text(field, nil) == "repairs target's")
  }

  @Test func `a decision is said instead of the change`() {
    var field = field("a", "b")
    field.alternatives = [Alternative(label: "from the plist", value: "c")]
    #expect(ChangeSummary.text(field, .migrate) == "changed")
    #expect(ChangeSummary.text(field, .skip) == "skipped")
    #expect(ChangeSummary.text(field, .keep) == "target kept")
    #expect(ChangeSummary.text(field, .edit("z")) == "edited")
    #expect(ChangeSummary.text(field, .edit("c")) == "from the plist")
  }

  private func field(_ legacy: PropertyListValue?, _ proposed: PropertyListValue?) -> Field {
    Field(
      id: "f", group: .other, sources: [SourceKey("s")], legacy: legacy, proposed: proposed,
      status: legacy == nil && proposed == nil ? .absent : proposed == nil ? .dropped : .ready, form: .string)
  }
}

@Suite("Planning again") struct ReplanTests {
  @Test func `decisions stay with fields that are as they were, and only with those`() {
    var session = Session(typing: "n jjs")
    var plan = acmePlan()
    plan.fields[1].legacy = 43
    session.send(.replanned(plan), then: \.state.decisions, is: ["session_id": .skip])
    #expect(session.state.tally[.toDecide] == 1)
    #expect(session.state.message == "The plan changed: 1 decision no longer applies.")
    #expect(session.state.history.done.map { $0.map(\.field) } == [["session_id"]])
    session.type("u", then: \.state.decisions, is: [:])
    #expect(session.state.history.done.isEmpty)
  }

  @Test func `a preview of the old plan is withdrawn, so that no change is applied unseen`() {
    var session = Session(typing: "n a")
    var plan = acmePlan()
    plan.fields[0].proposed = "another"
    session.send(.replanned(plan), then: \.state.screen, is: .review)
    session.type("y", then: \.effects, is: [.bell])
  }

  @Test func `the cursor stays with its field wherever that is now`() {
    var session = Session(typing: "jjj")
    var plan = acmePlan()
    plan.fields.reverse()
    session.send(.replanned(plan), then: \.state.cursor, is: "session_id")
    plan.fields.removeAll { $0.id == "session_id" }
    session.send(.replanned(plan))
    #expect(session.state.selected != nil)
    session.type("s", then: \.state.decisions.count, is: 1)
  }

  @Test func `after an apply the decisions that were carried out are no loss`() {
    var session = Session(typing: "n ay")
    session.send(.applied(.success(acmeReport)))
    var plan = acmePlan()
    for index in 0..<7 {
      plan.fields[index].current = plan.fields[index].proposed
      plan.fields[index].status = .unchanged
    }
    session.send(.replanned(plan), then: \.state.screen, is: .result)
    #expect(session.state.message == nil)
    #expect(session.state.hasUnappliedDecisions == false)
    #expect(session.state.tally[.unchanged] == 7)
  }
}

@Suite("The report in the review") struct ReportPageTests {
  private let report = SharedReport(markdown: "# Report\n\n* one\\_two\n", html: "<!doctype html>")

  private func session() -> Session {
    var session = Session(typing: "X")
    #expect(session.effects.last == .report)
    session.send(.reported(report), then: \.state.screen, is: .report)
    return session
  }

  @Test func `it is shown before it is saved, and dropped with its screen`() {
    var session = session()
    #expect(session.text.contains("# Report") && session.text.contains("one\\_two"))
    session.type("<esc>")
    #expect(session.state.screen == .review && session.state.pages.sharedReport == nil)
  }

  @Test(arguments: ["report.md", "a.HTML", "report.htm"])
  func `it is saved as Markdown, or as HTML under such a name`(name: String) throws {
    var session = session()
    session.type("<c-s>", then: \.state.stack.typing?.text, is: "report.md")
    session.type("<c-u>" + name + "<enter>")
    let expected = name == "report.md" ? report.markdown + "\n" : report.html
    #expect(session.lastErrand == .save(expected, path: name, replacing: false))
    session.answer(try #require(session.lastErrand), "")
    session.type("y", then: \.lastErrand, is: .save(expected, path: name, replacing: true))
  }

  @Test func `the verdict is saved as text; under the name of a web page it points to the report`() {
    var session = Session(typing: "V<c-s>")
    #expect(session.state.stack.typing?.text == "verdict.txt")
    session.type("<c-u>v.html<enter>")
    #expect(session.lastErrand == nil && session.state.message == "Nothing was saved: X saves the report as HTML.")
    session.type("<c-s><enter>")
    guard case .save(_, "verdict.txt", replacing: false)? = session.lastErrand else { return #expect(Bool(false)) }
  }
}
