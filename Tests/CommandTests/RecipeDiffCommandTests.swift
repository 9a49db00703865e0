import Carryover
import CarryoverVendors
import Foundation
import Testing

@Suite("carryover recipe diff")
struct RecipeDiffCommandTests {
  private let acme: AcmeRecipe

  init() throws { acme = try AcmeRecipe() }

  @Test("layout, comments and the order of keys are no difference; a rule is, with both sides")
  func compares() throws {
    let other = try acme.changed("version: 1\ntitle: Acme 1 → 2", "# A comment.\ntitle: 'Acme 1 → 2'\nversion:   1")
    let same = try Tool.carryover("recipe", "diff", acme.file, other, "--on", AcmeRecipe.sample, "-P", "token=x")
    #expect(same.status == 0 && same.output.hasPrefix("No rule differs.\n"), "\(same.output)\(same.error)")
    #expect(same.output.contains("fields with a different result: 0 of 3"))

    let changed = try acme.changed("{key: none}, ", "")
    let rule = try Tool.carryover("recipe", "diff", acme.file, changed)
    #expect(rule.status == 1)
    #expect(
      rule.output == """
        Field who-${token}: changed
          from
            - none
              rl_anonymous_id: as text

        Fields: 0 added, 0 removed, 1 changed. Keys that are not migrated: 0 added, 0 removed, 0 changed.

        """, "\(rule.output)")
    for recipe in Recipe.builtIn.map(\.reference.id) {
      let path = Tool.root.appendingPathComponent("Recipes/\(recipe).recipe.yaml").path
      #expect(try Tool.carryover("recipe", "diff", recipe, path).status == 0, "\(recipe)")
    }
  }

  @Test("results are compared container by container, masked if asked for")
  func comparesResults() throws {
    let changed = try acme.changed("steps: [integer-from-text]", "steps: [{whole: []}]")
    #expect(try Tool.carryover("recipe", "diff", acme.file, changed).error.contains("[R"))
    let other = try acme.changed("{key: rl_anonymous_id, steps: [text]}", "{key: rl_traits, member: email}")
    let clean = SampleCopy.original("NothingToMigrate").path
    let options = ["--on", AcmeRecipe.sample, clean] + AcmeRecipe.options
    let result = try Tool.carryover(["recipe", "diff", acme.file, other] + options)
    #expect(result.status == 1, "\(result.error)")
    for text in [
      "fields with a different result: 1 of 3.", "fields with a different result: 0 of 3.", "    - ready: 9f1c2a7e",
      "    + ready: ada@acme.example, from rl_traits.email", "Containers with a different result: 1 of 2.",
    ] { #expect(result.output.contains(text), "\(text) in \(result.output)") }
    let json = try Tool.carryover(["recipe", "diff", acme.file, other, "--json"] + options)
    #expect(json.status == 1)
    let document = try json.json()
    #expect(try SchemaCheck("recipe-diff-1").problems(document) == [])
    let containers = try #require(document["containers"] as? [[String: Any]])
    #expect(containers.map { $0["differing"] as? Int } == [1, 0] && document["differs"] as? Bool == true)
    let masked = try Tool.carryover(["recipe", "diff", acme.file, other, "--redact"] + options)
    #expect(!masked.output.contains("9f1c2a7e") && !masked.output.contains("ada@"), "\(masked.output)")
    for arguments in [[acme.file, other, "--now", SampleCopy.now], [acme.file], [acme.file, "acme"]] {
      #expect(try Tool.carryover(["recipe", "diff"] + arguments).status == 64)
    }
  }

  @Test("a hostile file cannot steer the terminal, or name a path outside")
  func hostile() throws {
    let path = try acme.hostile()
    AcmeRecipe.expectHarmless(
      try Tool.carryover(["recipe", "diff", acme.file, path, "--on", AcmeRecipe.sample] + AcmeRecipe.options))
    AcmeRecipe.expectHarmless(try Tool.carryover("recipe", "diff", path, acme.file, "--json"))
    let outside = try acme.changed("suite: \"${bundle-id}\"", "plist: ../x.plist")
    let refused = try Tool.carryover("recipe", "diff", acme.file, outside)
    #expect(refused.status == 1 && refused.error.contains("[R105]") && refused.output.isEmpty)
  }
}
