import Carryover
import CarryoverVendors
import Foundation
import Testing

@Suite("carryover recipe fmt")
struct RecipeFormatTests {
  private let acme: AcmeRecipe

  init() throws { acme = try AcmeRecipe() }

  @Test("fmt replaces what it changes, keeps modes, and does nothing the second time; --check writes nothing")
  func formats() throws {
    let untidy = try acme.changed("version: 1\n", "# The version.\nversion:  1\n")
    #expect(chmod(untidy, 0o640) == 0)
    let before = try String(contentsOfFile: untidy, encoding: .utf8)
    let checked = try Tool.carryover("recipe", "fmt", "--check", acme.file, untidy)
    #expect(checked.status == 1 && checked.output == untidy + "\n", "\(checked.output)\(checked.error)")
    #expect(try String(contentsOfFile: untidy, encoding: .utf8) == before)
    let formatted = try Tool.carryover("recipe", "fmt", acme.folder.path(""))
    #expect(formatted.status == 0 && formatted.output.hasSuffix("changed.recipe.yaml\n"), "\(formatted.error)")
    #expect(try String(contentsOfFile: untidy, encoding: .utf8).contains("\n# The version.\nversion: 1\n"))
    #expect(try FileState.files(under: acme.folder.path(""))["changed.recipe.yaml"]?.mode == 0o640)
    let again = try Tool.carryover("recipe", "fmt", "--check", acme.folder.path(""))
    #expect(again.status == 0 && again.output.isEmpty)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: acme.folder.path("")).count == 2, "no file is left beside")
  }

  @Test("a draft is laid out already")
  func formatsDraft() throws {
    let draft = acme.folder.path("draft.recipe.yaml")
    let drafted = try Tool.carryover(
      "recipe", "new", "acme-draft", "--from", AcmeRecipe.sample, "--write", "a", "-o", draft)
    #expect(drafted.status == 0, "\(drafted.error)")
    let checked = try Tool.carryover("recipe", "fmt", "--check", draft)
    #expect(checked.status == 0 && checked.output.isEmpty, "\(checked.error)")
  }

  @Test("fmt writes nothing if one of the files has an error, and replaces no link")
  func formatsNothing() throws {
    let untidy = acme.folder.path("a.recipe.yaml")
    let text = AcmeRecipe.text.replacingOccurrences(of: "version: 1", with: "version:  1")
    try text.write(toFile: untidy, atomically: true, encoding: .utf8)
    let wrong = try acme.changed("form: string", "form: txt")
    let refused = try Tool.carryover("recipe", "fmt", untidy, wrong)
    #expect(refused.status == 1 && refused.error.contains("[R212]"))
    #expect(try String(contentsOfFile: untidy, encoding: .utf8) == text)
    try FileManager.default.linkItem(atPath: untidy, toPath: acme.folder.path("b.recipe.yaml"))
    let linked = try Tool.carryover("recipe", "fmt", untidy)
    #expect(linked.status == 1 && linked.error.contains("2 hard links"), "\(linked.error)")
    try FileManager.default.removeItem(atPath: acme.folder.path("b.recipe.yaml"))
    try FileManager.default.createSymbolicLink(atPath: acme.folder.path("b.recipe.yaml"), withDestinationPath: untidy)
    #expect(try Tool.carryover("recipe", "fmt", acme.folder.path("b.recipe.yaml")).status == 1)
    #expect(try String(contentsOfFile: untidy, encoding: .utf8) == text)
  }

  @Test("a hostile file is laid out as what it is, or refused")
  func hostile() throws {
    let path = try acme.hostile()
    let formatted = try Tool.carryover("recipe", "fmt", path)
    #expect(formatted.status == 0 && formatted.output == path + "\n" || formatted.output.isEmpty, "\(formatted.error)")
    #expect(try Tool.carryover("recipe", "fmt", "--check", path).status == 0)
    #expect(try !String(contentsOfFile: path, encoding: .utf8).contains("\u{1B}"))
    let outside = try acme.changed("suite: \"${bundle-id}\"", "plist: ../x.plist")
    let refused = try Tool.carryover("recipe", "fmt", outside)
    #expect(refused.status == 1 && refused.error.contains("[R105]") && refused.output.isEmpty)
  }
}
