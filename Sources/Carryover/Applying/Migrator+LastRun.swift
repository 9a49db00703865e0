/// A run that applied a plan and still holds.
public struct AppliedRun: Hashable, Sendable {
  /// The run's id.
  public var id: String
  /// When it began.
  public var moment: Moment
  /// The files it changed, relative to the container's root.
  public var files: [String]
  /// The target keys it wrote, in the plan's order.
  public var fields: [Field.ID]

  /// A run from its parts.
  public init(id: String, moment: Moment, files: [String], fields: [Field.ID]) {
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
  /// - Throws: ``MigrationError`` where the records cannot be read.
  public func lastRun(in container: Container) throws(MigrationError) -> AppliedRun? {
    let store = RunStore(fileSystem: fileSystem, path: container.stateDirectory)
    let history = RunHistory(store: store, container: container, files: DurableFiles(fileSystem))
    guard let run = try history.newestApply() else { return nil }
    return AppliedRun(
      id: run.id.text, moment: run.moment, files: run.files.map(\.path),
      fields: run.fields.filter { $0.outcome == .migrated }.map(\.id))
  }
}
