@testable import CarryoverCommand
import CarryoverTerminal

@Suite("Printed text") struct PrintedTextTests {
  private static let sizes = [60, 80, 100, 120, 200]
  private let sample: SampleCopy

  init() throws { sample = try SampleCopy("AcmeShop") }

  private func carryover(_ variables: [String], _ arguments: [String]) throws -> Tool.Result {
    try Tool.run("env", variables + [Tool.carryover.path] + arguments)
  }

  /// The lines that are too long, but for those with a path that no line can hold.
  private func tooLong(_ output: String, _ columns: Int) -> [String] {
    output.split(separator: "\n").map(String.init).filter { line in
      DisplayWidth.columns(of: line) > columns
        // Code is to be copied, so it is not wrapped.
        && !line.contains("PersistentMigrator(")
        && !line.split(separator: " ").contains { $0.contains("/") && $0.count > 30 }
    }
  }

  @Test(arguments: sizes)
  func `No line is longer than the terminal, whatever the command`(_ columns: Int) throws {
    let size = ["COLUMNS=\(columns)"]
    var outputs = [try carryover(size, ["plan"] + sample.options).output]
    outputs.append(try carryover(size, ["apply"] + sample.options + ["--accept", "user_id", "--yes"]).output)
    outputs.append(try carryover(size, ["history", sample.path]).output)
    let run = try Tool.runs(of: sample.path).first?["id"] as? String
    outputs.append(try carryover(size, ["history", sample.path, "--run", try #require(run)]).output)
    outputs.append(
      try carryover(size, ["cleanup", sample.path, "--write-key", SampleCopy.writeKey, "--dry-run"]).output)
    outputs.append(try carryover(size, ["rollback", sample.path, "--yes"]).output)
    outputs.append(try carryover(size, ["inspect", sample.path]).output)
    outputs.append(try carryover(size, ["list", packageRoot.appendingPathComponent("Examples").path]).output)
    outputs.append(try carryover(size, ["diagnose"] + sample.options).output)
    outputs.append(try carryover(size, ["doctor"]).output)
    outputs.append(try carryover(size, ["explain"]).output)
    outputs.append(try carryover(size, ["recipe", "explain", "rudderstack-swift-v2"]).output)
    outputs.append(try carryover(size, ["config", "keys", "--no-config"]).output)
    for output in outputs {
      #expect(!output.isEmpty)
      #expect(tooLong(output, columns).isEmpty, "\(tooLong(output, columns).joined(separator: "\n"))")
    }
  }

  @Test(arguments: sizes)
  func `Sentences are wrapped between words and never cut`(_ columns: Int) throws {
    let plan = try carryover(["COLUMNS=\(columns)"], ["plan"] + sample.options)
    let text = plan.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let findings = try #require(try sample.run("plan", "--json").json()["findings"] as? [[String: Any]])
    #expect(findings.count > 3)
    for finding in findings {
      for part in ["message", "remedy"] {
        let sentence = try #require(finding[part] as? String)
        #expect(text.contains(sentence), "\(sentence)")
      }
    }
  }

  @Test(
    "Where columns are too narrow the legacy value goes, then names are cut in their middle, then rows become blocks")
  func narrow() throws {
    func plan(_ columns: Int) throws -> [String] {
      try carryover(["COLUMNS=\(columns)"], ["plan"] + sample.options).output.split(
        separator: "\n", omittingEmptySubsequences: false
      ).map(String.init)
    }
    #expect(try plan(120).contains { $0.contains("1763640000 ") && $0.contains("\"1763640000\"") })
    let narrower = try plan(80)
    #expect(narrower.contains { $0.contains("\"1763640000\"") && !$0.contains("1763640000 ") })
    #expect(narrower.contains { $0.contains("rl_session_a…track_status") })
    let blocks = try plan(60)
    let first = try #require(blocks.firstIndex(of: "? user_id  number → string"))
    #expect(blocks[first + 1] == "  legacy    rl_traits.userId  42")
    #expect(blocks[first + 2] == "  proposed  \"42\"")
  }

  @Test func `Errors come first, then warnings, then notes`() throws {
    let output = try sample.run("plan").output
    let places = try ["✗ user_id", "▲ dropped.external-ids", "i traits", "Not migrated ", "Plan: "].map { sign in
      try #require(output.range(of: "\n" + sign)).lowerBound
    }
    #expect(places == places.sorted())
  }

  @Test func `A plan ends with its counts and the command that decides it, which can be pasted`() throws {
    let moved = sample.folder.path("Ada's shop.xcappdata")
    try FileManager.default.moveItem(atPath: sample.path, toPath: moved)
    let plan = try carryover(["COLUMNS=60"], ["plan", moved] + sample.options.dropFirst())
    #expect(plan.output.contains("\nPlan: 6 to write, 1 undecided, 1 not migrated.\n\nTo decide and apply:\n"))
    let command = try #require(plan.output.range(of: "To decide and apply:\n"))
    let text = plan.output[command.upperBound...].trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(text.hasPrefix("carryover apply ") && text.contains(" \\\n") && text.hasSuffix("--accept user_id"))
    let folder = Tool.carryover.deletingLastPathComponent().path
    try Tool.run("bash", ["-c", "PATH=\(folder):$PATH; \(text) --yes"]).ended(printing: ": 7 written, 1 not migrated.")
    let again = try Tool.carryover(["plan", moved] + sample.options.dropFirst())
    #expect(again.output.hasSuffix("\nPlan: 0 to write, 7 unchanged, 1 not migrated.\n"), "\(again.output)")
  }

  @Test func `A saved plan is what the command at the end applies`() throws {
    let file = sample.folder.path("my plan.json")
    let plan = try sample.run("plan", "--accept", "user_id", "-o", file)
    #expect(plan.output.hasSuffix("To apply it:\n  carryover apply '\(file)'\n"), "\(plan.output)")
  }

  @Test func `The command leaves a conflict with another user open, and names both options`() throws {
    let sample = try SampleCopy("Findings/target.conflict")
    defer { withExtendedLifetime(sample) {} }
    let plan = try sample.run("plan")
    let start = try #require(
      plan.output.range(of: "To decide and apply (decide user_id yourself: add --replace or --keep"), "\(plan.output)")
    let command = try #require(plan.output[start.lowerBound...].range(of: "):\n"))
    let text = plan.output[command.upperBound...].trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(!text.contains("--on-conflict") && !text.contains("--keep"))
    let tools = Tool.carryover.deletingLastPathComponent().path
    let applied = try Tool.run("bash", ["-c", "PATH=\(tools):$PATH; \(text) --keep user_id --yes"])
    #expect(applied.status == 0, "\(text): \(applied.error)")
  }

  @Test func `Of a masked plan there is no command, which would be another`() throws {
    let plan = try SampleCopy("AcmeShop").run("plan", "--redact")
    #expect(!plan.output.contains("carryover apply") && plan.output.contains("\nPlan: 6 to write, 1 undecided"))
  }

  @Test func `Colours are for terminals, unless they are asked for, and never in JSON`() throws {
    func hasColours(_ variables: [String], _ options: String...) throws -> Bool {
      let output = try carryover(variables, ["plan"] + sample.options + options).output
      #expect(output.contains("user_id"))
      return output.contains("\u{1B}[")
    }
    #expect(try !hasColours([]))
    #expect(try hasColours([], "--color", "always"))
    #expect(try hasColours(["NO_COLOR=1"], "--color", "always"))
    #expect(try hasColours(["CLICOLOR_FORCE=1"]))
    #expect(try !hasColours(["CLICOLOR_FORCE=0"]))
    #expect(try !hasColours(["CLICOLOR_FORCE=1", "NO_COLOR=1"]))
    #expect(try !hasColours(["CLICOLOR_FORCE=1"], "--color", "never"))
    #expect(try !hasColours([], "--color", "always", "--json"))
  }

  @Test func `With colours the text is the same, and only the sixteen of every terminal are used`() throws {
    let plain = try sample.run("plan").output
    let coloured = try sample.run("plan", "--color", "always").output
    let pieces = coloured.components(separatedBy: "\u{1B}[")
    let codes = Set(pieces.dropFirst().compactMap { $0.split(separator: "m").first.map(String.init) })
    #expect(codes == ["0", "1", "2", "31", "32", "33"])
    #expect(([pieces[0]] + pieces.dropFirst().map { String($0.drop { $0 != "m" }.dropFirst()) }).joined() == plain)
  }

  @Test func `What could steer a terminal is escaped, with colours and without`() throws {
    let moved = sample.folder.path("Shop\u{1B}]0;x\u{7}.xcappdata")
    try FileManager.default.moveItem(atPath: sample.path, toPath: moved)
    let plan = try Tool.carryover(["plan", moved] + sample.options.dropFirst() + ["--color", "always"]).ended()
    #expect(!plan.output.contains("\u{1B}]") && !plan.output.contains("\u{7}"))
    #expect(plan.output.contains(#"Shop\x1B]0;x\x07.xcappdata'"#), "\(plan.output)")
  }

  @Test func `Where the locale is not UTF-8, text is ASCII, and JSON stays UTF-8`() throws {
    for arguments in [["plan"] + sample.options, ["inspect", sample.path], ["explain", "app.build-not-integer"]] {
      let result = try carryover(["LC_ALL=C"], arguments).ended()
      #expect(result.output.utf8.allSatisfy { $0 < 0x80 }, "\(arguments)")
    }
    let plan = try carryover(["LC_ALL=C"], ["plan"] + sample.options).output
    for sign in [
      "\nx user_id", "\n^ dropped.external-ids", "\n->", "\n.  rl_anonymous_id", "\n-  rl_application_build_key",
    ] {
      #expect(plan.contains(sign), "\(sign)")
    }
    let json = try carryover(["LC_ALL=C"], ["plan", "--json"] + sample.options).output
    #expect(json.contains("Zoë"))
    let error = try carryover(["LC_ALL=C"], ["plan", "/nowhere/at/all"]).error
    #expect(error.utf8.allSatisfy { $0 < 0x80 } && error.contains("\"/nowhere/at/all\""), "\(error)")
  }

  @Test func `A run prints the command that rolls it back, quoted for a shell; of a saved plan, too`() throws {
    let plan = sample.folder.path("plan.json")
    let odd = sample.folder.path("it's $(a) copy.xcappdata")
    try FileManager.default.moveItem(atPath: sample.path, toPath: odd)
    let options = Array(sample.options.dropFirst()) + ["--accept", "user_id"]
    #expect(try Tool.carryover(["plan", odd] + options + ["-o", plan]).status == 0)
    for arguments in [["apply", odd, "--yes"] + options, ["apply", plan, "--yes"]] {
      let lines = try Tool.carryover(arguments).ended().output.split(separator: "\n").map(String.init)
      let place = try #require(lines.firstIndex(of: "To roll it back:"))
      let command = lines[(place + 1)...].prefix { $0.hasPrefix("  ") }.joined(separator: "\n")
      #expect(command.contains("carryover rollback"), "\(command)")
      let typed = command.replacingOccurrences(of: "carryover rollback", with: "\"$0\" rollback")
      try Tool.run("sh", ["-c", typed + " --yes", Tool.carryover.path]).ended(printing: "Rolled back  run")
    }
  }

  @Test func `Runs are in effect, partly rolled back or rolled back; fields are written or rolled back`() throws {
    let applied = try sample.run("apply", "--accept", "user_id", "--yes").output
    #expect(applied.contains("✓  user_id             written\n"), "\(applied)")
    #expect(try Tool.carryover("history", sample.path).output.contains("in effect"))
    let back = try sample.run("rollback", "--only", "user_id", "--yes").output
    #expect(back.contains("✓  user_id  rolled back\n"), "\(back)")
    #expect(try Tool.carryover("history", sample.path).output.contains("partly rolled back"))
    let report = try sample.run("report").output
    #expect(report.contains("partly rolled back") && report.contains("in effect"))
    #expect(!report.contains("taken-back") && !report.contains("holds") && !report.contains("needs-decision"))
    #expect(try sample.run("rollback", "--yes").status == 0)
    let last = try Tool.carryover("history", sample.path).output
    #expect(last.contains("  rolled back  ") && !last.contains("partly"), "\(last)")
  }
}

@Suite("The line that says how far work has come") struct ProgressLineTests {
  private final class Desk {
    var moment = ContinuousClock.now
    var written: [String] = []

    func line(isShown: Bool = true) -> ProgressLine {
      ProgressLine(isShown: isShown, now: { self.moment }, write: { self.written.append($0) })
    }
  }

  @Test func `Nothing is written in the first half second, then at most ten times a second`() {
    let desk = Desk()
    let line = desk.line()
    for step in 0..<100 {
      line.show(OpeningProgress(.search, done: step).text)
      desk.moment = desk.moment.advanced(by: .milliseconds(10))
    }
    #expect(desk.written.count == 5)
    #expect(desk.written.first == "\rSearching for containers: 50")
  }

  @Test func `A shorter text covers a longer one, and at the end the line is empty`() {
    let desk = Desk()
    let line = desk.line()
    for (stage, done, total) in [(OpeningProgress.Stage.archive, 12_000_000, 99_000_000), (.stores, 3, nil)] {
      desk.moment = desk.moment.advanced(by: .seconds(1))
      line.show(OpeningProgress(stage, done: done, total: total).text)
    }
    let first = "Reading the archive: 12 MB of 99 MB"
    let second = "Reading stores: 3"
    #expect(desk.written == ["\r" + first, "\r" + second + String(repeating: " ", count: first.count - second.count)])
    line.remove()
    #expect(desk.written.last == "\r" + String(repeating: " ", count: second.count) + "\r")
    line.remove()
    #expect(desk.written.count == 3)
  }

  @Test func `Where nobody looks, nothing is written`() {
    let desk = Desk()
    let line = desk.line(isShown: false)
    desk.moment = desk.moment.advanced(by: .seconds(9))
    line.show(OpeningProgress(.backup, done: 1).text)
    line.remove()
    #expect(desk.written.isEmpty)
  }

  @Test(
    arguments: [
      ((412, nil, 0, 2.0), "Audited: 412 inputs, 206 per second"),
      ((412, 1_000, 0, 2.0), "Audited: 412 of 1000 inputs (41%), 206 per second, 3 s left"),
      ((600, 4_000, 500, 10.0), "Audited: 600 of 4000 inputs (15%), 10 per second, 5 min 40 s left"),
      ((500, 4_000, 500, 10.0), "Audited: 500 inputs, 0 per second"),
      ((20, 10, 0, 10.0), "Audited: 20 of 20 inputs (100%), 2 per second, 0 s left"),
      ((10, 100_000, 0, 10.0), "Audited: 10 of 100000 inputs (0%), 1 per second, 27 h 46 min left"),
    ] as [((Int, Int?, Int, Double), String)])
  func `An audit's line says how much is left, once known`(_ state: (Int, Int?, Int, Double), _ text: String) {
    #expect(AuditProgress.text(state.0, of: state.1, before: state.2, seconds: state.3) == text)
  }
}
