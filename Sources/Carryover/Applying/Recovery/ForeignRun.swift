public import PropertyLists

/// A run that came with a container and would change files if somebody adopted it: whose it is, and what it would do.
///
/// All of it is the journal's word. Only what stands in the container now is known.
public struct ForeignRun: Hashable, Sendable {
  /// The run's id.
  public var id: String
  /// Why it does not count as the user's own.
  public var reason: ForeignReason
  /// The files it would touch, in its order; at most 64.
  public var files: [ForeignFile]

  /// A run from its parts.
  public init(id: String, reason: ForeignReason, files: [ForeignFile]) {
    self.id = id
    self.reason = reason
    self.files = files
  }
}

/// What a run that came with a container would make of one file.
public struct ForeignFile: Hashable, Sendable {
  /// The path, relative to the container's root.
  public var path: String
  /// Whether a run of this container may touch it; the whole run is refused where one file is not allowed.
  public var isAllowed: Bool
  /// The size of what stands there now, in bytes; nil where nothing stands, or it cannot be told.
  public var present: Int?
  /// The size of what would stand there, in bytes; nil where the file would be removed.
  public var proposed: Int?
  /// The size of what would stand there if the run could not be finished, in bytes; nil where the file would be removed.
  public var recordedBefore: Int?
  /// Whether what would stand there stands there already.
  public var isInPlace: Bool
  /// The keys that would change, where both are property lists; at most 20, the rest is counted.
  public var changes: [KeyChange]
  /// How many more keys would change.
  public var moreChanges: Int

  /// A key of a file, as it is and as it would be; nil for absent.
  public struct KeyChange: Hashable, Sendable {
    /// The key.
    public var key: String
    /// What it holds now.
    public var present: PropertyListValue?
    /// What it would hold.
    public var proposed: PropertyListValue?
  }

  static let mostChanges = 20
  /// The largest copy that is compared key by key, in bytes.
  private static let longestShown = 4 << 20
}

extension ForeignRun {
  /// What a journal says, beside what stands in the container.
  init(_ journal: Journal, _ reason: ForeignReason, in container: Container, _ store: RunStore) {
    self.init(journal.run, reason, journal.files, in: container, store)
  }

  init(
    _ run: RunID, _ reason: ForeignReason, _ files: [RecordedFile], in container: Container, _ store: RunStore
  ) {
    let scope = RunScope(container)
    self.init(
      id: run.text, reason: reason, files: files.map { ForeignFile($0, of: run, scope, store) })
  }
}

extension ForeignFile {
  fileprivate init(_ file: RecordedFile, of run: RunID, _ scope: RunScope, _ store: RunStore) {
    path = file.path
    isAllowed = scope.allows(file.path)
    if case .file(_, _, let digest) = file.after { proposed = digest.size }
    if case .file(_, _, let digest) = file.before { recordedBefore = digest.size }
    isInPlace = false
    changes = []
    moreChanges = 0
    // What lies outside of the stores is not even looked at, nor are copies that take long to compare.
    guard isAllowed, max(proposed ?? 0, recordedBefore ?? 0) <= Self.longestShown,
      let place = try? scope.resolve(file.path, store.fileSystem)
    else { return }
    present = place.status.map { Int(clamping: $0.size) }
    let now = place.status == nil ? .absent : try? DurableFiles(store.fileSystem).state(place.absolute)
    guard let now, let after = try? store.state(.after, file.after, of: run) else { return }
    isInPlace = now.bytes == after.bytes
    let (old, new) = (ParsedFile(now), ParsedFile(after))
    guard old.problem == nil, new.problem == nil else { return }
    let keys = ParsedFile.changedKeys(old, new, first: [])
    changes = keys.prefix(Self.mostChanges).map { KeyChange(key: $0, present: old[$0], proposed: new[$0]) }
    moreChanges = keys.count - changes.count
  }

  /// What would become of the file, as a sentence without its end. Safe to print.
  /// - Parameter namingKeys: whether the keys that would change are named.
  public func sentence(namingKeys: Bool) -> String {
    let name = DisplayText.quoted(path)
    guard isAllowed else { return "\(name) would be touched, which is not a store of this container" }
    guard !isInPlace else {
      let back = recordedBefore.map { "have \(Self.bytes($0))" } ?? "be removed"
      return "\(name) already is as the run would leave it; if the run cannot be finished, it would \(back)"
    }
    var names = changes.map { DisplayText.quoted($0.key) }
    if moreChanges > 0 { names.append("\(moreChanges) more") }
    let keys = names.isEmpty || !namingKeys ? "" : ", changing \(names.joined(separator: ", "))"
    return switch (present, proposed) {
    case (nil, nil): "\(name) would stay absent"
    case (nil, let size?): "\(name) would be created with \(Self.bytes(size))\(keys)"
    case (let size?, nil): "\(name) would be removed; it has \(Self.bytes(size))"
    case (_?, let size?): "\(name) would be replaced by \(Self.bytes(size))\(keys)"
    }
  }

  private static func bytes(_ count: Int) -> String { count == 1 ? "1 byte" : "\(count) bytes" }
}

extension ForeignRun: CustomStringConvertible {
  /// Whose it is and what it would do, in whole sentences. Safe to print.
  public var description: String {
    "Run \(DisplayText.escaped(id)) came with this container; \(reason.phrase). If it were adopted, "
      + files.map { $0.sentence(namingKeys: true) }.joined(separator: "; ") + "."
  }
}
