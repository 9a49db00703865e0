import Carryover
import CarryoverRestore
import CarryoverRouter
@testable import CarryoverStorage
import CarryoverSystem
import CarryoverUserDefaults
import Foundation
import PropertyLists
import Testing

@Suite("Versioned models: hostile data")
struct ModelHostileTests {
  @Test(
    "a marker that is not a whole number of 0 or more, or says several things, is refused in a sentence (D4)",
    arguments: [
      (#"{"v":-1}"#, "its version in “v” is not a whole number of 0 or more"),
      (#"{"v":1e3}"#, "its version in “v” is not a whole number of 0 or more"),
      (#"{"v":1.0}"#, "its version in “v” is not a whole number of 0 or more"),
      (#"{"v":"1"}"#, "its version in “v” is not a whole number of 0 or more"),
      (#"{"v":null}"#, "its version in “v” is not a whole number of 0 or more"),
      (#"{"v":123456789012345678901234567890}"#, "its version in “v” is not a whole number of 0 or more"),
      (#"{"v":1,"v":2}"#, "its version in “v” is there more than once and differs"),
      ("[]", "the data is of type array, and a model is an object"),
    ])
  func markers(stored: String, sentence: String) throws {
    let migrator = try ModelMigrator(
      model: "m", version: 2, versioning: ModelVersioning(marker: "v", unmarked: 1),
      steps: [ModelStep(from: 1, [.add("a", 1)])])
    let error = #expect(throws: ModelError.self) { try migrator.migrated(JSONText(stored).value) }
    let text = "\(try #require(error))"
    #expect(
      text == "The version of “m” cannot be determined: \(sentence). Look at the stored data; nothing was written.")
  }

  @Test("the largest version there can be is newer than any, and a step from it is refused (D4)")
  func largest() throws {
    let migrator = try ModelMigrator(model: "m", version: 0, versioning: ModelVersioning(marker: "v"), steps: [])
    let error = #expect(throws: ModelError.self) {
      try migrator.version(of: JSONText(#"{"v":9223372036854775807}"#).value)
    }
    #expect(error?.reason == .newer(found: .max, known: 0))
    let chain = #expect(throws: ModelChainError.self) {
      try ModelMigrator(
        model: "m", version: .max, versioning: ModelVersioning(marker: "v"), steps: [ModelStep(from: .max, [])])
    }
    #expect(chain?.problem == .beyond(version: .max, step: .max))
  }

  @Test("shapes look into objects, and numbers keep their text through every step (D2)")
  func nested() throws {
    let migrator = try ModelMigrator(
      model: "m", version: 1,
      versioning: ModelVersioning(shapes: [
        0: ModelShape(required: ["a.b"], forbidden: ["a.c"]), 1: ModelShape(required: ["a.c"], forbidden: ["a.b"]),
      ]),
      steps: [ModelStep(from: 0, [.rename("a.b", to: "c")])])
    let result = try migrator.migrated(
      JSONText(#"{"a":{"b":1.50},"big":123456789012345678901234567890,"e":1E5,"z":-0}"#).value)
    #expect(result.text() == #"{"a":{"c":1.50},"big":123456789012345678901234567890,"e":1E5,"z":-0}"#)
    #expect(throws: ModelError.self) { try migrator.version(of: JSONText(#"{"a":7}"#).value) }
  }

  @Test("of members with one name, a value that is set leaves one; renaming and removing take all (D2)")
  func duplicates() throws {
    for (operation, expected) in [
      (ModelOperation.retype("a", to: .string), #"{"a":"1","b":0}"#), (.rename("a", to: "c"), #"{"c":1,"b":0,"c":2}"#),
      (.remove("a"), #"{"b":0}"#),
    ] {
      var value = try JSONText(#"{"a":1,"b":0,"a":2}"#).value
      try operation(&value)
      #expect(value.text() == expected)
    }
  }

  @Test("changes pair members of one name in their order (D2)")
  func changes() throws {
    func between(_ before: String, _ after: String) throws -> [JSONChange] {
      JSONChange.between(try JSONText(before).value, try JSONText(after).value)
    }
    #expect(try between(#"{"a":1,"a":2}"#, #"{"a":1,"a":2}"#).isEmpty)
    #expect(try between(#"{"a":1,"a":2}"#, #"{"a":1}"#) == [JSONChange(path: ["a"], before: 2, after: nil)])
    #expect(try between(#"{"a":1}"#, #"{"a":1,"a":2}"#) == [JSONChange(path: ["a"], before: nil, after: 2)])
    #expect(try between(#"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#).isEmpty)
    #expect(try between("1", "[]") == [JSONChange(path: [], before: 1, after: [])])
    #expect(
      try between(#"{"a":{"b":1,"c":2}}"#, #"{"a":{"b":3,"d":2}}"#) == [
        JSONChange(path: ["a", "b"], before: 1, after: 3), JSONChange(path: ["a", "c"], before: 2, after: nil),
        JSONChange(path: ["a", "d"], before: nil, after: 2),
      ])
  }

  @Test("ten megabytes, 100,000 members and 500 levels migrate with every other byte kept (D8)")
  func large() throws {
    let filling = String(repeating: "x", count: 90)
    let members = (0..<100_000).map { "\"member \($0)\":\"\(filling)\"" }.joined(separator: ",")
    let deep = String(repeating: #"{"d":"#, count: 500) + "1" + String(repeating: "}", count: 500)
    let text = #"{"name":"J","age":"1",\#(members),"deep":\#(deep)}"#
    #expect(text.utf8.count > 10_000_000)
    let report = try Person.migration(in: MemoryDataStore(["person": Array(text.utf8)])).run()
    #expect(report.value?.alias == "J")
    #expect(report.stages.map { $0.changes.count } == [1, 2, 1])
  }

  @Test("what is deeper than any parser goes is corrupt, and stands (D11)")
  func tooDeep() throws {
    let text = String(repeating: "[", count: 100_000)
    let store = CountingStore(["person": Array(text.utf8)])
    let error = #expect(throws: ModelMigrationError.self) { try Person.migration(in: store).run() }
    guard case .corrupt = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(store.writes == 0)
  }

  @Test("what somebody else writes during a migration is taken up, never written over (D11)")
  func twoAtOnce() throws {
    let store = CountingStore(["person": Array(try #require(Person.fixtures[0]).utf8)])
    let theirs = Array(#"{"alias":"theirs","email":"new@b.co"}"#.utf8)
    let migration = try Person.migration(in: store) { event in
      if case .backedUp = event { try? store.set(theirs, for: "person") }
    }
    let report = try migration.run()
    #expect(report.value?.alias == "theirs" && !report.hasWritten)
    #expect(try store.data(for: "person") == theirs)
  }

  @Test("data that changes at every attempt is an error in the end, and stands (D11)")
  func restless() throws {
    let store = CountingStore(["person": Array(try #require(Person.fixtures[0]).utf8)])
    let count = Noted<Int>()
    let migration = try Person.migration(in: store) { event in
      guard case .backedUp = event else { return }
      count.add(0)
      try? store.set(Array(#"{"name":"J \#(count.all.count)","age":"1"}"#.utf8), for: "person")
    }
    let error = #expect(throws: ModelMigrationError.self) { try migration.run() }
    #expect("\(try #require(error))".contains("was changed by other code while it was migrated"))
    #expect(try store.data(for: "person") == Array(#"{"name":"J 3","age":"1"}"#.utf8))
  }

  @Test("many at once end in one newest version (D11)")
  func many() async throws {
    let store = MemoryDataStore(["person": Array(try #require(Person.fixtures[0]).utf8)])
    try await withThrowingTaskGroup(of: Person.Current?.self) { group in
      for _ in 0..<50 { group.addTask { try Person.migration(in: store).run().value } }
      for try await person in group { #expect(person == Person.Current(alias: "John Doe", email: "---")) }
    }
    #expect(try store.data(for: "person") == Array(try #require(Person.fixtures[3]).utf8))
    #expect(try store.names().count == 2)
  }
}
