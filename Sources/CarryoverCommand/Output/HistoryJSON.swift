import Carryover
import PropertyLists

/// The runs of a container as `carryover.history/1`, the published form of `history --json`.
enum HistoryJSON {
  static func value(_ listing: RunListing, _ container: Container) -> JSONValue {
    .object([
      JSONMember("schema", .string("carryover.history/1")),
      JSONMember(
        "container",
        .object([
          JSONMember("kind", .string(container.kind.rawValue)), JSONMember("bundleID", JSONValue(container.bundleID)),
        ])),
      JSONMember("runs", .array(listing.runs.map(run))),
      JSONMember("problems", .array(listing.problems.map { .string($0.description) })),
    ])
  }

  private static func run(_ run: RunSummary) -> JSONValue {
    let others = run.otherRecipes.map(recipe)
    let head = [
      JSONMember("id", .string(run.id)),
      JSONMember("kind", .string(run.kind.rawValue)),
      JSONMember("moment", .string(run.moment.text)),
      JSONMember("recipe", recipe(run.recipe)),
    ]
    let batch = run.batch.map { [JSONMember("batch", .string($0.text))] } ?? []
    return .object(
      head + batch + (others.isEmpty ? [] : [JSONMember("otherRecipes", .array(others))]) + [
        JSONMember("tool", .string(run.tool)),
        JSONMember("standing", .string(run.standing.rawValue)),
        JSONMember("origin", .string(run.foreign?.word ?? "own")),
        JSONMember("rolledBack", JSONValue(run.rolledBack)),
        JSONMember("backup", JSONValue(run.backup)),
        JSONMember("size", JSONValue(run.size)),
        JSONMember("files", .array(run.files.map(JSONValue.string))),
        JSONMember("fields", .array(run.fields.map(field))),
      ])
  }

  private static func recipe(_ recipe: RecipeReference) -> JSONValue {
    .object(
      [JSONMember("id", .string(recipe.id)), JSONMember("version", JSONValue(recipe.version))] + recipe.fileMembers)
  }

  private static func field(_ field: RunField) -> JSONValue {
    let key = field.id.key
    let secret = SecretKeys.holds(key) ? [JSONMember("secret", .boolean(true))] : []
    return .object(
      [
        JSONMember("id", .string(field.name)),
        JSONMember("file", .string(field.id.file)),
        JSONMember("decision", JSONValue(field.decision)),
        JSONMember("before", SecretKeys.json(field.before, of: key)),
        JSONMember("after", SecretKeys.json(field.after, of: key)),
        JSONMember("outcome", .string(field.outcome.rawValue)),
        JSONMember("takenBack", .boolean(field.isTakenBack)),
      ] + secret)
  }
}
