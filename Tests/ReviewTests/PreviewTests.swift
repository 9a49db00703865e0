import Carryover
import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors
import PropertyLists
import Testing

@testable import CarryoverReview

@Suite("The preview of an apply")
struct PreviewTests {
  private func session(_ plan: Plan, skipping: Bool = false) -> Session {
    let skips = skipping ? Decisions(uniqueKeysWithValues: plan.fields.map { ($0.id, Decision.skip) }) : [:]
    var session = Session(plan, rows: 100, decisions: skips)
    session.type("a")
    return session
  }

  private func said(_ plan: Plan, skipping: Bool = false) -> String {
    let skips = skipping ? Decisions(uniqueKeysWithValues: plan.fields.map { ($0.id, Decision.skip) }) : [:]
    var session = LineTalk(plan, decisions: skips)
    session.type("apply")
    return session.answer
  }

  @Test("a backup is spoken of where something would be written, and nowhere else")
  func backup() throws {
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

  @Test("what is absent is said to be absent from where it was looked for")
  func absence() throws {
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
