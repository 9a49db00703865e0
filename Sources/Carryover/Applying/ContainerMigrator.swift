public import CarryoverSystem
public import PropertyLists

/// Plans, applies and rolls back migrations of app containers on this machine, as the command `carryover` does.
///
/// Open a container with `ContainerOpener` of `CarryoverContainers`, make a plan, decide, and apply the plan. An apply
/// replaces each file atomically and keeps a backup, from which ``rollback(_:run:allowing:)`` restores it.
/// Every error is a ``MigrationError``.
public struct ContainerMigrator: Sendable {
  private let migrator: Migrator
  private let now: @Sendable () -> Moment

  /// A migrator for the containers of one user.
  /// - Parameters:
  ///   - toolVersion: the version of your tool, for the records of its runs.
  ///   - keyFile: the absolute path of the user's secret key, outside of any container. It seals journals and records,
  ///     so that the migrator never acts on those that came with a container. The first write creates it.
  ///   - now: returns the present moment; called once for each plan and each run.
  public init(toolVersion: String, keyFile: String, now: @escaping @Sendable () -> Moment) {
    let files = POSIXFileSystem()
    self.now = now
    migrator = Migrator(
      fileSystem: files, toolVersion: toolVersion, key: StateKeyFile(fileSystem: files, path: keyFile), now: now)
  }

  /// Plans the migration of a container and writes nothing. Fields that an earlier run settled stay settled.
  /// - Throws: ``MigrationError`` if the records of earlier runs cannot be read.
  public func plan(
    _ container: Container, with recipe: Recipe, options: PlannerOptions = PlannerOptions()
  ) throws -> Plan {
    try MigrationError.wrapping { () throws(RunError) in
      try migrator.plan(container, with: recipe, now: now(), options: options)
    }
  }

  /// Applies a plan with its decisions to a container's target. A plan without changes writes nothing.
  /// - Parameters:
  ///   - decisions: the decisions by field. Every flagged field needs one, except for conflicts.
  ///   - onConflict: what to do with undecided fields whose target contains another value.
  /// - Throws: ``MigrationError``. Nothing was written if its code is `decisionsNeeded`, `conflict` or `stalePlan`;
  ///   otherwise see its ``MigrationError/aftermath``.
  public func apply(
    _ plan: Plan, decisions: Decisions = [:], to container: Container, onConflict: ConflictPolicy = .fail
  ) throws -> RunReport {
    try MigrationError.wrapping { () throws(RunError) in
      try migrator.apply(plan, decisions: decisions, in: container, onConflict: onConflict)
    }
  }

  /// Rolls back a run: by default the newest apply or cleanup that is in effect or partly rolled back.
  /// - Parameters:
  ///   - run: the id of the run to roll back, which may be a rollback; nil for the default.
  ///   - allowed: blocking findings to allow, such as `.liveRunningStore` if the container's app may be running.
  /// - Throws: ``MigrationError``, such as `conflict` for a key that changed after the run.
  @discardableResult
  public func rollback(_ container: Container, run: String? = nil, allowing allowed: Set<FindingCode> = []) throws
    -> RunReport
  {
    try MigrationError.wrapping { () throws(RunError) in
      try migrator.rollback(in: container, runID: run, allowing: allowed)
    }
  }

  /// Recovers an interrupted run: finishes it or rolls it back. Every method that writes does this first.
  /// - Parameters:
  ///   - keeping: whether to close the run with every file as it is, because a file changed after the interruption. The
  ///     backup stays.
  ///   - allowed: blocking findings to allow, such as `.liveRunningStore` if the container's app may be running.
  /// - Returns: the recovered runs. If no run was interrupted it is empty, and nothing is written.
  /// - Throws: ``MigrationError``: `recoveryNeeded` if a file changed after the interruption, or `foreignState`.
  public func recover(
    _ container: Container, keeping: Bool = false, allowing allowed: Set<FindingCode> = []
  ) throws -> [RecoveredRun] {
    try MigrationError.wrapping { () throws(RunError) in
      try migrator.recover(in: container, keeping: keeping, allowing: allowed)
    }
  }

  /// The runs of a container whose records can be read, newest first. Writes nothing.
  /// - Throws: ``MigrationError`` if the state folder cannot be read.
  public func runs(of container: Container) throws -> [RunSummary] {
    try MigrationError.wrapping { () throws(RunError) in try migrator.runs(in: container) }
  }
}

/// Why a container was not planned, applied, recovered or rolled back.
public struct MigrationError: Error, Hashable, Sendable, CustomStringConvertible, Described {
  /// The kind of error, by which a tool decides what to do. Later versions may add codes.
  public struct Code: Hashable, Sendable {
    private let word: String

    /// Fields need decisions, or a finding must be allowed by name, before anything is applied.
    public static let decisionsNeeded = Code(word: "decisions-needed")
    /// The target holds other values, or changed since the run that is to be taken back.
    public static let conflict = Code(word: "conflict")
    /// The container changed after the plan was made: open it and plan again.
    public static let stalePlan = Code(word: "stale-plan")
    /// An interrupted run must be recovered; see ``ContainerMigrator/recover(_:keeping:allowing:)``.
    public static let recoveryNeeded = Code(word: "recovery-needed")
    /// A run that came with the container must be adopted or discarded, with `carryover recover`.
    public static let foreignState = Code(word: "foreign-state")
    /// Another process works on the container: try again later.
    public static let busy = Code(word: "busy")
    /// Something else failed or was refused; the description says what.
    public static let failed = Code(word: "failed")
  }

  package let error: RunError

  /// The kind of error.
  public var code: Code { error.code }
  /// What happened, whether anything was changed, and what to do, in whole sentences, escaped for display.
  package var words: String { error.description }
  /// What the run has left in the container; nil if it was refused before its first write.
  public var aftermath: Aftermath? { error.aftermath }

  static func wrapping<Result>(_ work: () throws(RunError) -> Result) throws -> Result {
    do {
      return try work()
    } catch {
      throw MigrationError(error: error)
    }
  }
}

extension RunError {
  /// The code of the ``MigrationError`` that apps get for this error.
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
