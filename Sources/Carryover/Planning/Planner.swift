package import CarryoverSystem
package import PropertyLists

/// Makes plans from a recipe, a container and a moment. It reads only its arguments and writes nothing.
package struct Planner: Sendable {
  package var recipe: Recipe

  package init(_ recipe: Recipe) { self.recipe = recipe }

  /// There is always a plan: obstacles are findings in it. If the target's name is unknown, because there is no bundle
  /// identifier or no write key, the plan's target is nil, and the plan cannot be applied.
  /// - Parameter recognised: the keys of the recipe's family at least, found in this container with the same `removed`;
  ///   nil to find them.
  package func plan(
    _ container: Container, now: Moment, options: PlannerOptions = PlannerOptions(), recognised: RecognisedKeys? = nil
  ) -> Plan {
    let planner = Planner(recipe.expanded(in: container, options))
    var plan = planner.made(container, now: now, options: options, recognised)
    plan.others = planner.others(than: plan, container, options, recognised)
    return plan
  }

  private static let mostOthers = 8

  private func others(
    than plan: Plan, _ container: Container, _ options: PlannerOptions, _ recognised: RecognisedKeys?
  ) -> [Plan] {
    guard let parameter = recipe.target.parameters.first, recipe.target.parameters.count == 1 else { return [] }
    let values = recipe.target.values(of: parameter, in: container).filter { $0 != options.parameters[parameter] }
    guard plan.target?.hasOthers == true || values.count > 1, values.count <= Self.mostOthers else { return [] }
    return values.map { value in
      var options = options
      options.parameters[parameter] = value
      (options.targetPath, options.settled) = (nil, [:])
      return made(container, now: plan.now, options: options, recognised)
    }
  }

  /// The plan of a recipe whose rules stand for one field each.
  private func made(
    _ container: Container, now: Moment, options: PlannerOptions, _ recognised: RecognisedKeys?
  ) -> Plan {
    let context = PlanningContext(recipe, in: container, now: now, options)
    // Without rivals, no other recipe can be meant.
    let family = recipe.rivals.isEmpty ? [] : recipe.family
    let detection = RecipeDetection(
      recognised?.only(of: family) ?? RecognisedKeys(container, of: family, removed: options.removed))
    let remembered = container.puttingBack(options.removed).map { PlanningContext(recipe, in: $0, now: now, options) }
    var fields = fields(context)
    if let remembered { fields = zip(fields, self.fields(remembered)).map { $0.calmed(by: $1) } }
    fields.noteOtherUsers()
    for other in detection.others(than: recipe) { fields = offering(other, to: fields, context) }
    let past = (remembered ?? context).sources
    let checks = ContainerChecks(
      ContainerFacts(context: context, fields: fields, detection: detection), remembered: past,
      allowing: options.allowed)
    var plan = Plan(
      recipe: recipe, container: ContainerSummary(container), target: context.file, now: now, fields: fields,
      containerFindings: checks.findings, dropped: checks.dropped, basis: basis(context), allowed: options.allowed)
    plan.unreadPlaces = checks.unreadPlaces
    // What a cleanup removed, no migrator has moved.
    plan.moved = past.moved
    return plan
  }

  /// The fields of all rules. A field that an earlier run left unwritten only because it kept another user is open
  /// again once that user is not kept.
  private func fields(_ context: PlanningContext) -> [Field] {
    let fields = fieldsAsSettled(context)
    let following = fields.filter(\.isFollowing)
    guard !following.isEmpty else { return fields }
    let places = fields.places
    let open = following.filter { $0.describes.flatMap { places[$0] }.map { fields[$0].isKeptByRun } != true }
    guard !open.isEmpty else { return fields }
    var options = context.options
    for field in open { options.settled[field.id] = options.settled[field.id]?.reopened }
    return self.fields(PlanningContext(recipe, in: context.container, now: context.now, options))
  }

  /// The fields of all rules, with all earlier decisions. If an older generation has another id, its user may be
  /// another one: the ids that it lacks ask too, so that no decision mixes the ids of two users.
  private func fieldsAsSettled(_ context: PlanningContext) -> [Field] {
    let fields = recipe.rules.map { field($0, context) }
    guard context.sources.olderGeneration != nil, fields.contains(where: \.differsFromOlderGeneration) else {
      return fields
    }
    return zip(recipe.rules, fields).map { rule, field in
      rule.group == .identity ? self.field(rule, context, isOpen: true) : field
    }
  }

  /// - Parameter isOpen: whether the ids of an older generation may be the user's.
  func field(_ rule: FieldRule, _ context: PlanningContext, isOpen: Bool = false) -> Field {
    var draft = FieldDraft(rule, context: context)
    for reference in rule.checks { reference.check.amend(&draft, context) }
    draft.checkModel()
    draft.checkSources(context)
    draft.checkRefusal(context)
    draft.checkForm()
    draft.checkRequirements()
    draft.checkConsent()
    draft.checkID()
    draft.checkEdges()
    draft.noteDisagreement(context)
    draft.noteOlderGeneration(context, isOpen: isOpen || context.mayBeOlder)
    draft.noteHiddenSource(context)
    return draft.field(context)
  }

  /// Fields with another recipe's results for the same container as alternatives. Proposals and statuses do not change,
  /// because a finding about the container says which recipe is right.
  private func offering(_ other: Recipe, to fields: [Field], _ context: PlanningContext) -> [Field] {
    let theirs = PlanningContext(other, in: context.container, now: context.now, context.options)
    let planner = Planner(other)
    return fields.map { field in
      guard field.status != .unchanged, let rule = other.rules.first(where: { $0.target.hasSameBytes(as: field.id) }),
        let value = planner.field(rule, theirs).proposed, value != field.proposed,
        !field.alternatives.contains(where: { $0.value == value })
      else { return field }
      var field = field
      field.alternatives.append(Alternative(label: other.reference.id, value: value))
      return field
    }
  }

  package func targetPath(in container: Container, options: PlannerOptions) -> String? {
    options.targetPath ?? recipe.target.path(in: container, options.parameters)
  }

  func targetSummary(_ container: Container, _ options: PlannerOptions) -> TargetSummary? {
    targetPath(in: container, options: options).map { path in
      var summary = TargetSummary(path: path, exists: container.store(path) != nil)
      summary.format = recipe.target.format
      if recipe.target.isFolder {
        let files = recipe.rules.map { path + "/" + $0.target }.filter { container.store($0) != nil }
        (summary.present, summary.exists) = (Set(bytesOf: files), !files.isEmpty)
      }
      summary.isMarked = recipe.migrator?.mark.map { summary.values(of: [$0], in: container)[$0] != nil }
      let named = recipe.unfilledTarget ?? recipe.target
      summary.hasOthers = named.parameters.contains { parameter in
        let own = recipe.values[parameter] ?? options.parameters[parameter]
        return named.values(of: parameter, in: container).contains { $0 != own }
      }
      return summary
    }
  }

  /// Every value that could change the plan: each key of the recipe in each possible source, and each target key. A
  /// store that appears later is a change too.
  private func basis(_ context: PlanningContext) -> [PlanBasis] {
    // Also includes other SDKs' values, which affect the choice of recipe, consent and alternatives.
    let sources = context.sources
    let known = sources.ofRivals.reduce(sources.known.union(recipe.conditionKeys)) { $0.union($1.keys) }
    let keys = known.sorted()
    let legacy = sources.places.flatMap { place in
      let values = sources.values(in: place)
      return keys.map { PlanBasis(store: place, key: $0.text, value: values[$0]) }
    }
    var others: [PlanBasis] = []
    if let target = context.file {
      others = recipe.rules.map { rule in
        PlanBasis(store: target.file(of: rule.target), key: rule.target, value: context.target[rule.target])
      }
      // A value that is changed in place belongs to a source and to the target.
      others.removeAll { sources.places.containsBytes(of: $0.store) && known.contains($0.key) }
    }
    others += sources.files + (recipe.knowledge.vendor?.basis(recipe, in: context.container) ?? [])
    return legacy + others.distinct { KeyPlace(file: $0.store, key: $0.key) }
  }
}

/// Options of a plan, in addition to the recipe, the container and the moment.
public struct PlannerOptions: Hashable, Sendable {
  /// The values of the recipe's parameters, by name. With the bundle identifier, they form the target's name.
  package var parameters: [String: String]
  /// The target file, relative to the container's root; nil for the recipe's own target.
  package var targetPath: String?
  /// The version of the new SDK that will read the target; nil for the current version.
  package var targetSDK: SDKVersion?
  /// The fields that earlier runs settled: see `Migrator.settled`.
  package var settled: [StringByBytes: SettledField]
  /// The legacy values that cleanups in effect removed: see `Migrator.removedByCleanups`.
  package var removed: [KeyPlace: PropertyListValue]
  package var allowed: Set<FindingCode>

  /// Options for a recipe without parameters.
  /// - Parameter allowed: the codes of the blocking findings to allow.
  public init(allowed: Set<FindingCode> = []) { self.init(parameters: [:], allowed: allowed) }

  package init(
    parameters: [String: String], targetPath: String? = nil, targetSDK: SDKVersion? = nil,
    settled: [StringByBytes: SettledField] = [:], removed: [KeyPlace: PropertyListValue] = [:],
    allowed: Set<FindingCode> = []
  ) {
    self.parameters = parameters
    self.targetPath = targetPath
    self.targetSDK = targetSDK
    self.settled = settled
    self.removed = removed
    self.allowed = allowed
  }
}

package struct SDKVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
  package var numbers: [Int]

  /// Parses "1.2.0" or "1.2"; nil unless the text is one to four decimal numbers between dots.
  package init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil }
    guard numbers.count == parts.count, (1...4).contains(parts.count) else { return nil }
    self.numbers = numbers
  }

  /// Compares number by number. Missing numbers count as zero.
  package static func < (left: SDKVersion, right: SDKVersion) -> Bool {
    left.padded.lexicographicallyPrecedes(right.padded)
  }

  package var description: String { numbers.map(String.init).joined(separator: ".") }
  private var padded: [Int] { numbers + Array(repeating: 0, count: max(0, 4 - numbers.count)) }
}

package struct SettledField: Hashable, Sendable {
  package var legacy: PropertyListValue?
  /// The value in the target after the run; nil if there was none.
  package var left: PropertyListValue?
  package var runID: String
  /// Whether the field was rolled back while other fields of the run are in effect: the user may not want its value.
  package var isRolledBack = false
  /// Whether the decision was to keep the target's own value, or none.
  package var isKept = false
  /// Whether the newest run wrote the value, and did not find it in the target.
  package var isWritten = false
  /// Whether an earlier run in effect left a value, whatever the newest one did.
  package var isWrittenEarlier = false
  /// The codes of the field's findings in that run or an earlier one.
  package var findings: Set<String> = []
  /// Whether the newest run says nothing of the field.
  package var isOfEarlierRun = false
  /// Whether it was left unwritten only because the target kept another user.
  package var isFollowing = false

  /// What is still known of a field that is open again.
  fileprivate var reopened: SettledField? {
    guard isWrittenEarlier else { return nil }
    return SettledField(legacy: nil, left: nil, runID: runID, isWrittenEarlier: true, isOfEarlierRun: true)
  }
}

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

  /// Whether a key of the target says nothing of a user: it has no value, an empty id or empty traits, and no migration
  /// has written another; or a migration wrote the value, and nothing has changed it since.
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
