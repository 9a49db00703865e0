public import CarryoverSystem
public import PropertyLists

/// Plans, applies and rolls back migrations of app containers on this machine, as the command `carryover` does.
///
/// Open a container with `ContainerOpener` of `CarryoverContainers`, make a plan, decide its flagged fields, and apply
/// it. An apply replaces each file atomically and writes a backup, from which ``rollback(_:run:allowing:)`` restores
/// the file. Every error is a ``MigrationError``.
public struct ContainerMigrator: Sendable {
  private let migrator: Migrator
  private let now: @Sendable () -> Moment

  /// A migrator for the containers of one user.
  /// - Parameters:
  ///   - toolVersion: the version of your tool, for the records of its runs.
  ///   - keyFile: the absolute path of the user's secret key, outside of any container. It seals journals and records,
  ///     so that the migrator never acts on those that came with a container. The first write creates the file.
  ///   - now: returns the current moment; called once for each plan and each run.
  public init(toolVersion: String, keyFile: String, now: @escaping @Sendable () -> Moment) {
    let files = POSIXFileSystem()
    self.now = now
    migrator = Migrator(
      fileSystem: files, toolVersion: toolVersion, key: StateKeyFile(fileSystem: files, path: keyFile), now: now)
  }

  /// Plans the migration of a container, without writing. Fields that an earlier run settled stay settled.
  /// - Throws: ``MigrationError`` if the records of earlier runs cannot be read.
  public func plan(
    _ container: Container, with recipe: Recipe, options: PlannerOptions = PlannerOptions()
  ) throws -> Plan {
    try MigrationError.wrapping(migrator.plan(container, with: recipe, now: now(), options: options))
  }

  /// Applies a plan with its decisions to a container's target. If the plan changes nothing, writes nothing.
  /// - Parameters:
  ///   - decisions: the decisions by field. Every flagged field needs one, except conflicts.
  ///   - onConflict: what to do with undecided fields whose target has another value.
  /// - Throws: ``MigrationError``. Nothing was written if its code is `decisionsNeeded`, `conflict` or `stalePlan`; for
  ///   other codes, see ``MigrationError/aftermath``.
  public func apply(
    _ plan: Plan, decisions: Decisions = [:], to container: Container, onConflict: ConflictPolicy = .fail
  ) throws -> RunReport {
    try MigrationError.wrapping(migrator.apply(plan, decisions: decisions, in: container, onConflict: onConflict))
  }

  /// Rolls back a run, by default the newest apply or cleanup that is in effect or partly rolled back.
  /// - Parameters:
  ///   - run: the id of the run to roll back, which may be a rollback; nil for the default.
  ///   - allowed: blocking findings to allow, such as `.liveRunningStore` if the container's app may be running.
  /// - Throws: ``MigrationError``; `conflict` if a key changed after the run.
  @discardableResult
  public func rollback(_ container: Container, run: String? = nil, allowing allowed: Set<FindingCode> = []) throws
    -> RunReport
  {
    try MigrationError.wrapping(migrator.rollback(in: container, runID: run, allowing: allowed))
  }

  /// Recovers an interrupted run: finishes it or rolls it back. Every method that writes does this first.
  /// - Parameters:
  ///   - keeping: whether to close the run without changing any file, for example because one changed after the
  ///     interruption. The backup stays.
  ///   - allowed: blocking findings to allow, such as `.liveRunningStore` if the container's app may be running.
  /// - Returns: the recovered runs. Empty if no run was interrupted; nothing is written then.
  /// - Throws: ``MigrationError``: `recoveryNeeded` if a file changed after the interruption, or `foreignState`.
  public func recover(
    _ container: Container, keeping: Bool = false, allowing allowed: Set<FindingCode> = []
  ) throws -> [RecoveredRun] {
    try MigrationError.wrapping(migrator.recover(in: container, keeping: keeping, allowing: allowed))
  }

  /// The runs of a container whose records can be read, newest first. Writes nothing.
  /// - Throws: ``MigrationError`` if the state folder cannot be read.
  public func runs(of container: Container) throws -> [RunSummary] {
    try MigrationError.wrapping(migrator.runs(in: container))
  }
}

/// An error in planning, applying, recovering or rolling back.
public struct MigrationError: Error, Hashable, Sendable, CustomStringConvertible, Described {
  /// The kind of an error, for a tool's control flow. Later versions may add codes.
  public struct Code: Hashable, Sendable {
    private let word: String

    /// Fields need decisions, or a blocking finding must be allowed.
    public static let decisionsNeeded = Code(word: "decisions-needed")
    /// The target has other values, or has changed since the run to be rolled back.
    public static let conflict = Code(word: "conflict")
    /// The container has changed since the plan was made: open it and plan again.
    public static let stalePlan = Code(word: "stale-plan")
    /// An interrupted run must be recovered; see ``ContainerMigrator/recover(_:keeping:allowing:)``.
    public static let recoveryNeeded = Code(word: "recovery-needed")
    /// A run that came with the container must be adopted or discarded with `carryover recover`.
    public static let foreignState = Code(word: "foreign-state")
    /// Another process is using the container: try again later.
    public static let busy = Code(word: "busy")
    /// Another error; the description gives the reason.
    public static let failed = Code(word: "failed")
  }

  package let error: RunError

  /// The kind of the error.
  public var code: Code { error.code }
  package var words: String { error.sentence(afterOthers: false, for: .app) }
  /// The state of the container after the failed run; nil if the run was refused before its first write.
  public var aftermath: Aftermath? { error.aftermath }

  static func wrapping<Result>(_ work: @autoclosure () throws(RunError) -> Result) throws -> Result {
    try converting(try work(), MigrationError.init)
  }
}

extension RunError {
  package var code: MigrationError.Code {
    switch aftermath {
    case .unfinished, .complete: return .recoveryNeeded
    default: break
    }
    return switch self {
    case .blocked(let findings) where findings.contains { $0.code == .targetUnreadable }: .failed
    case .decisionsNeeded, .blocked: .decisionsNeeded
    case .conflict, .rollbackConflict, .rollbackUnreadable, .cleanupRests: .conflict
    case .stalePlan: .stalePlan
    case .interrupted, .interruptedElsewhere, .damagedCopy, .damagedJournal, .outsideStores: .recoveryNeeded
    case .foreignJournal, .foreignRun: .foreignState
    case .busy: .busy
    default: .failed
    }
  }
}
