import Carryover
import CarryoverReview
import PropertyLists

/// Recipes as `carryover.recipes/1`, the published form of `recipe list --json` and `recipe explain --json`.
enum RecipesJSON {
  static func document(_ recipes: [ExplainedRecipe]) -> JSONValue {
    .object([
      JSONMember("schema", .string("carryover.recipes/1")), JSONMember("recipes", .array(recipes.map(value))),
    ])
  }

  private static func value(_ explained: ExplainedRecipe) -> JSONValue {
    let recipe = explained.recipe
    let plan = explained.planned?.plan
    return .object(
      [
        JSONMember("id", .string(recipe.reference.id)), JSONMember("version", JSONValue(recipe.reference.version)),
        JSONMember("title", .string(recipe.reference.title)), JSONMember("about", JSONValue(recipe.about)),
      ] + (plan.map { [JSONMember("container", .string($0.container.name))] } ?? []) + [
        JSONMember("sources", .array(recipe.sources.map { JSONValue($0.places) })),
        JSONMember("target", .string(recipe.target.words)),
        JSONMember("rules", .array(explained.rules.map { value($0, explained) })),
        JSONMember("leftBehind", .array(recipe.leftBehind.map(value))),
        JSONMember("elsewhere", .array(recipe.elsewhere.map(value))),
      ])
  }

  private static func value(_ rule: FieldRule, _ explained: ExplainedRecipe) -> JSONValue {
    let field = explained.planned?.plan.field(rule.target)
    return .object(
      [
        JSONMember("target", .string(rule.target)), JSONMember("group", .string(rule.group.rawValue)),
        JSONMember("form", .string(rule.form.rawValue)), JSONMember("forEach", JSONValue(rule.forEach)),
        JSONMember("require", JSONValue(rule.requirements.map(\.words))),
      ] + (field.map { [JSONMember("result", result($0))] } ?? []) + [
        JSONMember(
          "sources",
          .array(
            rule.candidates.enumerated().map { value($0.element, explained.trial($0.offset, of: rule.target)) }))
      ])
  }

  /// What a plan says of a field, as far as its recipe decides it.
  private static func result(_ field: Field) -> JSONValue {
    // What a key with a secret value becomes is a secret too.
    let isSecret = field.origin.map { SecretKeys.holds($0.source.key) } ?? false
    let value = isSecret ? nil : FieldSummary.value(field, nil)
    return .object([
      JSONMember("status", .string(field.status.rawValue)), JSONMember("value", value.map(CodedValue.json) ?? .null),
      JSONMember("source", JSONValue(field.origin?.source.label)), JSONMember("store", JSONValue(field.origin?.store)),
      JSONMember("findings", JSONValue(Set(field.findings.map(\.code.rawValue)).sorted())),
    ])
  }

  private static func value(_ candidate: Candidate, _ trial: CandidateTrial?) -> JSONValue {
    .object(
      [
        JSONMember("key", .string(candidate.source.key)), JSONMember("member", JSONValue(candidate.source.member)),
        JSONMember("when", JSONValue(candidate.conditions.map(\.words))),
        JSONMember("steps", JSONValue(candidate.transforms.map(\.title))),
      ] + (trial.map { [JSONMember("trial", value($0))] } ?? []))
  }

  private static func value(_ trial: CandidateTrial) -> JSONValue {
    func json(_ value: PropertyListValue?) -> JSONValue { SecretKeys.json(value, of: trial.source.key) }
    return .object([
      JSONMember("outcome", .string(trial.outcome.rawValue)), JSONMember("store", JSONValue(trial.store)),
      JSONMember("value", json(trial.value)), JSONMember("result", json(trial.result)),
      JSONMember("condition", JSONValue(trial.condition)),
      JSONMember("failedStep", JSONValue(trial.failure?.step)),
      JSONMember("reason", JSONValue(trial.failure?.sentence)),
    ])
  }

  private static func value(_ place: Elsewhere) -> JSONValue {
    .object([JSONMember("place", .string(place.words)), JSONMember("reason", .string(place.reason))])
  }

  private static func value(_ key: LeftBehind) -> JSONValue {
    .object([
      JSONMember("key", .string(key.key)), JSONMember("reason", .string(key.reason)),
      JSONMember("secret", .boolean(key.secret)),
    ])
  }
}
