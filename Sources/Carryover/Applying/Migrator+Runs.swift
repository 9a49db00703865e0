import CarryoverSystem

extension Migrator {
  /// Carries out work that writes, under the container's lock: the only way to it.
  /// - Throws: `blocked` for a live container that is not allowed by name.
  func locked<Result>(
    _ container: Container, allowing allowed: Set<FindingCode>,
    _ body: (RunStore, inout DurableFiles) throws(RunError) -> Result
  ) throws(RunError) -> Result {
    try container.requireWritable(allowing: allowed)
    let fileSystem = try watched(confined(container), container)
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

  /// The state folder of a container, to be read.
  /// - Throws: `stateKey` where the user's key is there and cannot be used.
  func store(of container: Container) throws(RunError) -> RunStore {
    // Without a state folder there is nothing to tell apart.
    let isThere = try RunStore.status(of: container.stateDirectory, fileSystem) != nil
    return try store(of: container, fileSystem, key: isThere ? key.existing() : nil)
  }

  /// Whose the state folder of a container is, where it is another user's and closed to this one; nil otherwise. What was
  /// done to such a container is not known, and whatever writes is refused.
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

  /// The file system for work on a container: in its root, and where its state folder stands.
  private func confined(_ container: Container) throws(RunError) -> any FileSystem {
    let folders = [container.root, FilePath.folder(of: container.stateDirectory)]
    return try RunError.early(fileSystem.confined(to: folders))
  }

  /// A file system, with whoever is to be told what is done for a container.
  private func watched(_ fileSystem: any FileSystem, _ container: Container) -> any FileSystem {
    guard let observer else { return fileSystem }
    return ObservedFileSystem(
      base: fileSystem, root: container.root, state: container.stateDirectory, observer: observer)
  }

  /// Brings runs to an end whose process ended before they did. Writes nothing where there is none.
  func settleInterrupted(
    _ container: Container, allowing allowed: Set<FindingCode>
  ) throws(RunError) -> [RecoveredRun] {
    let store = try store(of: container)
    guard try InterruptedRuns(store: store, container: container).exist() else { return [] }
    return try locked(container, allowing: allowed) { (store, files) throws(RunError) in
      try InterruptedRuns(store: store, container: container).settle(&files)
    }
  }

  /// The record of a run that begins now.
  /// - Throws: `notEncodable` where later commands could not read it.
  func newRecord(
    _ kind: RunKind, _ container: Container, _ recipe: RecipeReference, and otherRecipes: [RecipeReference] = [],
    _ fields: [RecordedField], _ changes: [FileChange], _ store: RunStore, takingBack rolledBack: RunID? = nil
  ) throws(RunError) -> RunRecord {
    let moment = now()
    // Others' runs have numbers of their own choosing.
    let ids = try store.ids()
    guard ids.count < RunStore.mostRuns else { throw .tooManyRuns(path: store.runs, limit: RunStore.mostRuns) }
    var next = RunID(moment, after: try store.newestOwn()?.id)
    while let taken = next, ids.contains(taken) { next = RunID(moment, after: taken) }
    guard let id = next else { throw .tooManyRuns(path: store.runs, limit: RunID.highest) }
    let record = RunRecord(
      id: id, kind: kind, state: .applying,
      container: RecordedContainer(container), moment: moment, recipe: recipe,
      otherRecipes: otherRecipes, tool: toolVersion, rolledBack: rolledBack, fields: fields,
      files: changes.enumerated().map { RecordedFile($0.element, number: $0.offset + 1) })
    try record.checkReadable(path: store.recordPath(record.id))
    return record
  }

  /// Owner and mode for a target that is not there yet: those of the app's own files, so that the app can read it.
  func newAttributes(_ resolved: ResolvedPlan, _ stores: inout ReadStores) throws(RunError) -> FileAttributes {
    for model in resolved.models {
      if let status = try stores.store(model).image?.status { return FileAttributes(status) }
    }
    return FileAttributes(mode: 0o600, owner: nil)
  }
}
