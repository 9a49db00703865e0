import Carryover
import CarryoverRecipes
import CarryoverVendors
import Foundation
import Testing

/// A recipe that is shipped: its file in `Recipes`, and the Swift that is made from it.
struct BuiltIn: CustomTestStringConvertible, Sendable {
  var recipe: Recipe
  var declaration: String
  var source: String

  static let all = [
    BuiltIn(
      recipe: .rudderStackObjC, declaration: "public static let rudderStackObjC", source: "RudderStack/ObjCRecipe"),
    BuiltIn(
      recipe: .rudderStackSwiftV2, declaration: "public static let rudderStackSwiftV2", source: "RudderStack/BetaRecipe"
    ),
    BuiltIn(recipe: .convertIOS, declaration: "public static let convertIOS", source: "Convert/ConvertRecipe"),
    BuiltIn(
      recipe: .mixpanelObjC, declaration: "package static let mixpanelObjC", source: "Mixpanel/MixpanelRecipe"),
    BuiltIn(
      recipe: .amplitudeObjC, declaration: "package static let amplitudeObjC", source: "Amplitude/AmplitudeRecipe"),
    BuiltIn(recipe: .segmentObjC, declaration: "package static let segmentObjC", source: "Segment/SegmentRecipe"),
    BuiltIn(
      recipe: .segmentToRudderStack, declaration: "package static let segmentToRudderStack",
      source: "Segment/SegmentToRudderStackRecipe"),
    BuiltIn(
      recipe: .mixpanelToRudderStack, declaration: "package static let mixpanelToRudderStack",
      source: "Mixpanel/MixpanelToRudderStackRecipe"),
    BuiltIn(recipe: .snowplowObjC, declaration: "package static let snowplowObjC", source: "Snowplow/SnowplowRecipe"),
    BuiltIn(
      recipe: .postHogBefore320, declaration: "package static let postHogBefore320", source: "PostHog/PostHogRecipe"),
    BuiltIn(
      recipe: .amplitudeToPostHog, declaration: "package static let amplitudeToPostHog",
      source: "Amplitude/AmplitudeToPostHogRecipe"),
    BuiltIn(recipe: .statsigToFile, declaration: "package static let statsigToFile", source: "Statsig/StatsigRecipe"),
    BuiltIn(recipe: .person, declaration: "package static let person", source: "Person/PersonRecipe"),
  ]

  static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../..").standardizedFileURL

  var fileName: String { recipe.reference.id + ".recipe.yaml" }
  var testDescription: String { recipe.reference.id }

  func bytes() throws -> [UInt8] {
    Array(try Data(contentsOf: Self.repository.appendingPathComponent("Recipes/\(fileName)")))
  }
}

@Suite("The built-in recipes as files")
struct BuiltInTests {
  /// With `CARRYOVER_WRITE_RECIPES`, the Swift is made again, which takes effect in the next build.
  @Test("a file says the same as the recipe that is compiled from it", arguments: BuiltIn.all)
  func equals(_ builtIn: BuiltIn) throws {
    let read = RecipeFile.read(try builtIn.bytes(), vendors: vendors)
    #expect(read.issues == [])
    let file = try #require(read.file)
    guard ProcessInfo.processInfo.environment["CARRYOVER_WRITE_RECIPES"] == nil else {
      let path = BuiltIn.repository.appendingPathComponent("Sources/CarryoverVendors/\(builtIn.source).swift")
      try Data(RecipeSource(file: file, declaration: builtIn.declaration).text(fileName: builtIn.fileName).utf8)
        .write(to: path)
      return
    }
    #expect(file.recipe == builtIn.recipe)
  }

  @Test("every built-in recipe has a file, and every file is a built-in recipe")
  func complete() throws {
    let files = try FileManager.default.contentsOfDirectory(
      atPath: BuiltIn.repository.appendingPathComponent("Recipes").path)
    #expect(
      files.filter { $0.hasSuffix(".recipe.yaml") }.sorted()
        == Recipe.builtIn.map { $0.reference.id + ".recipe.yaml" }.sorted())
    #expect(Set(BuiltIn.all.map(\.recipe)) == Set(Recipe.builtIn))
  }
}
