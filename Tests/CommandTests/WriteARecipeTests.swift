import Foundation
import Testing

@Suite("Documentation/WriteARecipe.md")
struct WriteARecipeTests {
  private let folder: TemporaryFolder
  private let page: String

  init() throws {
    folder = try TemporaryFolder()
    page = try String(contentsOf: Tool.root.appendingPathComponent("Documentation/WriteARecipe.md"), encoding: .utf8)
  }

  private func block(after heading: String, _ language: String) throws -> String {
    let start = try #require(page.range(of: heading)?.upperBound)
    let open = try #require(page.range(of: "```\(language)\n", range: start..<page.endIndex)?.upperBound)
    let end = try #require(page.range(of: "\n```", range: open..<page.endIndex)?.lowerBound)
    return String(page[open..<end])
  }

  /// A block of commands run by a shell in the folder, with the built command and its own state.
  private func run(_ commands: String) throws -> Tool.Result {
    let environment = "export XDG_STATE_HOME=\(folder.path("state")); cd \(folder.path(""))"
    let command = "carryover() { \(Tool.carryover.path) \"$@\"; }"
    return try Tool.run("/usr/bin/env", ["bash", "-ec", [environment, command, commands].joined(separator: "\n")])
  }

  @Test("every command of the page does what the page says")
  func commands() throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("Examples"), withDestinationPath: Tool.root.appendingPathComponent("Examples").path)
    let inspected = try run(try block(after: "## 1.", "sh"))
    for line in try block(after: "## 1.", "").split(separator: "\n") { #expect(inspected.output.contains(line)) }

    let drafted = try run(try block(after: "## 2.", "sh"))
    #expect(drafted.status == 0, "\(drafted.error)")
    let file = folder.path("acme-snowplow.recipe.yaml")
    for word in ["lint", "test"] { #expect(try Tool.carryover("recipe", word, file).status == 0, "the draft") }

    try block(after: "<!-- recipe: acme-snowplow -->", "yaml").write(toFile: file, atomically: true, encoding: .utf8)
    let checked = try run(try block(after: "## 4.", "sh"))
    #expect(checked.status == 0, "\(checked.output)\(checked.error)")
    for text in ["0 errors, 0 warnings", "3 passed, 0 failed", "recipe.untrusted"] {
      #expect(checked.output.contains(text), "\(text)")
    }

    let commands = try block(after: "## 5.", "sh").split(separator: "\n").map { line in
      // What asks at a terminal is answered.
      let command = String(line.split(separator: "#")[0])
      return command.contains("trust") || command.contains("apply") || command.contains("rollback")
        ? command + " --yes" : command
    }
    let applied = try run(commands.joined(separator: "\n"))
    #expect(applied.status == 0 && applied.output.contains("1 written"), "\(applied.output)\(applied.error)")
    let original = Tool.root.appendingPathComponent("Examples/Snowplow.xcappdata/AppData").path
    #expect(
      try FileState.files(under: folder.path("Shop.xcappdata/AppData")) == FileState.files(under: original))
  }
}
