import CarryoverSystem

/// What a rollback would come to, as far as that shows without writing.
package struct RollbackPreview: Sendable {
  /// What becomes of each file of the run, in its order.
  package var files: [File]
  /// Why the rollback would be refused; nil where nothing is in its way.
  package var refusal: RunError?

  /// One file of the run.
  package struct File: Identifiable, Hashable, Sendable {
    /// The path, relative to the container's root.
    package var id: String
    /// What becomes of it.
    package var fate: FileFate
  }

  /// What becomes of a file. The raw value is the word in JSON output.
  package enum FileFate: String, Sendable {
    /// It becomes what it was before the run: bytes, mode and owner.
    case restored
    /// Keys of it go back one by one.
    case edited
    /// It is removed: the run made it, and nothing else is in it.
    case removed
    /// It stays as it is.
    case unchanged
  }
}

extension Migrator {
  /// What `rollback(_:only:decisions:onConflict:in:allowing:)` would do, with the new files made in memory. Writes
  /// nothing.
  package func rollbackPreview(
    _ plan: RollbackPlan, only: Set<KeyPlace>? = nil, decisions: RollbackDecisions = [:],
    onConflict: ConflictPolicy = .fail, in container: Container, allowing allowed: Set<FindingCode> = []
  ) -> RollbackPreview {
    do throws(RunError) {
      try container.requireWritable(allowing: allowed)
      let resolved = try RollbackResolution(plan, only: only, decisions: decisions, onConflict: onConflict)
      try resolved.check()
      let store = try store(of: container)
      let basis = try rollbackBasis(plan.run.id, container, store, DurableFiles(fileSystem))
      let changes = resolved.changesFiles ? try RollbackChanges(basis, resolved).changes : []
      return RollbackPreview(
        files: zip(basis.files, plan.files).map { file, planned in
          let change = changes.first { $0.path == planned.id }
          return RollbackPreview.File(id: planned.id, fate: change.map { .init($0, of: file) } ?? .unchanged)
        })
    } catch {
      return RollbackPreview(files: plan.files.map { .init(id: $0.id, fate: .unchanged) }, refusal: error)
    }
  }
}

extension RollbackPreview.FileFate {
  fileprivate init(_ change: FileChange, of file: RollbackBasis.File) {
    self = change.after == .absent ? .removed : change.after == file.before ? .restored : .edited
  }
}
