import ArgumentParser
import Carryover
import CarryoverContainers
import CarryoverCurses
import CarryoverRecipes
import PropertyLists

struct VersionSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "version",
    abstract: "Prints the version, the commit and the compiler of this copy, and the libraries that it uses.",
    discussion: "carryover --version prints the version alone. A library that cannot be loaded is none.")

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
    return .object(
      [JSONMember("schema", .string("carryover.version/1")), JSONMember("version", .string(Version.text))]
        + members(facts) + [JSONMember("libraries", .object(members(Self.libraries)))])
  }
}
