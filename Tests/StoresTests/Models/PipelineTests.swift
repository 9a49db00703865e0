import CarryoverStorage
import CarryoverUserDefaults
import Foundation
import PropertyLists
import Testing

@Suite("A pipeline of steps over data, for several models")
struct PipelineTests {
  struct Note: VersionedModel, Equatable {
    static let modelIdentifier = "note"
    static let schemaVersion = 3
    var text: String
    var tags: [String]
  }

  private func pipeline() -> MigrationPipeline {
    let pipeline = MigrationPipeline()
    pipeline.register(model: "note", fromVersion: 2) { Self.replacing($0, #""}"#, #"","tags":[]}"#) }
    pipeline.register(model: "note", fromVersion: 1) { Self.replacing($0, "body", "text") }
    pipeline.register(model: "other", fromVersion: 1) { _ in throw CocoaError(.coderInvalidValue) }
    return pipeline
  }

  private static func replacing(_ data: Data, _ old: String, _ new: String) -> Data {
    Data(String(decoding: data, as: UTF8.self).replacingOccurrences(of: old, with: new).utf8)
  }

  private func text(_ data: Data) -> String { String(decoding: data, as: UTF8.self) }

  @Test("raw data goes from any version to any later one, by the steps as they are (D16)")
  func raw() throws {
    let old = Data(#"{"body":"x"}"#.utf8)
    let pipeline = pipeline()
    for (from, to, data, expected) in [
      (1, 3, old, #"{"text":"x","tags":[]}"#), (1, 2, old, #"{"text":"x"}"#),
      (2, 3, Data(#"{"text":"x"}"#.utf8), #"{"text":"x","tags":[]}"#),
    ] {
      let new = try pipeline.migrate(model: "note", data: data, fromVersion: from, toVersion: to)
      #expect(text(new) == expected)
    }
    let any = Data("no JSON at all".utf8)
    #expect(try pipeline.migrate(model: "note", data: any, fromVersion: 3, toVersion: 3) == any)
  }

  @Test("a step that is missing is named with model and version, and so is one that is there twice (D16, D4)")
  func gaps() throws {
    let pipeline = pipeline()
    for (model, from, to, said) in [
      ("note", 0, 3, "from version 0 to 1"), ("note", 1, 5, "from version 3 to 4"),
      ("none", 1, 2, "from version 1 to 2"),
    ] {
      let error = #expect(throws: ModelChainError.self) {
        try pipeline.migrate(model: model, data: Data("{}".utf8), fromVersion: from, toVersion: to)
      }
      #expect(error?.description.contains("“\(model)”") == true && error?.description.contains(said) == true)
    }
    pipeline.register(model: "note", fromVersion: 1) { $0 }
    let error = #expect(throws: ModelChainError.self) {
      try pipeline.migrate(model: "note", data: Data("{}".utf8), fromVersion: 1, toVersion: 3)
    }
    #expect(error?.problem == .duplicate(from: 1))
  }

  @Test("corrupt data is an error with its version; a later version and a step that fails are told apart (D16)")
  func errors() throws {
    func reason(_ model: String, _ data: String, _ from: Int, _ to: Int) -> ModelMigrationError.Reason? {
      let error = #expect(throws: ModelMigrationError.self) {
        try pipeline().migrate(model: model, data: Data(data.utf8), fromVersion: from, toVersion: to)
      }
      return error?.reason
    }
    guard case .corrupt(version: 2)? = reason("note", "garbage", 2, 3),
      case .model(.newer(found: 3, known: 1))? = reason("note", "{}", 3, 1),
      case .model(.stepFailed(from: 1, _))? = reason("other", "{}", 1, 2)
    else {
      Issue.record("another reason")
      return
    }
  }

  @Test(
    "a model that says its name and version is migrated in a store, with the version beside it, 1 where there is none (D16)"
  )
  func stored() throws {
    let store = CountingStore(["mine": Array(#"{"body":"x"}"#.utf8)])
    let migration = try pipeline().migration(of: Note.self, key: "mine", in: store)
    let report = try migration.run()
    #expect(report.value == Note(text: "x", tags: []) && report.from == 1 && report.to == 3)
    #expect(try store.integer(for: "mine_schema_version") == 3 && migration.run().hasWritten == false)
    try store.set(Array("garbage".utf8), for: "mine")
    let error = #expect(throws: ModelMigrationError.self) { try migration.run() }
    guard case .corrupt(version: 3)? = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(error?.description.contains("stored as version 3") == true)
  }
  @Test("with the members of each version, newer data without its number is refused, and not migrated again (D16)")
  func shapes() throws {
    let shapes = [
      1: ModelShape(required: ["body"], forbidden: ["text"]),
      2: ModelShape(required: ["text"], forbidden: ["body", "tags"]), 3: ModelShape(required: ["text", "tags"]),
    ]
    let old = CountingStore(["mine": Array(#"{"body":"x"}"#.utf8)])
    let first = try pipeline().migration(of: Note.self, key: "mine", in: old, shapes: shapes)
    #expect(try first.run().value == Note(text: "x", tags: []))
    let newer = CountingStore(["mine": Array(#"{"text":"x"}"#.utf8)])
    let second = try pipeline().migration(of: Note.self, key: "mine", in: newer, shapes: shapes)
    let error = #expect(throws: ModelMigrationError.self) { try second.run() }
    guard case .model(.unknownVersion(.markerContradicted(1)))? = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(newer.writes == 0)
  }
}
