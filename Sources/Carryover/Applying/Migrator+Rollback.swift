extension Migrator {
  /// Takes back the newest apply run that holds, or a named one: bytes, mode, owner and absence of every file it
  /// changed, and the folders it made, if nothing else stands in them.
  ///
  /// A rollback is a run itself, with a record and a backup of what it replaced.
  /// - Parameter runID: the run to take back, which may be a rollback; nil for the newest apply run.
  /// - Throws: ``MigrationError``, among them `nothingToRollBack` and `changedSince`, with which nothing was changed.
  public func rollback(in container: Container, runID: String? = nil) throws(MigrationError) -> RunReport {
    let store = RunStore(fileSystem: fileSystem, path: container.stateDirectory)
    // Without this look, a container that was never written to would get a state folder.
    guard !(try store.ids().isEmpty) else { throw .nothingToRollBack }
    return try locked(container.stateDirectory) { (store, files) throws(MigrationError) in
      let recovered = try InterruptedRuns(store: store, container: container).settle(&files)
      let history = RunHistory(store: store, container: container, files: files)
      guard let run = try history.newest(where: { runID == nil ? $0.kind == .apply : $0.id.text == runID }) else {
        throw runID.map { .noSuchRun($0) } ?? .nothingToRollBack
      }
      let changes = try changesBack(run, store, container.root, files)
      let fields = run.fields.map(\.takenBack)
      let record = try newRecord(.rollback, container, run.recipe, fields, changes, store, takingBack: run.id)
      var transaction = Transaction(
        files: files, store: store, root: container.root, changes: changes, record: record)
      defer { files = transaction.files }
      try transaction.carryOut()
      return RunReport(
        kind: .rollback, runID: record.id.text,
        outcomes: fields.map { FieldOutcome(field: $0.id, outcome: $0.outcome) }, files: changes.map(\.path),
        rolledBack: run.id.text, synchronizations: transaction.files.synchronizations,
        recovered: recovered)
    }
  }

  /// The changes that put every file of a run back, provided each is still as the run left it.
  private func changesBack(
    _ run: RunRecord, _ store: RunStore, _ root: String, _ files: DurableFiles
  ) throws(MigrationError) -> [FileChange] {
    var changes: [FileChange] = []
    var changed: [String] = []
    for file in run.files {
      let left = try store.state(.after, file.after, of: run.id)
      let before = try store.state(.before, file.before, of: run.id)
      let destination = try ContainerPath.resolve(file.path, in: root, fileSystem)
      if let links = destination.status?.links, links > 1 { throw .hardLinked(path: file.path, links: links) }
      let standing: FileState
      do {
        standing = destination.status == nil ? .absent : try files.state(destination.absolute)
      } catch {
        throw .file(error, .nothingChanged)
      }
      if standing.bytes != left.bytes { changed.append(file.path) }
      changes.append(FileChange(path: file.path, before: standing, after: before, folders: file.folders))
    }
    guard changed.isEmpty else { throw .changedSince(run: run.id.text, paths: changed) }
    return changes
  }
}

extension RecordedField {
  /// The field as the record of a rollback keeps it.
  fileprivate var takenBack: RecordedField {
    var field = self
    (field.before, field.after) = (after, before)
    field.decision = nil
    field.outcome = outcome == .migrated || outcome == .restored ? .restored : .unchanged
    return field
  }
}
