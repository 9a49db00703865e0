/// What the containers of an audit add up to.
package struct AuditTotals: Sendable {
  /// How often a field has each verdict, and what the vendor's migrator would do with its value.
  package struct FieldCount: Sendable {
    package var verdicts: [AuditVerdict: Int] = [:]
    package var references: [String: Int] = [:]

    package init() {}
  }

  /// A field of a recipe.
  package struct FieldKey: Hashable, Sendable {
    package var recipe: String
    package var field: String
  }

  /// A finding in the containers of a recipe.
  package struct FindingKey: Hashable, Comparable, Sendable {
    package var recipe: String
    package var code: String

    package static func < (left: FindingKey, right: FindingKey) -> Bool {
      (left.recipe, left.code) < (right.recipe, right.code)
    }
  }

  /// How many containers have a finding, and the first of them.
  package struct FindingCount: Sendable {
    package var containers = 0
    package var examples: [String] = []
  }

  /// In how many containers values are lost: with Carryover, and with the vendor's own migrator.
  package struct Comparison: Sendable {
    /// The containers with a field that Carryover loses.
    package var losing = 0
    /// The containers with a field to decide.
    package var asking = 0
    /// The containers with a value that the vendor's migrator keeps, loses or changes.
    package var withReference = 0
    /// Those in which it loses or changes one.
    package var referenceLosing = 0
  }

  /// The number of inputs.
  package private(set) var inputs = 0
  /// The number of containers with each outcome.
  package private(set) var outcomes: [AuditOutcome: Int] = [:]
  /// The number of containers with each finding.
  package private(set) var findings: [String: Int] = [:]
  /// The findings by recipe.
  package private(set) var findingCounts: [FindingKey: FindingCount] = [:]
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
  package private(set) var comparison = Comparison()
  package private(set) var fields: [FieldKey: FieldCount] = [:]
  /// The fields in the order of the recipes.
  package private(set) var order: [FieldKey] = []
  /// The first containers with each outcome that is not `audited`, for display.
  package private(set) var examples: [AuditOutcome: [String]] = [:]
  private var nextInput: Int
  private let step: Int
  private var seen: Set<UInt64> = []

  /// - Parameter shard: the shard of the audit that is added up.
  package init(of shard: AuditShard = .whole) { (nextInput, step) = (shard.first, shard.count) }

  /// How many containers are named for an outcome or a finding.
  package static let mostExamples = 20
  /// Far more fields and findings than all recipes have.
  private static let mostKeys = 10_000

  /// All containers.
  package var containers: Int { outcomes.values.reduce(0, +) }

  /// The containers with a plan, to which percentages refer.
  package var planned: Int { AuditOutcome.allCases.filter(\.hasPlan).reduce(0) { $0 + outcomes[$1, default: 0] } }

  /// The recipes with fields, in the order in which they were met.
  package var recipes: [String] {
    var seen: Set<String> = []
    return order.map(\.recipe).filter { seen.insert($0).inserted }
  }

  /// The most frequent findings first.
  package var sortedFindings: [(code: String, count: Int)] {
    findings.map { ($0.key, $0.value) }.sorted { ($1.1, $0.0) < ($0.1, $1.0) }
  }

  /// The number of containers in which a field has a verdict, in any recipe.
  package func count(_ verdict: AuditVerdict, of field: String) -> Int {
    fields.filter { $0.key.field == field }.reduce(0) { $0 + $1.value.verdicts[verdict, default: 0] }
  }

  /// Adds a container.
  /// - Throws: ``DamagedRow`` for more fields or findings than an audit can have.
  package mutating func add(_ unit: AuditUnit) throws(DamagedRow) {
    if unit.input != nextInput - step || inputs == 0 {
      guard unit.input == nextInput else { throw DamagedRow("rows are missing before it") }
      inputs += 1
      nextInput += step
    }
    outcomes[unit.outcome, default: 0] += 1
    if unit.outcome != .audited {
      let code = unit.code.map { " (\($0))" } ?? ""
      Self.add(unit.name + code, to: &examples[unit.outcome, default: []])
    }
    addFindings(unit)
    for severity in unit.severities.keys { severities[severity, default: 0] += 1 }
    if unit.isBlocked { blocked += 1 }
    if unit.isUndecided { undecided += 1 }
    if let short = unit.id.flatMap({ UInt64($0.prefix(16), radix: 16) }), !seen.insert(short).inserted { copies += 1 }
    for field in unit.fields { add(field, unit.recipe ?? "") }
    compare(unit)
    guard fields.count + findingCounts.count <= Self.mostKeys else {
      throw DamagedRow("there are more fields and findings than an audit can have")
    }
  }

  private mutating func addFindings(_ unit: AuditUnit) {
    let codes = Set(unit.findings)
    for code in codes {
      findings[code, default: 0] += 1
      let key = FindingKey(recipe: unit.recipe ?? "", code: code)
      findingCounts[key, default: FindingCount()].containers += 1
      Self.add(unit.name, to: &findingCounts[key, default: FindingCount()].examples)
    }
    for group in Set(codes.map(Self.group)) { groups[group, default: 0] += 1 }
  }

  private mutating func add(_ field: AuditUnit.Field, _ recipe: String) {
    let key = FieldKey(recipe: recipe, field: field.name)
    if fields[key] == nil { order.append(key) }
    fields[key, default: FieldCount()].verdicts[field.verdict, default: 0] += 1
    if let reference = field.reference { fields[key]?.references[reference, default: 0] += 1 }
  }

  private mutating func compare(_ unit: AuditUnit) {
    if unit.has(.lost) { comparison.losing += 1 }
    if unit.has(.carriesWithDecision) { comparison.asking += 1 }
    guard unit.fields.contains(where: { $0.reference != nil }) else { return }
    comparison.withReference += 1
    if unit.fields.contains(where: { $0.reference == "dropped" || $0.reference == "wrong" }) {
      comparison.referenceLosing += 1
    }
  }

  private static func add(_ name: String, to examples: inout [String]) {
    if examples.count < mostExamples { examples.append(name) }
  }

  /// The group of a finding's code: `identity` of `identity.empty`.
  static func group(_ code: String) -> String { String(code.prefix { $0 != "." }) }
}
