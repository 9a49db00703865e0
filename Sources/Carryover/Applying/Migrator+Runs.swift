import CarryoverSystem

extension Migrator {
  /// Runs work that writes, under the container's lock. No other method writes.
  /// - Throws: `blocked` for a live container that is not allowed.
  func locked<Result>(
    _ container: Container, allowing allowed: Set<FindingCode>,
    _ body: (RunStore, inout DurableFiles) throws(RunError) -> Result
  ) throws(RunError) -> Result {
    try container.requireWritable(allowing: allowed)
    let fileSystem = try confined(container)
    var files = DurableFiles(fileSystem)
    let store = try store(of: container, fileSystem, key: key.obtain())
    if let user = store.closedOwner { throw .stateClosed(path: store.path, user: user) }
    let lock = try StateLock.take(store, files)
    do {
      let result = try body(lock.store, &files)
      lock.release(files, keeping: true)
      return result
    } catch {
      lock.release(files, keeping: false)
      throw error
    }
  }

  /// The state folder of a container, for reading.
  /// - Throws: `stateKey` if the user's key exists but cannot be used.
  func store(of container: Container) throws(RunError) -> RunStore {
    // Without a state folder, no key is needed.
    let isThere = try RunStore.status(of: container.stateDirectory, fileSystem) != nil
    return try store(of: container, fileSystem, key: isThere ? key.existing() : nil)
  }

  /// The error for a state folder that another user has closed to this one; nil otherwise. The history of such a
  /// container is unknown, and every write is refused.
  package func closedState(of container: Container) -> RunError? {
    let store = RunStore(fileSystem: fileSystem, path: container.stateDirectory, seal: nil)
    return store.closedOwner.map { .stateClosed(path: store.path, user: $0) }
  }

  private func store(
    of container: Container, _ fileSystem: any FileSystem, key: @autoclosure () throws(StateKeyError) -> StateKey?
  ) throws(RunError) -> RunStore {
    let known: StateKey?
    do {
      known = try key()
    } catch {
      throw .stateKey(error)
    }
    var seal: StateSeal?
    if let known { seal = try RunError.early(StateSeal(known, of: container.root, fileSystem)) }
    return RunStore(fileSystem: fileSystem, path: container.stateDirectory, seal: seal)
  }

  /// The file system for a container, confined to its root and its state folder.
  private func confined(_ container: Container) throws(RunError) -> any FileSystem {
    let folders = [container.root, FilePath.folder(of: container.stateDirectory)]
    return try RunError.early(fileSystem.confined(to: folders))
  }

  /// Recovers interrupted runs. Writes nothing if there are none.
  func settleInterrupted(
    _ container: Container, allowing allowed: Set<FindingCode>
  ) throws(RunError) -> [RecoveredRun] {
    let store = try store(of: container)
    guard try InterruptedRuns(store: store, container: container).exist() else { return [] }
    return try locked(container, allowing: allowed) { (store, files) throws(RunError) in
      try InterruptedRuns(store: store, container: container).settle(&files)
    }
  }

  /// The record of a new run.
  /// - Throws: `notEncodable` if later commands could not read it.
  func newRecord(
    _ kind: RunKind, _ container: Container, _ recipe: RecipeReference, and otherRecipes: [RecipeReference] = [],
    _ fields: [RecordedField], _ changes: [FileChange], _ store: RunStore, takingBack rolledBack: RunID? = nil
  ) throws(RunError) -> RunRecord {
    let moment = now()
    // Runs that came with the container may have any number.
    let ids = try store.ids()
    guard ids.count < RunStore.mostRuns else { throw .tooManyRuns(path: store.runs, limit: RunStore.mostRuns) }
    var next = RunID(moment, after: try store.newestOwn()?.id)
    while let taken = next, ids.contains(taken) { next = RunID(moment, after: taken) }
    guard let id = next else { throw .tooManyRuns(path: store.runs, limit: RunID.highest) }
    let record = RunRecord(
      id: id, kind: kind, state: .applying,
      container: RecordedContainer(container), moment: moment, recipe: recipe,
      otherRecipes: otherRecipes, tool: toolVersion, rolledBack: rolledBack, fields: fields,
      files: changes.enumerated().map { RecordedFile($0.element, number: $0.offset + 1) }, batch: batch)
    try record.checkReadable(path: store.recordPath(record.id))
    return record
  }

  /// The owner and mode of a new target: those of the app's own files, so that the app can read it.
  func newAttributes(_ resolved: ResolvedPlan, _ stores: inout ReadStores) throws(RunError) -> FileAttributes {
    for model in resolved.models {
      if let status = try stores.store(model).image?.status { return FileAttributes(status) }
    }
    return FileAttributes(mode: 0o600, owner: nil)
  }
}
