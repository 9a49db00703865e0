import Foundation
import PropertyLists
import Testing

@Suite("Every step of a recipe, on the command line")
struct RecipeStepsTests {
  private static let file = "Tests/Fixtures/Recipes/steps.recipe.yaml"
  private let path = Tool.root.appendingPathComponent(Self.file).path

  @Test("its tests hold, and it has no issue")
  func holds() throws {
    let test = try Tool.carryover(["recipe", "test", path])
    #expect(test.status == 0, "\(test.output)\(test.error)")
    let lint = try Tool.carryover(["recipe", "lint", path])
    #expect(lint.status == 0 && lint.output.hasPrefix("0 errors, 0 warnings in 1 file"), "\(lint.output)")
  }

  @Test("an explanation says each step with the recipe's own words")
  func explained() throws {
    let text = try Tool.carryover(["recipe", "explain", path]).output
    for words in [
      "without “Device:” at its start, then in lower case, then with “U-” before it",
      "“denied” → true, “granted” → false",
      "only the members name, plan, then with other names: name → full, plan → tier", "true → 2, false → 1",
      "in a dictionary under tags, then as a binary property list",
      "the value under name, the only key, then not “none”",
    ] { #expect(text.contains(words), "\(text)") }
  }

  @Test("every step of the schema has a test: in this recipe or in a built-in one")
  func complete() throws {
    let schema = try JSONText(
      bytes: Array(Data(contentsOf: Tool.root.appendingPathComponent("Documentation/Schemas/recipe-1.json"))))
    let choices = try #require(schema.value["$defs"]?["step"]?["anyOf"]?.elements)
    let plain = choices.flatMap { $0["enum"]?.elements ?? [] }.compactMap(\.stringValue)
    let others = choices.flatMap { $0["properties"]?.members ?? [] }.map(\.name)
    #expect(plain.count > 10 && others.count > 8)
    let folder = Tool.root.appendingPathComponent("Recipes")
    let recipes = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    let all = try (recipes + [Tool.root.appendingPathComponent(Self.file)])
      .map { try String(contentsOf: $0, encoding: .utf8) }
    let words = Set(all.joined(separator: "\n").split { !$0.isLetter && !$0.isNumber && $0 != "-" }.map(String.init))
    #expect((plain + others).filter { !words.contains($0) } == [])
  }
}
