import CarryoverSystem
import PropertyLists

extension Migrator {
  /// A run that came with a container, and its effect on the current files; nil if there is none. The migrator does not
  /// act on such a run until it is adopted. Writes nothing.
  package func foreignRun(in container: Container, runID: String? = nil) throws(RunError) -> ForeignRun? {
    let store = try store(of: container)
    if let runID { return try ForeignState(store, container, runID).shown }
    do {
      _ = try InterruptedRuns(store: store, container: container).journal()
      return nil
    } catch {
      if case .foreignJournal(let run) = error { return run }
      throw error
    }
  }

  /// Makes a run that came with a container the user's own, so that it can be recovered or rolled back. Only files in
  /// the state folder change.
  ///
  /// Show the user ``foreignRun(in:runID:)`` and ask first. Permission bits and owners come from the current files,
  /// never from the run.
  package func adopt(
    in container: Container, runID: String? = nil, shown: ForeignRun? = nil, allowing allowed: Set<FindingCode> = []
  ) throws(RunError) {
    try locked(container, allowing: allowed) { (store, files) throws(RunError) in
      let found = try ForeignState(store, container, runID)
      guard !found.isOwn, found.id != nil || found.journal != nil else { throw .nothingToDecide(run: runID) }
      let record = try found.adoptable(shown: shown)
      try RunError.attempt(store.write(record, &files))
      try store.requireOwned(record.id)
      guard found.hasJournal else { return }
      // The journal is last: until it is sealed, it has no effect.
      try RunError.attempt(store.write(Journal(record), &files))
    }
  }

  /// Moves a run that came with a container, and its journal, to `discarded` in the state folder. Nothing is deleted,
  /// and no other file changes.
  /// - Parameter runID: the run, which need not be readable. Nil for the run of the journal or, if there are too many
  ///   runs, for all that are certainly not the user's own.
  package func discard(
    in container: Container, runID: String? = nil, allowing allowed: Set<FindingCode> = []
  ) throws(RunError) -> String {
    try locked(container, allowing: allowed) { (store, files) throws(RunError) in
      let found = try ForeignState(store, container, runID)
      let crowd = runID == nil && !found.hasJournal ? try store.foreignCrowd() : []
      guard crowd.isEmpty else {
        return try RunError.attempt(Discarded.move(crowd.map(store.folder), in: store.path, &files))
      }
      guard !found.isOwn, found.hasJournal || found.id != nil else { throw .nothingToDecide(run: runID) }
      try found.requireOfThisContainer()
      // A journal may name the user's own run, which stays.
      let runs = found.record?.isOwn == true ? [] : found.id.map { [store.folder($0)] } ?? []
      // The journal is last: until then, the run can still be discarded as a whole.
      let paths = runs + (found.hasJournal ? [store.journal] : [])
      return try RunError.attempt(Discarded.move(paths, in: store.path, &files))
    }
  }
}

extension RunStore {
  /// If there are too many runs, those that are certainly not the user's own; otherwise none.
  fileprivate func foreignCrowd() throws(RunError) -> [RunID] {
    let ids = try ids(limited: false)
    guard ids.count > Self.mostRuns else { return [] }
    var crowd: [RunID] = []
    for id in ids {
      do {
        if try recordUnlessForeign(id) == nil { crowd.append(id) }
      } catch {
        // The run may be the user's own.
        guard error.isOfRecord else { throw error }
      }
    }
    return crowd
  }
}

/// The part of a state folder that needs a decision: a run, and possibly its journal.
private struct ForeignState {
  let store: RunStore
  let container: Container
  var id: RunID?
  /// The record; nil if it cannot be read. The run can then only be discarded.
  var record: RunRecord?
  var unreadable: RunError?
  var journal: Journal?
  var hasJournal = false
  var isOwn = false

  init(_ store: RunStore, _ container: Container, _ runID: String?) throws(RunError) {
    self.store = store
    self.container = container
    do {
      journal = try store.readJournal()
      hasJournal = journal != nil
    } catch {
      hasJournal = runID == nil
      guard error.isOfRecord else { throw error }
    }
    if let runID {
      guard let named = RunID(runID), try RunStore.status(of: store.folder(named), store.fileSystem) != nil else {
        throw .noSuchRun(runID)
      }
      id = named
      hasJournal = journal?.run == named
    } else {
      id = journal?.run
    }
    guard let id else { return }
    do {
      record = try store.record(id)
    } catch {
      switch error {
      case .damagedRecord, .newerRecord, .unsafePath: unreadable = error
      default: throw error
      }
    }
    isOwn = (record?.isOwn ?? hasJournal) && (!hasJournal || journal?.foreign == nil)
  }

  /// The run to show. The journal takes precedence over the record, because recovery would follow the journal.
  var shown: ForeignRun? {
    if hasJournal, let journal, let reason = journal.foreign {
      return ForeignRun(journal, reason, in: container, store)
    }
    guard let record, let reason = record.foreign else { return nil }
    return ForeignRun(Journal(record), reason, isFinished: true, in: container, store)
  }

  /// Throws if the run belongs to another container with the same state folder.
  func requireOfThisContainer() throws(RunError) {
    let own = RecordedContainer(container)
    guard let root = own.root else { return }
    for recorded in [journal?.container, record?.container] {
      guard let recorded, recorded.root != root else { continue }
      throw .interruptedElsewhere(run: id?.text ?? "", root: recorded.root)
    }
  }

  /// The record as the user's own, after checking everything that is otherwise trusted in the user's own runs.
  func adoptable(shown: ForeignRun?) throws(RunError) -> RunRecord {
    if let shown, self.shown != shown {
      throw .damagedJournal(path: store.journal, reason: "It changed since it was shown.")
    }
    if let unreadable { throw unreadable }
    // The user was shown the journal, so a record that differs from it must not be adopted in its place.
    guard var record, !hasJournal || journal?.files == record.files else {
      throw .damagedJournal(path: store.journal, reason: "It does not match the record of the run it names.")
    }
    guard record.belongs(to: RecordedContainer(container)) else {
      throw .interruptedElsewhere(run: record.id.text, root: record.container.root)
    }
    if let problem = try problem(of: record) {
      throw .damagedRecord(path: store.recordPath(record.id), reason: problem)
    }
    try RunScope(container).check(record.files.map(\.path) + (record.heldIn.map { [$0.path] } ?? []))
    if let held = record.heldIn, let bytes = try heldBytes(held) {
      record.heldIn = HeldIn(path: held.path, bytes: bytes)
    }
    guard !record.isPruned else { return record }
    for index in record.files.indices { try verify(&record.files[index], number: index + 1, of: record.id) }
    return record
  }

  private func problem(of record: RunRecord) throws(RunError) -> String? {
    if record.files.isEmpty { return "It names no file." }
    let paths = Set(bytesOf: record.files.map(\.path))
    if record.fields.contains(where: { $0.isWritten && !paths.contains(record.place($0).file) }) {
      return "It claims to have written a key of a file that it does not name."
    }
    if !hasJournal, record.state != .done { return "The run did not end, and has no journal." }
    if let earlier = record.rolledBack, try store.ownRecord(earlier) != nil {
      return "It claims to have rolled back a run of your own."
    }
    let newest = try store.newestOwn()?.id.number ?? 0
    if record.id.number > newest + RunStore.mostRuns { return "Its number is higher than any that follows yours." }
    guard let held = record.heldIn else { return nil }
    guard record.kind == .cleanup else { return "It names a file with removed values, but it is not a cleanup." }
    if try heldBytes(held).map(held.matches) == true { return nil }
    return "The file with the values it removed has changed."
  }

  private func heldBytes(_ held: HeldIn) throws(RunError) -> [UInt8]? {
    let place = try RunScope(container).resolve(held.path, store.fileSystem)
    return try? place.state(DurableFiles(store.fileSystem)).bytes
  }

  /// Checks that a file's copies are the recorded ones and that no temporary file of the run is beside it. Sets the
  /// file's permission bits and owner to those of the current file.
  private func verify(_ file: inout RecordedFile, number: Int, of run: RunID) throws(RunError) {
    let place = try RunScope(container).resolve(file.path, store.fileSystem)
    let attributes = try attributes(place)
    let copies = [try bytes(.before, file.before, run), try bytes(.after, file.after, run)]
    let name = TemporaryName(run: run, number: number)
    for path in [name, name.other].map({ place.folder + "/" + $0.text }) where place.missingFolders.isEmpty {
      guard let waiting = try? DurableFiles(store.fileSystem).state(path).bytes else { continue }
      guard copies.contains(where: { $0?.starts(with: waiting) ?? false }) else {
        throw .damagedCopy(run: run.text, path: path)
      }
    }
    file.before = RecordedState(file.before, copies[0], attributes)
    file.after = RecordedState(file.after, copies[1], attributes)
  }

  private func attributes(_ place: ResolvedPath) throws(RunError) -> FileAttributes {
    if let status = place.status { return FileAttributes(status) }
    let owner = try RunStore.status(of: container.root, store.fileSystem)
    return FileAttributes(mode: 0o600, owner: owner.map { .init(user: $0.user, group: $0.group) })
  }

  private func bytes(_ side: RunStore.Side, _ state: RecordedState, _ run: RunID) throws(RunError) -> [UInt8]? {
    do {
      return try store.state(side, state, of: run).bytes
    } catch {
      switch error {
      case .damagedBackup(let path): throw .damagedCopy(run: run.text, path: path)
      case .file(let failure, _): throw .damagedCopy(run: run.text, path: failure.path)
      default: throw error
      }
    }
  }
}

extension RecordedState {
  fileprivate init(_ state: RecordedState, _ bytes: [UInt8]?, _ attributes: FileAttributes) {
    guard case .file(let name, _, _) = state, let bytes else {
      self = .absent
      return
    }
    self = .file(name: name, attributes: attributes, digest: ContentDigest(bytes))
  }

  fileprivate var size: Int? { if case .file(_, _, let digest) = self { digest.size } else { nil } }
}

/// A run that came with a container and would change files if the user adopted it.
///
/// All of this comes from the journal. Only the container's current content is certain.
package struct ForeignRun: Hashable, Sendable, CustomStringConvertible {
  package var id: String
  package var reason: ForeignReason
  /// Whether the run finished. Adopting a finished run changes no file; rolling it back afterwards does.
  package var isFinished: Bool
  package var files: [ForeignFile]

  package var description: String {
    let sentences = files.map { $0.sentence(namingKeys: true) }.joined(separator: "; ")
    return "Run \(DisplayText.harmless(id)) came with this container, \(reason.phrase). If you adopted it"
      + (isFinished ? " and rolled it back, " : ", ") + sentences + "."
  }
}

package struct ForeignFile: Hashable, Sendable {
  package var path: String
  /// Whether a run of this container may change the file. The whole run is refused if one file is not allowed.
  var isAllowed: Bool
  /// Whether the path contains no link and no other obstacle. The whole run is refused if one file is not reachable.
  var isReachable: Bool
  /// The current size, in bytes; nil if there is no file or the size is unknown.
  var present: Int?
  /// The size after the run, in bytes; nil if the file would be removed.
  var proposed: Int?
  /// The size if the run could not be finished, in bytes; nil if the file would be removed.
  var recordedBefore: Int?
  var isInPlace: Bool
  /// The keys that would change if both are property lists; at most 20, the others are counted.
  package var changes: [KeyChange]
  package var moreChanges: Int

  private static let mostChanges = 20
  /// The maximum size of a copy that is compared key by key, in bytes.
  private static let longestShown = 4 << 20
}

extension ForeignRun {
  init(
    _ journal: Journal, _ reason: ForeignReason, isFinished: Bool = false, in container: Container, _ store: RunStore
  ) {
    let scope = RunScope(container)
    self.init(
      id: journal.run.text, reason: reason, isFinished: isFinished,
      files: journal.files.map { ForeignFile($0, of: journal.run, isFinished ? .before : .after, scope, store) })
  }
}

extension ForeignFile {
  fileprivate init(_ file: RecordedFile, of run: RunID, _ side: RunStore.Side, _ scope: RunScope, _ store: RunStore) {
    path = file.path
    isAllowed = scope.allows(file.path)
    isReachable = true
    let recorded = side == .before ? file.before : file.after
    proposed = recorded.size
    recordedBefore = file.before.size
    isInPlace = false
    changes = []
    moreChanges = 0
    // Files outside of the stores are not even read.
    guard isAllowed else { return }
    guard let place = try? scope.resolve(file.path, store.fileSystem) else {
      isReachable = false
      return
    }
    present = place.status.map { Int(clamping: $0.size) }
    // Only the sizes of large files are compared.
    guard max(present ?? 0, proposed ?? 0, recordedBefore ?? 0) <= Self.longestShown else { return }
    guard let now = try? place.state(DurableFiles(store.fileSystem)),
      var next = try? store.state(side, recorded, of: run)
    else { return }
    if side == .after, now.bytes == next.bytes {
      // If the run cannot be finished, it is rolled back.
      guard let before = try? store.state(.before, file.before, of: run) else { return }
      isInPlace = true
      next = before
    }
    let (old, new) = (ParsedFile(now.bytes, path: path), ParsedFile(next.bytes, path: path))
    guard old.problem == nil, new.problem == nil else { return }
    let keys = ParsedFile.changedKeys(old, new, first: [])
    changes = keys.prefix(Self.mostChanges).map { KeyChange(key: $0, before: old[$0], after: new[$0]) }
    moreChanges = keys.count - changes.count
  }

  /// The effect on the file, as a sentence without its full stop. Names are escaped for display.
  package func sentence(namingKeys: Bool) -> String {
    let name = DisplayText.quoted(path)
    var names = changes.map { DisplayText.quoted($0.key) }
    if moreChanges > 0 { names.append("\(moreChanges) more") }
    let keys = names.isEmpty || !namingKeys ? "" : ", changing \(names.joined(separator: ", "))"
    guard isAllowed else { return "\(name) would be changed, although it is not a store of this container" }
    guard isReachable else { return "\(name) cannot be reached, so the run could not be adopted" }
    guard !isInPlace else {
      let back = recordedBefore.map { "replace it with \(Self.bytes($0))" } ?? "remove it"
      return "\(name) is already as the run would leave it; rolling the run back would \(back)\(keys)"
    }
    return switch (present, proposed) {
    case (nil, nil): "\(name) would stay absent"
    case (nil, let size?): "\(name) would be created with \(Self.bytes(size))\(keys)"
    case (let size?, nil): "\(name) would be removed; it has \(Self.bytes(size))"
    case (_?, let size?): "\(name) would be replaced with \(Self.bytes(size))\(keys)"
    }
  }

  private static func bytes(_ count: Int) -> String { count == 1 ? "1 byte" : "\(count) bytes" }
}
