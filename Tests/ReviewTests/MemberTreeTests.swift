import Carryover
import CarryoverSystem
import CarryoverTerminal
import PropertyLists
import Testing

@testable import CarryoverReview

@Suite("JSON objects side by side")
struct MemberTreeTests {
  private func told(_ texts: String?...) throws -> [String] {
    let tree = try #require(MemberTree(texts))
    return tree.nodes.indices.map {
      "\(tree.path(of: $0).joined(separator: ".")) \(tree.nodes[$0].fate.word) \(tree.nodes[$0].changes)"
    }
  }

  @Test("members are compared one by one, also in each other, whatever their order and spacing")
  func members() throws {
    let told = try told(
      #"{"a":1,"b":{"city":"Köln","zip":"50667"},"gone":[1,2],"same":true}"#,
      #"{ "same" : true, "b": {"zip":"50667","city":"Bonn"}, "a": 1.0, "new": null }"#)
    #expect(
      told == [
        "a changed 1", "b changed 1", "b.city changed 1", "b.zip unchanged 0", "gone removed 1", "same unchanged 0",
        "new added 1",
      ])
  }

  @Test("what the target has besides differs, and what is removed from an object that goes is removed")
  func target() throws {
    let told = try told(
      #"{"a":1,"b":{"c":1},"o":{"x":1}}"#, #"{"a":1,"b":{"c":1}}"#, #"{"a":2,"b":{"c":1,"d":2},"e":3}"#)
    #expect(
      told == [
        "a differs 1", "b differs 1", "b.c unchanged 0", "b.d differs 1", "o removed 1", "o.x removed 1", "e differs 1",
      ])
  }

  @Test("a member that is named twice counts as its last, and objects beside other values are compared as a whole")
  func repeated() throws {
    #expect(try told(#"{"a":1,"a":{"x":2}}"#, #"{"a":{"x":2}}"#) == ["a unchanged 0"])
    #expect(try told(#"{"a":{"x":1}}"#, #"{"a":[1]}"#) == ["a changed 1"])
    // Two spellings of one letter are two names.
    #expect(try told("{\"\u{E9}\":1}", "{\"e\u{301}\":1}").count == 2)
  }

  @Test("only objects are compared", arguments: ["[1]", "42", "", "{"])
  func others(text: String) {
    #expect(MemberTree([#"{"a":1}"#, text]) == nil)
    #expect(MemberTree([text, #"{"a":1}"#]) == nil)
    #expect(MemberTree([text, #"{"a":1}"#, #"{"b":1}"#]) != nil)
  }

  @Test("objects as deep as they may be, and ten thousand members, are all compared")
  func bounds() throws {
    let deep = String(repeating: #"{"a":"#, count: 500)
    let end = String(repeating: "}", count: 500)
    let tree = try #require(MemberTree([deep + "1" + end, deep + "2" + end]))
    #expect(tree.nodes.count == 500 && tree.counts == [.changed: 1] && tree.nodes[0].changes == 1)
    let many = "{" + (0..<10_000).map { #""m\#($0)":\#($0)"# }.joined(separator: ",") + "}"
    #expect(try #require(MemberTree([many, many])).counts == [.kept: 10_000])
    #expect(MemberTree([#"{"a":""# + String(repeating: "x", count: MemberTree.limit) + #""}"#, "{}"]) == nil)
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
      "binary property list, as before", "2 other keys of the file stay as they are.", "2 accepted",
    ] {
      #expect(session.text.contains(words), "\(words) in \(session.text)")
    }
    let file = try #require(session.state.filePreviews.first)
    #expect(file.sizeBefore == target.size && file.sizeAfter > target.size ?? 0)
    session.type("<enter> <down>")
    session.send(.mouse(Mouse(.select, at: Position(column: 2, row: 2))))
    #expect(
      session.state.screen == .preview && !session.effects.contains { if case .apply = $0 { true } else { false } })
  }
}
