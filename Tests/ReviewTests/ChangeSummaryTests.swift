@testable import Carryover
import CarryoverSystem
import CarryoverVendors
import PropertyLists
import Testing

@testable import CarryoverReview

@Suite("The change in words")
struct ChangeSummaryTests {
  @Test(
    "from legacy value to proposal",
    arguments: [
      ("a", "a", "as is"), (true, false, "inverted"), (1_763_640_000, "1763640000", "→ string"),
      (1_763_640_123, "1763640123000", "s → ms, → string"), (1_763_640_123.75, "1763640123750", "s → ms, → string"),
      ("42", 42, "→ integer"), ("a", "b", "changed"), (nil, true, "by default"), (nil, nil, "absent"),
      (#"{"a":1,"id":2}"#, #"{"a":1}"#, "−1 member"),
      (#"{"a":1,"id":2,"userId":{"x":[1,2]},"anonymousId":""}"#, #"{"a":1}"#, "−3 members"), ("x", nil, "not migrated"),
    ] as [(PropertyListValue?, PropertyListValue?, String)])
  func proposal(legacy: PropertyListValue?, proposed: PropertyListValue?, words: String) {
    #expect(ChangeSummary.text(field(legacy, proposed), nil) == words)
  }

  @Test("a type the legacy SDK does not write is named")
  func unexpectedType() {
    var field = field(42, "42")
    field.findings = [Finding(.userIDNotString(kind: "number", text: "42"))]
    #expect(ChangeSummary.text(field, nil) == "number → string")
  }

  @Test("what cannot be carried over says why")
  func refusal() {
    var field = field("4.2.0-rc1", nil)
    field.findings = [Finding(.appBuildNotInteger("4.2.0-rc1", normalised: nil))]
    #expect(ChangeSummary.text(field, nil) == "not an integer")
  }

  @Test("what the beta SDK 2 never stored, and a session that was ended, are named")
  func betaSDK() {
    var field = field(nil, nil)
    field.status = .needsDecision
    field.findings = [Finding(.v2AnonymousIDNotStored(stored: []))]
    #expect(ChangeSummary.text(field, nil) == "not stored")
    field.status = .dropped
    field.findings = [Finding(.v2SessionStopped)]
    #expect(ChangeSummary.text(field, nil) == "session ended")
  }

  @Test("the target's own value is told of before anything else")
  func target() {
    var field = field("a", "a")
    field.current = "b"
    field.status = .conflict
    #expect(ChangeSummary.text(field, nil) == "target differs")
    #expect(ChangeSummary.text(field, .migrate) == "replaces target's")
    field.status = .needsDecision
    field.findings = [Finding(.targetWrongType(1, needs: .string))]
    #expect(ChangeSummary.text(field, nil) == "repairs target's")
  }

  @Test("a decision is said instead of the change")
  func decisions() {
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
