@testable import CarryoverReview

@Suite("Details of a field") struct DetailsTests {
  private static let distances: [(Int64, String)] = [
    (0, "at the moment of this plan"), (-1, "1 second before this plan"), (119, "119 seconds after this plan"),
    (120, "2 minutes after this plan"), (-259_200, "3 days before this plan"),
    (-5_270_400, "2 months before this plan"), (94_670_856, "3 years after this plan"),
  ]

  private func details(_ change: (inout Field) -> Void, columns: Int = 120, script: String = "<enter>") -> Session {
    var plan = acmePlan()
    change(&plan.fields[0])
    var session = Session(plan, columns: columns, rows: 100)
    session.type(script)
    return session
  }

  @Test func `what is stripped, changed and added is marked, in the legacy text and in the proposal`() {
    let session = details { field in
      field.legacy = #"{"a":1,"b":{"c":2},"gone":true,"e":"x\/y"}"#
      field.proposed = #"{"a":1,"b":{"c":3},"new":null,"e":"x/y"}"#
    }
    let lines = session.lines
    #expect(lines.contains { $0.contains("- ") && $0.contains(#""gone": true"#) && $0.contains("removed") })
    #expect(lines.filter { $0.contains("~ ") && $0.contains(#""b": {"#) && $0.contains("changed") }.count == 2)
    #expect(lines.contains { $0.contains("+ ") && $0.contains(#""new": null"#) && $0.contains("added") })
    #expect(!lines.contains { $0.contains(#""e""#) && $0.contains("changed") })
    #expect(!lines.contains { $0.contains(#""a""#) && $0.contains("changed") })
  }

  @Test func `the footer offers another value where the field has one, the help says why not`() {
    var session = details { _ in }
    #expect(!session.lines.contains { $0.contains("1-9 other value") })
    session.type("?", shows: "There is no other value")
    session.type("<esc><esc>j<enter>", then: \.state.selected?.alternatives.isEmpty, is: false)
    #expect(session.lines.last?.contains("1-9 other value") == true)
  }

  @Test func `bytes are shown as hex with their text, eight or sixteen a line`() {
    let cases: [(columns: Int, expected: String)] = [
      (120, "000000  41 1b 5b 42 80 "), (70, "000000  41 1b 5b 42 80 00 01 02  A.[B...."),
    ]
    let bytes: [UInt8] = [0x41, 0x1B, 0x5B, 0x42, 0x80] + Array(0..<20)
    for (columns, expected) in cases {
      let session = details({ $0.legacy = .data(bytes) }, columns: columns)
      #expect(session.text.contains(expected), "\(session.text)")
      #expect(session.text.contains("data, 25 bytes"))
    }
  }

  @Test func `a change of type says what the new SDK reads`() {
    let session = Session(typing: "jjj<enter>")
    #expect(session.text.contains("number → string: the new SDK reads a string of decimal digits"))
  }

  @Test func `a moment is shown in UTC, in local time and by its distance from the plan`() {
    let session = Session(typing: "jjj<enter>")
    #expect(session.text.contains("2025-11-20 12:00:00 UTC, read as seconds since 1970"))
    #expect(session.text.contains("2025-11-20 14:00:00 local time (+02:00)"))
    #expect(session.text.contains("3 minutes before this plan"))
  }

  @Test(arguments: DetailsTests.distances)
  func `distances in time are words`(seconds: Int64, words: String) {
    let now = Moment(secondsSince1970: 1_763_640_300)
    #expect(TimeDistance.words(Moment(secondsSince1970: 1_763_640_300 + seconds), fromPlan: now) == words)
    #expect(TimeDistance.words(Moment(millisecondsSince1970: .min), fromPlan: now) == "outside the calendar")
  }

  @Test func `where the guide or the migrator would write something else than Carryover, a word says so`() {
    let session = details { field in
      field.readings = FourWayReadings(
        legacy: .value("a", note: nil), guide: .value("b", note: nil), helper: .nothing("dropped"),
        plan: .value("b", note: "once you accept"))
    }
    let lines = session.lines
    #expect(lines.contains { $0.contains("the legacy SDK reads  a") && !$0.contains("differs") })
    #expect(lines.contains { $0.contains("the guide writes      b") && !$0.contains("differs") })
    #expect(lines.contains { $0.contains("the migrator writes   nothing  differs · dropped") })
  }

  @Test func `what was decided for the field is told in order`() {
    var session = Session(typing: "j e<c-u>x<enter>s<enter>")
    #expect(session.text.contains("Decided     accepted, then edited: x, then skipped"))
    session.type("u")
    #expect(session.text.contains("Decided     accepted, then edited: x ") && !session.text.contains("then skipped"))
    session.type("1", shows: "then edited: ", "  in use")
  }

  @Test(arguments: [
    ("abcdef", "abcxef", "differs after character 3: “abcdef” here, “abcxef” in the proposal"),
    ("abc", "abcdef", "differs after character 3: “abc” here, “abcdef” in the proposal"),
    ("zzz", "abc", "differs from the first character on: “zzz” here, “abc” in the proposal"),
    ("same", "same", "the same as the proposal"),
    (#"{"a":1,"x":2}"#, #"{"a":2,"b":3}"#, "1 member with another value, 1 not in the proposal; lacks b"),
    (#"{"b":1,"a":2}"#, #"{"a":2,"b":1}"#, "the same members, in a different order or form"),
  ])
  func `the target's value says where it parts from the proposal`(current: String, proposed: String, words: String) {
    let session = details { field in
      field.legacy = "other"
      field.current = .string(current)
      field.proposed = .string(proposed)
    }
    #expect(session.text.contains(words), "\(session.text)")
  }

  @Test func `a target's value of another type is said to read as absent`() {
    let session = details { $0.current = 42 }
    #expect(session.text.contains("integer, but the new SDK reads a string: it treats this as absent"))
  }

  @Test func `where the value goes is named with its key, its file and the form`() {
    let session = Session(rows: 60, typing: "<enter>")
    #expect(session.text.contains("anonymous_id in AppData/Library/Preferences/com.acme.shop.analytics"))
    #expect(session.text.contains("a new file"))
  }

  @Test func `masked values stay masked where they are compared, and their types and sizes are true`() {
    var plan = acmePlan()
    plan.fields[0].current = "3b8e55d0-91c4-4f6a-a7d2-c20e6f18497b"
    plan.fields[1].legacy = .data([1, 2, 3])
    plan.fields[2].current = #"{"email":"other@b.co","plan":{"tier":"gold","since":2019},"ratio":1.0}"#
    var redaction = Redaction(recipes: [.rudderStackObjC])
    redaction.learn(plan)
    var session = Session(redaction.findings(of: plan), rows: 100, redaction: redaction, typing: "<enter>")
    #expect(session.text.contains("differs from the proposal") && !session.text.contains("3b8e"))
    session.type("]", shows: "data", "3 bytes")
    session.type("]", shows: "1 member with another value")
    #expect(!session.text.contains("other@b.co") && !session.text.contains("a@b.co"))
  }
}

@Suite("Values as text") struct ValueTextTests {
  @Test(
    arguments: [
      ("abc", "abc"), ("4.2.0", "4.2.0"), ("42", "\"42\""), ("1e5", "\"1e5\""), ("true", "\"true\""), ("", "\"\""),
      (" x", "\" x\""), (42, "42"), (true, "true"), (.data([0, 255]), "2 bytes 00ff"), ([1, 2], "array of 2 elements"),
      (["a": 1], "dictionary of 1 key"), (.uid(3), "UID 3"), (.null, "null"),
    ] as [(PropertyListValue, String)])
  func `text that could be taken for another type stands in quotation marks`(value: PropertyListValue, text: String) {
    #expect(value.inline(limit: 40) == text)
  }

  @Test func `moments are told from numbers by their size, in UTC and at an offset`() throws {
    let seconds = try #require(MomentReading(ofTime: 1_763_640_123))
    #expect(seconds.unit.words == "seconds since 1970")
    #expect(MomentText.text(seconds.moment) == "2025-11-20 12:02:03")
    #expect(MomentText.text(seconds.moment, offset: -19_800) == "2025-11-20 06:32:03")
    #expect(MomentText.zone(-19_800) == "-05:30" && MomentText.zone(7200) == "+02:00")
    let milliseconds = try #require(MomentReading(ofTime: "1763640123456"))
    #expect(MomentText.text(milliseconds.moment) == "2025-11-20 12:02:03.456")
    #expect(MomentReading(ofTime: 42) == nil && MomentReading(ofTime: "x") == nil)
    #expect(MomentText.text(Moment(millisecondsSince1970: .max)) == "not a calendar date")
    #expect(MomentReading(ofTime: .date(PropertyListDate(secondsSince2001: .nan))) == nil)
  }

  @Test func `JSON text is laid out with every lexeme as it stands`() throws {
    let outline = try #require(JSONOutline(#" {"a" : 1.0,"b":[ ],"c":{"d":[1,"x\"}"]}} "#))
    #expect(outline.memberCount == 3)
    let text = outline.rows.map { String(repeating: "  ", count: $0.depth) + $0.text }
    #expect(
      text == [
        "{", #"  "a": 1.0,"#, #"  "b": [],"#, #"  "c": {"#, #"    "d": ["#, "      1,", #"      "x\"}""#, "    ]",
        "  }", "}",
      ])
    #expect(
      outline.rows.map(\.member) == [nil, "\"a\"", "\"b\"", "\"c\"", "\"c\"", "\"c\"", "\"c\"", "\"c\"", "\"c\"", nil])
  }

  @Test(arguments: ["", "x", "\"x\"", "{", "{]", "{}}", "[1] 2", "{\"", ",{}"])
  func `what does not nest is not laid out`(text: String) { #expect(JSONOutline(text) == nil) }

  @Test func `brackets without end are refused, not followed`() {
    #expect(JSONOutline(String(repeating: "[", count: 100_000)) == nil)
  }

  @Test(arguments: Extent.seeds(0..<50, short: 10))
  func `wrapped lines fit, and wrapping exactly loses nothing`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let text = (0..<20).map { _ in DisplayText.visible(generator.hostileText()) }.joined(separator: " ")
    let width = Int.random(in: 4...30, using: &generator)
    for exact in [true, false] {
      let lines = Wrapping.wrap([Span(text)], first: width, rest: width, exact: exact)
      for line in lines { #expect(line.reduce(0) { $0 + DisplayWidth.columns(of: $1.text) } <= width) }
      let joined = lines.flatMap { $0 }.map(\.text).joined()
      if exact {
        #expect(
          joined.unicodeScalars.elementsEqual(DisplayWidth.clusters(of: text).map(\.text).joined().unicodeScalars))
      } else {
        let clusters = DisplayWidth.clusters(of: text).map(\.text)
        #expect(joined.unicodeScalars.filter { $0 != " " } == clusters.joined().unicodeScalars.filter { $0 != " " })
      }
    }
  }

  @Test(arguments: [8, 9, 10, 11])
  func `a text that is cut ends with a whole word and a sign, and fits`(width: Int) {
    func wrapped(_ text: String, exact: Bool = false, limit: Int = 1) -> [String] {
      Wrapping.wrap([Span(text)], first: width, rest: width, exact: exact, limit: limit).map {
        $0.map(\.text).joined()
      }
    }
    #expect(wrapped("alpha beta gamma delta") == [width < 11 ? "alpha…" : "alpha beta…"])
    #expect(wrapped("alpha") == ["alpha"])
    let long = wrapped(String(repeating: "x", count: 40), exact: true, limit: 2)
    #expect(long.last == String(repeating: "x", count: width - 1) + "…" && long.count == 2)
  }

  @Test func `the line editor keeps combining marks with their letter and moves by what a person sees`() {
    var editor = LineEditor(.editor, of: EditedPart(field: "f"), text: "ab")
    editor.line.insert("\u{301}")
    #expect(editor.line.cursor == 2 && editor.line.characters.count == 2)
    editor.line.move(.left)
    editor.line.insert("x y")
    #expect(editor.text == "ax yb\u{301}")
    editor.line.delete(.wordLeft)
    #expect(editor.text == "ax b\u{301}")
    editor.line.delete(.start)
    #expect(editor.text == "b\u{301}")
    editor.line.delete(.end)
    #expect(editor.text.isEmpty)
    editor.line.delete(.left)
    editor.line.delete(.right)
    #expect(editor.line.cursor == 0)
  }
}

@Suite("The next launch as text") struct NextLaunchTextTests {
  private func lines(_ columns: Int, _ plan: Plan) -> [String] {
    lines(columns, Recipe.rudderStackObjC.nextLaunch(plan, decisions: ["user_id": .migrate]), plan)
  }

  private func lines(_ columns: Int, _ launch: NextLaunch?, _ plan: Plan) -> [String] {
    var writer = PageWriter(columns: columns, ink: Ink(ReviewOptions()))
    writer.nextLaunch(launch, plan)
    return writer.lines.map { $0.map(\.text).joined() }
  }

  @Test(arguments: 60...200)
  func `No line is wider than the terminal and no word is cut, side by side or not`(columns: Int) throws {
    let plan = try samplePlan("AcmeShop")
    let launch = try #require(Recipe.rudderStackObjC.nextLaunch(plan, decisions: ["user_id": .migrate]))
    let lines = lines(columns, plan)
    #expect(lines.allSatisfy { DisplayWidth.columns(of: $0) <= columns })
    let words = Set(lines.flatMap { $0.split(separator: " ") })
    let expected = Set(launch.plays.flatMap(\.facts).flatMap { $0.sentence.split(separator: " ") })
    #expect(expected.isSubset(of: words), "\(expected.subtracting(words))")
    let isSideBySide = lines.contains { line in NextLaunch.Form.allCases.allSatisfy { line.contains($0.title) } }
    #expect(isSideBySide == (columns >= 134))
  }

  @Test(arguments: 10...40)
  func `In a narrow terminal a word that fits no line is broken, and no line is wider`(columns: Int) throws {
    let lines = lines(columns, try samplePlan("AcmeShop"))
    #expect(lines.count > 15 && lines.allSatisfy { DisplayWidth.columns(of: $0) <= columns })
  }

  @Test func `A recipe without a model says so`() throws {
    let plan = try samplePlan("Person")
    let lines = lines(80, nil, plan)
    #expect(lines.contains("Recipe person cannot simulate the next launch."))
  }

  @Test func `The screen counts the decisions made so far, and masks`() throws {
    let plan = try samplePlan("AcmeShop")
    var session = Session(plan, columns: 160, rows: 40, typing: "P")
    #expect(session.text.contains("Undecided fields stay as they are now: user_id."))
    #expect(!session.text.contains("Logged in"))
    session.type("<esc>j P", shows: "Logged in as “42”.")
    var redaction = Redaction(recipes: Recipe.builtIn)
    redaction.learn(plan)
    var masked = Session(redaction.findings(of: plan), columns: 160, glyphs: .ascii, redaction: redaction)
    masked.type("j P")
    #expect(masked.text.contains("<user-") && !masked.text.contains("“42”") && !masked.text.contains("9f1c2a7e"))
  }
}
