import Carryover
import CarryoverSystem
import CarryoverVendors
import Foundation
import PropertyLists
import Testing

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

  @Test("a lost mirror is filled from the decisions, without a write key, and taken back by a rollback (C1)")
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

  @Test("ids that differ need a decision, and the one that is given is written (C1)")
  func decide() throws {
    let folder = try TemporaryFolder()
    let path = try container("convert.ids-differ", folder, mirror: "OTHER")
    let undecided = try Tool.carryover("apply", path, "--yes")
    // There is no proposal that could be accepted.
    #expect(undecided.status == 2 && !undecided.error.contains("--accept"), "\(undecided.error)")
    #expect(try mirror(path) == "OTHER")
    let set = try Tool.carryover("apply", path, "--yes", "--set", "\(ConvertNames.visitorMirror)=\(Self.visitor)")
    #expect(set.status == 0, "\(set.error)")
    #expect(try mirror(path) == .string(Self.visitor))
  }

  @Test("the files are found where they lie, and a redacted report gives away no visitor (C8)")
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
    let shown = try Tool.carryover("recipe", "explain", "convert-ios").output
    for words in [ConvertNames.visitorMirror, "convert-decision-store.json", "event-queue.json"] {
      #expect(shown.contains(words))
    }
  }

  @Test("A saved plan is stale where any of Convert's files has changed since, and nothing is written")
  func stale() throws {
    let support = "AppData/Library/Application Support/"
    for name in [
      "convert-decision-store.json", "com.convertexperiments.sdk/event-queue.json",
      "com.convertexperiments.sdk/config-acme-shop-live.json", "com.convertexperiments.sdk/config-new.json",
      "com.convertexperiments.sdk/event-queue.uploading",
    ] {
      let folder = try TemporaryFolder()
      let path = try container("convert.queue-corrupt", folder, mirror: nil)
      let plan = folder.path("plan.json")
      #expect(try Tool.carryover("plan", path, "-o", plan).status == 0)
      #expect(try !String(contentsOfFile: plan, encoding: .utf8).contains("10022898-10025986-"))
      try Data("[{".utf8).write(to: URL(fileURLWithPath: path + "/" + support + name))
      let stale = try Tool.carryover("apply", plan, "--yes")
      #expect(stale.status == 4 && stale.error.contains(name), "\(name): \(stale.error)")
      #expect(try mirror(path) == nil)
    }
    let folder = try TemporaryFolder()
    let path = try container("convert.queue-corrupt", folder, mirror: nil)
    let plan = folder.path("plan.json")
    #expect(try Tool.carryover("plan", path, "-o", plan).status == 0)
    let applied = try Tool.carryover("apply", plan, "--yes")
    #expect(applied.status == 0, "\(applied.error)")
    #expect(try mirror(path) == .string(Self.visitor))
  }

  @Test("inspect names each file and how it stands, as text and by the schema")
  func remarks() throws {
    let folder = try TemporaryFolder()
    let path = try container("convert.uploading", folder, mirror: Self.visitor)
    let text = try Tool.carryover("inspect", path).output
    for words in [
      "1 event of 1 visitor. It was being sent", "with counted goals and segments: of 1 visitor.",
      "A configuration that Convert's SDK has cached.", "is Convert's visitor id",
      "event-queue.uploading\n  i Convert's SDK is sending its queue",
    ] {
      #expect(text.contains(words), "\(words): \(text)")
    }
    let json = try Tool.carryover("inspect", path, "--json").json()
    #expect(try SchemaCheck("inspect-1").problems(json).isEmpty)
    let remarks = (json["stores"] as? [[String: Any]] ?? []).flatMap { $0["remarks"] as? [[String: Any]] ?? [] }
    #expect(remarks.map { $0["is"] as? String } == ["configuration", "queue", "decisions", "mirror"])
    #expect(remarks[1]["events"] as? Int == 1 && remarks[1]["state"] as? String == "uploading")
    #expect((json["signs"] as? [[String: Any]])?.count == 1)
  }

  @Test("A visitor whose id is no UUID is in no redacted output")
  func redacted() throws {
    for id in ["alice", "4711", "u-42", "Jane Roe"] {
      let folder = try TemporaryFolder()
      let path = try container("convert.uploading", folder, mirror: nil)
      let file = URL(fileURLWithPath: path + "/AppData/Library/Application Support/convert-decision-store.json")
      let decisions = try String(contentsOf: file, encoding: .utf8).replacingOccurrences(of: Self.visitor, with: id)
      try Data(decisions.utf8).write(to: file)
      for arguments in [
        ["inspect", path, "--redact"], ["inspect", path, "--redact", "--json"], ["plan", path, "--redact"],
        ["plan", path, "--redact", "--json"], ["report", path], ["report", path, "--json"],
      ] {
        let result = try Tool.carryover(arguments)
        #expect(result.status == 0, "\(result.error)")
        #expect(!result.output.contains(id), "\(arguments) \(id): \(result.output)")
      }
    }
  }
}
