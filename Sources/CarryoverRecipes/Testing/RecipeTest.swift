package import Carryover
package import CarryoverSystem

/// A test in a recipe file: the files of an app, and what the plan for them says.
package struct RecipeTest: Hashable, Sendable {
  package var name: String
  package var place: TextPlace
  package var now: Moment
  package var bundleID: String
  /// The values of parameters that the keys do not show, and the write key.
  package var parameters: [String: String]
  /// The version of the new SDK; nil for the current one.
  package var targetSDK: SDKVersion?
  /// Files by their path in the app's data container.
  package var given: [StringByBytes: GivenFile]
  package var decisions: Decisions
  package var fields: [StringByBytes: FieldExpectation]
  /// The codes of all findings above a note; nil if the test says nothing about them.
  package var findings: Set<String>?
  /// Everything that an apply writes; nil if the test says nothing about it.
  package var written: [StringByBytes: PropertyListValue]?
  /// The keys of the recipe that the plan lists as not migrated; nil if the test says nothing about them.
  package var notMigrated: Set<StringByBytes>?

  package enum GivenFile: Hashable, Sendable {
    case propertyList(PropertyListValue)
    case archive(PropertyListValue)
    /// The text itself, such as JSON.
    case text(String)
    /// Key-value tables of a SQLite database, by name.
    case database([String: PropertyListDictionary])
  }

  package struct FieldExpectation: Hashable, Sendable {
    package var status: FieldStatus
    /// The proposal; nil if the test says nothing about it.
    package var value: PropertyListValue?
  }

  /// The app of a test that names none.
  static let usualBundleID = "com.example.app"

  /// The words of the statuses, as plans and screens say them.
  static let statuses: [(String, FieldStatus)] = [
    ("ready", .ready), ("undecided", .needsDecision), ("conflict", .conflict), ("unchanged", .unchanged),
    ("absent", .absent), ("not-migrated", .dropped),
  ]

  package var options: PlannerOptions { PlannerOptions(parameters: parameters, targetSDK: targetSDK) }

  /// How a plan differs from what the test expects, each as a sentence. Values are quoted: they are the test's own.
  package func problems(of plan: Plan) -> [String] {
    var problems: [String] = []
    if expectsNothing { problems.append("The test has no expectations. Add expect.") }
    for (key, expected) in fields.sorted(by: { $0.key < $1.key }) {
      let id = key.text
      guard let field = plan.field(id) else {
        problems.append("The recipe has no field \(id).")
        continue
      }
      if field.status != expected.status {
        problems.append("\(id) is \(Self.word(field.status)), not \(Self.word(expected.status)).")
      }
      if let value = expected.value, field.proposed != value {
        problems.append("The proposal for \(id) is \(Self.text(field.proposed)), not \(Self.text(value)).")
      }
    }
    for id in decisions.keys where plan.field(id) == nil {
      problems.append("The recipe has no field \(id), which the test decides.")
    }
    if let findings {
      let found = Self.findings(of: plan)
      for code in found.subtracting(findings).sorted() { problems.append("Unexpected finding: \(code).") }
      for code in findings.subtracting(found).sorted() { problems.append("Missing finding: \(code).") }
    }
    if let notMigrated {
      let found = Self.notMigrated(by: plan)
      for key in found.subtracting(notMigrated).sorted() {
        problems.append("\(key.text) is unexpectedly listed as not migrated.")
      }
      for key in notMigrated.subtracting(found).sorted() {
        problems.append("\(key.text) is not listed as not migrated.")
      }
    }
    if let written, !written.isEmpty, isHeldUp(plan) {
      problems.append("An apply would write nothing: a field is undecided, or a finding blocks it.")
    } else if let written {
      let changes = Dictionary(firstOf: plan.changes(decisions).map { ($0.key, $0.after) })
      for (key, value) in written.sorted(by: { $0.key < $1.key }) where changes[key] != value {
        problems.append("\(key.text) would be \(Self.text(changes[key] ?? nil)), not \(Self.text(value)).")
      }
      for key in changes.keys.sorted() where written[key] == nil {
        problems.append("\(key.text) would be written unexpectedly.")
      }
    }
    return problems
  }

  /// Whether every plan would suit the test.
  package var expectsNothing: Bool { fields.isEmpty && findings == nil && written == nil && notMigrated == nil }

  /// Whether an apply with the test's decisions would write nothing because something is undecided or blocked.
  package func isHeldUp(_ plan: Plan) -> Bool {
    !plan.undecided(decisions).isEmpty || !plan.blockers(after: decisions).isEmpty
  }

  /// The codes of a plan's findings above a note.
  static func findings(of plan: Plan) -> Set<String> {
    Set(plan.findings.filter { $0.severity > .note }.map(\.code.rawValue))
  }

  /// The keys and files that a plan lists as not migrated because its recipe says so.
  static func notMigrated(by plan: Plan) -> Set<StringByBytes> {
    let leftBehind = LeftBehindIndex(plan.definition.leftBehind)
    return Set(bytesOf: plan.dropped.map(\.key).filter { leftBehind.first(for: $0) != nil })
  }

  static func word(_ status: FieldStatus) -> String { statuses.first { $0.1 == status }?.0 ?? status.rawValue }

  private static func text(_ value: PropertyListValue?) -> String { value.map { ValueWording.typed($0) } ?? "none" }
}

extension Recipe {
  /// The recipe as the tests of its file follow it: the file counts as trusted, and every known opt-out counts.
  package func asTested(beside builtIn: [Recipe]) -> Recipe {
    var recipe = knowing(optOutsOf: builtIn)
    recipe.origin = .file(path: "", isTrusted: true)
    return recipe
  }
}
