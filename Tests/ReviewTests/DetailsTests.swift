import Carryover
import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors
import PropertyLists
import Testing

@testable import CarryoverReview

@Suite("Details of a field")
struct DetailsTests {
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

  @Test("what is stripped, changed and added is marked, in the legacy text and in the proposal")
  func members() {
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

  @Test("the footer offers another value where the field has one, the help says why not")
  func taking() {
    var session = details { _ in }
    #expect(!session.lines.contains { $0.contains("1-9 other value") })
    session.type("?")
    #expect(session.text.contains("There is no other value"))
    session.type("<esc><esc>j<enter>")
    #expect(session.state.selected?.alternatives.isEmpty == false)
    #expect(session.lines.last?.contains("1-9 other value") == true)
  }

  @Test("bytes are shown as hex with their text, eight or sixteen a line")
  func bytes() {
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

  @Test("a change of type says what the new SDK reads")
  func typeChange() {
    var session = Session()
    session.type("jjj<enter>")
    #expect(session.text.contains("number → string: the new SDK reads a string of decimal digits"))
  }

  @Test("a moment is shown in UTC, in local time and by its distance from the plan")
  func moment() {
    var session = Session()
    session.type("jjj<enter>")
    #expect(session.text.contains("2025-11-20 12:00:00 UTC, read as seconds since 1970"))
    #expect(session.text.contains("2025-11-20 14:00:00 local time (+02:00)"))
    #expect(session.text.contains("3 minutes before this plan"))
  }

  @Test(
    "distances in time are words",
    arguments: DetailsTests.distances)
  func distance(seconds: Int64, words: String) {
    let now = Moment(secondsSince1970: 1_763_640_300)
    #expect(TimeDistance.words(Moment(secondsSince1970: 1_763_640_300 + seconds), fromPlan: now) == words)
    #expect(
      TimeDistance.words(Moment(millisecondsSince1970: .min), fromPlan: now) == "beyond any calendar")
  }

  @Test("where the guide or the migrator would write something else than Carryover, a word says so")
  func readings() {
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

  @Test("what was decided for the field is told in order")
  func history() {
    var session = Session()
    session.type("j e<c-u>x<enter>s<enter>")
    #expect(session.text.contains("Decided     accepted, then edited: x, then skipped"))
    session.type("u")
    #expect(session.text.contains("Decided     accepted, then edited: x ") && !session.text.contains("then skipped"))
    session.type("1")
    #expect(session.text.contains("then edited: ") && session.text.contains("  in use"))
  }

  @Test(
    "the target's own value says where it parts from the proposal",
    arguments: [
      ("abcdef", "abcxef", "differs after character 3: “abcdef” here, “abcxef” in the proposal"),
      ("abc", "abcdef", "differs after character 3: “abc” here, “abcdef” in the proposal"),
      ("zzz", "abc", "differs from the first character on: “zzz” here, “abc” in the proposal"),
      ("same", "same", "the same as the proposal"),
      (#"{"a":1,"x":2}"#, #"{"a":2,"b":3}"#, "1 member with another value, 1 that the proposal has not; lacks b"),
      (#"{"b":1,"a":2}"#, #"{"a":2,"b":1}"#, "the same members, in another order or form"),
    ])
  func difference(current: String, proposed: String, words: String) {
    let session = details { field in
      field.legacy = "other"
      field.current = .string(current)
      field.proposed = .string(proposed)
    }
    #expect(session.text.contains(words), "\(session.text)")
  }

  @Test("a target's value of another type is said to read as absent")
  func wrongType() {
    let session = details { $0.current = 42 }
    #expect(session.text.contains("integer, but the new SDK reads a string: it takes this for absent"))
  }

  @Test("where the value goes is named with its key, its file and the form")
  func place() {
    var session = Session(rows: 60)
    session.type("<enter>")
    #expect(session.text.contains("anonymous_id in AppData/Library/Preferences/com.acme.shop.analytics"))
    #expect(session.text.contains("a new file"))
  }

  @Test("masked values stay masked where they are compared, and their types and sizes are true")
  func masked() {
    var plan = acmePlan()
    plan.fields[0].current = "3b8e55d0-91c4-4f6a-a7d2-c20e6f18497b"
    plan.fields[1].legacy = .data([1, 2, 3])
    plan.fields[2].current = #"{"email":"other@b.co","plan":{"tier":"gold","since":2019},"ratio":1.0}"#
    var redaction = Redaction(recipes: [.rudderStackObjC])
    redaction.learn(plan)
    var session = Session(redaction.findings(of: plan), rows: 100, redaction: redaction)
    session.type("<enter>")
    #expect(session.text.contains("another value than the proposal") && !session.text.contains("3b8e"))
    session.type("]")
    #expect(session.text.contains("data") && session.text.contains("3 bytes"))
    session.type("]")
    #expect(session.text.contains("1 member with another value"))
    #expect(!session.text.contains("other@b.co") && !session.text.contains("a@b.co"))
  }
}
