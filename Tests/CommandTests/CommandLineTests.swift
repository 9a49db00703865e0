import Foundation
import Testing

@Suite("Command line")
struct CommandLineTests {
  @Test("A misspelt subcommand is answered with the one that was meant")
  func misspelling() throws {
    for (arguments, meant) in [
      (["pln", "X"], "carryover plan"), (["pln"], "carryover plan"), (["rolback", "X", "--yes"], "carryover rollback"),
      (["history", "purne", "X"], "carryover history prune"),
      (["audit", "mrge", "X", "Y"], "carryover audit merge"), (["recipe", "explian", "X"], "carryover recipe explain"),
    ] {
      let result = try Tool.carryover(arguments)
      #expect(result.status == 64)
      #expect(result.error.hasSuffix("Did you mean “\(meant)”?\n"), "\(result.error)")
      #expect(result.output.isEmpty)
    }
  }

  @Test("A file with the name of a misspelt subcommand is a path")
  func pathLikeSubcommand() throws {
    let folder = try TemporaryFolder()
    try Data("x".utf8).write(to: folder.url.appendingPathComponent("pln"))
    let result = try Tool.run("sh", ["-c", #"cd "$0" && "$1" pln"#, folder.url.path, Tool.carryover.path])
    #expect(result.error.contains("needs a terminal"), "\(result.error)")
  }

  @Test("A path at which there is nothing is named before anything else that is wrong")
  func absentPath() throws {
    for arguments in [
      ["NoSuch"], ["review", "NoSuch"], ["browse", "NoSuch"], ["NoSuch", "--frob"], ["plan", "NoSuch", "--frob"],
      ["plan", "NoSuch"], ["plan", "NoSuch", "--redact", "-o", "x.json"], ["inspect", "NoSuch", "--find", ""],
      ["extract", "NoSuch"], ["history", "NoSuch", "X"], ["history", "prune", "NoSuch"], ["apply", "NoSuch", "X"],
      ["rollback", "NoSuch"], ["cleanup", "NoSuch"], ["recover", "NoSuch", "--keep", "--adopt"],
      ["list", "NoSuch", "X"],
      ["report", "NoSuch"], ["audit", "NoSuch"], ["audit", "run", "NoSuch", "--frob"],
    ] {
      let result = try Tool.carryover(arguments)
      #expect(result.status == 1, "\(arguments)")
      #expect(
        result.error.hasPrefix("carryover: There is nothing at “")
          && result.error.hasSuffix("NoSuch”: check the path.\n"),
        "\(arguments): \(result.error)")
    }
  }

  @Test("With --json every error is a JSON object on standard error, with the exit status")
  func jsonErrors() throws {
    let sample = try SampleCopy("AcmeShop")
    for (arguments, code, status) in [
      (["plan", "NoSuch", "--json"], "error", 1), (["plan", sample.path, "--json", "--frob"], "usage", 64),
      (["pln", sample.path, "--json"], "usage", 64), (["plan", "--json"], "usage", 64),
      (["apply"] + sample.options + ["--json", "--yes"], "decisions-needed", 2),
      (["rollback", sample.path, "--json", "--yes"], "error", 1),
      (["explain", "nothing", "--json"], "usage", 64), (["list", "NoSuch", "--json"], "error", 1),
    ] {
      let result = try Tool.carryover(arguments)
      #expect(result.status == status, "\(arguments)")
      #expect(result.output.isEmpty)
      let line = try #require(result.error.split(separator: "\n").last)
      let document = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      #expect(try SchemaCheck("error-1").problems(document).isEmpty)
      let error = try #require(document["error"] as? [String: Any])
      #expect(error["code"] as? String == code, "\(arguments)")
      #expect(error["exitStatus"] as? Int32 == Int32(status))
      #expect((error["message"] as? String)?.isEmpty == false)
    }
  }

  @Test("Errors in JSON are masked where values are")
  func maskedJSONErrors() throws {
    let sample = try SampleCopy("AcmeShop")
    let result = try Tool.carryover("inspect", sample.path, "--json", "--redact", "--ada@example.com")
    #expect(result.status == 64)
    #expect(result.error.hasPrefix("{") && !result.error.contains("ada@example.com"), "\(result.error)")
  }

  @Test("Without arguments the command says what it is, what is in this folder and how to begin")
  func startPage() throws {
    let sample = try SampleCopy("AcmeShop")
    func start(in folder: String) throws -> Tool.Result {
      try Tool.run("sh", ["-c", #"cd "$0" && "$1""#, folder, Tool.carryover.path])
    }
    let found = try start(in: sample.folder.url.path)
    #expect(found.status == 0 && found.error.isEmpty)
    #expect(found.output.contains("\n  AcmeShop.xcappdata  com.acme.shop\n"), "\(found.output)")
    #expect(found.output.contains("\n  carryover plan AcmeShop.xcappdata\n"))
    let nothing = try TemporaryFolder()
    let empty = try start(in: nothing.url.path)
    #expect(empty.status == 0 && !empty.output.contains("In this folder"), "\(empty.output)")
    #expect(empty.output.contains("\n  carryover plan PATH\n"))
    let many = try start(in: Tool.root.appendingPathComponent("Examples").path)
    #expect(many.output.contains(" more: carryover list .\n"))
    #expect(many.output.split(separator: "\n").count < 20)
  }

  @Test("The version is printed for --version and -v")
  func version() throws {
    let version = try Tool.carryover("--version")
    #expect(version.status == 0 && !version.output.isEmpty)
    #expect(try Tool.carryover("-v").output == version.output)
  }

  @Test("version prints the build and the libraries, and null for what a build does not say")
  func versionOfBuild() throws {
    let document = try Tool.carryover("version", "--json").json()
    #expect(try SchemaCheck("version-1").problems(document).isEmpty)
    let version = try #require(document["version"] as? String)
    #expect(try Tool.carryover("--version").output == version + "\n")
    // The build for tests has none of the variables that make release sets.
    for name in ["commit", "date", "compiler"] { #expect(document[name] is NSNull, "\(name)") }
    let libraries = try #require(document["libraries"] as? [String: Any])
    for name in ["sqlite", "ncurses", "libyaml"] {
      let number = try #require(libraries[name] as? String)
      #expect(number.wholeMatch(of: /[0-9]+\.[0-9.]+/) != nil, "\(name): \(number)")
    }
    let text = try Tool.carryover("version").output
    #expect(text.hasPrefix("Carryover \(version)\n") && text.contains("\n  commit: none\n"), "\(text)")
  }

  @Test("extract takes -o for --output")
  func extractOutput() throws {
    let folder = try TemporaryFolder()
    let archive = folder.path("Acme.tar")
    let examples = Tool.root.appendingPathComponent("Examples").path
    #expect(try Tool.run("tar", ["-C", examples, "-cf", archive, "Clean.xcappdata"]).status == 0)
    let result = try Tool.carryover("extract", archive, "-o", folder.path("out"))
    #expect(result.status == 0, "\(result.error)")
    #expect(FileManager.default.fileExists(atPath: folder.path("out")))
  }

  @Test("A saved plan is replaced with --force alone")
  func force() throws {
    let sample = try SampleCopy("AcmeShop")
    let file = sample.folder.path("plan.json")
    #expect(try sample.run("plan", "-o", file).status == 0)
    let before = try Data(contentsOf: URL(fileURLWithPath: file))
    let refused = try sample.run("plan", "--accept", "user_id", "-o", file)
    #expect(refused.status == 1)
    #expect(refused.output.isEmpty)
    #expect(refused.error.contains("exists already") && refused.error.contains("--force"), "\(refused.error)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == before)
    #expect(try sample.run("plan", "--accept", "user_id", "-o", file, "--force").status == 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) != before)
    // What is no saved plan stays, whatever is given.
    let other = sample.folder.path("notes.txt")
    try Data("notes".utf8).write(to: URL(fileURLWithPath: other))
    #expect(try sample.run("plan", "-o", other, "--force").status == 1)
    #expect(try Data(contentsOf: URL(fileURLWithPath: other)) == Data("notes".utf8))
  }

  @Test("inspect --find ends with 1 where nothing is found")
  func findNothing() throws {
    let sample = try SampleCopy("AcmeShop")
    let none = try Tool.carryover("inspect", sample.path, "--find", "nothere")
    #expect(none.status == 1)
    #expect(none.output == "Nothing in the stores has “nothere”.\n3 other files were not read.\n")
    #expect(none.error.isEmpty)
    let json = try Tool.carryover("inspect", sample.path, "--find", "nothere", "--json")
    #expect(json.status == 1)
    #expect(try json.json()["schema"] as? String == "carryover.inspect/1")
    #expect(try Tool.carryover("inspect", sample.path, "--find", "acme").status == 0)
  }
}
