import Carryover
import PropertyLists

/// A plan as `carryover.plan/1`, the published form of `plan --json`.
enum PlanJSON {
  static func value(_ plan: Plan) -> JSONValue {
    .object([
      JSONMember("schema", .string("carryover.plan/1")),
      JSONMember("recipe", recipe(plan.recipe)),
      JSONMember(
        "container",
        .object([
          JSONMember("kind", .string(plan.container.kind.rawValue)),
          JSONMember("bundleID", JSONValue(plan.container.bundleID)),
        ])),
      JSONMember("target", JSONValue(plan.target?.path)),
      JSONMember("fields", .array(plan.fields.map(field))),
      JSONMember("findings", .array(plan.findings.map(finding))),
      JSONMember("dropped", .array(plan.dropped.map(dropped))),
    ])
  }

  static func recipe(_ recipe: RecipeReference) -> JSONValue {
    .object([
      JSONMember("id", .string(recipe.id)), JSONMember("version", JSONValue(recipe.version)),
    ])
  }

  private static func field(_ field: Field) -> JSONValue {
    .object([
      JSONMember("id", .string(field.id)),
      JSONMember("sources", .array(sourceKeys(field).map(JSONValue.string))),
      JSONMember("legacy", legacy(field)),
      JSONMember("proposed", coded(field.proposed)),
      JSONMember("current", coded(field.current)),
      JSONMember("status", .string(field.status.rawValue)),
      JSONMember("findings", .array(field.findings.map { .string($0.code.rawValue) })),
    ])
  }

  /// The legacy keys of a field, each once, the one that supplied the value first.
  private static func sourceKeys(_ field: Field) -> [String] {
    var keys: [String] = []
    for key in [field.origin?.source.key].compactMap({ $0 }) + field.sources.map(\.key) where !keys.contains(key) {
      keys.append(key)
    }
    return keys
  }

  private static func finding(_ finding: Finding) -> JSONValue {
    .object([
      JSONMember("code", .string(finding.code.rawValue)),
      JSONMember("severity", .string(finding.severity.rawValue)),
      JSONMember("field", JSONValue(finding.field)),
      JSONMember("message", .string(finding.message)),
      JSONMember("remedy", .string(finding.remedy)),
    ])
  }

  private static func dropped(_ dropped: DroppedKey) -> JSONValue {
    .object([JSONMember("key", .string(dropped.key)), JSONMember("reason", .string(dropped.reason))])
  }

  /// A number in JSON text keeps its own text, which a property list would round.
  private static func legacy(_ field: Field) -> JSONValue {
    guard let text = field.legacyText, let value = field.legacy else { return coded(field.legacy) }
    return ["type": .string(value.kind.rawValue), "value": .string(text)]
  }

  static func coded(_ value: PropertyListValue?) -> JSONValue {
    guard let value, value != .null else { return .null }
    return CodedValue.json(value)
  }
}
