@testable import CarryoverReview

@Suite("The members of a value") struct MembersTests {
  private static let legacy =
    #"{ "id" : 42, "email":"old@acme.example","a\/b":1.50,"plan":{"tier":"gold","since":2019}, "gone":true }"#
  private static let proposal = #"{ "email":"new@acme.example","a\/b":1.50,"plan":{"tier":"gold","since":2019} }"#

  private func session(
    legacy: PropertyListValue = .string(legacy), proposed: PropertyListValue? = .string(proposal),
    current: PropertyListValue? = nil, rows: Int = 40, redaction: Redaction? = nil
  ) -> Session {
    var plan = acmePlan()
    plan.fields[2].legacy = legacy
    plan.fields[2].proposed = proposed
    plan.fields[2].current = current
    var masks = redaction
    masks?.learn(plan)
    return Session(plan, rows: rows, redaction: masks, typing: "jjm")
  }

  private func edited(_ session: Session) -> String? {
    guard case .edit(let value) = session.state.decisions["traits"] else { return nil }
    return value.jsonText
  }

  @Test func `each member is a row with its three values and what happens to it; what is unchanged is folded`() throws {
    let session = session(current: #"{"email":"x","plan":{"tier":"basic"},"own":[1]}"#)
    let lines = session.lines
    func line(_ name: String) throws -> String { try #require(lines.first { $0.contains("  \(name) ") }) }
    #expect(try line("id").contains("42") && (try line("id")).contains("removed"))
    #expect(try line("email").contains("old@") && (try line("email")).contains("new@"))
    #expect(try line("email").contains("changed"))
    #expect(try line("tier").contains("gold") && (try line("tier")).contains("differs"))
    #expect(try line("own").contains("[1]"))
    #expect(lines.contains { $0.contains("- plan") && $0.contains("differs") })
    #expect(session.text.contains("Members: 2 removed, 1 changed, 3 differs"))
  }

  @Test func `many unchanged members are one row, which opens and folds again`() {
    let many = (0..<240).map { #""m\#($0)":\#($0)"# }.joined(separator: ",")
    var session = session(legacy: .string("{\"id\":1,\(many)}"), proposed: .string("{\(many)}"))
    #expect(session.text.contains("… 240 members unchanged") && !session.text.contains("m17"))
    #expect(session.text.contains("Members: 1 removed, 240 unchanged"))
    session.type("j", shows: "enter shows them")
    session.type("<enter>")
    #expect(session.state.members?.list.rows.count == 241 && session.text.contains("m17"))
    session.type("h", then: \.state.members?.list.rows.count, is: 2)
  }

  @Test func `taking and dropping members keeps every other byte, each can be undone, and all back is the proposal`() {
    var session = session()
    session.type("1")
    #expect(
      edited(session) == #"{ "email":"new@acme.example","a\/b":1.50,"plan":{"tier":"gold","since":2019},"id":42 }"#)
    #expect(session.text.contains("2 Edited"))
    session.type("j1")
    #expect(edited(session)?.contains(#""email":"old@acme.example""#) == true)
    session.type("uu")
    #expect(session.state.decisions["traits"] == nil && session.text.contains("2 Proposed"))
    session.type("U2")
    #expect(session.state.decisions["traits"] != nil)
    session.type("s")
    #expect(edited(session)?.contains("email") == false)
    session.type("2")
    #expect(edited(session)?.contains(#""email":"new@acme.example""#) == true)
  }

  @Test func `members of members are taken, dropped and edited as JSON; what is no JSON is refused with its reason`() {
    var session = session(current: #"{"plan":{"tier":"basic"}}"#)
    while session.state.selectedMember?.path != ["plan", "tier"] { session.type("j") }
    session.type("3")
    #expect(edited(session)?.contains(#""plan":{"tier":"basic","since":2019}"#) == true)
    session.type("s")
    #expect(edited(session)?.contains(#""plan":{"since":2019}"#) == true)
    session.type("e<c-u>gold", shows: "Edit traits.plan.tier (JSON)", "Enter JSON")
    session.type("<enter>", then: \.state.screen, is: .editor)
    session.type("<c-u>\"gold\"<enter>", then: \.state.screen, is: .members)
    #expect(edited(session)?.contains(#""plan":{"since":2019,"tier":"gold"}"#) == true)
    #expect(session.state.history.done.count == 3)
  }

  @Test func `a value stored as a dictionary, or as data, is compared by its members too`() {
    let dictionary: PropertyListValue = ["email": "d@acme.example"]
    #expect(session(legacy: dictionary).text.contains("d@acme.exam"))
    #expect(session(legacy: .data(Array(#"{"email":"b@acme.example"}"#.utf8))).text.contains("b@acme.exam"))
  }

  @Test func `a field without members, and a proposal that is none, say so`() {
    let session = Session(typing: "m")
    #expect(session.state.screen == .review && session.text.contains("This value has no members."))
    #expect(self.session(proposed: nil).text.contains("There is no proposal with members."))
    #expect(self.session(proposed: "[1]").text.contains("not the text of a JSON object"))
  }

  @Test func `hostile names and values are escaped; masked ones stay masked, and nothing of them is edited`() {
    let shown = session(legacy: .string("{\"\u{202E}x\\u001b[2J\":\"\\u001b[31mred\u{202E}\"}"), proposed: "{}")
    #expect(!shown.text.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
    #expect(shown.text.contains("removed"))
    var masked = session(redaction: Redaction(recipes: [.rudderStackObjC]))
    #expect(masked.state.screen == .members && masked.text.contains("email"))
    #expect(!masked.text.contains("acme.example"))
    for key in ["1", "2", "3", "s", "e", "E"] {
      masked.type(key)
      #expect(masked.state.decisions.isEmpty && masked.state.screen == .members && masked.lastErrand == nil)
    }
    #expect(masked.text.contains("Values are masked here"))
  }

  @Test func `line by line, the same members are read and taken by their words`() {
    var plan = acmePlan()
    plan.fields[2].legacy = .string(Self.legacy)
    plan.fields[2].proposed = .string(Self.proposal)
    var talk = LineTalk(plan)
    talk.type("3", "members")
    #expect(talk.answer.contains("Members of traits") && talk.answer.contains("id, removed: legacy 42, written none"))
    talk.type("use-legacy", says: "id, unchanged")
    talk.type("2", "edit \"me@acme.example\"")
    guard case .edit(.string(let text)) = talk.review.state.decisions["traits"] else { return #expect(Bool(false)) }
    #expect(text.contains("me@acme.example") && text.contains(#""id":42"#))
  }

  @Test func `ten thousand members are moved in without walking through them`() {
    func cost(_ count: Int) -> Duration {
      let many = (0..<count).map { #""m\#($0)":{"x":\#($0)}"# }.joined(separator: ",")
      var session = session(legacy: .string("{\(many)}"), proposed: "{}")
      #expect(session.state.members?.list.rows.count == 2 * count)
      return ContinuousClock().measure { for _ in 0..<40 { session.type("j"); _ = session.lines } }
    }
    _ = cost(100)
    #expect(cost(10_000) < max(cost(100), .milliseconds(20)) * 12)
  }
}

@Suite("JSON objects side by side") struct MemberTreeTests {
  private func told(_ texts: String?...) throws -> [String] {
    let tree = try #require(MemberTree(texts))
    return tree.nodes.indices.map {
      "\(tree.path(of: $0).joined(separator: ".")) \(tree.nodes[$0].fate.word) \(tree.nodes[$0].changes)"
    }
  }

  @Test func `members are compared one by one, also in each other, whatever their order and spacing`() throws {
    let told = try told(
      #"{"a":1,"b":{"city":"Köln","zip":"50667"},"gone":[1,2],"same":true}"#,
      #"{ "same" : true, "b": {"zip":"50667","city":"Bonn"}, "a": 1.0, "new": null }"#)
    #expect(
      told == [
        "a changed 1", "b changed 1", "b.city changed 1", "b.zip unchanged 0", "gone removed 1", "same unchanged 0",
        "new added 1",
      ])
  }

  @Test func `what the target has besides differs, and what is removed from an object that goes is removed`() throws {
    let told = try told(
      #"{"a":1,"b":{"c":1},"o":{"x":1}}"#, #"{"a":1,"b":{"c":1}}"#, #"{"a":2,"b":{"c":1,"d":2},"e":3}"#)
    #expect(
      told == [
        "a differs 1", "b differs 1", "b.c unchanged 0", "b.d differs 1", "o removed 1", "o.x removed 1", "e differs 1",
      ])
  }

  @Test func `a member that is named twice counts as its last, and objects beside others are compared whole`() throws {
    #expect(try told(#"{"a":1,"a":{"x":2}}"#, #"{"a":{"x":2}}"#) == ["a unchanged 0"])
    #expect(try told(#"{"a":{"x":1}}"#, #"{"a":[1]}"#) == ["a changed 1"])
    // Two spellings of one letter are two names.
    #expect(try told("{\"\u{E9}\":1}", "{\"e\u{301}\":1}").count == 2)
  }

  @Test(arguments: ["[1]", "42", "", "{"])
  func `only objects are compared`(text: String) {
    #expect(MemberTree([#"{"a":1}"#, text]) == nil)
    #expect(MemberTree([text, #"{"a":1}"#]) == nil)
    #expect(MemberTree([text, #"{"a":1}"#, #"{"b":1}"#]) != nil)
  }

  @Test func `objects as deep as they may be, and ten thousand members, are all compared`() throws {
    let deep = String(repeating: #"{"a":"#, count: 500)
    let end = String(repeating: "}", count: 500)
    let tree = try #require(MemberTree([deep + "1" + end, deep + "2" + end]))
    #expect(tree.nodes.count == 500 && tree.counts == [.changed: 1] && tree.nodes[0].changes == 1)
    let many = "{" + (0..<10_000).map { #""m\#($0)":\#($0)"# }.joined(separator: ",") + "}"
    #expect(try #require(MemberTree([many, many])).counts == [.kept: 10_000])
    #expect(MemberTree([#"{"a":""# + String(repeating: "x", count: MemberTree.limit) + #""}"#, "{}"]) == nil)
  }

  @Test func `the keys of fields that a run leaves alone are counted among those that stay`() throws {
    var plan = acmePlan()
    let path = try #require(plan.target?.path)
    plan.target?.exists = true
    let target = store(path, ["anonymous_id": "a-1", "session_id": 7, "app.own": true])
    let left = plan.fields.map(\.id).filter { $0 != "traits" }
    let decisions = Decisions(uniqueKeysWithValues: left.map { ($0, .omit) })
    #expect(try plan.filePreviews(decisions, in: container([target])).map(\.otherKeys) == [3])
  }

  @Test func `the preview shows the members that differ, with the file's size and format`() throws {
    var plan = acmePlan()
    let row = try #require(plan.fields.firstIndex { $0.id == "traits" })
    plan.fields[row].current = .string(#"{"email":"old@acme.example"}"#)
    plan.fields[row].proposed = .string(#"{"email":"new@acme.example","plan":"pro"}"#)
    plan.fields[row].status = .conflict
    let path = try #require(plan.target?.path)
    plan.target?.exists = true
    let target = store(path, ["traits": #"{"email":"old@acme.example"}"#, "app.own": 7, "other": true])
    var session = Session(plan, container: container([target]), typing: "n n a")
    for words in [
      "~ traits", #"- email  "old@acme.example""#, #"+ email  "new@acme.example""#, #"+ plan   "pro""#,
      "binary property list, as before", "2 other keys of the file stay as they are.", "2 accepted",
    ] {
      #expect(session.text.contains(words), "\(words) in \(session.text)")
    }
    let file = try #require(session.state.pages.preview.files.first)
    #expect(file.sizeBefore == target.size && file.sizeAfter > target.size ?? 0)
    session.type("<enter> <down>")
    session.send(.mouse(Mouse(.select, at: Position(column: 2, row: 2))))
    #expect(
      session.state.screen == .preview && !session.effects.contains { if case .apply = $0 { true } else { false } })
  }
}

@Suite("Opened values in words") struct InspectedTextTests {
  private func bytes(_ value: PropertyListValue, _ format: PropertyListFormat = .binary) throws -> PropertyListValue {
    .data(try PropertyListDocument.encode(value, as: format))
  }

  private func archive(_ object: PropertyListValue, _ more: PropertyListValue...) -> PropertyListValue {
    [
      "$version": 100_000, "$archiver": "NSKeyedArchiver", "$top": ["root": .uid(1)],
      "$objects": .array(["$null", object] + more),
    ]
  }

  private var user: PropertyListValue {
    archive(
      ["$class": .uid(2), "name": .uid(3), "self": .uid(1)], ["$classname": "ACMEUser", "$classes": ["ACMEUser"]], "Ada"
    )
  }

  @Test func `every packing has its words`() throws {
    let list: [(PropertyListValue, type: String, packing: String?, inline: String)] = [
      ("abc", "string", nil, "abc"), (["a": 1], "dictionary", nil, "dictionary of 1 key"),
      (#"{"a": 1, "b": 2}"#, "object", "JSON in a string", "JSON object of 2 members in a string"),
      (.data(Array("[1]".utf8)), "array", "JSON in data", "JSON array of 1 element in data"),
      (
        try bytes(["a": 1, "b": 2]), "dictionary", "binary property list in data",
        "binary property list of 2 keys in data"
      ),
      (try bytes(["a": 1], .xml), "dictionary", "XML property list in data", "XML property list of 1 key in data"),
      (try bytes("x"), "string", "binary property list in data", "binary property list in data: x"),
      (try bytes(user), "ACMEUser", "keyed archive in data", "keyed archive of ACMEUser"),
      (user, "ACMEUser", "keyed archive", "keyed archive of ACMEUser"),
      (.data(Array("hello".utf8)), "string", "text in data", "text in data: hello"),
      (
        try bytes("[1]"), "array", "JSON in a string in a binary property list in data",
        "JSON array of 1 element in a string in a binary property list in data"
      ),
    ]
    #expect(InspectedValue(#"{"a": 1}"#).typeWord == "string")
    #expect(InspectedValue(#"{"a": 1}"#).typeWords == "JSON in a string: object")
    for (value, type, packing, inline) in list {
      let value = InspectedValue(value)
      #expect(InspectedText.type(value) == type && InspectedText.packing(value) == packing)
      #expect(InspectedText.inline(value) == inline)
    }
  }

  @Test func `values of JSON and of archives stand on one line`() throws {
    let json = InspectedValue(#"{"a": 1.50, "b": null, "c": "42", "d": {}, "e": true}"#)
    #expect(
      json.children.map { InspectedText.inline($0.value) } == ["1.50", "null", "\"42\"", "object of 0 members", "true"])
    #expect(json.children.map { InspectedText.type($0.value) } == ["number", "null", "string", "object", "boolean"])
    let members = InspectedValue(user).children.map(\.value)
    #expect(members.map { InspectedText.inline($0) } == ["Ada", "contains itself (object 1)"])
    #expect(members.map { InspectedText.rawType($0) } == ["string", "cycle"])
    #expect(members.map { InspectedText.whole($0) } == ["Ada", nil])
  }

  @Test func `a long value makes no long line, and what was left packed says so`() throws {
    let long = String(repeating: "a", count: 1 << 20)
    #expect(InspectedText.inline(InspectedValue(.string(long)), limit: 80).utf8.count < 1000)
    let object = archive(["$class": .uid(2)], ["$classname": .string(long), "$classes": []])
    #expect(InspectedText.inline(InspectedValue(object), limit: 80).utf8.count < 1000)
    let row = InspectedValue(.string("[\"\(long)\"]"), limits: .row)
    #expect(
      InspectedText.inline(row) == "1048580 bytes, not opened here" && InspectedText.packing(row) == "packed string")
  }
}

@Suite("JSON that is looked at") struct VisibleJSONTests {
  @Test(arguments: Extent.isFull ? Array(0...16) : [0, 1, 14, 16] as [UInt32])
  func `JSON that is printed hides exactly what a screen hides, and reads back`(plane: UInt32) throws {
    var text = String.UnicodeScalarView()
    for value in (plane << 16)...(plane << 16 | 0xFFFF) {
      if let scalar = Unicode.Scalar(value) { text.append(scalar) }
    }
    let value = JSONValue.string(String(text))
    let printed = value.text(visible: true)
    // A backslash is doubled there where it could be taken for an escape, but these are escapes.
    let isShown = DisplayText.harmless(printed).unicodeScalars.elementsEqual(printed.unicodeScalars)
    #expect(isShown)
    let isSame = try JSONText(printed).value == value
    #expect(isSame)
    let kept = text.count { !DisplayText.harmless(String($0)).hasPrefix("\\u") }
    let shown = printed.unicodeScalars.count { $0.value >= 0x80 }
    #expect(plane == 0 || shown == kept)
  }
}
