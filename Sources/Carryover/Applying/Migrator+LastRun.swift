package import CarryoverSystem

/// An apply or a cleanup that is at least partly in effect.
package struct AppliedRun: Hashable, Sendable {
  /// The run's id.
  package var id: String
  /// The moment when the run began.
  package var moment: Moment
  /// The changed files, relative to the container's root.
  package var files: [String]
  /// The written fields that were not rolled back since, in the order of the run: `RECIPE/FIELD` in a run of several
  /// recipes, otherwise the key.
  package var fields: [Field.ID]

  /// A run from its parts.
  package init(id: String, moment: Moment, files: [String], fields: [Field.ID]) {
    self.id = id
    self.moment = moment
    self.files = files
    self.fields = fields
  }
}

extension Migrator {
  /// The run that a rollback would roll back; nil if there is none. Writes nothing.
  ///
  /// It does not check whether the run's files have changed since; the rollback does.
  /// - Throws: ``RunError`` if the records cannot be read.
  package func lastRun(in container: Container) throws(RunError) -> AppliedRun? {
    let store = try store(of: container)
    let history = RunHistory(store: store, container: container)
    guard let run = try history.newestOriginal() else { return nil }
    let record = run.record
    return AppliedRun(
      id: record.id.text, moment: record.moment, files: record.files.map(\.path),
      fields: record.fields.filter { $0.isWritten && !run.undone.contains(record.place($0)) }.map(\.name))
  }
}
