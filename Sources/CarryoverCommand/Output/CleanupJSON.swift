import Carryover
import PropertyLists

/// A cleanup plan as `carryover.cleanup/1`, the published form of `cleanup --dry-run --json`.
enum CleanupJSON {
  static func value(_ plan: CleanupPlan) -> JSONValue {
    .object([
      JSONMember("schema", .string("carryover.cleanup/1")),
      JSONMember(
        "recipe",
        .object([
          JSONMember("id", .string(plan.recipe.id)), JSONMember("version", JSONValue(plan.recipe.version)),
        ])),
      JSONMember(
        "container",
        .object([
          JSONMember("kind", .string(plan.container.kind.rawValue)),
          JSONMember("bundleID", JSONValue(plan.container.bundleID)),
        ])),
      JSONMember("target", JSONValue(plan.target?.path)),
      JSONMember("stores", .array(plan.stores.map(store))),
      JSONMember("entries", .array(plan.entries.map(entry))),
    ])
  }

  private static func store(_ store: CleanupStore) -> JSONValue {
    .object([JSONMember("path", .string(store.id)), JSONMember("problem", JSONValue(store.problem))])
  }

  private static func entry(_ entry: CleanupEntry) -> JSONValue {
    var members = [
      JSONMember("file", .string(entry.id.file)), JSONMember("key", .string(entry.id.key)),
      JSONMember("value", entry.secret ? .null : CodedValue.json(entry.value)),
    ]
    if entry.secret { members.append(JSONMember("secret", .boolean(true))) }
    switch entry.verdict {
    case .removable(let fields):
      members += [
        JSONMember("verdict", .string("removable")), JSONMember("fields", JSONValue(fields)),
        JSONMember("reason", .null),
      ]
    case .stays(let reason):
      members += [
        JSONMember("verdict", .string("stays")), JSONMember("fields", JSONValue(reason.fields)),
        JSONMember("reason", reasonValue(reason)),
      ]
    }
    return .object(members)
  }

  private static func reasonValue(_ reason: CleanupReason) -> JSONValue {
    .object([
      JSONMember("code", .string(reason.code)), JSONMember("parts", JSONValue(reason.parts)),
      JSONMember("message", .string(reason.description)),
    ])
  }
}
