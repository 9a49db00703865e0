/// A run that a rollback would take back.
public struct StandingRun: Hashable, Sendable {
  /// The run's id.
  public var id: String
  /// The files it changed, relative to the container's root.
  public var files: [String]
  /// The target keys it wrote.
  public var fields: [Field.ID]

  /// A run from its parts.
  public init(id: String, files: [String], fields: [Field.ID]) {
    self.id = id
    self.files = files
    self.fields = fields
  }
}

extension Migrator {
  /// The newest apply run that holds, which a rollback would take back; nil where there is none. Writes nothing.
  ///
  /// - Throws: ``MigrationError`` where the records cannot be read.
  public func lastRun(in container: Container) throws(MigrationError) -> StandingRun? {
    let store = RunStore(fileSystem: fileSystem, path: container.stateDirectory)
    let history = RunHistory(store: store, root: container.root, files: DurableFiles(fileSystem))
    guard let run = try history.newestApply() else { return nil }
    return StandingRun(
      id: run.id.text, files: run.files.map(\.path),
      fields: run.fields.filter { $0.outcome == .migrated }.map(\.id))
  }
}
