import CarryoverContainers
import CarryoverCurses
import CarryoverReview
import CarryoverSystem
import CarryoverTerminal
import Foundation
import Testing

@testable import CarryoverCommand

/// The report of `carryover doctor`, with facts passed in, and the command itself.
@Suite("carryover doctor")
struct DoctorTests {
  /// Surroundings in which nothing is missing.
  private var facts: DoctorFacts {
    var facts = DoctorFacts()
    facts.terminalName = "xterm-256color"
    facts.isTerminal = true
    facts.description = TerminalDescription("xterm-256color")
    facts.size = Size(columns: 80, rows: 24)
    facts.locale = "C.UTF-8"
    facts.localeIsUTF8 = true
    facts.archiveLibrary = "libarchive 3.7.2"
    facts.folder = "/tmp"
    facts.probe = POSIXFileSystem().probe(NSTemporaryDirectory())
    facts.probe?.exchanging = .works
    facts.probe?.exclusive = .works
    facts.disk = DiskStatus(of: "/tmp")
    facts.key = .valid("/home/a/.local/state/carryover/key")
    facts.configuration = .valid("/home/a/.config/carryover/config")
    facts.editor = .init(variables: "VISUAL, EDITOR", command: "vi", isFound: true)
    facts.pager = .init(variables: "PAGER", command: "less -R", isFound: true)
    return facts
  }

  private func check(_ name: String, _ change: (inout DoctorFacts) -> Void) throws -> DoctorReport.Check {
    var facts = facts
    change(&facts)
    return try #require(DoctorReport(facts).checks.first { $0.name == name })
  }

  private static func lines(_ report: DoctorReport, _ glyphs: Glyphs) -> [String] {
    var page = Paper(columns: 80, glyphs: glyphs, hasColors: false).page()
    report.write(to: &page)
    return page.lines.map { $0.map(\.text).joined() }
  }

  @Test("Where nothing is missing every line is ok or a note, and has nothing to do")
  func allIsWell() throws {
    let report = DoctorReport(facts)
    #expect(report.works)
    for check in report.checks where check.name != "space" {
      #expect(check.verdict == .ok || check.verdict == .note, "\(check)")
      #expect(check.remedy == nil, "\(check)")
    }
    #expect(Set(report.checks.map(\.name)).count == report.checks.count)
    let lines = Self.lines(report, .ascii)
    #expect(lines.contains("v ok       terminal       xterm-256color"), "\(lines)")
    #expect(lines.allSatisfy { $0.unicodeScalars.allSatisfy { $0.isASCII || "“”".unicodeScalars.contains($0) } })
  }

  @Test("Every warning and every error says what to do or what is wrong with a file")
  func remedies() throws {
    let failure = FileSystemError(.write, "/x", .system(5))
    let changes: [(String, DoctorReport.Check.Verdict, (inout DoctorFacts) -> Void)] = [
      ("terminal", .warning, { $0.description = nil }), ("terminal", .note, { $0.isTerminal = false }),
      ("colours", .note, { $0.noColor = true }), ("size", .warning, { $0.size = Size(columns: 59, rows: 24) }),
      ("size", .warning, { $0.size = nil }), ("locale", .warning, { $0.localeIsUTF8 = false }),
      ("archives", .warning, { $0.archiveLibrary = nil }), ("folder", .error, { $0.probe = nil }),
      ("folder", .error, { $0.probe?.writing = .failed(failure) }),
      ("exchange", .warning, { $0.probe?.exchanging = .unsupported }),
      ("exchange", .warning, { $0.probe?.exclusive = .unsupported }),
      ("fsync", .error, { $0.probe?.synchronizing = .failed(failure) }),
      ("owner", .error, { $0.probe?.attributes = .unsupported }),
      ("hard links", .note, { $0.probe?.hardLinks = .unsupported }), ("key", .error, { $0.key = .missing(nil) }),
      ("key", .note, { $0.key = .missing("/k") }), ("key", .error, { $0.key = .invalid("It is not a key.") }),
      ("configuration", .error, { $0.configuration = .invalid("It has a problem.") }),
      ("configuration", .ok, { $0.configuration = .missing("/c") }),
      ("editor", .warning, { $0.editor.isFound = false }),
      ("pager", .note, { $0.pager.command = nil }),
    ]
    for (name, verdict, change) in changes {
      let check = try check(name, change)
      #expect(check.verdict == verdict, "\(check)")
      if verdict == .warning || verdict == .error { #expect(check.remedy != nil || name == "key", "\(check)") }
      var facts = facts
      change(&facts)
      #expect(DoctorReport(facts).works == (verdict != .error), "\(name)")
    }
  }

  @Test("Names from the environment are escaped")
  func escaped() throws {
    var facts = facts
    facts.terminalName = "x\u{1B}[31m"
    facts.locale = "\u{202E}"
    facts.editor.command = "vi\u{7}"
    facts.folder = "/tmp/\u{1B}"
    #expect(Self.lines(DoctorReport(facts), .unicode).allSatisfy { DisplayText.harmless($0) == $0 })
  }

  /// Runs the command with nothing in its environment but what is given.
  private func run(_ environment: [String], _ arguments: String...) throws -> Tool.Result {
    try Tool.run("env", ["-i"] + environment + [Tool.carryover.path, "doctor"] + arguments)
  }

  private func verdicts(_ result: Tool.Result) throws -> [String: String] {
    let document = try result.json()
    #expect(try SchemaCheck("doctor-1").problems(document) == [])
    let checks = try #require(document["checks"] as? [[String: Any]])
    return Dictionary(
      uniqueKeysWithValues: checks.map { ($0["check"] as? String ?? "", $0["verdict"] as? String ?? "") })
  }

  @Test("It leaves nothing behind, in the folder or in the home")
  func leavesNothing() throws {
    let (home, folder) = (try TemporaryFolder(), try TemporaryFolder())
    let result = try run(["HOME=" + home.url.path, "LANG=C.UTF-8"], folder.url.path, "--json")
    #expect(result.status == 0, "\(result.output) \(result.error)")
    let verdicts = try verdicts(result)
    #expect(verdicts["folder"] == "ok" && verdicts["key"] == "note" && verdicts["terminal"] == "note")
    #expect(verdicts["locale"] == "ok" && verdicts["editor"] == "note")
    for place in [home, folder] {
      #expect(try FileManager.default.contentsOfDirectory(atPath: place.url.path).isEmpty)
    }
  }

  @Test("What prevents work ends it with 1: no home, a damaged key, a configuration with problems")
  func prevented() throws {
    #expect(try run([]).status == 1)
    let home = try TemporaryFolder()
    let key = home.path("state/carryover")
    try FileManager.default.createDirectory(atPath: key, withIntermediateDirectories: true)
    try Data("no key".utf8).write(to: URL(fileURLWithPath: key + "/key"))
    let damaged = try run(["HOME=" + home.url.path, "XDG_STATE_HOME=" + home.path("state")], "--json")
    #expect(damaged.status == 1)
    #expect(try verdicts(damaged)["key"] == "error")
    try Data("set theme purple\n".utf8).write(to: URL(fileURLWithPath: home.path("config")))
    let config = try run(["HOME=" + home.url.path], "--config", home.path("config"), "--json")
    #expect(config.status == 1 && config.output.contains("purple"))
    #expect(try verdicts(config)["configuration"] == "error")
    #expect(try run(["HOME=" + home.url.path], home.path("missing")).status == 1)
  }
}
