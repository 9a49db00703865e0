package import CarryoverSystem
package import PropertyLists

package struct PlanningContext {
  package let recipe: Recipe
  package let container: Container
  let file: TargetSummary?
  package let sources: LegacySources
  package let target: PropertyListDictionaryIndex
  package let now: Moment
  package let options: PlannerOptions

  package let staleKeys: Set<StringByBytes>
  /// The target keys that a running app's migration has written, as its mark in the target says.
  let restored: Set<StringByBytes>
  /// The reasons that Apple's readers refuse sources or the target, by path.
  let refusals: [StringByBytes: String]
  package let hasLegacyValues: Bool
  private let rules: [StringByBytes: FieldRule]
  let budget = StepBudget()

  init(_ recipe: Recipe, in container: Container, now: Moment, _ options: PlannerOptions) {
    (self.recipe, self.container, self.now, self.options) = (recipe, container, now, options)
    file = Planner(recipe).targetSummary(container, options)
    let sources = LegacySources(recipe, in: container, options, target: file)
    self.sources = sources
    target = (file?.values(of: recipe.rules.map(\.target), in: container) ?? [:]).indexed()
    restored =
      if case .dictionary(let mark)? = target[Self.restorationMark],
        case .array(let names)? = mark["restored"] ?? mark["fields"]
      {
        Set(bytesOf: names.compactMap { if case .string(let name) = $0 { name } else { nil } })
      } else {
        []
      }
    let paths = Set(bytesOf: sources.stores.map(\.path) + [file?.path].compactMap(\.self))
    refusals = paths.reduce(into: [:]) { $0[$1] = container.store($1.text)?.refusal }
    staleKeys = recipe.knowledge.vendor?.staleKeys(recipe, sources, now: now) ?? []
    hasLegacyValues = recipe.rules.contains { $0.candidates.contains { sources.value($0.source.key) != nil } }
    rules = recipe.rulesByTarget
  }

  package var targetExists: Bool { file?.exists ?? false }

  package func current(_ key: String) -> PropertyListValue? { staleKeys.contains(key) ? nil : sources.value(key) }

  func hasTarget(for rule: FieldRule) -> Bool { target[rule.target].map { !rule.group.standsForNone($0) } ?? false }

  /// Whether the new SDK has started with the target: it gives a new user an id then.
  var hasStarted: Bool { recipe.rules.first { $0.loss?.kind == .newUser }.map(hasTarget) ?? true }

  /// Whether the target has a key as a new SDK that knows no user leaves it: there is no value, an empty id or empty
  /// traits, and no migration has written another; or a migration wrote the value, and nothing has changed it since.
  func isFresh(_ key: String) -> Bool {
    let earlier = options.settled[key]
    let isOwn = restored.contains(key) || earlier?.isWritten == true || earlier?.isWrittenEarlier == true
    guard let value = target[key], value != .string(""), value != .string("{}") else {
      return !isOwn && earlier?.left == nil
    }
    return isOwn && (earlier?.left == value || isMigrated(value, key))
  }

  /// Whether a value in the target is the one that a migration writes.
  private func isMigrated(_ value: PropertyListValue, _ key: String) -> Bool {
    guard let rule = rule(for: key) else { return false }
    var draft = FieldDraft(rule, context: self)
    for reference in rule.checks { reference.check.amend(&draft, self) }
    return draft.proposed.map { rule.form.isEquivalent(value, $0) } ?? false
  }

  func generationName(_ number: Int?) -> String? { declared(number)?.name }

  func declared(_ number: Int?) -> Generation? {
    number.flatMap { recipe.generations.indices.contains($0) ? recipe.generations[$0] : nil }
  }

  /// Whether a value is the new SDK's own: its other files have it as well as the target.
  func isNewSDKs(_ found: LegacySources.Found, _ candidate: Candidate, _ rule: FieldRule) -> Bool {
    guard declared(found.generation)?.isNewSDKs == true, let current = target[rule.target],
      let value = Evaluation(candidate, found, self).proposed
    else { return false }
    return rule.form.isEquivalent(current, value)
  }

  var mayBeOlder: Bool { sources.olderGeneration != nil && declared(sources.generation)?.mayBeOlder == true }

  /// The key of the mark that the library writes beside the values that it has restored.
  package static let restorationMark = "carryover.restored"

  package func rule(for target: String) -> FieldRule? { rules[StringByBytes(target)] }

  /// How `UserDefaults` reads a boolean.
  package static func isTrue(_ value: PropertyListValue?) -> Bool {
    switch value {
    case .boolean(let flag): flag
    case .integer(let integer): integer != 0
    case .real(let real): real.value != 0
    case .string(let text): ["1", "true", "yes"].contains(text.lowercased())
    default: false
    }
  }

  /// The value for a target key: that of the rule's first candidate that exists and meets its conditions.
  package func found(for target: String) -> (candidate: Candidate, found: LegacySources.Found)? {
    guard let rule = rule(for: target) else { return nil }
    for candidate in rule.candidates where !staleKeys.contains(candidate.source.key) {
      guard let found = sources.values(candidate.source.key, for: rule).first else { continue }
      let results = results(of: candidate, Evaluation(candidate, found, self))
      if !results.contains(false) { return (candidate, found) }
    }
    return nil
  }
}
