package import CarryoverSystem
package import PropertyLists

/// A field during planning: the result of its rule, amended by checks and by the comparison with the target.
package struct FieldDraft {
  package let rule: FieldRule
  /// The candidate that supplied the value; nil if none did.
  package private(set) var candidate: Candidate?
  package private(set) var origin: FieldOrigin?
  package private(set) var legacy: PropertyListValue?
  /// The exact text of a legacy value that is a number in JSON text.
  package private(set) var legacyText: String?
  package private(set) var proposed: PropertyListValue?
  /// The reason that the transform failed; nil if it did not.
  package private(set) var failure: TransformFailure?
  package private(set) var steps: [TransformStep] = []
  package private(set) var alternatives: [Alternative] = []
  private var offered: Set<PropertyListValue> = []
  package private(set) var findings: [Finding] = []
  /// The sources that say that the user opted out, and do not count.
  private(set) var passedOptOuts: [FieldOrigin] = []
  /// Whether the source says that the user opted out, whatever becomes of its value afterwards.
  private(set) var saysOptOut = false
  /// Whether an existing legacy value counts as missing.
  package var countsAsAbsent = false

  /// The form that the target's reader requires. A model keeps its type.
  var form: TargetForm {
    guard rule.model != nil, case .data? = legacy else { return rule.form }
    return .jsonObjectData
  }

  /// Uses the first candidate that exists, is not outdated and meets its conditions. An empty id is used only if there is
  /// no other.
  init(_ rule: FieldRule, context: PlanningContext) {
    self.rule = rule
    var empty: (candidate: Candidate, store: String, evaluation: Evaluation)?
    for candidate in rule.candidates where !context.staleKeys.contains(candidate.source.key) {
      guard let found = context.sources.values(candidate.source.key, for: rule).first else { continue }
      let evaluation = Evaluation(candidate, found, context)
      guard evaluation.legacy != nil || evaluation.failure != nil else { continue }
      let results = context.results(of: candidate, evaluation)
      // What cannot be read is not passed over: the field asks.
      guard evaluation.legacy == nil || !results.contains(false) else {
        passedOptOuts += optOuts(of: candidate, context)
        continue
      }
      if rule.isEmptyID(evaluation), rule.checks.isEmpty {
        empty = empty ?? (candidate, found.store, evaluation)
        continue
      }
      use(candidate, found.store, evaluation)
      if found.isForeignLine {
        note(.sourceDoubtful(key: candidate.source.label, "Only versions of the SDK that wrote plain text read it."))
      }
      break
    }
    if candidate == nil, let empty { use(empty.candidate, empty.store, empty.evaluation) }
  }

  /// Uses another candidate of the rule.
  package mutating func take(_ candidate: Candidate, context: PlanningContext) {
    guard let found = context.sources.values(candidate.source.key, for: rule).first else { return }
    use(candidate, found.store, Evaluation(candidate, found, context))
  }

  /// Proposes a value that no candidate supplied.
  package mutating func propose(_ value: PropertyListValue, steps: [TransformStep]) {
    proposed = value
    self.steps = steps
  }

  /// Withdraws the proposal.
  package mutating func withdraw(_ title: String) {
    proposed = nil
    steps.append(TransformStep(title: title, result: nil))
  }

  package mutating func note(_ observation: Observation) {
    findings.append(Finding(observation, field: rule.target, source: origin?.source ?? rule.candidates.first?.source))
  }

  package mutating func offer(_ label: String, _ value: PropertyListValue) {
    guard value != proposed, offered.insert(value).inserted else { return }
    alternatives.append(Alternative(label: label, value: value))
  }

  package var asks: Bool { findings.contains(where: \.asks) }

  private mutating func use(_ candidate: Candidate, _ store: String, _ evaluation: Evaluation) {
    self.candidate = candidate
    origin = FieldOrigin(source: candidate.source, store: store)
    legacy = evaluation.legacy
    legacyText = evaluation.legacyText
    proposed = evaluation.proposed
    failure = evaluation.failure
    steps = evaluation.steps
    saysOptOut = rule.group == .consent && evaluation.saysTrue
    if let doubt = candidate.doubt, proposed != nil { note(.sourceDoubtful(key: candidate.source.label, doubt)) }
  }

  /// The stores in which a source of a consent field says that the user opted out.
  private func optOuts(of candidate: Candidate, _ context: PlanningContext) -> [FieldOrigin] {
    guard rule.group == .consent else { return [] }
    return context.sources.values(candidate.source.key).filter {
      Evaluation(candidate, $0, context).saysTrue
    }.map { FieldOrigin(source: candidate.source, store: $0.store) }
  }

  /// Adds a finding if stores disagree, which means that they lead to different proposals. A difference that the
  /// transform removes does not count.
  mutating func noteDisagreement(_ context: PlanningContext) {
    // A source whose conditions are not met does not count, so its stores may disagree.
    guard let used = candidate ?? rule.candidates.first(where: \.conditions.isEmpty) else { return }
    let (source, values) = (used.source, context.sources.values(used.source.key, for: rule))
    guard values.count > 1 else { return }
    let evaluations = values.map { (store: $0.store, result: Evaluation(used, $0, context)) }
    guard let first = evaluations.first?.result else { return }
    let others = evaluations.dropFirst().filter { !$0.result.leadsWhere(first) }
    guard !others.isEmpty else { return }
    note(
      .sourceDisagree(
        key: source.label, values: evaluations.map { StoredValue(store: $0.store, value: $0.result.legacy) }))
    for other in others {
      if let value = other.result.proposed, rule.unmet(by: value) == nil { offer(other.store, value) }
    }
  }
}

/// The evaluation of a candidate for one store's value.
package struct Evaluation {
  package private(set) var legacy: PropertyListValue?
  /// The exact text of a number in JSON text.
  private(set) var legacyText: String?
  package private(set) var proposed: PropertyListValue?
  package private(set) var failure: TransformFailure?
  package private(set) var steps: [TransformStep] = []

  package init(_ candidate: Candidate, _ stored: LegacySources.Found, _ context: PlanningContext) {
    self.init(candidate, stored, now: context.now, within: context.budget)
  }

  package init(
    _ candidate: Candidate, _ stored: LegacySources.Found, now: Moment, within budget: StepBudget = StepBudget()
  ) {
    var value = stored.value
    if let name = candidate.source.member, stored.isObject, case .dictionary(let dictionary) = stored.value {
      guard let member = dictionary[name] else { return }
      value = member
      steps.append(TransformStep(title: "member \(name) of the dictionary", result: value))
    } else if let name = candidate.source.member {
      let title = "member \(name) of the JSON text"
      switch stored.traits ?? TraitsText.read(stored.value, as: .text) {
      case .success(let traits):
        guard let member = traits.member(name) else { return }
        if case .number(let number) = member { legacyText = number.lexeme }
        value = member.propertyListValue
        steps.append(TransformStep(title: title, result: value))
      case .failure(let defect):
        failure = .json(defect)
        steps.append(TransformStep(title: title, result: nil))
        return
      }
    }
    legacy = value
    for (index, transform) in candidate.transforms.enumerated() {
      do throws(TransformFailure) {
        try budget.check()
        if case .model(let rule) = transform {
          let stages = try rule.stages(of: value, beside: stored.versionBeside, candidate.source.key, within: budget)
          steps += stages.map(budget.kept)
          value = stages.last?.result ?? value
          continue
        }
        let made = try Self.carryOut(transform, value, isFirst: index == 0, stored, legacyText, now)
        let step = TransformStep(title: transform.title, result: made)
        try budget.take(step, from: value)
        steps.append(budget.kept(step))
        value = made
      } catch {
        failure = error
        steps.append(TransformStep(title: transform.title, result: nil))
        return
      }
    }
    proposed = value
  }

  /// Performs a step. The first step can use parsed JSON and a number's own text.
  private static func carryOut(
    _ transform: Transform, _ value: PropertyListValue, isFirst: Bool, _ stored: LegacySources.Found, _ text: String?,
    _ now: Moment
  ) throws(TransformFailure) -> PropertyListValue {
    switch transform {
    case .exactText where isFirst && text != nil: return text.map(PropertyListValue.string) ?? value
    case .numberText where isFirst && text != nil:
      return text.map { .string(Transform.numberText(ofJSON: $0)) } ?? value
    default:
      // The traits are those of the stored value, not of a member in them.
      guard isFirst, transform.editsMembers, value == stored.value, case .success(let traits)? = stored.traits else {
        return try transform(value, now: now)
      }
      return try transform.edited(traits)
    }
  }

  /// Whether the value, or what a step makes of it, is true: the following steps may exclude it or wrap it.
  var saysTrue: Bool {
    ([legacy] + steps.map(\.result)).contains { $0.map(PlanningContext.isTrue) ?? false }
  }

  /// Whether another store's value has the same result.
  func leadsWhere(_ other: Evaluation) -> Bool {
    proposed == nil && other.proposed == nil ? legacy == other.legacy : proposed == other.proposed
  }
}
