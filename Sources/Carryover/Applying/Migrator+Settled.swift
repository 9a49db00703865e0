extension Migrator {
  /// What the newest apply run that holds has settled for a target's fields; empty where there is none. Writes nothing.
  ///
  /// A field counts as settled when it was written, when its target held the value, or when somebody decided to write
  /// nothing.
  /// - Parameter target: the target's path, relative to the container's root.
  /// - Throws: ``MigrationError`` where the records cannot be read.
  public func settled(in container: Container, target: String) throws(MigrationError) -> [Field.ID: SettledField] {
    let store = RunStore(fileSystem: fileSystem, path: container.stateDirectory)
    let history = RunHistory(store: store, container: container, files: DurableFiles(fileSystem))
    guard let run = try history.newestApply(where: { $0.files.contains { $0.path == target } }) else { return [:] }
    var settled: [Field.ID: SettledField] = [:]
    for field in run.fields where field.isSettled {
      settled[field.id] = SettledField(legacy: field.legacy, left: field.after, runID: run.id.text)
    }
    return settled
  }
}

extension RecordedField {
  fileprivate var isSettled: Bool {
    switch outcome {
    case .migrated, .unchanged: true
    case .skipped: decision != nil
    default: false
    }
  }
}
