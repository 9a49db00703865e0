import CarryoverSystem
import PropertyLists

/// The legacy files before and after a cleanup.
struct CleanupEdit {
  /// Edited files come first, removed files last.
  let changes: [FileChange]
  /// The target's bytes, which contain the removed values.
  let target: [UInt8]
  /// The removed keys for the run's record, in the plan's order.
  let recorded: [RecordedField]
  private let edits: [StringByBytes: TargetEdit]

  /// Computes the changes from the current files.
  /// - Throws: `stalePlan`, and the errors of an apply for files that must not be replaced or cannot be edited.
  init(
    _ plan: CleanupPlan, _ chosen: [CleanupEntry], root: String, _ files: DurableFiles
  ) throws(RunError) {
    var stores = ReadStores(files, root: root)
    let paths = plan.stores.map(\.id).filter { path in chosen.contains { $0.id.file.hasSameBytes(as: path) } }
    for path in paths {
      let store = try stores.store(path)
      if let links = store.image?.status.links, links > 1 { throw .hardLinked(path: path, links: links) }
      if let problem = store.problem { throw .unreadable(path: path, reason: problem) }
    }
    var stale = try stores.stale(plan.basis)
    var known = Set(stale)
    var changes: [FileChange] = []
    var removals: [FileChange] = []
    var edits: [StringByBytes: TargetEdit] = [:]
    for path in paths {
      let store = try stores.store(path)
      let values = Dictionary(
        firstOf: chosen.filter { $0.id.file.hasSameBytes(as: path) }.map { ($0.id.key, $0.value) })
      guard let file = store.file else { continue }
      let entries = file.dictionary.entries
      // A look-up finds only the first pair of a key. All its pairs are removed, so each must have the checked value.
      for entry in entries {
        guard let value = values[entry.key], value != entry.value else { continue }
        let basis = PlanBasis(store: path, key: entry.key, value: value)
        if known.insert(basis).inserted { stale.append(basis) }
      }
      let edit = try TargetEdit(
        file, path: path,
        changes: values.sorted { $0.key < $1.key }.map { KeyChange(key: $0.key.text, before: $0.value, after: nil) },
        forms: [:])
      if let problem = edit.problem(in: edit.bytes) { throw .verification(path: path, problem, .nothingChanged) }
      let before = FileState(store.image)
      let isOwn = plan.stores.contains { $0.id.hasSameBytes(as: path) && $0.isOwn }
      if isOwn, entries.allSatisfy({ values[$0.key] != nil }) {
        removals.append(FileChange(path: path, before: before, after: .absent))
      } else if let status = store.image?.status {
        edits[path] = edit
        let after = FileState(bytes: edit.bytes, attributes: FileAttributes(status))
        changes.append(FileChange(path: path, before: before, after: after))
      }
    }
    guard stale.isEmpty else { throw .stalePlan(stale) }
    target =
      try plan.target.map { (target) throws(RunError) in try stores.store(target.path) }?.image?.bytes ?? []
    self.changes = changes + removals
    self.edits = edits
    recorded = chosen.map { entry in
      RecordedField(
        id: entry.id.key, file: entry.id.file, decision: nil, legacy: nil, proposed: nil, before: entry.value,
        after: nil, outcome: .dropped, findings: [])
    }
  }

  /// The removed files, with their owners.
  var ownersOfRemovedFiles: [(path: String, owner: FileAttributes.Owner)] {
    changes.compactMap { change in
      guard change.after == .absent, let owner = change.before.attributes?.owner else { return nil }
      return (change.path, owner)
    }
  }

  /// The problem in an edited file; nil if the keys are gone and all others are unchanged.
  func problem(_ path: String, _ bytes: [UInt8]?) -> VerificationProblem? { edits[path]?.problem(in: bytes ?? []) }
}

/// The target's values that a cleanup depends on.
struct HeldValues {
  private let path: String
  private let root: String
  private let fileSystem: any FileSystem
  private let values: [PlanBasis]

  init(_ plan: CleanupPlan, _ chosen: [CleanupEntry], path: String, root: String, _ fileSystem: any FileSystem) {
    self.path = path
    self.root = root
    self.fileSystem = fileSystem
    var fields: Set<StringByBytes> = []
    for case .removable(let held) in chosen.map(\.verdict) { fields.formUnion(held.map { StringByBytes($0) }) }
    values = plan.basis.filter { $0.store.hasSameBytes(as: path) && fields.contains($0.key) }
  }

  /// The problem in the current target; nil if it contains all these values.
  var problem: VerificationProblem? {
    var stores = ReadStores(DurableFiles(fileSystem), root: root)
    do throws(RunError) {
      let index = try stores.store(path).index
      let lost = values.filter { index?[$0.key] != $0.value }.map(\.key)
      return lost.isEmpty ? nil : .heldNoMore(path: path, keys: lost)
    } catch {
      return .heldNoMore(path: path, keys: values.map(\.key))
    }
  }
}
