import Carryover
import CarryoverContainers
import CarryoverPages
import CarryoverReview
import CarryoverSystem
import CarryoverVendors

struct SDKsOutput {
  struct Found {
    /// The SDK's name, or the title of the recipe for it.
    var name: String
    /// Keys and files that only this SDK writes.
    var evidence: [String]
    var update: String
    /// The recipes for the SDK; empty if Carryover has none.
    var recipes: [String] = []
  }

  let found: [Found]
  let container: Container

  func write(to page: inout PageWriter, path: String) {
    page.add([container.bundleID ?? "unknown app", container.name].joined(separator: " · "))
    for sdk in found {
      page.blank()
      page.add(page.ink.words(sdk.name))
      page.add(sdk.evidence.map { page.ink.name($0) }.joined(separator: ", "), indent: 2, hanging: 2)
      page.add(sdk.update, indent: 2, hanging: 2)
      for recipe in sdk.recipes {
        var command = ShellCommand(["carryover", recipe == sdk.recipes.first ? "diagnose" : "plan", path])
        command.add(["--recipe", recipe])
        page.add(.commands([command]))
      }
    }
    let isUnread = container.stores.contains { $0.problem != nil }
    if found.isEmpty || isUnread || !container.notices.isEmpty { page.blank() }
    if found.isEmpty { page.add("No SDK that Carryover recognises has left data in the files that were read.") }
    if isUnread {
      page.add(.warning, "Some files were not read: carryover inspect lists them with the reason.")
    } else if !container.notices.isEmpty {
      page.add(.warning, "There are notices about the container: carryover inspect prints them.")
    }
  }

  var json: JSONValue {
    .object([
      "schema": "carryover.sdks/1", "bundleID": container.bundleID,
      "sdks": found.map { sdk in
        JSONValue.object(["name": sdk.name, "evidence": sdk.evidence, "update": sdk.update, "recipes": sdk.recipes])
      },
    ])
  }

  init(_ opened: OpenedContainer, now: Moment, _ masking: Masking) throws {
    let root = opened.container.root
    let known = KnownSDK.found(in: opened.container) { path in
      opened.fileSystem.kind(at: path, below: root) == .regular
    }
    var others = known.map { Found(name: $0.sdk.name, evidence: $0.evidence, update: $0.sdk.update) }
    var found = try Self.withRecipes(opened, now: now, masking, &others)
    Self.addUnread(to: &found, opened.container)
    (self.found, container) = (found + others, opened.container)
  }

  /// Adds places with data that the recipe does not read.
  private static func addUnread(to found: inout [Found], _ container: Container) {
    for recipe in Recipe.builtIn {
      let places = recipe.unreadPlaces(in: container)
      guard !places.isEmpty else { continue }
      let names = places.flatMap(\.names)
      let reasons = places.map(\.reason).joined(separator: " ")
      if let index = found.firstIndex(where: { $0.recipes.contains(recipe.reference.id) }) {
        guard !names.allSatisfy(found[index].evidence.containsBytes) else { continue }
        found[index].evidence += names
        found[index].update += " " + reasons
      } else if recipe.isOnlyByName,
        let index = found.firstIndex(where: { $0.evidence.contains(where: names.containsBytes) })
      {
        found[index].recipes.append(recipe.reference.id)
      } else {
        found.append(
          Found(
            name: recipe.isOnlyByName ? recipe.legacySDK ?? recipe.reference.title : recipe.reference.title,
            evidence: names, update: "Cannot tell what an update loses. \(reasons)", recipes: [recipe.reference.id]))
      }
    }
  }

  /// A recipe that is followed only by name is listed with the SDK whose keys it reads.
  private static func withRecipes(
    _ opened: OpenedContainer, now: Moment, _ masking: Masking, _ others: inout [Found]
  ) throws -> [Found] {
    var found: [Found] = []
    let evidence = RecipeDetection.evidence(in: opened.container, among: Recipe.builtIn)
    for (recipe, keys) in evidence where !recipe.isOnlyByName {
      found.append(
        Found(
          name: recipe.reference.title, evidence: keys,
          update: try Edge.migrator(opened).verdict(
            of: recipe, in: opened.container, now: now, shown: { masking.findings(of: $0) }
          ).verdict.text,
          recipes: [recipe.reference.id]))
    }
    for (recipe, keys) in evidence where recipe.isOnlyByName {
      func isRead(_ sdk: Found) -> Bool { !Set(sdk.evidence).isDisjoint(with: keys) }
      if let index = found.firstIndex(where: isRead) {
        found[index].recipes.append(recipe.reference.id)
      } else if let index = others.firstIndex(where: isRead) {
        others[index].recipes.append(recipe.reference.id)
      } else {
        found.append(
          Found(
            name: recipe.legacySDK ?? recipe.reference.title, evidence: keys,
            update: "An update needs no recipe; a change of vendor does.", recipes: [recipe.reference.id]))
      }
    }
    return found
  }
}
