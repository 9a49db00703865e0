@testable import Carryover
import CarryoverSystem
import CarryoverVendors
import PropertyLists
import CarryoverTestSupport
import Testing

@testable import CarryoverReview

@Suite("A review of very many fields")
struct ManyFieldsTests {
  @Test(
    "a key takes time in proportion to the fields at most",
    arguments: [
      "G<pgup>kg<pgdn>j5j", "/9<enter>nnN", "/value 1<bs><bs><esc>", "fis:undecided<enter>Gg<esc>", "f99<enter>n<esc>",
      "Ac", "vG uU", "vGsu", "wGg<esc>", "a<end><esc>",
    ])
  func keys(_ script: String) {
    let factor = Growth.factor(from: 1000) { count in
      Session(largePlan(count))
    } _: { session in
      for _ in 0..<3 { session.type(script) }
      #expect(session.text.contains("of"))
    }
    #expect(factor < Growth.most)
  }

  @Test("a review of fields that the update would lose opens in time in proportion to them", arguments: [false, true])
  func opening(_ haveOneLoss: Bool) {
    let factor = Growth.factor(from: 1000) { count in
      var plan = largePlan(count)
      plan.definition.rules = plan.fields.map { field in
        FieldRule(
          target: field.id, group: .other, form: .string, candidates: [Candidate(SourceKey(field.id))],
          loss: haveOneLoss ? .lost("the flags") : nil)
      }
      return plan
    } _: { (plan: inout Plan) in
      #expect(Session(plan).state.verdict?.losses.isEmpty == false)
    }
    #expect(factor < Growth.most)
  }

  @Test(
    "what is left behind of a container costs no more a key, on any screen",
    arguments: ["w<end>", "a<end>", "<tab><end>j"])
  func leftBehind(_ script: String) {
    let factor = Growth.factor(from: 1000) { count in
      var plan = acmePlan()
      plan.dropped = (0..<count).map { DroppedKey(key: "rl_\($0)", value: "value", reason: "No rule knows the key.") }
      plan.containerFindings = [Finding(.droppedUnknownKey(plan.dropped.map(\.key)))]
      return plan
    } _: { (plan: inout Plan) in
      var session = Session(plan)
      session.type(script)
      #expect(session.lines.count == 40)
    }
    #expect(factor < Growth.most)
  }

  @Test("a masked value of any length is masked once, and not for each frame")
  func maskedValue() throws {
    let factor = Growth.factor(from: 2000) { count in
      let members = (0..<count).map { #""trait \#($0)":"value \#($0)""# }.joined(separator: ",")
      var plan = acmePlan()
      plan.fields[2].legacy = .string("{\(members)}")
      plan.fields[2].proposed = plan.fields[2].legacy
      var redaction = Redaction(recipes: [.rudderStackObjC])
      redaction.learn(plan)
      var session = Session(redaction.findings(of: plan), redaction: redaction)
      session.type("jk")
      #expect(!session.text.contains("value 0"))
      return session
    } _: { session in
      for _ in 0..<5 {
        session.type("jk")
        #expect(!session.text.contains("value 0"))
      }
    }
    #expect(factor < 2)
  }
}
