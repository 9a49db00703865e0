import Foundation
import Testing

@Suite("carryover config")
struct ConfigCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func file(_ text: String, name: String = "config") throws -> String {
    let path = folder.path(name)
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  private func run(_ environment: [String], _ arguments: String...) throws -> Tool.Result {
    try Tool.run("env", ["-i"] + environment + [Tool.carryover.path] + arguments)
  }

  @Test("every setting is shown with its default and the line it comes from")
  func shows() throws {
    let path = try file("# mine\nset theme light\nbind review ctrl-n next\ncolor match 231 24 bold\n")
    let result = try Tool.carryover("config", "--config", path)
    #expect(result.status == 0)
    let rows = result.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    #expect(rows.contains(["theme", "light", "auto", "line", "2"]))
    #expect(rows.contains(["mouse", "on", "on", "default"]))
    #expect(rows.contains(["list-share", "auto", "auto", "default"]))
    #expect(result.output.contains("bind review ctrl-n next  (line 3)\ncolor match 231 24 bold  (line 4)"))
    let keys = try Tool.carryover("config", "keys", "--config", path)
    #expect(keys.output.contains("ctrl-n n "))
  }

  @Test("the file is looked for where the option, the variables and the home folder say, in this order")
  func order() throws {
    let (home, other) = (folder.path("home"), folder.path("xdg"))
    for (place, theme) in [(home + "/.config", "mono"), (other, "light")] {
      try FileManager.default.createDirectory(atPath: place + "/carryover", withIntermediateDirectories: true)
      try Data("set theme \(theme)\n".utf8).write(to: URL(fileURLWithPath: place + "/carryover/config"))
    }
    let named = try file("set theme dark\n", name: "named")
    let option = try file("set colors 16\n", name: "option")
    let environment = ["HOME=\(home)"]
    #expect(try run(environment, "config").output.contains("theme         mono"))
    #expect(try run(environment + ["XDG_CONFIG_HOME=relative"], "config").output.contains("theme         mono"))
    let both = environment + ["XDG_CONFIG_HOME=\(other)"]
    #expect(try run(both, "config").output.contains("theme         light"))
    let all = both + ["CARRYOVER_CONFIG=\(named)"]
    #expect(try run(all, "config").output.contains("theme         dark"))
    #expect(try run(all, "config", "--config", option).output.contains("colors        16"))
    #expect(try run(all, "config", "--no-config").output.contains("No configuration is read."))
    #expect(try run([], "config").status == 0)
    #expect(try run(["HOME=\(other)"], "config").output.contains("There is no configuration at"))
  }

  @Test("a link to a configuration is followed")
  func link() throws {
    let path = try file("set theme light\n")
    let link = folder.path("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    #expect(try Tool.carryover("config", "check", link).output.contains("is valid"))
  }

  @Test("everything that is wrong is said at once, with its line, and nothing is shown")
  func problems() throws {
    let path = try file("set theme ligth\n\nbind preview enter apply-this\nset list-share 95\n")
    let result = try Tool.carryover("config", "check", path)
    #expect(result.status == 64)
    #expect(result.output.isEmpty)
    #expect(result.error.contains("has 3 problems:\n\(path):1: “ligth” is not a value of theme. Did you mean light?"))
    #expect(result.error.contains("\(path):3: enter cannot be apply-this"))
    #expect(result.error.contains("\(path):4: “95” is not a value of list-share."))
    let many = try file(String(repeating: "nonsense\n", count: 5000), name: "many")
    let long = try Tool.carryover("config", "check", many)
    #expect(long.status == 64)
    #expect(long.error.split(separator: "\n").count == 52)
  }

  @Test(
    "what is no configuration is refused with a sentence",
    arguments: ["folder", "pipe", "huge", "binary", "gone", "dangling"])
  func hostile(kind: String) throws {
    let path = folder.path("a\u{1B}[31mb")
    switch kind {
    case "folder": try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    case "pipe": #expect(mkfifo(path, 0o600) == 0)
    case "huge": try Data(count: 3 << 20).write(to: URL(fileURLWithPath: path))
    case "binary": try Data((0..<4096).map { UInt8($0 & 0xFF) }).write(to: URL(fileURLWithPath: path))
    case "dangling": try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path + "x")
    default: break
    }
    for result in [
      try Tool.carryover("config", "--config", path), try run(["CARRYOVER_CONFIG=\(path)"], "config", "keys"),
    ] {
      #expect(result.status == 64)
      #expect(result.output.isEmpty)
      #expect(result.error.hasPrefix("carryover: ") && result.error.contains("31mb"))
      #expect(!result.error.contains("\u{1B}"))
    }
  }

  @Test("options that contradict each other are refused")
  func contradictions() throws {
    #expect(try Tool.carryover("config", "--config", "x", "--no-config").status == 64)
    #expect(try Tool.carryover("config", "check", "x", "--config", "x").status == 64)
    #expect(try Tool.carryover("review", ".", "--theme", "neon").error.contains("neon"))
  }

  @Test("Documentation/Keys.md is what the command prints")
  func keysPage() throws {
    let page = try String(contentsOf: Tool.root.appendingPathComponent("Documentation/Keys.md"), encoding: .utf8)
    let isCurrent = try Tool.carryover("config", "keys", "--markdown").output == page
    #expect(isCurrent, "Documentation/Keys.md is stale: run `make record`")
  }
}
