import Foundation
import Testing

@Suite("Runs that came with a container")
struct CameAlongTests {
  private let sample: SampleCopy
  private let id: String

  init() throws {
    sample = try SampleCopy("Clean")
    let result = try Tool.run(
      "env",
      ["XDG_STATE_HOME=\(sample.folder.path("colleague"))", Tool.carryover.path, "apply"] + sample.options + ["--yes"])
    try #require(result.status == 0, "\(result.error)")
    let runs = try FileManager.default.contentsOfDirectory(atPath: sample.path + "/.carryover/runs")
    id = try #require(runs.first)
  }

  private func run(_ subcommand: String, _ arguments: String...) throws -> Tool.Result {
    try Tool.carryover([subcommand, sample.path] + arguments)
  }

  private func runs() throws -> [[String: Any]] {
    let result = try run("history", "--json")
    #expect(result.status == 0, "\(result.error)")
    let json = try result.json()
    #expect(try SchemaCheck("history-1").problems(json) == [])
    return try #require(json["runs"] as? [[String: Any]])
  }

  @Test("history lists them, in text and in JSON, and says why they do not count")
  func listed() throws {
    let table = try run("history")
    #expect(table.status == 0)
    let row = try #require(table.output.split(separator: "\n").first { $0.contains(id) })
    #expect(row.contains("from elsewhere"))
    #expect(table.output.contains("--adopt") && table.output.contains("--run \(id)"))
    let listed = try runs()
    #expect(listed.map { $0["standing"] as? String } == ["came-along"])
    #expect(listed.map { $0["origin"] as? String } == ["other-key"])
    let one = try run("history", "--run", id)
    #expect(one.status == 0 && one.output.contains("it was sealed with a key that is not yours"), "\(one.output)")
    #expect(one.output.contains("anonymous_id"))
  }

  @Test("A record without a seal and one in a copy came along too", arguments: ["unsealed", "not-genuine"])
  func origins(origin: String) throws {
    let own = try SampleCopy("Clean")
    #expect(try own.run("apply", "--yes").status == 0)
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: own.path + "/.carryover/runs").first)
    var container = own.path
    if origin == "unsealed" {
      let path = own.path + "/.carryover/runs/\(name)/record.json"
      var record = try #require(
        try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path))) as? [String: Any])
      #expect(record.removeValue(forKey: "seal") != nil)
      try JSONSerialization.data(withJSONObject: record).write(to: URL(fileURLWithPath: path))
    } else {
      container = own.folder.path("Copy.xcappdata")
      try FileManager.default.copyItem(atPath: own.path, toPath: container)
    }
    let json = try Tool.carryover("history", container, "--json").json()
    let listed = try #require(json["runs"] as? [[String: Any]])
    #expect(listed.map { $0["standing"] as? String } == ["came-along"])
    #expect(listed.map { $0["origin"] as? String } == [origin])
  }

  @Test("They settle nothing: a plan is the one of the files alone")
  func settleNothing() throws {
    let with = try sample.run("plan", "--json")
    try FileManager.default.moveItem(atPath: sample.path + "/.carryover", toPath: sample.folder.path("aside"))
    let without = try sample.run("plan", "--json")
    #expect(with.status == 0 && with.output == without.output)
  }

  @Test("rollback ignores them, and refuses one by its id until it is adopted")
  func rollback() throws {
    let migrated = try sample.files()
    let nothing = try run("rollback", "--yes")
    #expect(nothing.status == 1, "\(nothing.error)")
    let refused = try run("rollback", "--run", id, "--yes")
    #expect(refused.status == 5)
    #expect(refused.error.contains(id) && refused.error.contains("--adopt --run \(id)"), "\(refused.error)")
    #expect(try sample.files() == migrated)

    #expect(try run("recover", "--adopt", "--run", id).status == 64)
    #expect(try sample.files() == migrated)
    let adopted = try run("recover", "--adopt", "--run", id, "--yes")
    #expect(adopted.status == 0, "\(adopted.error)")
    #expect(try sample.files() == migrated)
    #expect(try runs().map { $0["standing"] as? String } == ["holds"])
    #expect(try runs().map { $0["origin"] as? String } == ["own"])
    #expect(try run("rollback", "--yes").status == 0)
    #expect(try sample.files() == sample.originalFiles())
  }

  @Test("One that is discarded is moved aside whole, and no longer listed")
  func discarded() throws {
    let folder = sample.path + "/.carryover"
    let before = try FileState.files(under: folder + "/runs/" + id)
    let files = try sample.files()
    let result = try run("recover", "--discard", "--run", id)
    #expect(result.status == 0, "\(result.error)")
    #expect(result.error.contains(".carryover/discarded/1"), "\(result.error)")
    #expect(try FileState.files(under: folder + "/discarded/1/" + id) == before)
    #expect(try runs().isEmpty)
    #expect(try sample.files() == files)
    #expect(try run("recover", "--discard", "--run", id).status == 1)
  }

  @Test("extract leaves them out and says so; --with-state takes them, and they came along")
  func extracted() throws {
    let forms = try Forms(of: sample)
    for form in ["package.zip", "folder.tar.gz"] {
      let (plain, whole) = (forms.path("plain-" + form), forms.path("whole-" + form))
      let without = try Tool.carryover("extract", forms.path(form), "--output", plain, "--json")
      #expect(without.status == 0, "\(form): \(without.error)")
      let hasState = form == "package.zip"
      let left = try #require(try without.json()["leftOut"] as? [[String: Any]])
      #expect(left.map { $0["reason"] as? String } == (hasState ? ["state"] : []), "\(form)")
      #expect(try SchemaCheck("extract-1").problems(without.json()) == [])
      #expect(!FileManager.default.fileExists(atPath: plain + "/.carryover"))
      #expect(try Tool.carryover("history", plain).output.contains("There is no run"))

      let with = try Tool.carryover("extract", forms.path(form), "--with-state", "--output", whole)
      #expect(with.status == 0, "\(form): \(with.error)")
      #expect(!with.output.contains("Left out"))
      #expect(FileManager.default.fileExists(atPath: whole + "/.carryover/runs/" + id) == hasState)
      if hasState { #expect(try Tool.carryover("history", whole).output.contains("from elsewhere")) }
    }
    let text = try Tool.carryover("extract", forms.path("package.zip"), "--output", forms.path("text"))
    #expect(text.output.contains("Skipped: 1") && text.output.contains("--with-state"), "\(text.output)")
  }
}
