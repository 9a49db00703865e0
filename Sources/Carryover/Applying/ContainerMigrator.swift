public import CarryoverSystem

/// Migrates app containers on this machine: what the command does, for a tool of your own.
///
/// Open a container with `ContainerOpener` of `CarryoverContainers`, plan, decide, apply. An apply replaces each file as a
/// whole or leaves it as it was, whatever interrupts it, and keeps a backup that ``rollback(_:run:allowing:)`` puts back.
/// Every error is a ``MigrationError``.
public struct ContainerMigrator: Sendable {
  private let migrator: Migrator
  private let now: @Sendable () -> Moment

  /// A migrator for the containers of one user.
  /// - Parameters:
  ///   - toolVersion: the version that records of runs name as their writer.
  ///   - keyFile: the absolute path of the user's secret key, outside of any container. Journals and records are sealed
  ///     with it, so that those that came with a container are never acted upon. The first write makes it.
  ///   - now: returns the present moment; it is asked once for each plan and each run.
  public init(toolVersion: String, keyFile: String, now: @escaping @Sendable () -> Moment) {
    let files = POSIXFileSystem()
    self.now = now
    migrator = Migrator(
      fileSystem: files, toolVersion: toolVersion, key: StateKeyFile(fileSystem: files, path: keyFile), now: now)
  }

  /// What a recipe makes of a container now. Fields that an earlier run settled stay settled. Writes nothing.
  /// - Throws: ``MigrationError`` if the records of earlier runs cannot be read.
  public func plan(
    _ container: Container, with recipe: Recipe, options: PlannerOptions = PlannerOptions()
  ) throws -> Plan {
    try MigrationError.wrapping { () throws(RunError) in
      try migrator.plan(container, with: recipe, now: now(), options: options)
    }
  }

  /// Writes what a plan and its decisions make of a container's target. A plan that changes nothing writes nothing.
  /// - Parameters:
  ///   - decisions: by field. Every field whose status asks needs one, conflicts aside.
  ///   - onConflict: what becomes of undecided fields whose target holds another value.
  /// - Throws: ``MigrationError``: `decisionsNeeded`, `conflict` or `stalePlan`, with which nothing was written, or
  ///   another, whose ``MigrationError/aftermath`` says what was.
  public func apply(
    _ plan: Plan, decisions: Decisions = [:], to container: Container, onConflict: ConflictPolicy = .fail
  ) throws -> RunReport {
    try MigrationError.wrapping { () throws(RunError) in
      try migrator.apply(plan, decisions: decisions, in: container, onConflict: onConflict)
    }
  }

  /// Takes back the newest run that applied or cleaned up and of which something holds, or a named one.
  /// - Parameters:
  ///   - run: the id of the run to take back, which may be a rollback.
  ///   - allowed: findings that are allowed by name, such as `.liveRunningStore` for a container whose app may run.
  /// - Throws: ``MigrationError``, such as `conflict` for a key that was changed since the run.
  @discardableResult
  public func rollback(_ container: Container, run: String? = nil, allowing allowed: Set<FindingCode> = []) throws
    -> RunReport
  {
    try MigrationError.wrapping { () throws(RunError) in
      try migrator.rollback(in: container, runID: run, allowing: allowed)
    }
  }

  /// Brings an interrupted run to its end: finishes it, or takes it back. Everything that writes does this first.
  /// - Returns: the runs that were brought to an end; empty, and nothing written, if none was interrupted.
  /// - Throws: ``MigrationError``: `recoveryNeeded` if a file was changed since, or if the run came with the container.
  public func recover(_ container: Container, allowing allowed: Set<FindingCode> = []) throws -> [RecoveredRun] {
    try MigrationError.wrapping { () throws(RunError) in
      try migrator.recover(in: container, allowing: allowed)
    }
  }

  /// The runs of a container whose records can be read, newest first. Writes nothing.
  /// - Throws: ``MigrationError`` if the state folder cannot be read.
  public func runs(of container: Container) throws -> [RunSummary] {
    try MigrationError.wrapping { () throws(RunError) in try migrator.runs(in: container) }
  }
}

/// Why a container was not planned, applied, recovered or rolled back.
public struct MigrationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of error it is, which says what can be done about it. Later versions may add codes.
  public struct Code: Hashable, Sendable {
    private let word: String

    /// Fields need decisions, or a finding must be allowed by name, before anything is applied.
    public static let decisionsNeeded = Code(word: "decisions-needed")
    /// The target holds other values, or changed since the run that is to be taken back.
    public static let conflict = Code(word: "conflict")
    /// The container changed after the plan was made: open it and plan again.
    public static let stalePlan = Code(word: "stale-plan")
    /// An interrupted run must be recovered, or somebody must decide about one that came with the container.
    public static let recoveryNeeded = Code(word: "recovery-needed")
    /// Something else failed or was refused; the description says what.
    public static let failed = Code(word: "failed")
  }

  package let error: RunError

  /// Says what can be done about it.
  public var code: Code { error.code }
  /// What happened, whether anything was changed, and what to do, in whole sentences, escaped for display.
  public var description: String { error.description }
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
  /// What can be done about it.
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
    case .interrupted, .interruptedElsewhere, .damagedCopy, .damagedJournal, .foreignJournal, .foreignRun,
      .outsideStores:
      .recoveryNeeded
    default: .failed
    }
  }
}
