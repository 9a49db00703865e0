import Carryover
import CarryoverTerminal
import CarryoverVendors

extension Screen {
  /// The recipes, and why one of them is followed.
  static let recipes = Screen("recipes", "Recipes")
}

extension ScreenContent<ReviewState> {
  /// The recipes, and why one of them is followed.
  static var recipes: ScreenContent { text(.recipes, back: .out, keys: recipeKeys) { $0.recipes($1) } }

  private static var recipeKeys: [KeyBinding<ReviewState>] {
    [
      KeyBinding(
        [.character("r")], "recipes", "Shows which recipe is followed and why, and every recipe rule by rule.",
        in: [.review, .details, .warnings, .finding], .seeing, opens: .recipes)
    ]
  }
}

extension PageWriter {
  /// Which recipe is followed and why, then every recipe rule by rule, that one first.
  mutating func recipes(_ state: ReviewState) {
    let used = state.plan.recipe
    add([
      Span(ink.name(used.title), .value),
      Span(ink.words("  \(used.id), version \(used.version), is followed here."), .plain),
    ])
    words(RecipeWords.reason(used, state.container.map { Recipe.detect(in: $0) }), indent: 2)
    for other in Recipe.builtIn where other.reference.id != used.id {
      words("To follow another: carryover review PATH --recipe \(other.reference.id)", .muted, indent: 2)
    }
    let recipes =
      Recipe.builtIn.filter { $0.reference.id == used.id } + Recipe.builtIn.filter { $0.reference.id != used.id }
    for recipe in recipes { self.recipe(recipe, recipe.reference.id == used.id ? state : nil) }
  }

  /// - Parameter state: where it is the one that is followed.
  private mutating func recipe(_ recipe: Recipe, _ state: ReviewState?) {
    heading("\(recipe.reference.title)  \(recipe.reference.id), version \(recipe.reference.version)")
    words("Reads, key by key, the first that has it:", indent: 2)
    for source in recipe.sources { words(source.words, .value, indent: 4) }
    for group in FieldGroup.allCases {
      let rules = recipe.rules.filter { $0.group == group }
      guard !rules.isEmpty else { continue }
      blank()
      add([Span("Fields: \(group.rawValue)", .label)], indent: 2)
      for rule in rules { self.rule(rule, state) }
    }
    guard !recipe.leftBehind.isEmpty else { return }
    blank()
    add([Span("Left behind", .label)], indent: 2)
    for key in recipe.leftBehind {
      add(
        [
          Span(ink.words(key.key), .value), Span(key.secret ? " (never shown)  " : "  ", .muted),
          Span(ink.words(key.reason)),
        ], indent: 4, hanging: 6)
    }
  }

  private mutating func rule(_ rule: FieldRule, _ state: ReviewState?) {
    let field = state.flatMap { state in state.positions[rule.target].map { state.plan.fields[$0] } }
    var head = [Span(ink.words(rule.target), .value), Span(ink.words("  \(rule.form.words)"), .muted)]
    if let state, let field {
      let standing = FieldState(field, state.decisions[field.id])
      head.append(Span(ink.words("  \(standing.mark(ink.glyphs)) \(standing.word)"), standing.role))
    }
    add(head, indent: 4, hanging: 6)
    if rule.candidates.isEmpty { words("← nothing that is stored: it is asked for", .muted, indent: 6) }
    for candidate in rule.candidates {
      var spans = [Span(ink.words("← "), .muted), Span(ink.words(candidate.words))]
      if let field, field.origin?.source == candidate.source { spans.append(Span("  found here", .ready)) }
      add(spans, indent: 6, hanging: 8)
      for step in candidate.modelSteps { words(step, .muted, indent: 8) }
    }
  }
}

/// Why a recipe is followed, in words.
enum RecipeWords {
  /// - Parameter detection: what the container's keys speak for; nil where it was not given.
  static func reason(_ used: RecipeReference, _ detection: RecipeDetection?) -> String {
    guard let detection else { return "It was chosen when the plan was made." }
    let own = detection.evidence.first { $0.recipe.id == used.id }
    let found = detection.recipe.reference
    if found.id == used.id {
      guard let own else {
        return "No SDK has left a key here that only it writes; this is the recipe for that case."
      }
      let others = detection.evidence.filter { $0.recipe.id != used.id }.map { "\($0.recipe.id) by \(keys($0))" }
      let both =
        others.isEmpty ? "" : " Keys speak for another too, whose SDK ran before: \(others.joined(separator: "; "))."
      return "The container's keys speak for it: \(keys(own))." + both
    }
    let speaks =
      detection.evidence.first { $0.recipe.id == found.id }.map {
        "The keys that stand here now speak for \(found.id): \(keys($0))."
      }
      ?? "No key that stands here now speaks for it."
    return "\(speaks) This one was named by --recipe, or by keys that a cleanup has removed since."
  }

  /// The first few keys.
  private static func keys(_ evidence: RecipeEvidence) -> String {
    let shown = evidence.keys.prefix(6).joined(separator: ", ")
    return evidence.keys.count > 6 ? "\(shown) and \(evidence.keys.count - 6) more" : shown
  }
}
