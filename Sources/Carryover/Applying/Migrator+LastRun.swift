package import CarryoverSystem

/// A run that applied a plan or cleaned up, and of which something holds.
package struct AppliedRun: Hashable, Sendable {
  /// The run's id.
  package var id: String
  /// When it began.
  package var moment: Moment
  /// The files it changed, relative to the container's root.
  package var files: [String]
  /// The fields it wrote and that were not rolled back since, in the order of the run: in one of several recipes
  /// `RECIPE/FIELD`, in others the key.
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
  /// The run a rollback would take back; nil where there is none. Writes nothing.
  ///
  /// Whether its files are still as it left them shows when it is taken back.
  /// - Throws: ``RunError`` where the records cannot be read.
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
