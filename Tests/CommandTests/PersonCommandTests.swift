import Carryover
import Foundation
import Testing

/// A versioned model by the built command: the person of version 0 in `Examples/Person.xcappdata`.
@Suite("A versioned model by the command")
struct PersonCommandTests {
  private static let old = #"{"name":"John Doe","age":"23"}"#
  private static let new = #"{"alias":"John Doe","email":"---","version":3}"#

  private let sample: SampleCopy

  init() throws { sample = try SampleCopy("Person") }

  @Test("The model is found without a recipe or a write key, and the plan has every step")
  func plan() throws {
    let result = try Tool.carryover("plan", sample.path)
    #expect(result.status == 0, "\(result.error)")
    #expect(result.output.contains("version 0 → 3"), "\(result.output)")
    let json = try Tool.carryover("plan", sample.path, "--json").json()
    #expect((json["recipe"] as? [String: Any])?["id"] as? String == "person")
    #expect(json["target"] as? String == "AppData/Library/Preferences/com.acme.shop.plist")
    let fields = try #require(json["fields"] as? [[String: Any]])
    #expect(fields.count == 1 && fields.first?["status"] as? String == "ready")
  }

  @Test("Apply brings the model to its newest version in its place, once; a rollback gives every byte back")
  func applied() throws {
    #expect(try person() == Self.old)
    let applied = try Tool.carryover("apply", sample.path, "--yes")
    #expect(applied.status == 0, "\(applied.error)")
    #expect(try person() == Self.new)
    let after = try sample.files()
    let again = try Tool.carryover("apply", sample.path, "--yes")
    #expect(again.status == 0, "\(again.error)")
    #expect(try sample.files() == after)

    let taken = try Tool.carryover("rollback", sample.path, "--yes")
    #expect(taken.status == 0, "\(taken.error)")
    #expect(try sample.files() == sample.originalFiles())
    #expect(try Tool.carryover("plan", sample.path).output.contains("version 0 → 3"))
  }

  @Test("One key is taken back by name")
  func oneKey() throws {
    #expect(try Tool.carryover("apply", sample.path, "--yes").status == 0)
    let taken = try Tool.carryover("rollback", sample.path, "--only", "person", "--yes")
    #expect(taken.status == 0, "\(taken.error)")
    #expect(try person() == Self.old)
  }

  @Test(
    "Skipped, the model stays as it is however often; an apply that does not skip it brings it to its newest version")
  func skipped() throws {
    for _ in 0..<2 {
      let skipped = try Tool.carryover("apply", sample.path, "--skip", "person", "--yes")
      #expect(skipped.status == 0 && skipped.output.contains("skipped"), "\(skipped.error)")
      #expect(try sample.files() == sample.originalFiles())
    }
    #expect(try Tool.carryover("apply", sample.path, "--yes").status == 0)
    #expect(try person() == Self.new)
    // Skipping is no way back.
    #expect(try Tool.carryover("apply", sample.path, "--skip", "person", "--yes").status == 0)
    #expect(try person() == Self.new)
  }

  @Test("A typed value takes the place of the proposal, as data, and must be a JSON object")
  func edited() throws {
    let refused = try Tool.carryover("apply", sample.path, "--set", "person=7", "--yes")
    #expect(refused.status != 0)
    #expect(try person() == Self.old)
    let edited = try Tool.carryover("apply", sample.path, "--set", #"person={"alias":"J","email":"j@b.co"}"#, "--yes")
    #expect(edited.status == 0, "\(edited.error)")
    #expect(try person() == #"{"alias":"J","email":"j@b.co"}"#)
  }

  @Test("A saved plan is applied, and applied again it changes nothing; one whose model has changed is stale")
  func saved() throws {
    let file = sample.folder.path("plan.json")
    #expect(try Tool.carryover("plan", sample.path, "-o", file).status == 0)
    let applied = try Tool.carryover("apply", file, "--yes")
    #expect(applied.status == 0, "\(applied.error)")
    #expect(try person() == Self.new)
    let again = try Tool.carryover("apply", file, "--yes")
    #expect(again.status == 0, "\(again.error)")
    #expect(
      try Tool.carryover("apply", sample.path, "--set", #"person={"alias":"J","email":"x"}"#, "--yes").status == 0)
    #expect(try Tool.carryover("apply", file, "--yes").status == 4)
  }

  @Test("No word of a person is in redacted output")
  func redacted() throws {
    for arguments in [
      ["plan", sample.path, "--redact"], ["plan", sample.path, "--redact", "--json"], ["report", sample.path],
    ] {
      let result = try Tool.carryover(arguments)
      #expect(result.status == 0, "\(result.error)")
      #expect(!result.output.contains("John") && !result.output.contains("Doe"), "\(result.output)")
    }
  }

  @Test("A cleanup finds nothing to remove: the model is not a copy of anything")
  func cleanup() throws {
    #expect(try Tool.carryover("apply", sample.path, "--yes").status == 0)
    let before = try sample.files()
    _ = try Tool.carryover("cleanup", sample.path, "--yes")
    #expect(try sample.files() == before)
  }

  @Test("Where RudderStack's SDK has left something, the model is followed only by name")
  func byName() throws {
    let acme = try SampleCopy("AcmeShop")
    let named = try Tool.carryover("plan", acme.path, "--recipe", "person", "--json")
    #expect(named.status == 0, "\(named.error)")
    let json = try named.json()
    #expect((json["recipe"] as? [String: Any])?["id"] as? String == "person")
    #expect((json["fields"] as? [[String: Any]])?.first?["status"] as? String == "absent")
  }

  @Test("recipes show has the file that is written and each step of the model")
  func shown() throws {
    let result = try Tool.carryover("recipes", "show", "person")
    #expect(result.status == 0, "\(result.error)")
    for words in ["Writes:", "Library/Preferences/<bundle id>.plist", "version 1 → 2: rename name → alias"] {
      #expect(result.output.contains(words), "\(result.output)")
    }
  }

  /// The model's bytes as CPython's reader sees them.
  private func person() throws -> String {
    let script = "import plistlib, sys; sys.stdout.buffer.write(plistlib.load(open(sys.argv[1], 'rb'))['person'])"
    let path = sample.path + "/AppData/Library/Preferences/com.acme.shop.plist"
    let result = try Tool.run("python3", ["-c", script, path])
    guard result.status == 0 else { throw Tool.Missing(result.error) }
    return result.output
  }
}
