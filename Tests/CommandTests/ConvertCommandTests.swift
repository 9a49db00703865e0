import Carryover
import Foundation
import PropertyLists
import Testing

/// A container that Convert's SDK has left, by the built command.
@Suite("Convert's data on the command line")
struct ConvertCommandTests {
  private static let visitor = "550E8400-E29B-41D4-A716-446655440000"
  private static let preferences = "AppData/Library/Preferences/com.acme.shop.plist"

  /// A copy of an example, with another mirror; nil takes it away.
  private func container(_ code: String, _ folder: TemporaryFolder, mirror: String?) throws -> String {
    let path = folder.path("Acme.xcappdata")
    let example = Tool.root.appending(path: "Examples/Findings/\(code).xcappdata").path
    try FileManager.default.copyItem(atPath: example, toPath: path)
    var keys: PropertyListDictionary = ["launchCount": 17]
    if let mirror { keys[ConvertNames.visitorMirror] = .string(mirror) }
    let bytes = try PropertyListDocument.encode(.dictionary(keys), as: .binary)
    try Data(bytes).write(to: URL(fileURLWithPath: path + "/" + Self.preferences))
    return path
  }

  private func mirror(_ container: String) throws -> PropertyListValue? {
    let data = try Data(contentsOf: URL(fileURLWithPath: container + "/" + Self.preferences))
    guard case .dictionary(let keys) = try PropertyListDocument(bytes: Array(data)).root else { return nil }
    #expect(keys["launchCount"] == 17)
    return keys[ConvertNames.visitorMirror]
  }

  @Test("C1 a lost mirror is filled from the decisions, without a write key, and taken back by a rollback")
  func fill() throws {
    let folder = try TemporaryFolder()
    let path = try container("convert.uploading", folder, mirror: nil)
    let others = try FileState.files(under: path).filter { !$0.key.contains("Preferences") }
    let plan = try Tool.carryover("plan", path, "--json").json()
    #expect((plan["recipe"] as? [String: Any])?["id"] as? String == "convert-ios")
    let applied = try Tool.carryover("apply", path, "--yes")
    #expect(applied.status == 0, "\(applied.error)")
    #expect(try mirror(path) == .string(Self.visitor))
    let again = try Tool.carryover("apply", path, "--yes")
    #expect(again.status == 0, "\(again.error)")
    let back = try Tool.carryover("rollback", path, "--yes")
    #expect(back.status == 0, "\(back.error)")
    #expect(try mirror(path) == nil)
    let left = try FileState.files(under: path).filter {
      !$0.key.contains("Preferences") && !$0.key.contains(".carryover")
    }
    #expect(left == others)
  }

  @Test("C1 ids that differ need a decision, and the one that is given is written")
  func decide() throws {
    let folder = try TemporaryFolder()
    let path = try container("convert.ids-differ", folder, mirror: "OTHER")
    #expect(try Tool.carryover("apply", path, "--yes").status == 2)
    #expect(try mirror(path) == "OTHER")
    let set = try Tool.carryover("apply", path, "--yes", "--set", "\(ConvertNames.visitorMirror)=\(Self.visitor)")
    #expect(set.status == 0, "\(set.error)")
    #expect(try mirror(path) == .string(Self.visitor))
  }

  @Test("C8 the files are found where they lie, and a redacted report gives away no visitor")
  func report() throws {
    let folder = try TemporaryFolder()
    let path = try container("convert.queue-corrupt", folder, mirror: Self.visitor)
    let inspected = try Tool.carryover("inspect", path).output
    for name in ["convert-decision-store.json", "event-queue.json", "config-acme-shop-live.json"] {
      #expect(inspected.contains(name))
    }
    let report = try Tool.carryover("report", path)
    #expect(report.status == 0, "\(report.error)")
    #expect(report.output.contains("convert.queue-corrupt"))
    #expect(!report.output.contains(Self.visitor))
    let shown = try Tool.carryover("recipes", "show", "convert-ios").output
    for words in [ConvertNames.visitorMirror, "convert-decision-store.json", "event-queue.json"] {
      #expect(shown.contains(words))
    }
  }
}
