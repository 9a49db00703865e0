import PropertyLists
import Testing

@testable import Carryover
@testable import CarryoverStorage
@testable import CarryoverSystem
@testable import CarryoverVendors

@Suite("Looking for text in stores")
struct InspectedSearchTests {
  private func stores() throws -> [Store] {
    let archive = try PackedValues.archive("ACMENeedleUser", ["name": .uid(3)], "Ada")
    let list: PropertyListValue = [
      "traits": #"{"address": {"lines": ["x", "the NEEDLE"]}, "Needles": 1}"#, "user": .data(archive),
      "needle.key": true, "secret": #"{"needle": "needle"}"#, "none": "nee dle", "number": 4711,
    ]
    return [
      Store(path: "x.plist", content: .unreadable("It is empty.")),
      Store(path: "a.plist", content: .document(try PropertyListDocument(bytes: try PackedValues.bytes(list)))),
      Store(path: "b.json", content: .json(try JSONText(#"["needle"]"#))),
    ]
  }

  private func found(_ text: String, budget: Int = 1000, hidden: Set<StringByBytes> = []) throws -> [String] {
    var search = InspectedSearch(try stores(), for: text, hides: { $0.label.name.map { hidden.contains($0) } ?? false })
    var found: [String] = []
    while !search.isFinished {
      found += search.next(budget).map {
        ($0.isInName ? "name " : "value ") + $0.path.text + ($0.isHidden ? " hidden" : "")
      }
    }
    #expect(search.next(budget).isEmpty && !search.isCut)
    return found
  }

  @Test("keys and values match in either case, opened in place, with the path to each", arguments: [1, 2, 1000])
  func needle(budget: Int) throws {
    #expect(
      try found("nEEdle", budget: budget, hidden: ["secret"]) == [
        "value a.plist: traits.address.lines[1]", "name a.plist: traits.Needles", "value a.plist: user",
        "name a.plist: \"needle.key\"", "value b.json: [0]",
      ])
  }

  @Test("what is hidden is not looked into, but its name is")
  func hidden() throws {
    #expect(try found("secret", hidden: ["secret"]) == ["name a.plist: secret hidden"])
    #expect(try found("needle").contains("name a.plist: secret.needle"))
    #expect(try found("Ada") == ["value a.plist: user.name"] && found("4711") == ["value a.plist: number"])
  }

  @Test("nothing is found for no text, and where nothing has it")
  func nothing() throws {
    #expect(try found("").isEmpty && found("nowhere").isEmpty)
  }

  @Test("letters beyond ASCII match by their bytes")
  func otherLetters() throws {
    let document = try PropertyListDocument(bytes: try PackedValues.bytes(["Größe": "ÄX"]))
    let stores = [Store(path: "a", content: .document(document))]
    var (exact, other) = (InspectedSearch(stores, for: "GRöße"), InspectedSearch(stores, for: "äx"))
    #expect(exact.next().count == 1 && other.next().isEmpty)
  }

  @Test("what unfolds without end is given up, and said to be")
  func bounded() throws {
    var search = InspectedSearch(try stores(), for: "needle", most: 3)
    while !search.isFinished { _ = search.next(2) }
    #expect(search.isCut)
  }
}
