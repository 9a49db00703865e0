import PropertyLists

/// A plan with its decisions carried through: per field what will be written, or why not.
struct ResolvedPlan {
  struct Row {
    var field: Field
    var decision: Decision?
    var resolution: Resolution
  }

  let plan: Plan
  let rows: [Row]

  /// Resolves every field.
  /// - Throws: `unknownFields` for a decision about no field of the plan, `unfit` for a typed value of the wrong form, `decisionsNeeded`, `conflict`, and, where something is to be
  ///   written, `blocked` for a finding that is not allowed by name.
  init(_ plan: Plan, _ decisions: Decisions, onConflict policy: ConflictPolicy) throws(RunError) {
    let unknown = Set(decisions.keys).subtracting(plan.fields.map(\.id)).sorted()
    guard unknown.isEmpty else { throw .unknownFields(unknown) }
    self.plan = plan
    let decisions = plan.completed(decisions, onConflict: policy)
    rows = plan.fields.map { Row($0, decisions[$0.id], policy) }
    for row in rows {
      if case .edit(let value) = row.decision, let mismatch = row.field.form.mismatch(value) {
        throw .unfit(field: row.field.id, mismatch)
      }
    }
    let undecided = rows.filter { $0.resolution == .undecided(conflict: false) }.map(\.field.id)
    guard undecided.isEmpty else { throw .decisionsNeeded(undecided) }
    let conflicts = rows.filter { $0.resolution == .undecided(conflict: true) }.map(\.field.id)
    guard conflicts.isEmpty else { throw .conflict(conflicts) }
    guard !changes.isEmpty else { return }
    guard plan.blockers.isEmpty else { throw .blocked(plan.blockers) }
  }

  /// What is to be written, in row order.
  var changes: [KeyChange] {
    rows.compactMap { row in
      guard case .write(let value) = row.resolution else { return nil }
      return KeyChange(key: row.field.id, before: row.field.current, after: value)
    }
  }

  /// The files to write, each with what is to be written there, in row order.
  /// - Throws: `noTarget` for a change to a file that cannot be named.
  func targets() throws(RunError) -> [ResolvedTarget] {
    var targets: [ResolvedTarget] = []
    for row in rows {
      guard case .write(let value) = row.resolution else { continue }
      guard let path = plan.file(of: row.field) else { throw .noTarget }
      let known = targets.firstIndex { $0.path == path }
      if known == nil { targets.append(ResolvedTarget(path: path)) }
      let index = known ?? targets.count - 1
      targets[index].changes.append(KeyChange(key: row.field.key, before: row.field.current, after: value))
      targets[index].forms[row.field.key] = row.field.form
    }
    return targets
  }

  /// How each field ends when the run succeeds.
  var outcomes: [FieldOutcome] {
    rows.map { FieldOutcome(field: $0.field.id, file: $0.field.owner?.file, outcome: $0.outcome, told: $0.told) }
  }

  /// The fields as a run's record keeps them.
  var recorded: [RecordedField] {
    rows.map { row in
      RecordedField(
        id: row.field.key, recipe: row.field.owner?.recipe, file: row.field.owner?.file,
        // What was decided once stays known however many runs come after it.
        decision: row.decision?.word ?? (row.field.isKept ? Decision.keep.word : nil),
        legacy: row.field.legacy, proposed: row.field.proposed, before: row.field.current, after: row.left,
        outcome: row.outcome, findings: row.field.findings.map(\.code.rawValue))
    }
  }

  /// The stores to take owner and mode of a new target from: the app's own preferences file first, then those the
  /// values came from.
  var models: [String] {
    let stores = rows.compactMap(\.field.origin?.store) + plan.basis.filter { !$0.isFile }.map(\.store)
    guard let bundleID = plan.container.bundleID else { return stores }
    let own = "/\(bundleID).plist"
    return stores.filter { $0.hasSuffix(own) } + stores
  }
}

/// One file of a resolved plan, with what is to be written there.
struct ResolvedTarget {
  /// The path, relative to the container's root.
  var path: String
  /// What changes, key by key.
  var changes: [KeyChange] = []
  /// The form that each changed key's reader requires.
  var forms: [String: TargetForm] = [:]
}

extension ResolvedPlan.Row {
  init(_ field: Field, _ decision: Decision?, _ policy: ConflictPolicy) {
    let decision = field.decision(decision, onConflict: policy)
    self.init(field: field, decision: decision, resolution: field.resolution(decision))
  }

  var outcome: Outcome {
    switch resolution {
    case .write: .migrated
    case .leave(let outcome): outcome
    case .undecided(let conflict): conflict ? .conflict : .skipped
    }
  }

  /// The outcome in words for people.
  var told: Outcome { outcome == .skipped && decision == nil ? .dropped : outcome }

  /// What the target holds once the run has ended.
  var left: PropertyListValue? {
    if case .write(let value) = resolution { value } else { field.current }
  }
}

extension Decision {
  /// The word in a run's record; nil for what decides nothing.
  var word: String? {
    switch self {
    case .migrate, .accept: "migrate"
    case .skip: "skip"
    case .keep: "keep"
    case .edit: "edit"
    case .omit: nil
    }
  }
}
