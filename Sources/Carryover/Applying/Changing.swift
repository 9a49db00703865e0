import CarryoverSystem
import PropertyLists

extension Migrator {
  /// Makes the changes of a plan in the stores of a container, as one run.
  ///
  /// It backs up every file first, changes all files or none, and can be rolled back. If the plan changes nothing,
  /// nothing is written, as in ``apply(_:decisions:in:onConflict:)``.
  package func change(
    _ plan: ChangePlan, in container: Container, allowing allowed: Set<FindingCode> = []
  ) throws(RunError) -> RunReport {
    guard !plan.isEmpty else {
      let recovered = try recover(in: container, allowing: allowed)
      return RunReport(kind: .edit, runID: nil, outcomes: [], files: [], recovered: recovered)
    }
    // Before anything is recorded: a record of files that no run may change could not be recovered.
    try RunScope(container).check(plan.stores.map(\.path))
    var report = try carryOut(container, allowing: allowed) { (store, files) throws(RunError) in
      var stores = ReadStores(files: files, root: container.root)
      try stores.requireEditable(plan.stores.map(\.path))
      let stale = try stores.stale(plan.basis)
      guard stale.isEmpty else { throw .stalePlan(stale, of: .edit) }
      var changes: [FileChange] = []
      for planned in plan.stores {
        let present = try stores.store(planned.path)
        guard let file = present.parsed.file, let image = present.image else {
          throw .stalePlan([PlanBasis(file: planned.path, value: PlanBasis.presence)], of: .edit)
        }
        let edit = try TargetEdit(file, changes: planned.made(in: file))
        changes.append(try FileChange(edit, before: FileState(image), attributes: FileAttributes(image.status)))
      }
      let record = try newRecord(.edit, container, nil, plan.recorded, changes, store)
      return PreparedRun(record: record, changes: changes, outcomes: plan.outcomes)
    }
    report.changes = plan.changes
    return report
  }
}

extension ChangePlan {
  /// The values of the keys that the changes lead to, also of those that stay as they are: each must still be there.
  var basis: [PlanBasis] {
    stores.flatMap { store in store.touched.map { PlanBasis(store: store.path, key: $0.key, value: $0.before) } }
  }

  fileprivate var outcomes: [FieldOutcome] {
    places.map { store, key in FieldOutcome(field: key.key, file: file(of: store), outcome: key.outcome) }
  }

  fileprivate var recorded: [RecordedField] {
    places.map { store, key in
      RecordedField(
        id: key.key, file: file(of: store), decision: nil, legacy: nil, proposed: nil, before: key.before,
        after: key.after, outcome: key.outcome, findings: [])
    }
  }

  private var places: [(ChangedStore, KeyChange)] { stores.flatMap { store in store.keys.map { (store, $0) } } }

  private func file(of store: ChangedStore) -> String? { stores.count > 1 ? store.path : nil }
}

extension KeyChange {
  fileprivate var outcome: Outcome { after == nil ? .dropped : .migrated }
}

extension ChangedStore {
  /// The same changes in the file as it is now, in which other keys may have changed.
  fileprivate func made(in file: KeyedFile) throws(RunError) -> ChangedStore {
    do throws(ChangeError) {
      var editing = StoreEditing(file, path: path)
      for change in changes { _ = try editing.make(change) }
      return try editing.finished()
    } catch {
      throw .notEncodable(path: path, reason: error.description)
    }
  }
}
