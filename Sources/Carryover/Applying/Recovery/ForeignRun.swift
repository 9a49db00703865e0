import CarryoverSystem

/// A run that came with a container and would change files if the user adopted it.
///
/// All of this comes from the journal. Only the container's current content is certain.
package struct ForeignRun: Hashable, Sendable {
  /// The run's id.
  package var id: String
  /// The reason that it does not count as the user's own.
  package var reason: ForeignReason
  /// Whether the run finished. Adopting a finished run changes no file; rolling it back afterwards does.
  package var isFinished: Bool
  /// The files that it would change, in its order; at most 64.
  package var files: [ForeignFile]
}

/// The effect of a run that came with a container on one file.
package struct ForeignFile: Hashable, Sendable {
  /// The path, relative to the container's root.
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
  /// Whether the file already has that content.
  var isInPlace: Bool
  /// The keys that would change if both are property lists; at most 20, the others are counted.
  package var changes: [KeyChange]
  /// The number of other keys that would change.
  package var moreChanges: Int

  private static let mostChanges = 20
  /// The maximum size of a copy that is compared key by key, in bytes.
  private static let longestShown = 4 << 20
}

extension ForeignRun {
  /// The run of a journal, compared with the container's current content.
  init(_ journal: Journal, _ reason: ForeignReason, in container: Container, _ store: RunStore) {
    let scope = RunScope(container)
    self.init(
      id: journal.run.text, reason: reason, isFinished: false,
      files: journal.files.map { ForeignFile($0, of: journal.run, .after, scope, store) })
  }

  /// The rollback of a finished run, regardless of what its record states.
  init(_ record: RunRecord, _ reason: ForeignReason, in container: Container, _ store: RunStore) {
    let scope = RunScope(container)
    self.init(
      id: record.id.text, reason: reason, isFinished: true,
      files: record.files.map { ForeignFile($0, of: record.id, .before, scope, store) })
  }
}

extension ForeignFile {
  /// - Parameter side: the copies that would replace the files.
  fileprivate init(
    _ file: RecordedFile, of run: RunID, _ side: RunStore.Side, _ scope: RunScope, _ store: RunStore
  ) {
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
    let now = place.status == nil ? .absent : try? DurableFiles(store.fileSystem).state(place.absolute)
    guard let now, var next = try? store.state(side, recorded, of: run) else { return }
    if side == .after, now.bytes == next.bytes {
      // If the run cannot be finished, it is rolled back.
      guard let before = try? store.state(.before, file.before, of: run) else { return }
      isInPlace = true
      next = before
    }
    let (old, new) = (ParsedFile(now, path: path), ParsedFile(next, path: path))
    guard old.problem == nil, new.problem == nil else { return }
    let keys = ParsedFile.changedKeys(old, new, first: [])
    changes = keys.prefix(Self.mostChanges).map { KeyChange(key: $0, before: old[$0], after: new[$0]) }
    moreChanges = keys.count - changes.count
  }

  /// The effect on the file, as a sentence without its full stop. Names are escaped for display.
  /// - Parameter namingKeys: whether to name the keys that would change.
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

extension ForeignRun: CustomStringConvertible {
  /// The origin and the effect of the run, in whole sentences. Names are escaped for display.
  package var description: String {
    let sentences = files.map { $0.sentence(namingKeys: true) }.joined(separator: "; ")
    return "Run \(DisplayText.harmless(id)) came with this container; \(reason.phrase). If you adopted it"
      + (isFinished ? " and rolled it back, " : ", ") + sentences + "."
  }
}

extension RecordedState {
  /// The size in bytes; nil for a missing file.
  fileprivate var size: Int? { if case .file(_, _, let digest) = self { digest.size } else { nil } }
}
