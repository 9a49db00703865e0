import Carryover
import CarryoverSystem
import CarryoverTerminal
import PropertyLists
import Testing

@testable import CarryoverReview

@Suite("What differs between two JSON texts")
struct JSONDiffTests {
  @Test("members are compared one by one, also below each other, whatever their order and spacing")
  func members() throws {
    let diff = try #require(
      JSONDiff(
        #"{"a":1,"b":{"city":"Köln","zip":"50667"},"gone":[1,2],"same":true}"#,
        #"{ "same" : true, "b": {"zip":"50667","city":"Bonn"}, "a": 1.0, "new": null }"#))
    #expect(
      diff.lines == [
        .init(isAdded: false, path: "a", text: "1"), .init(isAdded: true, path: "a", text: "1.0"),
        .init(isAdded: false, path: "b.city", text: #""Köln""#), .init(isAdded: true, path: "b.city", text: #""Bonn""#),
        .init(isAdded: false, path: "gone", text: "[1,2]"), .init(isAdded: true, path: "new", text: "null"),
      ])
    #expect(diff.unchanged == 2)
  }

  @Test(
    "texts that are no objects, or name a member twice, are not compared by members",
    arguments: ["[1]", "42", "", "{", #"{"a":1,"a":2}"#, #"{"b":{"a":1,"a":2}}"#])
  func others(text: String) {
    #expect(JSONDiff(text, #"{"a":1,"b":{"a":1}}"#) == nil)
    #expect(JSONDiff(#"{"a":1,"b":{"a":1}}"#, text) == nil)
  }

  @Test("objects nested beyond reason are compared as a whole, and too long ones not at all")
  func bounds() throws {
    let deep = String(repeating: #"{"a":"#, count: 40)
    let end = String(repeating: "}", count: 40)
    let diff = try #require(JSONDiff(deep + "1" + end, deep + "2" + end))
    #expect(diff.lines.count == 2 && diff.lines[0].path.count < 40)
    let long = #"{"a":""# + String(repeating: "x", count: JSONDiff.limit) + #""}"#
    #expect(JSONDiff(long, "{}") == nil)
  }

  @Test("the preview shows the members that differ, with the file's size and format")
  func preview() throws {
    var plan = acmePlan()
    let row = try #require(plan.fields.firstIndex { $0.id == "traits" })
    plan.fields[row].current = .string(#"{"email":"old@acme.example"}"#)
    plan.fields[row].proposed = .string(#"{"email":"new@acme.example","plan":"pro"}"#)
    plan.fields[row].status = .conflict
    let path = try #require(plan.target?.path)
    plan.target?.exists = true
    let target = store(
      path, ["traits": #"{"email":"old@acme.example"}"#, "app.own": 7, "other": true])
    var session = Session(plan, container: container([target]))
    session.type("n n a")
    for words in [
      "~ traits", #"- email  "old@acme.example""#, #"+ email  "new@acme.example""#, #"+ plan   "pro""#,
      "binary property list, as before", "2 other keys of the file stay as they are.", "2 confirmed",
    ] {
      #expect(session.text.contains(words), "\(words) in \(session.text)")
    }
    let file = try #require(session.state.filePreview)
    #expect(file.sizeBefore == target.size && file.sizeAfter > target.size ?? 0)
    session.type("<enter> <down>")
    session.send(.mouse(Mouse(.select, at: Position(column: 2, row: 2))))
    #expect(
      session.state.screen == .preview && !session.effects.contains { if case .apply = $0 { true } else { false } })
  }
}
