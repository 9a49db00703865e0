import CarryoverSystem
import PropertyLists

/// The result of a rollback, as far as it can be computed without writing.
package struct RollbackPreview: Sendable {
  /// The files of the run, in its order.
  package var files: [File]
  /// The error with which the rollback would be refused; nil if it would not be.
  package var refusal: RunError?

  /// One file of the run.
  package struct File: Identifiable, Hashable, Sendable {
    /// The path, relative to the container's root.
    package var id: String
    /// The effect on the file.
    package var fate: FileFate
  }

  /// The effect on a file. The raw value is the word in JSON output.
  package enum FileFate: String, Sendable {
    /// The file gets its bytes, mode and owner from before the run.
    case restored
    /// Some keys are rolled back one by one.
    case edited
    /// The file is removed: the run created it, and nothing else is in it.
    case removed
    /// The file does not change.
    case unchanged
  }
}

extension Migrator {
  /// The effect of `rollback(_:only:decisions:onConflict:in:allowing:)`, with the new files computed in memory. Writes
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
          let change = changes.first { $0.path.hasSameBytes(as: planned.id) }
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
