import Foundation
import Testing

@Suite("One container in every form")
struct FormsTests {
  private static let options = ["--write-key", SampleCopy.writeKey, "--now", SampleCopy.now]

  /// What a plan says, whatever the form: where the data folder is aside.
  private func plan(_ path: String, _ more: [String] = []) throws -> [String: String] {
    let result = try Tool.carryover(["plan", path, "--json"] + Self.options + more)
    guard result.status == 0 else { throw Tool.Missing("a plan of \(path): \(result.error)") }
    let plan = try Tool.Result(
      status: 0, output: result.output.replacingOccurrences(of: "AppData/", with: ""), error: ""
    ).json()
    var parts: [String: String] = [:]
    for name in ["target", "fields", "findings", "dropped", "decisions", "basis"] {
      let value = try #require(plan[name])
      let bytes = try JSONSerialization.data(withJSONObject: [value], options: [.sortedKeys, .prettyPrinted])
      parts[name] = String(decoding: bytes, as: UTF8.self)
    }
    return parts
  }

  @Test("the plan is the same from all of them", arguments: ["AcmeShop", "Disagree", "HalfFilled", "OptedOut"])
  func samePlan(sample: String) throws {
    let forms = try Forms(of: SampleCopy.original(sample).path)
    let expected = try plan(forms.path("Shop.xcappdata"))
    for form in Forms.all { #expect(try plan(forms.path(form)) == expected, "\(sample) as \(form)") }
  }

  @Test("unsent events are counted in all of them")
  func unsentEvents() throws {
    let sample = try SampleCopy("Clean")
    let script = """
      import sqlite3, sys
      database = sqlite3.connect(sys.argv[1])
      database.execute('PRAGMA journal_mode = WAL')
      database.execute('CREATE TABLE events (id INTEGER PRIMARY KEY, message TEXT)')
      database.executemany('INSERT INTO events (message) VALUES (?)', [('x',)] * 7)
      database.commit()
      database.close()
      """
    let made = try Tool.run("python3", ["-c", script, sample.path + "/AppData/Library/rl_persistence.sqlite"])
    #expect(made.status == 0, "\(made.error)")
    let forms = try Forms(of: sample)
    let expected = try plan(forms.path("Shop.xcappdata"))
    #expect(expected["findings"]?.contains("7 unsent events") == true)
    for form in Forms.all { #expect(try plan(forms.path(form)) == expected, "\(form)") }
  }

  @Test("runs made before it was packed came along with the copy: they are listed, and nothing is written")
  func history() throws {
    let sample = try SampleCopy("Clean")
    #expect(try sample.run("apply", "--yes").status == 0)
    let forms = try Forms(of: sample)
    let zip = forms.path("package.zip")
    let expected = try plan(forms.path("Shop.xcappdata"))
    #expect(expected["fields"]?.contains("unchanged") == true)
    #expect(try plan(zip) == expected)
    let runs = try Tool.carryover("history", zip, "--json").json()["runs"] as? [[String: Any]]
    #expect(runs?.count == 1)
    #expect(runs?.first?["standing"] as? String == "came-along")
  }

  @Test("a run that was cut off before it was packed is reported by what reads, and not brought to an end", .needsTools)
  func interrupted() throws {
    let sample = try SampleCopy.interrupted()
    let forms = try Forms(of: sample)
    let there = try Tool.carryover(["plan", forms.path("Shop.xcappdata")] + Self.options)
    let packed = try Tool.carryover(["plan", forms.path("package.zip")] + Self.options)
    #expect(packed.status == there.status)
    #expect(packed.error.hasPrefix(there.error.dropLast()) && packed.error.contains("carryover extract"))
  }

  @Test("what writes is refused before anything else, with what to do", arguments: Forms.wrapped)
  func refused(form: String) throws {
    let forms = try Forms(of: SampleCopy.original("Clean").path)
    let before = try FileState.files(under: forms.folder.url.path)
    let path = forms.path(form)
    for arguments in [
      ["apply", path, "--yes"] + Self.options, ["apply", path, "--yes"], ["rollback", path, "--yes"],
      ["cleanup", path, "--yes"], ["recover", path], ["recover", path, "--keep", "--yes"],
      ["history", "prune", path, "--keep", "0", "--yes"],
    ] {
      let result = try Tool.carryover(arguments + (arguments[0] == "history" ? [] : ["--live"]))
      #expect(result.status == 1, "\(arguments)")
      #expect(result.error.contains("read-only") && result.error.contains("carryover extract"), "\(result.error)")
      #expect(result.output.isEmpty)
    }
    #expect(try FileState.files(under: forms.folder.url.path) == before)
  }

  @Test("reading makes no call that writes, in any form", .needsTools)
  func noWriteCalls() throws {
    let forms = try Forms(of: SampleCopy.original("AcmeShop").path)
    let log = forms.path("strace.log")
    for form in Forms.all {
      for arguments in [["inspect", forms.path(form)], ["list", forms.path(form)]] {
        let result = try Tool.run("strace", ["-f", "-o", log, "-e", Trace.calls, Tool.carryover.path] + arguments)
        #expect(result.status == 0, "\(arguments): \(result.error)")
        let writing = try Trace.writing(in: log)
        #expect(writing.isEmpty, "\(arguments): \(writing)")
      }
    }
  }

  @Test("a saved plan of a container in an archive is not applied there, but to what was taken out of it")
  func savedPlan() throws {
    let forms = try Forms(of: SampleCopy.original("Clean").path)
    let plan = forms.path("plan.json")
    let saved = try Tool.carryover(["plan", forms.path("package.zip"), "-o", plan] + Self.options)
    #expect(saved.status == 0, "\(saved.error)")
    let refused = try Tool.carryover("apply", plan, "--yes")
    #expect(refused.status == 1)
    #expect(refused.error.contains("carryover extract"))
    #expect(try Tool.carryover("extract", forms.path("package.zip"), "--output", forms.path("out")).status == 0)
    let applied = try Tool.carryover("apply", plan, "--container", forms.path("out"), "--yes")
    #expect(applied.status == 0, "\(applied.error)")
    let again = try Tool.carryover("apply", plan, "--app", "com.acme.shop", "--yes")
    #expect(again.status == 64)
  }
}
