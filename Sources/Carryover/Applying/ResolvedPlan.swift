import CarryoverSystem
import PropertyLists

/// A plan with resolved decisions: for each field the value to write, or the reason that nothing is written.
struct ResolvedPlan {
  struct Row {
    var field: Field
    var decision: Decision?
    /// See ``RecordedField/isFollowing``.
    var isFollowing: Bool
    var resolution: Resolution

    var outcome: Outcome {
      switch resolution {
      case .write: .migrated
      case .leave(let outcome): outcome
      case .undecided(let conflict): conflict ? .conflict : .skipped
      }
    }

    var told: Outcome { outcome == .skipped && decision == nil ? .dropped : outcome }

    var left: PropertyListValue? {
      if case .write(let value) = resolution { value } else { field.current }
    }
  }

  let plan: Plan
  let rows: [Row]

  init(_ plan: Plan, _ decisions: Decisions, onConflict policy: ConflictPolicy) throws(RunError) {
    let known = Set(bytesOf: plan.fields.map(\.id))
    let unknown = decisions.keys.filter { !known.contains($0) }
    guard unknown.isEmpty else { throw .unknownFields(unknown) }
    self.plan = plan
    let chosen = plan.withoutCompletion(decisions)
    let decisions = plan.completed(decisions, onConflict: policy)
    let following = plan.describingFields.filter { pair in
      let decision = chosen[pair.field.id]
      // A field that followed in an earlier run still follows until it is decided or written.
      return pair.field.isFollowing
        ? decision == nil || decision == .omit
        : decision == nil && pair.keepsAnother(pair.named.decision(decisions[pair.named.id], onConflict: policy))
    }
    let ids = Set(bytesOf: following.map(\.field.id))
    rows = plan.fields.map { field in
      let decision = field.decision(decisions[field.id], onConflict: policy)
      return Row(
        field: field, decision: decision, isFollowing: ids.contains(field.id), resolution: field.resolution(decision))
    }
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
    let blockers = plan.blockers(after: decisions, onConflict: policy)
    guard blockers.isEmpty else { throw .blocked(blockers) }
  }

  var changes: [KeyChange] {
    rows.compactMap { row in
      guard case .write(let value) = row.resolution else { return nil }
      return KeyChange(key: row.field.id, before: row.field.current, after: value)
    }
  }

  func targets() throws(RunError) -> [ResolvedTarget] {
    var targets: [ResolvedTarget] = []
    let formats = Dictionary(firstOf: plan.targets.map { ($0.path, $0.format) })
    for row in rows {
      guard case .write(let value) = row.resolution else { continue }
      guard let path = plan.file(of: row.field) else { throw .noTarget }
      let known = targets.firstIndex { $0.path.hasSameBytes(as: path) }
      if known == nil { targets.append(ResolvedTarget(path: path, format: formats[path] ?? .binary)) }
      let index = known ?? targets.count - 1
      targets[index].changes.append(KeyChange(key: row.field.key, before: row.field.current, after: value))
      targets[index].forms[row.field.key] = row.field.form
    }
    return targets
  }

  var outcomes: [FieldOutcome] {
    rows.map {
      FieldOutcome(
        field: $0.field.id, file: plan.fileAmongSeveral(of: $0.field), outcome: $0.outcome, told: $0.told,
        isOmitted: $0.decision == .omit)
    }
  }

  var recorded: [RecordedField] {
    rows.map { row in
      RecordedField(
        id: row.field.key, recipe: row.field.owner?.recipe, file: plan.fileAmongSeveral(of: row.field),
        // Later runs record an earlier decision again, with the findings that it settled.
        decision: row.decision?.recorded ?? (row.field.isKept || row.field.isTargetKept ? Decision.keep.word : nil),
        isFollowing: row.isFollowing && row.outcome != .migrated, legacy: row.field.legacy,
        proposed: row.field.proposed,
        before: row.field.current, after: row.left, outcome: row.outcome, findings: row.field.codes.map(\.rawValue),
        isOmitted: row.decision == .omit)
    }
  }

  /// The stores whose owner and mode a new target gets: the app's own preferences file first, then the sources of the
  /// values.
  var models: [String] {
    let stores = rows.compactMap(\.field.origin?.store) + plan.basis.filter { !$0.isFile }.map(\.store)
    guard let bundleID = plan.container.bundleID else { return stores }
    return stores.filter { FilePath.name(of: $0) == bundleID + NameTemplate.fileExtension } + stores
  }
}

struct ResolvedTarget {
  var path: String
  var format: KeyedFile.Format
  var changes: [KeyChange] = []
  var forms: [StringByBytes: TargetForm] = [:]
}

extension Decision {
  /// The word in a run's record; nil for a decision that decides nothing.
  var recorded: String? { self == .omit ? nil : self == .accept ? Decision.migrate.word : word }
}

package struct FilePreview: Hashable, Sendable {
  package var path: String
  package var format: KeyedFile.Format
  package var sizeBefore: Int?
  package var sizeAfter: Int
  /// The number of the file's keys that are neither changed nor fields that need no change.
  package var otherKeys: Int
}

extension Plan {
  package func filePreviews(_ decisions: Decisions, in container: Container?) throws(RunError) -> [FilePreview] {
    let decisions = completed(decisions)
    var previews: [FilePreview] = []
    for target in targets {
      if let preview = try filePreview(target, decisions, in: container) { previews.append(preview) }
    }
    return previews
  }

  private func filePreview(
    _ target: TargetSummary, _ decisions: Decisions, in container: Container?
  ) throws(RunError) -> FilePreview? {
    var document: KeyedFile?
    if target.exists {
      guard let container, let found = try? target.keyed(in: container) else { return nil }
      document = found
    }
    let own = fields.filter { file(of: $0)?.hasSameBytes(as: target.path) == true }
    let forms = Dictionary(firstOf: own.map { ($0.key, $0.form) })
    let changes = own.compactMap { $0.change(decisions[$0.id], of: $0.key) }
    let edit = try TargetEdit(document, path: target.path, changes: changes, forms: forms, format: target.format)
    let listed = Set(
      bytesOf: own.filter { field in
        let decision = decisions[field.id]
        return field.change(decision, of: field.key) != nil
          || decision != .omit && field.resolution(decision) == .leave(.unchanged)
      }.map(\.key))
    let others = document?.dictionary.entries.count { !listed.contains($0.key) } ?? 0
    return FilePreview(
      path: target.path, format: document?.format ?? target.format, sizeBefore: document?.bytes.count,
      sizeAfter: edit.bytes.count, otherKeys: others)
  }
}
