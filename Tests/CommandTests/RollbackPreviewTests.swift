import Foundation
import Testing

@Suite("Showing a rollback without making it")
struct RollbackPreviewTests {
  private let sample: SampleCopy

  init() throws {
    sample = try SampleCopy.applied()
  }

  /// What is printed; everything in the folder, the state folder too, is as it was.
  private func preview(_ options: String...) throws -> Tool.Result {
    let before = try FileState.files(under: sample.folder.url.path)
    let result = try Tool.carryover(["rollback", sample.path, "--dry-run"] + options)
    #expect(try FileState.files(under: sample.folder.url.path) == before)
    return result
  }

  private func edit(_ code: String) throws {
    let script = """
      import plistlib, sys
      values = plistlib.load(open(sys.argv[1], 'rb'))
      \(code)
      plistlib.dump(values, open(sys.argv[1], 'wb'))
      """
    try #require(try Tool.run("python3", ["-c", script, sample.target]).status == 0)
  }

  private func fates(_ result: Tool.Result) throws -> [String: String] {
    let document = try result.json()
    #expect(try SchemaCheck("rollback-1").problems(document) == [])
    let fields = try #require(document["fields"] as? [[String: Any]])
    return Dictionary(uniqueKeysWithValues: fields.map { ($0["id"] as? String ?? "", $0["fate"] as? String ?? "") })
  }

  private func fileFate(_ result: Tool.Result) throws -> String? {
    (try result.json()["files"] as? [[String: Any]])?.first?["fate"] as? String
  }

  @Test("A file that the run made would be removed, with every key; the rollback then does just that")
  func whole() throws {
    let result = try preview("--json")
    #expect(result.status == 0, "\(result.error)")
    #expect(try Set(fates(result).values) == ["restored"])
    #expect(try fileFate(result) == "removed")
    #expect(try result.json()["refused"] is NSNull)
    let text = try preview()
    #expect(text.output.contains("would be removed") && text.output.contains("8 to roll back"), "\(text.output)")
    #expect(try Tool.carryover("rollback", sample.path, "--yes").status == 0)
    #expect(try sample.files() == sample.originalFiles())
  }

  @Test("A key that changed since is a conflict: what is printed says so, and the status is the rollback's")
  func conflict() throws {
    try edit("values['session_id'] = '9'")
    let refused = try preview("--json")
    #expect(refused.status == 3 && refused.error.contains(#"session_id is \"9\" now"#), "\(refused.error)")
    #expect(try fates(refused)["session_id"] == "conflict")
    #expect(try fileFate(refused) == "unchanged")
    let refusal = try #require(try refused.json()["refused"] as? [String: Any])
    #expect(refusal["status"] as? Int == 3)
    let kept = try preview("--skip", "session_id", "--json")
    #expect(kept.status == 0, "\(kept.error)")
    #expect(try fates(kept)["session_id"] == "kept")
    #expect(try fates(kept)["user_id"] == "restored")
    #expect(try fileFate(kept) == "edited")
  }

  @Test("A target with a second hard link would be refused, as the rollback refuses it")
  func hardLink() throws {
    try FileManager.default.linkItem(atPath: sample.target, toPath: sample.folder.path("other.plist"))
    let shown = try preview()
    let made = try Tool.carryover("rollback", sample.path, "--yes")
    #expect(shown.status == 1 && made.status == 1)
    #expect(shown.error == made.error)
  }

  @Test("--redact masks the values")
  func redacted() throws {
    try edit("values['user_id'] = 'someone@example.com'")
    for options in [["--redact"], ["--redact", "--json"]] {
      let result = try Tool.carryover(["rollback", sample.path, "--dry-run", "--on-conflict", "replace"] + options)
      #expect(result.status == 0, "\(result.error)")
      #expect(!result.output.contains("someone@example.com"), "\(result.output)")
    }
  }
}
