import Carryover
import CarryoverStorage
import CarryoverSystem
import PropertyLists
import Testing

@Suite("What a step of a model did")
struct ModelChangeTests {
  private static func changes(_ before: String, _ operations: [ModelOperation]) throws -> [ModelChange] {
    let old = try JSONText(before).value
    var new = old
    for operation in operations { try operation(&new) }
    return ModelChange.between(old, new, by: operations)
  }

  @Test("A renaming is one change, and so are several that follow each other")
  func renamed() throws {
    let expected = ModelChange(.renamed, path: ["a"], destination: ["c"], before: 1, after: 1)
    #expect(try Self.changes(#"{"a":1}"#, [.rename("a", to: "c")]) == [expected])
    #expect(try Self.changes(#"{"a":1}"#, [.rename("a", to: "b"), .rename("b", to: "c")]) == [expected])
    // There and back again is nothing.
    #expect(try Self.changes(#"{"a":1}"#, [.rename("a", to: "b"), .rename("b", to: "a")]).isEmpty)
  }

  @Test("A moving into an object that is made for it is one change; what else is in that object is told too")
  func moved() throws {
    let expected = ModelChange(.moved, path: ["name"], destination: ["profile", "name"], before: "J", after: "J")
    #expect(try Self.changes(#"{"name":"J"}"#, [.move("name", to: "profile.name")]) == [expected])
    let both = try Self.changes(
      #"{"name":"J","age":1}"#,
      [.move("name", to: "profile.name"), .move("age", to: "profile.age"), .add("profile.new", true)])
    #expect(
      both == [
        expected, ModelChange(.moved, path: ["age"], destination: ["profile", "age"], before: 1, after: 1),
        ModelChange(.added, path: ["profile"], after: ["new": true]),
      ])
    #expect(
      try Self.changes(#"{"profile":{"name":"J","x":1}}"#, [.move("profile.name", to: "name")])
        == [ModelChange(.moved, path: ["profile", "name"], destination: ["name"], before: "J", after: "J")])
  }

  @Test("Another type is told from another value, and a renamed member may have another value besides")
  func values() throws {
    #expect(
      try Self.changes(#"{"age":"23"}"#, [.retype("age", to: .number)])
        == [ModelChange(.retyped, path: ["age"], before: "23", after: 23)])
    #expect(
      try Self.changes(#"{"age":"23"}"#, [.rename("age", to: "years"), .retype("years", to: .number)])
        == [ModelChange(.renamed, path: ["age"], destination: ["years"], before: "23", after: 23)])
    #expect(
      ModelChange.between(["a": 1], ["a": 2], by: []) == [ModelChange(.changed, path: ["a"], before: 1, after: 2)])
  }

  @Test("Of a coded step only what went and what came is told, for equal values may be chance")
  func coded() {
    #expect(
      ModelChange.between(["old": true], ["new": true], by: [])
        == [ModelChange(.removed, path: ["old"], before: true), ModelChange(.added, path: ["new"], after: true)])
  }

  @Test("A member that was renamed and removed in one step was removed")
  func gone() throws {
    #expect(
      try Self.changes(#"{"a":1,"x":2}"#, [.rename("a", to: "b"), .remove("b")])
        == [ModelChange(.removed, path: ["a"], before: 1)])
  }
}
