package import Carryover
import PropertyLists

/// The parts of a recipe, and those that plans have used.
package struct RecipeCoverage: Sendable {
  /// A kind of part. The raw value is the word in output.
  package enum Kind: String, CaseIterable, Sendable {
    /// A field is reached if a plan has a value for it.
    case field
    /// A source of a field is reached if it gives the field its value.
    case source
    /// A condition or a requirement has two parts, which are reached if a plan finds it met, and not met.
    case condition
    /// A check is reached if it has something to say about a field, or the field a value if the check never says anything.
    case check
    /// What a check can find, and the recipe's own findings.
    case finding
    /// A key that is not migrated is reached if a plan lists it.
    case notMigrated = "not-migrated"
    /// A place that the recipe does not read is reached if a plan reports data in it.
    case elsewhere
  }

  package struct Part: Hashable, Sendable {
    package var kind: Kind
    /// The names of keys have parameters as the file has them.
    package var name: String

    init(_ kind: Kind, _ name: String) {
      self.kind = kind
      self.name = name
    }
  }

  private let recipe: Recipe
  /// Every part, in the file's order, by kind.
  package let parts: [Part]
  private var reached: Set<Part> = []

  package init(_ recipe: Recipe) {
    self.recipe = recipe
    var parts = recipe.rules.map { Part(.field, $0.target) }
    parts += recipe.rules.flatMap { rule in rule.candidates.map { Self.source($0, rule) } }
    parts += recipe.rules.flatMap { rule in
      Self.results(of: rule).map { Self.condition($0, rule) }
    }
    parts += recipe.rules.flatMap { rule in rule.checks.map { Self.check($0, rule) } }
    parts += recipe.rules.flatMap { rule in rule.checks.flatMap { Self.findings($0, rule, recipe) } }
    parts += recipe.ownFindings.map { Part(.finding, $0.name) }
    parts += recipe.leftBehind.map { Part(.notMigrated, $0.key) }
    parts += recipe.elsewhere.map { Part(.elsewhere, $0.words) }
    var seen: Set<Part> = []
    self.parts = parts.filter { seen.insert($0).inserted }
  }

  /// The parts that no plan has used.
  package var missed: [Part] { parts.filter { !reached.contains($0) } }

  /// How many parts of a kind plans have used, of how many.
  package func count(_ kind: Kind) -> (reached: Int, all: Int) {
    let parts = parts.filter { $0.kind == kind }
    return (parts.count { reached.contains($0) }, parts.count)
  }

  /// The percentage of the parts that plans have used, rounded down.
  package var percent: Int { parts.isEmpty ? 100 : (parts.count - missed.count) * 100 / parts.count }

  /// Adds what a plan has used.
  /// - Parameter plan: a plan of the recipe with values in place of its parameters.
  package mutating func add(_ plan: Plan) {
    for (place, field) in zip(plan.definition.rulePlaces, plan.fields) where recipe.rules.indices.contains(place) {
      let rule = recipe.rules[place]
      let hasValue = field.status != .absent
      if hasValue { reached.insert(Part(.field, rule.target)) }
      if let used = field.candidate, rule.candidates.indices.contains(used) {
        reached.insert(Self.source(rule.candidates[used], rule))
      }
      reached.formUnion(field.conditions.map { Self.condition($0, rule) })
      let codes = Set(field.findings.map { Part(.finding, $0.code.rawValue) })
      if let own = rule.otherwise.map({ Part(.finding, $0.name) }), codes.contains(own) { reached.insert(own) }
      for check in rule.checks {
        let findings = Self.findings(check, rule, recipe)
        let found = codes.intersection(findings)
        reached.formUnion(found)
        if findings.isEmpty ? hasValue : !found.isEmpty { reached.insert(Self.check(check, rule)) }
      }
    }
    let dropped = Set(bytesOf: plan.dropped.map(\.key))
    for (rule, filled) in zip(recipe.leftBehind, plan.definition.leftBehind)
    where filled.matches(anyOf: dropped) {
      reached.insert(Part(.notMigrated, rule.key))
    }
    for (rule, filled) in zip(recipe.elsewhere, plan.definition.elsewhere)
    where plan.unreadPlaces.contains(where: { $0.reason == filled.reason }) {
      reached.insert(Part(.elsewhere, rule.words))
    }
  }

  private static func source(_ candidate: Candidate, _ rule: FieldRule) -> Part {
    Part(.source, "\(rule.target) ← \(candidate.source.label)")
  }

  /// The possible outcomes of all conditions and requirements of a field.
  private static func results(of rule: FieldRule) -> [ConditionResult] {
    let places =
      rule.candidates.enumerated().flatMap { source in source.element.conditions.indices.map { (source.offset, $0) } }
      + rule.requirements.indices.map { (nil, $0) }
    return places.flatMap { source, index in
      [true, false].map { ConditionResult(source: source, index: index, isMet: $0) }
    }
  }

  private static func condition(_ result: ConditionResult, _ rule: FieldRule) -> Part {
    let words: String
    if let place = result.source {
      let candidate = rule.candidates[place]
      words = "\(rule.target) ← \(candidate.source.label) if \(candidate.conditions[result.index].words)"
    } else {
      words = "\(rule.target) must be \(rule.requirements[result.index].words)"
    }
    return Part(.condition, words + (result.isMet ? ": met" : ": not met"))
  }

  private static func check(_ reference: CheckReference, _ rule: FieldRule) -> Part {
    Part(.check, "\(rule.target): \(reference.check.name)")
  }

  private static func findings(_ reference: CheckReference, _ rule: FieldRule, _ recipe: Recipe) -> [Part] {
    reference.check.findings(rule, of: recipe).map { Part(.finding, $0.rawValue) }
  }
}
