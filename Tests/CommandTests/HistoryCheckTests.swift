import Foundation
import Testing

@Suite("Checking the runs of a container")
struct HistoryCheckTests {
  private let sample: SampleCopy

  init() throws {
    sample = try SampleCopy.applied()
  }

  private func check(_ status: Int32, _ codes: [String]) throws -> Tool.Result {
    let before = try FileState.files(under: sample.folder.url.path)
    let result = try Tool.carryover("history", sample.path, "--check", "--json")
    #expect(try FileState.files(under: sample.folder.url.path) == before)
    #expect(result.status == status, "\(result.output) \(result.error)")
    #expect(result.error.isEmpty == (status == 0))
    let document = try result.json()
    #expect(try SchemaCheck("check-1").problems(document) == [])
    #expect((document["problems"] as? [[String: Any]])?.map { $0["code"] as? String } == codes)
    return result
  }

  private var run: String {
    get throws {
      let runs = try FileManager.default.contentsOfDirectory(atPath: sample.path + "/.carryover/runs")
      return try #require(runs.first)
    }
  }

  private var record: String { get throws { try sample.path + "/.carryover/runs/\(run)/record.json" } }

  private func edit(_ code: String) throws {
    let script = """
      import plistlib, sys
      values = plistlib.load(open(sys.argv[1], 'rb'))
      \(code)
      plistlib.dump(values, open(sys.argv[1], 'wb'), fmt=plistlib.FMT_XML)
      """
    try #require(try Tool.run("python3", ["-c", script, sample.target]).status == 0)
  }

  @Test("A run, its rollback and the rollback of that are in effect as recorded; so is a container without runs")
  func inEffect() throws {
    _ = try check(0, [])
    #expect(try Tool.carryover("rollback", sample.path, "--only", "user_id", "--yes").status == 0)
    _ = try check(0, [])
    #expect(try Tool.carryover("rollback", sample.path, "--yes").status == 0)
    let last = try check(0, [])
    #expect(try last.json()["runs"] as? Int == 3)
    let text = try Tool.carryover("history", sample.path, "--check")
    #expect(text.output.hasSuffix("3 runs, 4 copies checked: everything is in effect as recorded.\n"), "\(text.output)")
    let untouched = try SampleCopy("Clean")
    #expect(try Tool.carryover("history", untouched.path, "--check").status == 0)
  }

  @Test("A key that changed since, or is gone with its file, is named; what the app wrote beside it is none of a run's")
  func changed() throws {
    try edit("values['app.key'] = 1")
    _ = try check(0, [])
    try edit("values['session_id'] = '9'")
    let changed = try check(3, ["changed"])
    let problem = (try changed.json()["problems"] as? [[String: Any]])?.first
    #expect(problem?["key"] as? String == "session_id")
    try Data("no property list".utf8).write(to: URL(fileURLWithPath: sample.target))
    _ = try check(3, ["changed"])
    try FileManager.default.removeItem(atPath: sample.target)
    _ = try check(3, Array(repeating: "changed", count: 8))
  }

  @Test("A copy that is gone or holds other bytes is damage, and so is a record that cannot be read")
  func damage() throws {
    let after = try sample.path + "/.carryover/runs/\(run)/after"
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: after).first)
    let copy = URL(fileURLWithPath: after + "/" + name)
    let bytes = try Data(contentsOf: copy)
    try (bytes + [0]).write(to: copy)
    _ = try check(1, ["damaged"])
    try FileManager.default.removeItem(at: copy)
    _ = try check(1, ["damaged"])
    try bytes.write(to: copy)
    _ = try check(0, [])
    try Data("{".utf8).write(to: URL(fileURLWithPath: record))
    _ = try check(1, ["damaged"])
  }

  @Test("A record that somebody changed is not this user's any more, with status 5")
  func tampered() throws {
    let path = try record
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try text.replacingOccurrences(of: "\"42\"", with: "\"43\"").write(toFile: path, atomically: true, encoding: .utf8)
    let result = try check(5, ["came-along"])
    #expect(result.output.contains("--adopt"))
  }

  @Test("Copies that were pruned are no damage, and what the run wrote is still compared")
  func pruned() throws {
    #expect(try Tool.carryover("history", "prune", sample.path, "--keep", "0", "--yes").status == 0)
    _ = try check(0, [])
    try edit("values['session_id'] = '9'")
    _ = try check(3, ["changed"])
  }

  @Test("An interrupted run ends it with 5, whatever else is wrong", .needsTools)
  func interrupted() throws {
    let sample = try SampleCopy.interrupted()
    let result = try Tool.carryover("history", sample.path, "--check", "--json")
    #expect(result.status == 5, "\(result.output)")
    #expect((try result.json()["problems"] as? [[String: Any]])?.first?["code"] as? String == "interrupted")
  }

  @Test("--check with --run is refused")
  func oneRun() throws {
    #expect(try Tool.carryover("history", sample.path, "--check", "--run", run).status == 64)
  }
}
