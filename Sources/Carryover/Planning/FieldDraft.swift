package import CarryoverSystem
package import PropertyLists

package struct FieldDraft {
  package let rule: FieldRule
  package private(set) var candidate: Candidate?
  package private(set) var origin: FieldOrigin?
  package private(set) var legacy: PropertyListValue?
  package private(set) var legacyText: String?
  package private(set) var proposed: PropertyListValue?
  package private(set) var failure: TransformFailure?
  package private(set) var steps: [TransformStep] = []
  package private(set) var alternatives: [Alternative] = []
  private var offered: Set<PropertyListValue> = []
  package private(set) var findings: [Finding] = []
  private(set) var passedOptOuts: [FieldOrigin] = []
  /// Whether the source says that the user opted out, whatever becomes of its value afterwards.
  private(set) var saysOptOut = false
  package var countsAsAbsent = false
  /// See ``Field/isOpen``.
  package var isOpen = false

  /// A model keeps its type.
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
      guard
        let found = context.sources.values(candidate.source.key, for: rule).first(where: {
          !context.isNewSDKs($0, candidate, rule)
        })
      else { continue }
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

  package mutating func take(_ candidate: Candidate, context: PlanningContext) {
    guard let found = context.sources.values(candidate.source.key, for: rule).first else { return }
    use(candidate, found.store, Evaluation(candidate, found, context))
  }

  package mutating func propose(_ value: PropertyListValue, steps: [TransformStep]) {
    proposed = value
    self.steps = steps
  }

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

  func field(_ context: PlanningContext) -> Field {
    var draft = self
    let current = context.target[rule.target]
    let earlier = context.options.settled[rule.target]
    let isSettled =
      earlier.map { !$0.isOfEarlierRun && !$0.isRolledBack && $0.legacy == legacy && $0.left == current } ?? false
    let inTheWay = isInPlace(context) ? nil : current.flatMap { rule.group.standsForNone($0) ? nil : $0 }
    let read = inTheWay.flatMap { rule.reader.value($0, as: form) }
    let status: FieldStatus
    let isKept = isSettled && earlier?.isKept == true
    let isStillAsWritten = !isKept && earlier?.left != nil && earlier?.left == current && isWritten(context)
    let isEqual = isHeld(current, proposed) || isHeld(read, proposed)
    let isSame = isSettled || isEqual
    // A value that a migration wrote is not the new SDK's own, nor is one from before the SDK has started.
    let isTargetKept =
      rule.keepsTarget && read != nil && proposed != nil && !isStillAsWritten && !isSame && context.hasStarted
    if isSame || isTargetKept {
      status = .unchanged
    } else if let inTheWay, read == nil {
      draft.note(.targetWrongType(inTheWay, needs: form))
      if draft.proposed == nil { draft.proposeRepair(of: inTheWay) }
      status = .needsDecision
    } else if let inTheWay, let proposed {
      draft.noteConflict(read ?? inTheWay, proposed, context)
      status = .conflict
    } else {
      if let earlier, earlier.isRolledBack, proposed != nil { draft.note(.targetRolledBack(rule.target)) }
      if isRemovedSince(context), proposed != nil {
        draft.note(.targetRemovedSince(rule.target, wasWritten: isWritten(context)))
      }
      status = draft.statusWithoutTarget
    }
    return Field(
      id: rule.target, group: rule.group, sources: rule.candidates.map(\.source),
      ownSource: rule.candidates.first { !$0.isAbove }?.source, origin: draft.origin, legacy: draft.legacy,
      legacyText: draft.legacyText, proposed: draft.proposed, current: current, status: status, form: form,
      reader: rule.reader, steps: draft.steps, alternatives: draft.alternatives,
      // A value that the target already has needs no findings.
      findings: status == .unchanged ? [] : draft.sortedFindings, readings: readings(of: draft, context), model: model,
      describes: rule.describes, isKept: isKept, isFollowing: isKept && earlier?.isFollowing == true,
      asksOnceOpen: draft.asks || inTheWay != nil && read == nil, isTargetKept: isTargetKept,
      isChangedSince: inTheWay != nil
        && (status.asks
          ? isWritten(context) : isKept && earlier?.isWrittenEarlier == true && proposed != nil && !isEqual),
      isStillAsWritten: isStillAsWritten,
      settledCodes: status == .unchanged
        ? draft.sortedFindings.map(\.code).filter { earlier?.findings.contains($0.rawValue) == true } : [],
      isHarmless: draft.findings.contains { $0.observation.consequence == .harmless }, ownLoss: draft.ownLoss,
      isOptOut: isOptOut, isOpen: draft.isOpen,
      passedOptOuts: passedOptOuts, candidate: candidate.flatMap(rule.candidates.firstIndex))
  }

  private var ownLoss: Loss? {
    guard legacy != nil, proposed == nil else { return nil }
    return findings.lazy.compactMap { finding in
      if case .loss(let loss, _)? = finding.observation.consequence { loss } else { nil }
    }.first
  }

  private var sortedFindings: [Finding] {
    findings.enumerated().sorted { ($0.element.severity, $1.offset) > ($1.element.severity, $0.offset) }.map(\.element)
  }

  /// Whether the proposal is made from the target's own current value, so that nothing can be lost.
  private func isInPlace(_ context: PlanningContext) -> Bool {
    guard let path = context.file?.path else { return false }
    return origin == FieldOrigin(source: SourceKey(rule.target), store: path) && legacy == context.target[rule.target]
  }

  private func isRemovedSince(_ context: PlanningContext) -> Bool {
    !context.hasTarget(for: rule) && !isInPlace(context) && isWritten(context, orKept: true)
  }

  /// Whether a migration has written the target's value, by its record or by the library's mark.
  /// - Parameter orKept: whether another value that a migration kept counts too.
  private func isWritten(_ context: PlanningContext, orKept: Bool = false) -> Bool {
    let earlier = context.options.settled[rule.target]
    let isWritten =
      earlier.map { earlier in
        let isOther = earlier.isKept && !isHeld(earlier.left, proposed)
        return earlier.isWrittenEarlier
          || !earlier.isRolledBack && (orKept || !isOther) && earlier.left != nil
            && earlier.left.map(rule.group.standsForNone) != true
      } ?? false
    return isWritten || context.restored.contains(rule.target)
  }

  private func isHeld(_ current: PropertyListValue?, _ proposed: PropertyListValue?) -> Bool {
    guard let current, let proposed else { return false }
    return form.isEquivalent(current, proposed)
  }

  private var statusWithoutTarget: FieldStatus {
    if countsAsAbsent, alternatives.isEmpty { return .absent }
    if proposed != nil { return asks ? .needsDecision : .ready }
    if legacy == nil, failure == nil, alternatives.isEmpty, !asks { return .absent }
    return asks ? .needsDecision : .dropped
  }

  private mutating func noteConflict(
    _ current: PropertyListValue, _ proposed: PropertyListValue, _ context: PlanningContext
  ) {
    if !rule.freshWithout.isEmpty, case .string(let new) = current, case .string(let legacy) = proposed,
      rule.freshWithout.allSatisfy({ context.isFresh($0) }), !isWritten(context, orKept: true)
    {
      note(.targetFreshIdentity(current: new, legacy: legacy))
    }
    note(.targetConflict(current: current, proposed: proposed))
    offer("the target's value", current)
  }

  /// Proposes the target's own value in the form that its reader needs, if its text allows this.
  private mutating func proposeRepair(of current: PropertyListValue) {
    guard let text = try? Transform.exactText(current, now: Moment(millisecondsSince1970: 0)),
      case .string(let string) = text, let repaired = try? form.value(fromText: string), rule.unmet(by: repaired) == nil
    else { return }
    propose(
      repaired,
      steps: [
        TransformStep(title: "the value in the target", result: current),
        TransformStep(title: "as \(form.kind.rawValue)", result: repaired),
      ])
  }

  private typealias FoundValue = (candidate: Candidate, found: LegacySources.Found, of: Generation?)

  /// All values of the field's sources, with their generations.
  private func found(_ context: PlanningContext) -> [FoundValue] {
    rule.candidates.flatMap { candidate in
      context.sources.values(candidate.source.key).map { (candidate, $0, context.declared($0.generation)) }
    }
  }

  /// What the vendor's migrator writes for a field that it migrates: the proposal, unless it reads some of the sources in
  /// another order, or not at all.
  private func migratorsValue(_ values: [FoundValue], _ context: PlanningContext) -> PropertyListValue? {
    guard values.contains(where: { $0.of?.isUnreadByMigrator == true || $0.of?.move != nil }) else { return proposed }
    let read = values.filter { value in
      value.of?.isUnreadByMigrator != true && (value.of?.move == nil || context.target[rule.target] == nil)
    }
    let ordered = read.filter { $0.of?.move != .afterOthers } + read.filter { $0.of?.move == .afterOthers }
    return ordered.lazy.compactMap { Evaluation($0.candidate, $0.found, context).proposed }.first
  }

  private func migratorsReading(_ context: PlanningContext) -> Reading {
    let values = found(context)
    if let value = migratorsValue(values, context) { return .value(value, note: nil) }
    let read = context.recipe.generations.filter { !$0.isUnreadByMigrator }.map(\.name)
    let isUnread = proposed != nil && !read.isEmpty && values.allSatisfy { $0.of?.isUnreadByMigrator == true }
    return .nothing(isUnread ? "it reads only values of \(ValueWording.listed(read))" : nil)
  }

  private func readings(of draft: FieldDraft, _ context: PlanningContext) -> FourWayReadings {
    var readings =
      rule.checks.first?.check.readings(draft, context)
      ?? FourWayReadings(
        legacy: .of(draft.legacy), helper: rule.isMigratedByVendor ? draft.migratorsReading(context) : .nothing(nil))
    readings.plan =
      if let proposed = draft.proposed {
        .value(proposed, note: draft.asks ? "once you accept" : nil)
      } else {
        .nothing(draft.legacy == nil && draft.failure == nil ? "nothing to migrate" : "see the findings")
      }
    return readings
  }

  /// Adds the recipe's own finding if no source has a value and the target has none either. In a container without any
  /// value for the recipe, one finding says so already.
  mutating func checkSources(_ context: PlanningContext) {
    guard let finding = rule.otherwise, candidate == nil, proposed == nil, context.target[rule.target] == nil,
      context.hasLegacyValues
    else { return }
    note(.own(finding))
  }
}

package struct Evaluation {
  package private(set) var legacy: PropertyListValue?
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
  var saysTrue: Bool { ([legacy] + steps.map(\.result)).contains(where: PlanningContext.isTrue) }

  func leadsWhere(_ other: Evaluation) -> Bool {
    proposed == nil && other.proposed == nil ? legacy == other.legacy : proposed == other.proposed
  }
}

extension Reading {
  package static func of(_ value: PropertyListValue?, note: String? = nil, else reason: String? = nil) -> Reading {
    value.map { .value($0, note: note) } ?? .nothing(reason)
  }
}
