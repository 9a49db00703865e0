import ArgumentParser
import Carryover
import CarryoverContainers
import CarryoverCurses
import CarryoverPages
import CarryoverRecipes
import CarryoverReview
import CarryoverSystem
import CarryoverTerminal

struct DoctorSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Checks the terminal, the locale, libarchive and your state folder, and says how to fix problems.",
    discussion: "It opens no container, and writes nothing.")

  @Flag(help: "Print JSON, schema carryover.doctor/1.") var json = false

  func run() throws {
    try reporting {
      let checks = [Check.version, .terminal, .locale, .archives, .state]
      let works = checks.allSatisfy { $0.verdict != .error }
      try Paper(.auto).print(
        json: json, .object(["schema": "carryover.doctor/1", "works": works, "checks": checks])
      ) { page in
        for check in checks { check.write(to: &page) }
      }
      guard works else { throw CommandFailure("Problems found: see the errors above.", .error) }
    }
  }
}

private struct Check: JSONConvertible {
  enum Verdict: String, JSONConvertible {
    case ok, note, warning, error
  }

  var name: String
  var verdict: Verdict
  var message: String
  var remedy: String?

  init(_ name: String, _ verdict: Verdict, _ message: String, _ remedy: String? = nil) {
    (self.name, self.verdict, self.message, self.remedy) = (name, verdict, message, remedy)
  }

  static var version: Check {
    let libraries = VersionSubcommand.libraries.compactMap { name, version in version.map { "\(name) \($0)" } }
    return Check("version", .ok, "Carryover \(Version.text); \(libraries.joined(separator: ", "))")
  }

  static var terminal: Check {
    guard Console.inputIsTerminal, Console.outputIsTerminal else {
      return Check(
        "terminal", .note, "none", "review and browse need one, or --accessible. Every other command prints lines.")
    }
    let name = Console.environment("TERM") ?? ""
    guard let description = TerminalDescription(name) else {
      return Check(
        "terminal", .warning,
        name.isEmpty ? "TERM is not set" : "\(shown(name)) cannot show a screen, or has no terminfo entry",
        "Set TERM to what the terminal is, such as xterm-256color, or use --accessible.")
    }
    let minimum = ScreenStack.minimum
    let size = Console.size
    let fits = size.map { $0.columns >= minimum.columns && $0.rows >= minimum.rows } ?? false
    let facts = [
      shown(name), size.map { "\($0.columns) columns, \($0.rows) rows" } ?? "unknown size",
      description.colors > 0 ? "\(description.colors) colours" : "no colours",
      description.mouse ? "mouse" : "no mouse",
    ]
    return Check(
      "terminal", fits ? .ok : .warning, facts.joined(separator: "; "),
      fits ? nil : "Enlarge the window to at least \(minimum.columns) columns and \(minimum.rows) rows.")
  }

  static var locale: Check {
    let name = Console.localeName.map(shown) ?? "not set"
    return Console.localeIsUTF8
      ? Check("locale", .ok, name)
      : Check(
        "locale", .warning, "\(name), which is not UTF-8: screens are drawn in ASCII",
        "Set LANG to C.UTF-8, for example.")
  }

  static var archives: Check {
    ArchiveSupport.library.map { Check("archives", .ok, shown($0)) }
      ?? Check(
        "archives", .warning, "libarchive cannot be loaded: zip and tar archives cannot be opened",
        "Install libarchive 3 (libarchive.so.13), or unpack archives yourself.")
  }

  static var state: Check {
    guard let path = Edge.keyPath else {
      return Check("state", .error, "no folder for your key", "Set XDG_STATE_HOME or HOME to an absolute path.")
    }
    do {
      return try Edge.key.existing() == nil
        ? Check("state", .note, "no key yet; the first write makes \(DisplayText.quoted(path))")
        : Check("state", .ok, DisplayText.quoted(path))
    } catch {
      return Check("state", .error, error.description)
    }
  }

  private static func shown(_ text: String) -> String { DisplayText.visible(text, limit: 60) }

  func write(to page: inout PageWriter) {
    page.add(sign, "\(name): \(message)")
    if let remedy { page.add(remedy, indent: 2) }
  }

  private var sign: Sign {
    switch verdict {
    case .ok: .done
    case .note: .note
    case .warning: .warning
    case .error: .error
    }
  }

  var json: JSONValue { .object(["check": name, "verdict": verdict, "message": message, "remedy": remedy]) }
}

struct VersionSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "version",
    abstract: "Prints the version, the commit and the compiler of this copy, and the libraries that it uses.",
    discussion: "carryover --version prints the version alone. A library that cannot be loaded is shown as none.")

  @Flag(help: "Print JSON, schema carryover.version/1.") var json = false

  func run() throws {
    try reporting {
      try Paper(.auto).print(json: json, document) { page in
        page.add("Carryover \(Version.text)")
        for (name, value) in facts + Self.libraries { page.add("\(name): \(value ?? "none")", indent: 2) }
      }
    }
  }

  private var facts: [(String, String?)] {
    let build = Version.build
    return [("commit", build.commit), ("date", build.date), ("compiler", build.compiler), ("target", Version.target)]
  }

  static var libraries: [(String, String?)] {
    // Some libraries put their name before their version.
    func version(_ text: String) -> String { text.split(separator: " ").last.map(String.init) ?? text }
    return [
      ("SQLite", DatabaseSupport.version), ("ncurses", version(TerminalDescription.library)),
      ("libarchive", ArchiveSupport.library.map(version)), ("libyaml", YAMLSupport.version),
    ]
  }

  private var document: JSONValue {
    func members(_ values: [(String, String?)]) -> [JSONMember] {
      values.map { JSONMember($0.lowercased(), JSONValue($1)) }
    }
    return .object(["schema": "carryover.version/1", "version": Version.text])
      .adding(members(facts) + [JSONMember("libraries", .object(members(Self.libraries)))])
  }
}
