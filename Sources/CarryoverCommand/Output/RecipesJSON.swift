import Carryover
import PropertyLists

/// Recipes as `carryover.recipes/1`, the published form of `recipe list --json` and
/// `recipe show --json`.
enum RecipesJSON {
  static func document(_ recipes: [Recipe]) -> JSONValue {
    .object([
      JSONMember("schema", .string("carryover.recipes/1")), JSONMember("recipes", .array(recipes.map(value))),
    ])
  }

  private static func value(_ recipe: Recipe) -> JSONValue {
    .object([
      JSONMember("id", .string(recipe.reference.id)), JSONMember("version", JSONValue(recipe.reference.version)),
      JSONMember("title", .string(recipe.reference.title)),
      JSONMember("sources", .array(recipe.sources.map(value))),
      JSONMember("target", .string(recipe.target.words)),
      JSONMember("rules", .array(recipe.rules.map(value))),
      JSONMember("leftBehind", .array(recipe.leftBehind.map(value))),
    ])
  }

  /// The places of a store, the first that is there being read; the bundle id stands between angle brackets.
  private static func value(_ source: SourceStore) -> JSONValue {
    JSONValue(source.places)
  }

  private static func value(_ rule: FieldRule) -> JSONValue {
    .object([
      JSONMember("target", .string(rule.target)), JSONMember("group", .string(rule.group.rawValue)),
      JSONMember("form", .string(rule.form.rawValue)),
      JSONMember("sources", .array(rule.candidates.map(value))),
    ])
  }

  private static func value(_ candidate: Candidate) -> JSONValue {
    .object([
      JSONMember("key", .string(candidate.source.key)), JSONMember("member", JSONValue(candidate.source.member)),
      JSONMember("steps", JSONValue(candidate.transforms.map(\.title))),
    ])
  }

  private static func value(_ key: LeftBehind) -> JSONValue {
    .object([
      JSONMember("key", .string(key.key)), JSONMember("reason", .string(key.reason)),
      JSONMember("secret", .boolean(key.secret)),
    ])
  }
}
