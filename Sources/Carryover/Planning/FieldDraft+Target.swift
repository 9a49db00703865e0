import CarryoverSystem
package import PropertyLists

extension FieldDraft {
  /// Compares the draft with the target, and determines the field's status.
  func field(_ context: PlanningContext) -> Field {
    var draft = self
    let current = context.target[rule.target]
    let earlier = context.options.settled[rule.target]
    let isSettled =
      earlier.map { !$0.isOfEarlierRun && !$0.isRolledBack && $0.legacy == legacy && $0.left == current } ?? false
    let inTheWay = isInPlace(context) ? nil : current.flatMap { rule.group.standsForNone($0) ? nil : $0 }
    let read = inTheWay.flatMap { rule.reader.value($0, as: form) }
    let status: FieldStatus
    if isSettled || isHeld(current, proposed) || isHeld(read, proposed) {
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
      if isRemovedSince(context), proposed != nil { draft.note(.targetRemovedSince(rule.target)) }
      status = draft.statusWithoutTarget
    }
    var field = Field(
      id: rule.target, group: rule.group, sources: rule.candidates.map(\.source), origin: draft.origin,
      legacy: draft.legacy, legacyText: draft.legacyText, proposed: draft.proposed, current: current, status: status,
      form: form,
      steps: draft.steps, alternatives: draft.alternatives,
      // A value that the target already has needs no findings.
      findings: status == .unchanged ? [] : draft.sortedFindings, readings: readings(of: draft, context), model: model)
    field.describes = rule.describes
    field.reader = rule.reader
    field.isOptOut = isOptOut
    field.passedOptOuts = passedOptOuts
    field.candidate = candidate.flatMap(rule.candidates.firstIndex)
    field.isHarmless = draft.findings.contains { $0.observation.consequence == .harmless }
    field.isKept = isSettled && earlier?.isKept == true
    field.isChangedSince = status == .conflict && isWritten(context)
    field.ownSource = rule.candidates.first { !$0.isAbove }?.source
    return field
  }

  private var sortedFindings: [Finding] {
    findings.enumerated().sorted { ($0.element.severity, $1.offset) > ($1.element.severity, $0.offset) }.map(\.element)
  }

  /// Whether the proposal is made from the target's own current value, so that nothing can be lost.
  private func isInPlace(_ context: PlanningContext) -> Bool {
    guard let path = context.targetPath else { return false }
    return origin == FieldOrigin(source: SourceKey(rule.target), store: path) && legacy == context.target[rule.target]
  }

  /// Whether the target has no value, although a migration has written one.
  private func isRemovedSince(_ context: PlanningContext) -> Bool {
    !context.hasTarget(for: rule) && !isInPlace(context) && isWritten(context)
  }

  /// Whether a migration has written the target's value, by its record or by the library's mark.
  private func isWritten(_ context: PlanningContext) -> Bool {
    let earlier = context.options.settled[rule.target]
    let isWritten =
      earlier.map { earlier in
        earlier.isWrittenEarlier
          || !earlier.isRolledBack && earlier.left != nil && earlier.left.map(rule.group.standsForNone) != true
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
      rule.freshWithout.allSatisfy({ context.isFresh($0) })
    {
      note(.targetFreshIdentity(current: new, legacy: legacy))
    }
    note(.targetConflict(current: current, proposed: proposed))
    offer("the target's value", current)
  }

  /// Proposes the target's own value in the form that its reader needs, if its text allows this.
  private mutating func proposeRepair(of current: PropertyListValue) {
    guard let text = try? Transform.exactText(current, now: Moment(millisecondsSince1970: 0)),
      case .string(let string) = text, let repaired = try? form.value(fromText: string),
      rule.unmet(by: repaired) == nil
    else { return }
    propose(
      repaired,
      steps: [
        TransformStep(title: "the value in the target", result: current),
        TransformStep(title: "as \(form.kind.rawValue)", result: repaired),
      ])
  }

  /// What the vendor's migrator writes for a field that it migrates: the proposal, unless it does not read its source.
  private func migratorsValue(_ context: PlanningContext) -> PropertyListValue? {
    func isUnread(_ found: LegacySources.Found) -> Bool {
      context.declared(found.generation)?.isUnreadByMigrator ?? false
    }
    guard let origin,
      context.sources.values(origin.source.key).contains(where: {
        $0.store.hasSameBytes(as: origin.store) && isUnread($0)
      })
    else { return proposed }
    return rule.candidates.lazy.flatMap { candidate in
      context.sources.values(candidate.source.key).lazy.filter { !isUnread($0) }
        .compactMap { Evaluation(candidate, $0, context).proposed }
    }.first
  }

  /// The four parties' interpretations of the legacy value.
  private func readings(of draft: FieldDraft, _ context: PlanningContext) -> FourWayReadings {
    var readings =
      rule.checks.first?.check.readings(draft, context)
      ?? FourWayReadings(
        legacy: .of(draft.legacy),
        helper: rule.isMigratedByVendor ? .of(draft.migratorsValue(context)) : .nothing(nil))
    readings.plan =
      if let proposed = draft.proposed {
        .value(proposed, note: draft.asks ? "once you accept" : nil)
      } else {
        .nothing(draft.legacy == nil && draft.failure == nil ? "nothing to migrate" : "see the findings")
      }
    return readings
  }
}

extension Reading {
  /// A reading with a value or, without one, with a reason.
  package static func of(_ value: PropertyListValue?, note: String? = nil, else reason: String? = nil) -> Reading {
    value.map { .value($0, note: note) } ?? .nothing(reason)
  }
}
