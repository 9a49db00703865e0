import Carryover
import CarryoverPages
import CarryoverSystem

/// A part of the inputs of an audit, for one of several machines: every `count`-th input.
struct AuditShard: Hashable, Sendable {
  /// From 0, as clusters number the tasks of a job.
  let index: Int
  let count: Int

  static let whole = AuditShard(index: 0, count: 1)

  private init(index: Int, count: Int) { (self.index, self.count) = (index, count) }

  /// Reads `3/64`, the fourth of 64 shards; nil for another text.
  init?(argument text: String) {
    let parts = FilePath.components(text, omittingEmpty: false)
    guard parts.count == 2, let index = Int(parts[0]), let count = Int(parts[1]),
      (1...Self.most).contains(count), (0..<count).contains(index), text == "\(index)/\(count)"
    else { return nil }
    self.init(index: index, count: count)
  }

  static let most = 10_000

  var text: String { "\(index)/\(count)" }

  var first: Int { index + 1 }

  func contains(_ input: Int) -> Bool { (input - 1) % count == index }
}

struct AuditTotals: Sendable {
  /// How often a field has each verdict, and what the vendor's migrator would do with it.
  struct FieldCount: Sendable {
    var verdicts: [AuditVerdict: Int] = [:]
    var references: [String: Int] = [:]
  }

  struct FieldKey: Hashable, Sendable {
    var recipe: String
    var field: String
  }

  struct FindingKey: Hashable, Comparable, Sendable {
    var recipe: String
    var code: String

    static func < (left: FindingKey, right: FindingKey) -> Bool {
      (left.recipe, left.code) < (right.recipe, right.code)
    }
  }

  struct FindingCount: Sendable {
    var containers = 0
    var examples: [String] = []
  }

  private(set) var inputs = 0
  private(set) var outcomes: [AuditOutcome: Int] = [:]
  private(set) var findings: [String: Int] = [:]
  private(set) var findingCounts: [FindingKey: FindingCount] = [:]
  /// The number of containers with a finding of each group: `identity`, `traits`.
  private(set) var groups: [String: Int] = [:]
  /// The number of containers with a finding of each severity: `error`, `warning`, `note`.
  private(set) var severities: [String: Int] = [:]
  private(set) var blocked = 0
  /// The number of containers with an undecided field that are not blocked.
  private(set) var undecided = 0
  /// The number of containers that are copies of another one.
  private(set) var copies = 0
  private(set) var users = UserTotals()
  private(set) var fields: [FieldKey: FieldCount] = [:]
  /// The fields in the order of the recipes.
  private(set) var order: [FieldKey] = []
  /// The first containers with each outcome that is not `audited`, for display.
  private(set) var examples: [AuditOutcome: [String]] = [:]
  private var nextInput: Int
  private let step: Int
  /// For each container and its copies, the index in `counted` of the users that count. Most containers have equal
  /// users, so each list is stored once.
  private var seen: [UInt64: Int] = [:]
  private var counted: [[AffectedUser]] = []
  private var places: [[AffectedUser]: Int] = [:]

  init(of shard: AuditShard = .whole) { (nextInput, step) = (shard.first, shard.count) }

  static let mostExamples = 20
  /// Far more fields and findings than all recipes have.
  private static let mostKeys = 10_000

  var containers: Int { outcomes.values.reduce(0, +) }

  /// The containers with a plan, to which percentages refer.
  var planned: Int { AuditOutcome.allCases.filter(\.hasPlan).reduce(0) { $0 + outcomes[$1, default: 0] } }

  /// The recipes for which some container has a value, or may have one.
  var recipes: [String] {
    order.filter { key in fields[key]?.verdicts.keys.contains { $0 != .nothing } == true }.map(\.recipe).distinct()
  }

  var sortedFindings: [(code: String, count: Int)] {
    findings.map { ($0.key, $0.value) }.sorted { ($1.1, $0.0) < ($0.1, $1.0) }
  }

  /// The first containers with a finding.
  func examples(of code: String) -> [String] {
    let counts = findingCounts.filter { $0.key.code == code }.sorted { $0.key < $1.key }
    return Array(counts.flatMap(\.value.examples).distinct().prefix(Self.mostExamples))
  }

  func count(_ verdict: AuditVerdict, of field: String) -> Int {
    fields.filter { $0.key.field == field }.reduce(0) { $0 + $1.value.verdicts[verdict, default: 0] }
  }

  mutating func add(_ unit: AuditUnit) throws(DamagedRow) {
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
    if unit.isBlocked { blocked += 1 } else if unit.isUndecided { undecided += 1 }
    for field in unit.fields { add(field) }
    addUsers(unit)
    guard fields.count + findingCounts.count + users.keys <= Self.mostKeys else {
      throw DamagedRow("there are more fields and findings than an audit can have")
    }
  }

  /// A copy has the same users, so they count once. Copies may still differ, because a run counts only in the container
  /// that it migrated: then the most serious losses count, whatever the order of the copies.
  private mutating func addUsers(_ unit: AuditUnit) {
    // Without a plan, it has no users, and those of its copies still count.
    let short = unit.outcome.hasPlan ? unit.id.flatMap { UInt64($0.prefix(16), radix: 16) } : nil
    if let earlier = short.flatMap({ seen[$0] }) {
      copies += 1
      guard counted[earlier] != unit.users, counted[earlier].isLessGrave(than: unit.users) else { return }
      for user in counted[earlier] { users.remove(user) }
    }
    for user in unit.users { users.add(user) }
    guard let short else { return }
    let place = places[unit.users] ?? counted.count
    if place == counted.count {
      counted.append(unit.users)
      places[unit.users] = place
    }
    seen[short] = place
  }

  private mutating func addFindings(_ unit: AuditUnit) {
    let codes = Set(unit.findings)
    // A finding about the container as a whole counts for the first recipe.
    let ofFields = Dictionary(
      grouping: unit.fields.flatMap { field in field.findings.map { ($0, field.recipe) } }, by: \.0)
    for code in codes {
      findings[code, default: 0] += 1
      for recipe in Set(ofFields[code]?.map(\.1) ?? [unit.recipe ?? ""]) {
        let key = FindingKey(recipe: recipe, code: code)
        findingCounts[key, default: FindingCount()].containers += 1
        Self.add(unit.name, to: &findingCounts[key, default: FindingCount()].examples)
      }
    }
    for group in Set(codes.map(Self.group)) { groups[group, default: 0] += 1 }
  }

  private mutating func add(_ field: AuditUnit.Field) {
    let key = FieldKey(recipe: field.recipe, field: field.name)
    if fields[key] == nil { order.append(key) }
    fields[key, default: FieldCount()].verdicts[field.verdict, default: 0] += 1
    if let reference = field.reference { fields[key]?.references[reference, default: 0] += 1 }
  }

  private static func add(_ name: String, to examples: inout [String]) {
    if examples.count < mostExamples { examples.append(name) }
  }

  /// The group of a finding's code: `identity` of `identity.empty`.
  static func group(_ code: String) -> String { String(code.prefix { $0 != "." }) }

  /// The reason that the audit fails, regardless of the limits.
  /// - Parameter isShard: whether other shards have the rest, so that none of these needs a plan.
  func failure(isShard: Bool) -> CommandFailure? {
    if let changed = outcomes[.changed] {
      return CommandFailure(
        "\(ValueWording.counted(changed, "container")) changed while being read. Audit again while no program writes to the inputs.",
        .stalePlan)
    }
    return planned == 0 && !isShard ? CommandFailure("No container has a plan.", .error) : nil
  }
}
