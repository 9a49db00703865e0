import Carryover
import CarryoverRecipes
import CarryoverVendors
import Foundation
import Testing

@Suite("carryover recipe lint")
struct RecipeLintTests {
  private static let recipes = Tool.root.appendingPathComponent("Recipes").path

  /// A recipe with a misspelled step in line 14.
  private func misspelled(_ folder: TemporaryFolder) throws -> String {
    let sound = try String(contentsOfFile: Self.recipes + "/convert-ios.recipe.yaml", encoding: .utf8)
    let path = folder.path("a%b, c.recipe.yaml")
    try sound.replacingOccurrences(of: "steps: [number-text]", with: "steps: [number-txt]").write(
      toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  @Test("the recipes that are shipped have no issue")
  func shipped() throws {
    let linted = try Tool.carryover(["recipe", "lint", Self.recipes, "--fail-on", "warning"])
    #expect(linted.status == 0)
    #expect(linted.output == "0 errors, 0 warnings in \(Recipe.builtIn.count) files.\n")
  }

  @Test("an issue is told with path, line and column, in every form")
  func forms() throws {
    let folder = try TemporaryFolder()
    let path = try misspelled(folder)
    let text = try Tool.carryover(["recipe", "lint", path])
    #expect(text.status == 1 && text.error.isEmpty)
    let place = try #require(text.output.firstMatch(of: /:([0-9]+):([0-9]+): error/))
    #expect(text.output.hasPrefix(path + ":") && text.output.contains("[R212]"), "\(text.output)")

    let json = try Tool.carryover(["recipe", "lint", path, "--json"]).json()
    #expect(try SchemaCheck("lint-1").problems(json) == [])
    let issue = try #require(((json["files"] as? [[String: Any]])?.first?["issues"] as? [[String: Any]])?.first)
    #expect(issue["code"] as? String == "R212" && issue["line"] as? Int == Int(place.1))
    #expect(issue["column"] as? Int == Int(place.2) && json["errors"] as? Int == 1)

    let github = try Tool.carryover(["recipe", "lint", path, "--format", "github"])
    #expect(
      github.output.hasPrefix("::error file=\(folder.path("a%25b%2C c.recipe.yaml")),line=\(place.1),col=\(place.2),"),
      "\(github.output)")
  }

  @Test("a file with errors is not explained, and one without is explained as a built-in recipe is")
  func explains() throws {
    let folder = try TemporaryFolder()
    let refused = try Tool.carryover(["recipe", "explain", try misspelled(folder)])
    #expect(refused.status == 1 && refused.output.isEmpty && refused.error.contains("[R212]"))
    for id in Recipe.builtIn.map(\.reference.id) {
      let builtIn = try Tool.carryover(["recipe", "explain", id, "--json"]).output
      #expect(
        try Tool.carryover(["recipe", "explain", Self.recipes + "/\(id).recipe.yaml", "--json"]).output == builtIn)
    }
  }

  @Test("what is not there, empty, too large or a pipe is refused in a sentence")
  func absent() throws {
    let folder = try TemporaryFolder()
    let none = try Tool.carryover(["recipe", "lint", folder.path("none.recipe.yaml")])
    #expect(none.status == 1 && none.error.contains("none.recipe.yaml"))
    let empty = try Tool.carryover(["recipe", "lint", folder.path("")])
    #expect(empty.status == 64 && empty.error.contains("no recipe files"))
    let large = folder.path("large.recipe.yaml")
    try Data(repeating: 0x23, count: 300_000).write(to: URL(fileURLWithPath: large))
    #expect(try Tool.carryover(["recipe", "lint", large]).output.contains("[R005]"))
    let pipe = folder.path("pipe.recipe.yaml")
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(try Tool.carryover(["recipe", "lint", pipe]).status == 1)
  }

  @Test("each code is explained by its name, in either case, and the list has all of them")
  func explained() throws {
    let list = try Tool.carryover(["explain"]).output
    for code in LintCode.allCases {
      #expect(list.contains(code.rawValue))
      let page = try Tool.carryover(["explain", code.rawValue.lowercased()]).output
      #expect(page.hasPrefix(code.rawValue + "\n") && page.contains("What to do"))
    }
  }

  @Test("the schema accepts the recipes that are shipped, and refuses what lint refuses")
  func schema() throws {
    let schema = try SchemaCheck("recipe-1")
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.recipes)
    #expect(files.count >= 4)
    for file in files {
      let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: Self.recipes + "/" + file)))
      let value = try #require(RecipeReader.read(bytes).root).any
      #expect(try schema.problems(value) == [], "\(file)")
      var other = try #require(value as? [String: Any])
      other["titel"] = "x"
      #expect(try !schema.problems(other).isEmpty)
    }
  }

  @Test("the schema that is printed is the one in the documentation")
  func printedSchema() throws {
    let published = Tool.root.appendingPathComponent("Documentation/Schemas/recipe-1.json")
    #expect(try Tool.carryover("recipe", "schema").output == String(contentsOf: published, encoding: .utf8))
  }

  @Test("the page lists every code with its title")
  func page() throws {
    let page = try String(contentsOf: Tool.root.appendingPathComponent("Documentation/LintARecipe.md"), encoding: .utf8)
    for code in LintCode.allCases {
      let row = "| `\(code.rawValue)` | \(code.severity.rawValue) | \(code.words.title) |"
      #expect(page.contains(row), "\(row)")
    }
  }
}

extension RecipeNode {
  fileprivate var any: Any {
    switch content {
    case .text(let text): text
    case .integer(let digits), .decimal(let digits): NSDecimalNumber(string: digits)
    case .boolean(let flag): flag
    case .list(let items): items.map(\.any)
    case .map(let entries): Dictionary(uniqueKeysWithValues: entries.map { ($0.key, $0.value.any) })
    }
  }
}
