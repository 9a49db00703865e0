import Carryover
import CarryoverVendors
import Foundation
import Testing

@Suite("carryover recipe explain")
struct RecipeExplainTests {
  private let acme: AcmeRecipe

  init() throws { acme = try AcmeRecipe() }

  @Test("a recipe is explained whole or field by field")
  func explains() throws {
    let whole = try Tool.carryover("recipe", "explain", acme.file)
    #expect(whole.status == 0 && whole.output.hasPrefix("acme-sdk\nAcme 1 → 2, version 1\n\nWhat it is for.\n"))
    for text in ["${token}: the token", "Fields: identity", "← rl_anonymous_id: as text", "Writes:"] {
      #expect(whole.output.contains(text), "\(text)")
    }
    let field = try Tool.carryover("recipe", "explain", acme.file, "who-x", "-P", "token=x").output
    #expect(field.contains("who-x") && !field.contains("rl_traits") && !field.contains("Writes"))
    #expect(try Tool.carryover("recipe", "explain", acme.file, "who-${token}", "-P", "token=x").output == field)
    for id in Recipe.builtIn.map(\.reference.id) { #expect(try Tool.carryover("recipe", "explain", id).status == 0) }
  }

  @Test("in a container, each source says whether it is there, whether it is used, and why not")
  func explainsIn() throws {
    let result = try Tool.carryover(["recipe", "explain", acme.file, "--in", AcmeRecipe.sample] + AcmeRecipe.options)
    #expect(result.status == 0, "\(result.error)")
    let lines = result.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    for line in [
      "who-x (a string)  · ready: 9f1c2a7e-6b0d-4c35-8e21-5d7f03a9b642", "Absent.",
      "✓ Used. In AppData/Library/Preferences/com.acme.shop.plist.", "n (an integer)  ? undecided",
      "✗ Found, but not converted. In AppData/Library/Preferences/com.acme.shop.plist.",
      "step “the integer it spells”: rl_anonymous_id is not the text of an integer.", "Findings: source.not-converted",
      "– Not used: an earlier source has a value. In AppData/Library/Preferences/com.acme.shop.plist.",
      "value: (secret)",
    ] { #expect(lines.contains(line), "\(line) in \(result.output)") }

    let json = try Tool.carryover(
      ["recipe", "explain", acme.file, "--in", AcmeRecipe.sample, "--json"] + AcmeRecipe.options
    ).json()
    #expect(try SchemaCheck("recipes-1").problems(json) == [])
    let recipe = try #require((json["recipes"] as? [[String: Any]])?.first)
    let rules = try #require(recipe["rules"] as? [[String: Any]])
    let trials = rules.flatMap {
      ($0["sources"] as? [[String: Any]] ?? []).compactMap { $0["trial"] as? [String: Any] }
    }
    #expect(
      trials.map { $0["outcome"] as? String } == ["absent", "used", "not-converted", "used", "not-needed"])
    #expect(trials.last?["value"] is NSNull, "a secret")

    let builtIn = try Tool.carryover("recipe", "explain", "rudderstack-objc", "session_id", "--in", AcmeRecipe.sample)
    #expect(builtIn.status == 0 && builtIn.output.contains("1763640000 → \"1763640000\""), "without a write key")

    let masked = try Tool.carryover(
      ["recipe", "explain", acme.file, "--in", AcmeRecipe.sample, "--redact"] + AcmeRecipe.options)
    #expect(!masked.output.contains("9f1c2a7e") && masked.output.contains("✓ Used"))
    let document = try Tool.carryover(
      ["recipe", "explain", acme.file, "--in", AcmeRecipe.sample, "--redact", "--json"] + AcmeRecipe.options)
    #expect(!document.output.contains("9f1c2a7e") && document.output.contains("\"outcome\": \"used\""))
  }

  @Test("an explanation writes nothing, and asks for what is missing")
  func refuses() throws {
    let sample = try SampleCopy("AcmeShop")
    let before = try sample.files()
    #expect(try Tool.carryover(["recipe", "explain", acme.file, "--in", sample.path] + AcmeRecipe.options).status == 0)
    #expect(try sample.files() == before)
    for (arguments, words) in [
      ([acme.file, "plna"], "Did you mean plan?"), ([acme.file, "--now", SampleCopy.now], "--in PATH"),
      ([acme.file, "-P", "x=1"], "-P x"),
      ([acme.file, "-P", "token=../x"], "valid token"),
      ([acme.file, "--in", sample.path, "--now", SampleCopy.now], "-P token"),
      ([acme.file, "who-${token}\u{1B}[31m"], "no field"), (["acme"], "no recipe"),
      (["rudderstack-objc", "--in", acme.folder.path("none"), "--write-key", "WK"], "none"),
    ] {
      let result = try Tool.carryover(["recipe", "explain"] + arguments)
      #expect(
        result.status != 0 && result.output.isEmpty && result.error.contains(words), "\(arguments): \(result.error)")
      #expect(!result.error.contains("\u{1B}"))
    }
  }

  @Test("a hostile file cannot steer the terminal, or name a path outside")
  func hostile() throws {
    let path = try acme.hostile()
    AcmeRecipe.expectHarmless(try Tool.carryover("recipe", "explain", path))
    AcmeRecipe.expectHarmless(
      try Tool.carryover(["recipe", "explain", path, "--in", AcmeRecipe.sample] + AcmeRecipe.options))
    let outside = try acme.changed("suite: \"${bundle-id}\"", "plist: ../x.plist")
    let refused = try Tool.carryover("recipe", "explain", outside)
    #expect(refused.status == 1 && refused.error.contains("[R105]") && refused.output.isEmpty)
  }
}
