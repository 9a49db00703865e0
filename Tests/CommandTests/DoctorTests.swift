import Foundation
import Testing

@Suite("carryover doctor")
struct DoctorTests {
  private func run(_ environment: String..., json: Bool = true) throws -> Tool.Result {
    try Tool.run("env", ["-i"] + environment + [Tool.carryover.path, "doctor"] + (json ? ["--json"] : []))
  }

  private func verdicts(_ result: Tool.Result) throws -> [String: String] {
    let document = try result.json()
    #expect(try SchemaCheck("doctor-1").problems(document) == [])
    let checks = try #require(document["checks"] as? [[String: Any]])
    return Dictionary(
      uniqueKeysWithValues: checks.map { ($0["check"] as? String ?? "", $0["verdict"] as? String ?? "") })
  }

  @Test("It says how each thing is, and leaves nothing in the home")
  func checks() throws {
    let home = try TemporaryFolder()
    let result = try run("HOME=" + home.url.path, "LANG=C.UTF-8")
    #expect(result.status == 0, "\(result.output) \(result.error)")
    let expected = ["version": "ok", "terminal": "note", "locale": "ok", "archives": "ok", "state": "note"]
    #expect(try verdicts(result) == expected)
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.url.path).isEmpty)
    let text = try run("HOME=" + home.url.path, "LANG=\u{1B}[31m", json: false)
    #expect(text.status == 0 && text.output.contains("not UTF-8") && !text.output.contains("\u{1B}"), "\(text.output)")
  }

  @Test("What prevents work ends it with 1: no home, a damaged key")
  func prevented() throws {
    #expect(try run().status == 1)
    let home = try TemporaryFolder()
    let key = home.path("state/carryover")
    try FileManager.default.createDirectory(atPath: key, withIntermediateDirectories: true)
    try Data("no key".utf8).write(to: URL(fileURLWithPath: key + "/key"))
    let damaged = try run("HOME=" + home.url.path, "XDG_STATE_HOME=" + home.path("state"))
    #expect(damaged.status == 1)
    #expect(try verdicts(damaged)["state"] == "error")
  }
}
