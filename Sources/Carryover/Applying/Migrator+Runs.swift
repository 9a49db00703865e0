extension Migrator {
  /// Carries out work that writes, under the container's lock: the only way to it.
  /// - Throws: `blocked` for a live container that is not allowed by name.
  func locked<Result>(
    _ container: Container, allowing allowed: Set<FindingCode>,
    _ body: (RunStore, inout DurableFiles) throws(MigrationError) -> Result
  ) throws(MigrationError) -> Result {
    try container.requireWritable(allowing: allowed)
    let fileSystem = watched(container)
    var files = DurableFiles(fileSystem)
    let lock = try StateLock.take(RunStore(fileSystem: fileSystem, path: container.stateDirectory), files)
    do {
      let result = try body(lock.store, &files)
      lock.release(files, keeping: true)
      return result
    } catch {
      lock.release(files, keeping: false)
      throw error
    }
  }

  /// The file system, with whoever is to be told what is done for a container.
  private func watched(_ container: Container) -> any FileSystem {
    guard let observer else { return fileSystem }
    return ObservedFileSystem(
      base: fileSystem, root: container.root, state: container.stateDirectory, observer: observer)
  }

  /// Brings runs to an end whose process ended before they did. Writes nothing where there is none.
  func settleInterrupted(
    _ container: Container, allowing allowed: Set<FindingCode>
  ) throws(MigrationError) -> [RecoveredRun] {
    let store = RunStore(fileSystem: fileSystem, path: container.stateDirectory)
    let interrupted = InterruptedRuns(store: store, container: container)
    do {
      guard try interrupted.exist() else { return [] }
    } catch {
      // A record that cannot be understood is left to a command that needs it.
      switch error {
      case .damagedRecord, .newerRecord: return []
      default: throw error
      }
    }
    return try locked(container, allowing: allowed) { (_, files) throws(MigrationError) in
      try interrupted.settle(&files)
    }
  }

  /// The record of a run that begins now.
  /// - Throws: `notEncodable` where later commands could not read it.
  func newRecord(
    _ kind: RunKind, _ container: Container, _ recipe: RecipeReference, _ fields: [RecordedField],
    _ changes: [FileChange], _ store: RunStore,
    takingBack rolledBack: RunID? = nil
  ) throws(MigrationError) -> RunRecord {
    let moment = now()
    let record = RunRecord(
      id: RunID(moment, after: try store.ids()), kind: kind, state: .applying,
      container: RecordedContainer(container), moment: moment, recipe: recipe,
      tool: toolVersion, rolledBack: rolledBack, fields: fields,
      files: changes.enumerated().map { RecordedFile($0.element, number: $0.offset + 1) })
    try record.checkReadable(path: store.recordPath(record.id))
    return record
  }

  /// Owner and mode for a target that is not there yet: those of the app's own files, so that the app can read it.
  func newAttributes(_ resolved: ResolvedPlan, _ stores: inout ReadStores) throws(MigrationError) -> FileAttributes {
    for model in resolved.models {
      if let status = try stores.store(model).image?.status { return FileAttributes(status) }
    }
    return FileAttributes(mode: 0o600, owner: nil)
  }
}
