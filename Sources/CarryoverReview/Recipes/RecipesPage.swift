import Carryover
import CarryoverPages
import CarryoverTerminal
import CarryoverVendors

extension Screen {
  static let recipes = Screen("recipes", "Recipes")
}

extension ScreenContent<ReviewState> {
  static var recipes: ScreenContent { text(.recipes, back: .out, keys: recipeKeys) { $0.recipes($1) } }

  private static var recipeKeys: [ReviewKey] {
    [
      ReviewKey(
        [.character("r")], "recipes", "Show which recipe is used and why, and every recipe rule by rule.",
        in: [.review, .details, .warnings, .finding, .unknown], .seeing, opens: .recipes)
    ]
  }
}

extension PageWriter {
  /// The recipes in use and the reasons, then every recipe rule by rule: those in use, those with data here, the rest.
  mutating func recipes(_ state: ReviewState) {
    let used = state.plan.recipes
    let detection = state.container.map { Recipe.detect(in: $0) }
    for used in state.isUnknown ? [] : used {
      let version = Span(ink.words(" (\(used.id), version \(used.version))"))
      add([Span("In use: "), Span(ink.name(used.title), .value), version])
      words(RecipeWords.reason(used, detection), indent: 2)
    }
    let followed = state.isUnknown ? [] : state.plan.recipePlans.map(\.definition)
    let (here, rest) = state.recipesByData
    let isOther = { (recipe: Recipe) in !followed.contains { $0.reference == recipe.reference } }
    for (recipes, title) in [(here, "Other recipes with data here"), (rest, "Other recipes")] {
      let names = recipes.filter(isOther).map(\.reference.id).joined(separator: ", ")
      if !names.isEmpty { words("\(title): \(names)", .muted, indent: 2) }
    }
    add(
      [
        Span(state.key("setup", .recipes), .key),
        Span(
          ink.words(" chooses one or more recipes, or all that have data here; one run applies all of them."), .muted),
      ], indent: 2)
    for recipe in followed { self.recipe(recipe, state) }
    for recipe in (here + rest).filter(isOther) { self.recipe(recipe, nil) }
  }

  /// - Parameter state: nil if the recipe is not in use.
  private mutating func recipe(_ recipe: Recipe, _ state: ReviewState?) {
    heading("\(recipe.reference.title)  \(recipe.reference.id), version \(recipe.reference.version)")
    var page = RecipePage(recipe, indent: 2)
    if let state {
      page.field = { target in
        state.positions[state.plan.name(of: target, in: recipe.reference)].map { state.plan.fields[$0] }
      }
      page.decision = { state.decisions[$0.id] }
    }
    add(page.blocks)
  }
}

extension ReviewState {
  /// The built-in recipes, in order: those whose SDK left data here, then the others.
  var recipesByData: (here: [Recipe], rest: [Recipe]) {
    let found = container.map { RecipeDetection.evidence(in: $0, among: Recipe.builtIn).map(\.recipe.reference) } ?? []
    return (
      Recipe.builtIn.filter { found.contains($0.reference) }, Recipe.builtIn.filter { !found.contains($0.reference) }
    )
  }
}

enum RecipeWords {
  /// - Parameter detection: what the container's keys match; nil if it was not given.
  static func reason(_ used: RecipeReference, _ detection: RecipeDetection?) -> String {
    guard let detection else { return "It was chosen when the plan was made." }
    let own = detection.evidence.first { $0.recipe.id == used.id }
    let found = detection.recipe.reference
    if found.id == used.id {
      guard let own else {
        return "No key here belongs to one SDK only; this is the default recipe."
      }
      let others = detection.evidence.filter { $0.recipe.id != used.id }.map { "\($0.recipe.id) by \(keys($0))" }
      let both =
        others.isEmpty ? "" : " Keys also match recipes of earlier SDKs: \(others.joined(separator: "; "))."
      return "Matching keys: \(keys(own))." + both
    }
    let speaks =
      detection.evidence.first { $0.recipe.id == found.id }.map {
        "The container's keys match \(found.id): \(keys($0))."
      } ?? "No key here matches it."
    return "\(speaks) You chose this recipe, its verdict was the most serious, or it fits keys that a cleanup removed."
  }

  private static func keys(_ evidence: RecipeEvidence) -> String {
    let shown = evidence.keys.prefix(6).joined(separator: ", ")
    return evidence.keys.count > 6 ? "\(shown) and \(evidence.keys.count - 6) more" : shown
  }
}
