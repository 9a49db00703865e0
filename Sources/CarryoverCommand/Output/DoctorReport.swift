import Carryover
import CarryoverContainers
import CarryoverCurses
import CarryoverReview
import CarryoverSystem
import CarryoverTerminal
import PropertyLists

/// What was found of the surroundings.
struct DoctorFacts {
  /// What a file of the user's is.
  enum Standing: Equatable {
    case valid(String)
    /// There is none; where it would be.
    case missing(String?)
    /// Why it cannot be used, as whole sentences.
    case invalid(String)
  }

  /// A program that a variable names.
  struct Program: Equatable {
    var variables: String
    /// What the first of the variables that is set holds.
    var command: String?
    var isFound = false
  }

  var terminalName: String?
  /// Whether standard input and output are a terminal.
  var isTerminal = false
  /// What the system's description of the terminal says; nil if it has none that can show a screen.
  var description: TerminalDescription?
  var size: Size?
  var noColor = false
  var isAccessible = false
  /// The locale's name, as the variables say.
  var locale: String?
  var localeIsUTF8 = false
  /// The library for archives; nil where it cannot be loaded.
  var archiveLibrary: String?
  /// The folder whose file system was tried; nil where there is none.
  var folder: String?
  var probe: FileSystemProbe?
  var disk: DiskStatus?
  var opensWithoutLinks = false
  var key = Standing.missing(nil)
  var configuration = Standing.missing(nil)
  var editor = Program(variables: "VISUAL, EDITOR")
  var pager = Program(variables: "PAGER")
}

/// What the surroundings can do, line by line, and what to do where something is missing. Pure.
struct DoctorReport {
  /// One line.
  struct Check: Equatable {
    /// How it stands. The raw value is the word that is shown.
    enum Verdict: String, CaseIterable { case ok, note, warning, error }

    var name: String
    var verdict: Verdict
    var message: String
    /// What to do; nil where nothing is missing.
    var remedy: String?

    init(_ name: String, _ verdict: Verdict, _ message: String, _ remedy: String? = nil) {
      (self.name, self.verdict, self.message, self.remedy) = (name, verdict, message, remedy)
    }
  }

  let checks: [Check]

  /// Whether nothing prevents work.
  var works: Bool { checks.allSatisfy { $0.verdict != .error } }

  init(_ facts: DoctorFacts) {
    checks =
      Self.terminal(facts) + [Self.locale(facts), Self.archives(facts)] + Self.files(facts)
      + [Self.key(facts), Self.configuration(facts)]
      + [("editor", facts.editor), ("pager", facts.pager)].map(Self.program)
  }

  private static func terminal(_ facts: DoctorFacts) -> [Check] {
    let name = facts.terminalName.map { DisplayText.visible($0, limit: 40) } ?? ""
    var checks: [Check] = []
    if !facts.isTerminal {
      checks.append(
        Check(
          "terminal", .note, "none", "review and browse need one, or --accessible. Every other command prints lines."))
    } else if facts.description == nil {
      let what = name.isEmpty ? "TERM is not set" : "\(name) cannot show a screen, or has no terminfo entry"
      checks.append(
        Check(
          "terminal", .warning, what, "Set TERM to what the terminal is, such as xterm-256color, or use --accessible."))
    } else {
      checks.append(Check("terminal", .ok, name + (facts.isAccessible ? ", line by line (CARRYOVER_ACCESSIBLE)" : "")))
    }
    guard facts.isTerminal, let description = facts.description else { return checks }
    checks.append(
      facts.noColor
        ? Check("colours", .note, "none, because NO_COLOR is set")
        : Check(
          "colours", description.colors > 0 ? .ok : .note, description.colors > 0 ? "\(description.colors)" : "none"))
    checks.append(
      description.mouse
        ? Check("mouse", .ok, "reported") : Check("mouse", .note, "not reported; every key works without"))
    let minimum = ScreenStack.minimum
    if let size = facts.size {
      let fits = size.columns >= minimum.columns && size.rows >= minimum.rows
      checks.append(
        Check(
          "size", fits ? .ok : .warning, "\(size.columns) columns, \(size.rows) rows",
          fits ? nil : "Make the window at least \(minimum.columns) columns and \(minimum.rows) rows large."))
    } else {
      checks.append(Check("size", .warning, "unknown", "Run stty rows 24 columns 80."))
    }
    return checks
  }

  private static func locale(_ facts: DoctorFacts) -> Check {
    let name = facts.locale.map { DisplayText.visible($0, limit: 40) } ?? "not set"
    return facts.localeIsUTF8
      ? Check("locale", .ok, name)
      : Check(
        "locale", .warning, "\(name), which is not UTF-8: screens are drawn in ASCII",
        "Set LANG to C.UTF-8, for example.")
  }

  private static func archives(_ facts: DoctorFacts) -> Check {
    guard let library = facts.archiveLibrary else {
      return Check(
        "archives", .warning, "libarchive cannot be loaded: zip and tar archives cannot be opened",
        "Install libarchive 3 (libarchive.so.13), or unpack archives yourself.")
    }
    return Check("archives", .ok, DisplayText.visible(library, limit: 60))
  }

  private static func files(_ facts: DoctorFacts) -> [Check] {
    guard let folder = facts.folder, let probe = facts.probe else {
      return [Check("folder", .error, "there is no folder to test", "Set HOME, or give a path.")]
    }
    let shown = DisplayText.quoted(folder)
    let isReadOnly = facts.disk?.isReadOnly == true
    guard probe.writing == .works else {
      return [
        Check(
          "folder", .error, isReadOnly ? "\(shown) is on a read-only file system" : "\(shown): \(words(probe.writing))",
          "Copy the container to a folder that you can write to.")
      ]
    }
    var checks = [Check("folder", .ok, "\(shown) can be written to")]
    checks.append(
      probe.exchanging == .works && probe.exclusive == .works
        ? Check("exchange", .ok, "two files can be swapped in one step")
        : Check(
          "exchange", .warning, "two files cannot be swapped in one step: another program's write may be lost",
          "Stop the app first, or copy the container to another file system."))
    checks.append(
      probe.synchronizing == .works
        ? Check("fsync", .ok, "files reach the disk when asked")
        : Check("fsync", .error, words(probe.synchronizing), "Copy the container to another file system."))
    checks.append(
      probe.attributes == .works
        ? Check("owner", .ok, "owner and permission bits are kept")
        : Check(
          "owner", .error, "owner and permission bits are not kept as they are set",
          "Copy the container to another file system, or give --state-dir on one."))
    checks.append(
      probe.hardLinks == .works
        ? Check("hard links", .ok, "supported; a target with two hard links is refused")
        : Check("hard links", .note, "not supported, and not needed"))
    checks.append(
      facts.opensWithoutLinks
        ? Check("folders", .ok, "opened without following symbolic links")
        : Check("folders", .note, "opened one by one, which is as safe and takes longer"))
    return checks + [space(facts)]
  }

  private static func space(_ facts: DoctorFacts) -> Check {
    guard let free = facts.disk?.free else { return Check("space", .note, "unknown") }
    let isEnough = free >= 64 << 20
    return Check(
      "space", isEnough ? .ok : .warning, "\(ByteCount.text(Int(clamping: free))) free",
      isEnough ? nil : "Free some: a run keeps a copy of each file it changes.")
  }

  private static func key(_ facts: DoctorFacts) -> Check {
    switch facts.key {
    case .valid(let path): Check("key", .ok, DisplayText.quoted(path))
    case .missing(let path?): Check("key", .note, "none yet; the first write makes \(DisplayText.quoted(path))")
    case .missing(nil): Check("key", .error, "no folder for it", "Set XDG_STATE_HOME or HOME to an absolute path.")
    case .invalid(let reason): Check("key", .error, reason)
    }
  }

  private static func configuration(_ facts: DoctorFacts) -> Check {
    switch facts.configuration {
    case .valid(let path): Check("configuration", .ok, DisplayText.quoted(path))
    case .missing(let path):
      Check("configuration", .ok, path.map { "none, which is fine; it would be \(DisplayText.quoted($0))" } ?? "none")
    case .invalid(let reason):
      Check("configuration", .error, reason, "review and browse do not start with it; --no-config starts without one.")
    }
  }

  private static func program(_ name: String, _ program: DoctorFacts.Program) -> Check {
    guard let command = program.command else { return Check(name, .note, "\(program.variables): not set") }
    let shown = DisplayText.visible(command, limit: 60)
    return program.isFound
      ? Check(name, .ok, shown)
      : Check(name, .warning, "\(shown) is not found", "Set \(program.variables) to a program in PATH.")
  }

  private static func words(_ answer: FileSystemProbe.Answer) -> String {
    switch answer {
    case .works: "works"
    case .unsupported: "not supported"
    case .failed(let error): error.cause
    }
  }
}

extension DoctorReport {
  func write(to page: inout TextPage) {
    let width = checks.map(\.name.count).max() ?? 0
    let indent = 13 + width
    for check in checks {
      let name = check.name + String(repeating: " ", count: max(0, width - check.name.count))
      let word = check.verdict.rawValue
      let head = " \(word)\(String(repeating: " ", count: 7 - word.count))  \(name)  "
      let message = page.ink.glyphs == .ascii ? Ink.ascii(check.message) : check.message
      for (index, line) in message.split(separator: "\n").enumerated() {
        let lead = index == 0 ? [check.verdict.sign.span(page.ink), Span(head)] : []
        page.add(lead + [Span(String(line))], indent: index == 0 ? 0 : indent, hanging: indent)
      }
      if let remedy = check.remedy { page.add([Span(remedy)], indent: indent) }
    }
    page.blank()
    page.add(works ? "No problems found." : "Problems found: see the errors above.")
  }

  var json: JSONValue {
    .object([
      JSONMember("schema", .string("carryover.doctor/1")), JSONMember("works", .boolean(works)),
      JSONMember(
        "checks",
        .array(
          checks.map { check in
            .object([
              JSONMember("check", .string(check.name)), JSONMember("verdict", .string(check.verdict.rawValue)),
              JSONMember("message", .string(check.message)), JSONMember("remedy", JSONValue(check.remedy)),
            ])
          })),
    ])
  }
}

extension DoctorReport.Check.Verdict {
  fileprivate var sign: Sign {
    switch self {
    case .ok: .done
    case .note: .note
    case .warning: .warning
    case .error: .error
    }
  }
}
