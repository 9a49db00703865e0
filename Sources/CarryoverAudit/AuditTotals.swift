import PropertyLists

/// What the rows of an audit add up to.
package struct AuditTotals: Sendable {
  /// How often a field has each verdict, and what the vendor's migrator would do with its value.
  package struct FieldCount: Sendable {
    package var verdicts: [AuditVerdict: Int] = [:]
    package var references: [String: Int] = [:]

    package init() {}
  }

  /// A field of a recipe.
  package struct FieldKey: Hashable, Comparable, Sendable {
    package var recipe: String
    package var field: String

    package static func < (left: FieldKey, right: FieldKey) -> Bool {
      (left.recipe, left.field) < (right.recipe, right.field)
    }
  }

  /// The number of inputs.
  package private(set) var inputs = 0
  /// The number of containers with each outcome.
  package private(set) var outcomes: [AuditOutcome: Int] = [:]
  /// The number of containers with each finding.
  package private(set) var findings: [String: Int] = [:]
  /// The number of containers with a finding of each group: `identity`, `traits`.
  package private(set) var groups: [String: Int] = [:]
  /// The number of containers with a finding of each severity: `error`, `warning`, `note`.
  package private(set) var severities: [String: Int] = [:]
  /// The number of containers for which a migration is blocked.
  package private(set) var blocked = 0
  /// The number of containers with a field that somebody has to decide.
  package private(set) var undecided = 0
  /// The number of containers that are copies of one before them.
  package private(set) var copies = 0
  package private(set) var fields: [FieldKey: FieldCount] = [:]
  /// The fields in the order of the recipes.
  package private(set) var order: [FieldKey] = []
  /// The first containers with each outcome that is not `audited`, for display.
  package private(set) var examples: [AuditOutcome: [String]] = [:]
  private var lastInput = 0
  private var seen: Set<UInt64> = []

  package init() {}

  private static let mostExamples = 8

  /// All containers.
  package var containers: Int { outcomes.values.reduce(0, +) }

  /// The containers with a plan, to which percentages refer.
  package var planned: Int { AuditOutcome.allCases.filter(\.hasPlan).reduce(0) { $0 + outcomes[$1, default: 0] } }

  /// The number of containers in which a field has a verdict, in any recipe.
  package func count(_ verdict: AuditVerdict, of field: String) -> Int {
    fields.filter { $0.key.field == field }.reduce(0) { $0 + $1.value.verdicts[verdict, default: 0] }
  }

  /// Adds a row.
  /// - Throws: `JSONError`, or ``DamagedRow`` for a line that is no row.
  package mutating func add(line: String) throws {
    let row = try JSONText(line).value
    guard row["schema"]?.stringValue == AuditedContainer.schema, let number = row["n"]?.numberValue?.int64 else {
      throw DamagedRow()
    }
    if number != lastInput {
      guard number == lastInput + 1 else { throw DamagedRow() }
      inputs += 1
      lastInput = Int(number)
    }
    switch row["row"]?.stringValue {
    case "container": try addContainer(row)
    case "field": try addField(row)
    default: throw DamagedRow()
    }
  }

  private mutating func addContainer(_ row: JSONValue) throws {
    guard let outcome = row["outcome"]?.stringValue.flatMap(AuditOutcome.init) else { throw DamagedRow() }
    outcomes[outcome, default: 0] += 1
    if outcome != .audited, examples[outcome, default: []].count < Self.mostExamples {
      let code = row["code"]?.stringValue.map { " (\($0))" } ?? ""
      examples[outcome, default: []].append((row["path"]?.stringValue ?? "input \(lastInput)") + code)
    }
    let codes = row["findings"]?.elements?.compactMap(\.stringValue) ?? []
    for code in codes { findings[code, default: 0] += 1 }
    for group in Set(codes.map(Self.group)) { groups[group, default: 0] += 1 }
    for (name, severity) in [("errors", "error"), ("warnings", "warning"), ("notes", "note")]
    where (row[name]?.numberValue?.int64 ?? 0) > 0 {
      severities[severity, default: 0] += 1
    }
    if row["blocked"]?.booleanValue == true { blocked += 1 }
    if (row["undecided"]?.numberValue?.int64 ?? 0) > 0 { undecided += 1 }
    if let id = row["container"]?.stringValue, let short = UInt64(id.prefix(16), radix: 16),
      !seen.insert(short).inserted
    {
      copies += 1
    }
  }

  /// The group of a finding's code: `identity` of `identity.empty`.
  static func group(_ code: String) -> String { String(code.prefix { $0 != "." }) }

  private mutating func addField(_ row: JSONValue) throws {
    guard let recipe = row["recipe"]?.stringValue, let field = row["field"]?.stringValue,
      let verdict = row["verdict"]?.stringValue.flatMap(AuditVerdict.init)
    else { throw DamagedRow() }
    let key = FieldKey(recipe: recipe, field: field)
    if fields[key] == nil { order.append(key) }
    fields[key, default: FieldCount()].verdicts[verdict, default: 0] += 1
    row["reference"]?.stringValue.map { fields[key]?.references[$0, default: 0] += 1 }
  }

  /// A line that is no row of an audit.
  package struct DamagedRow: Error { package init() {} }
}
