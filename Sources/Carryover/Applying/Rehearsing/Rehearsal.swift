import CarryoverSystem
import PropertyLists

/// A migration on a copy, step by step.
struct Rehearsal {
  let resolved: ResolvedPlan
  let original: RehearsalOriginal
  let place: RehearsalFolder
  /// Works on the copy with its own key, which is never stored.
  let rehearsing: Migrator

  init(_ resolved: ResolvedPlan, of original: RehearsalOriginal, in place: RehearsalFolder, like migrator: Migrator) {
    self.resolved = resolved
    self.original = original
    self.place = place
    let random = (0..<StateKey.length).map { _ in UInt8.random(in: .min ... .max) }
    let key: any StateKeySource = StateKey(random) ?? migrator.key
    rehearsing = Migrator(
      fileSystem: place.disk, toolVersion: migrator.toolVersion, key: key, now: migrator.now)
  }

  /// Performs all steps; nil if it was cancelled. A step that fails throws the error that the apply would throw.
  func carryOut(_ decisions: Decisions, goesOn: () -> Bool) throws(RunError) -> RehearsalReport? {
    try copy(goesOn)
    guard goesOn() else { return nil }
    let copied = try states()
    var plan = resolved.plan
    plan.basis = original.basis
    let run = try rehearsing.apply(plan, decisions: decisions, in: container)
    guard goesOn() else { return nil }
    let applied = try states()
    let verified = try verify(copied, applied)
    guard goesOn() else { return nil }
    _ = try rehearsing.rollback(in: container)
    let rolledBack = try states()
    let compared = try compare(rolledBack)
    return RehearsalReport(
      run: run,
      steps: [
        RehearsalStep(.copy), RehearsalStep(.apply), RehearsalStep(.verify, problems: verified),
        RehearsalStep(.rollback), RehearsalStep(.compare, problems: compared),
      ],
      files: original.paths.map { path in
        RehearsedFile(
          id: path, original: original.files[path].flatMap { .init($0) },
          applied: applied[path].flatMap { .init($0) }, rolledBack: rolledBack[path].flatMap { .init($0) })
      })
  }

  /// The container of the copy: on the disk, not live, and without earlier runs, whose effect is in the plan.
  private var container: Container {
    var copy = original.container
    copy.root = place.root
    copy.stateDirectory = place.root + "/.carryover"
    copy.wrapper = nil
    copy.liveness = nil
    return copy
  }

  private func copy(_ goesOn: () -> Bool) throws(RunError) {
    try RunError.early(place.makeFolders(place.root))
    for path in original.paths {
      guard goesOn() else { return }
      guard case .file(let bytes, let attributes)? = original.files[path] else { continue }
      try place.put(bytes, mode: attributes.mode, at: path)
    }
  }

  /// The current state of the copied files.
  private func states() throws(RunError) -> [StringByBytes: FileState] {
    let files = DurableFiles(place.disk)
    var states: [StringByBytes: FileState] = [:]
    for path in original.paths { states[path] = try RunError.early(files.state(place.root + "/" + path)) }
    return states
  }

  /// Compares the targets with the plan, and every other file with its copy.
  private func verify(
    _ copied: [StringByBytes: FileState], _ applied: [StringByBytes: FileState]
  ) throws(RunError) -> [String] {
    var problems = original.targets.flatMap { verify($0, copied[$0.path], applied[$0.path]) }
    let targets = Set(bytesOf: original.targets.map(\.path))
    for path in original.paths where !targets.contains(path) && applied[path] != copied[path] {
      problems.append(RehearsalWording.touched(path))
    }
    return problems + (try unexpectedFiles(besides: Set(bytesOf: original.paths)))
  }

  private func verify(_ target: ResolvedTarget, _ copied: FileState?, _ applied: FileState?) -> [String] {
    var problems: [String] = []
    let before = ParsedFile(copied ?? .absent, path: target.path)
    let after = ParsedFile(applied ?? .absent, path: target.path)
    for change in target.changes where after[change.key] != change.after {
      problems.append(RehearsalWording.notWritten(change.key))
    }
    let written = Set(bytesOf: target.changes.map(\.key))
    for key in ParsedFile.changedKeys(before, after, first: []) where !written.contains(key) {
      problems.append(RehearsalWording.alsoChanged(key))
    }
    if let mode = copied?.attributes?.mode, mode != applied?.attributes?.mode {
      problems.append(RehearsalWording.otherMode(target.path))
    }
    return problems
  }

  /// Compares the copy with the current container.
  private func compare(_ rolledBack: [StringByBytes: FileState]) throws(RunError) -> [String] {
    var problems: [String] = []
    for path in original.paths {
      let (now, copy) = (try original.state(path), rolledBack[path] ?? .absent)
      if now.bytes != copy.bytes {
        problems.append(RehearsalWording.otherBytes(path, isThere: copy != .absent))
      } else if now.attributes?.mode != copy.attributes?.mode {
        problems.append(RehearsalWording.otherMode(path))
      }
    }
    let present = Set(bytesOf: original.paths.filter { original.files[$0] != .absent })
    return problems + (try unexpectedFiles(besides: present))
  }

  private func unexpectedFiles(besides known: Set<StringByBytes>) throws(RunError) -> [String] {
    try place.files(without: container.stateDirectory).subtracting(known).sorted()
      .map { RehearsalWording.unexpected($0.text) }
  }
}

/// The texts of a rehearsal's steps.
enum RehearsalWording {
  static func notWritten(_ key: String) -> String {
    "\(DisplayText.quoted(key)) does not contain what was to be written."
  }

  static func alsoChanged(_ key: String) -> String {
    "\(DisplayText.quoted(key)) changed, and the plan does not name it."
  }

  static func touched(_ path: String) -> String {
    "\(DisplayText.quoted(path)) changed; a migration changes the target only."
  }

  static func otherBytes(_ path: String, isThere: Bool) -> String {
    isThere
      ? "\(DisplayText.quoted(path)) does not have the original's bytes."
      : "\(DisplayText.quoted(path)) is missing."
  }

  static func otherMode(_ path: String) -> String {
    "\(DisplayText.quoted(path)) does not have the original's permission bits."
  }

  static func unexpected(_ path: String) -> String { "\(DisplayText.quoted(path)) was not removed." }
}
