public import Carryover
public import CarryoverUserDefaults
import CarryoverVendors
public import Foundation

/// Restores a legacy RudderStack SDK's values in a running app, once, before the new SDK starts.
///
/// <!-- snippet: restore -->
/// ```swift
/// let report = PersistentMigrator(writeKey: "1xAcmeWriteKey").restorePersistence()
/// print(report)
/// ```
///
/// ``restorePersistence(_:onConflict:)`` never throws and never traps. It only reads the legacy values, so a legacy SDK
/// may continue to run, and an earlier version of the app still works.
///
/// After the values, it writes a mark under `carryover.restored` in the new SDK's suite. A marked field is not restored
/// again: a value that a logout removed does not come back. If no mark reached the disk, the next launch starts again
/// and gets the same values. If no legacy values are found, no mark is written, so values that become readable later,
/// or that a backup brings back, are restored then. If a file of the SDK cannot be read, only fields with a value are
/// marked.
///
/// If the new SDK's suite has another value for a field, that conflict stays open. A later call can resolve it by
/// choosing a value, as long as the suite has one. If it does not understand the mark, such as a later version's, it
/// assumes that everything was restored.
///
/// If both legacy SDKs have run, the migrator follows one recipe: the given one, or the beta SDK 2's, which ran last.
/// To restore fields that only the other SDK has, such as the Objective-C SDK's anonymous id, call it with that recipe.
///
/// Numeric user ids, corrupt traits and times in the future are handled as in any migration; the findings list them.
public struct PersistentMigrator: Sendable {
  private let writeKey: String
  private let recipe: Recipe?
  private let places: Result<LegacyPersistence, DefaultsDomainError>
  private let allowed: Set<FindingCode>
  private let log: @Sendable (PersistenceLogEntry) -> Void
  private let now: @Sendable () -> Date

  /// Without it, simultaneous restorations would each mark only their own fields. It is recursive because an observer
  /// of a write may start a restoration.
  private static let lock = NSRecursiveLock()
}

extension PersistentMigrator {
  /// A migrator for the running app.
  /// - Parameters:
  ///   - writeKey: the write key of the new SDK's source. It is part of the suite's name.
  ///   - bundleIdentifier: the app's bundle identifier; nil uses that of `Bundle.main`.
  ///   - recipe: `Recipe.rudderStackObjC` or `Recipe.rudderStackSwiftV2`; nil detects it from the values. A recipe for
  ///     other data finds nothing.
  ///   - allowed: the blocking findings to allow, such as `FindingCode.consentOptedOut` for a user who opted out.
  ///   - log: receives the ``PersistenceReport/logEntries`` of each restoration. They contain no values.
  public init(
    writeKey: String, bundleIdentifier: String? = nil, recipe: Recipe? = nil, allowing allowed: Set<FindingCode> = [],
    log: @escaping @Sendable (PersistenceLogEntry) -> Void = { _ in }
  ) {
    self.init(
      writeKey: writeKey, recipe: recipe, places: Self.live(writeKey, bundleIdentifier ?? Bundle.main.bundleIdentifier),
      allowed: allowed, log: log, now: { Date() })
  }

  /// A migrator for other places, such as a test's.
  /// - Parameters:
  ///   - places: the places of the legacy values and of the new SDK's values.
  ///   - now: returns the current time.
  public init(
    writeKey: String, places: LegacyPersistence, recipe: Recipe? = nil, allowing allowed: Set<FindingCode> = [],
    log: @escaping @Sendable (PersistenceLogEntry) -> Void = { _ in }, now: @escaping @Sendable () -> Date
  ) {
    self.init(writeKey: writeKey, recipe: recipe, places: .success(places), allowed: allowed, log: log, now: now)
  }

  /// The values that ``restorePersistence(_:onConflict:)`` would write at this moment, and the findings. Writes
  /// nothing.
  ///
  /// The result has no values if a finding blocks the restoration. It contains neither fields that were restored before
  /// nor values that the suite already has or keeps.
  /// - Parameters:
  ///   - fields: the fields to read; all by default.
  ///   - onConflict: what a restoration would do if the new SDK's suite has another value.
  /// - Throws: `DefaultsDomainError` if the defaults cannot be read.
  public func readPersistence(
    _ fields: Set<PersistedField> = Set(PersistedField.allCases), onConflict: PersistenceConflict = .keepTarget
  ) throws(DefaultsDomainError) -> PersistedValues {
    let (mark, plan) = try look(fields, onConflict)
    guard let plan else { return PersistedValues(values: [:], findings: []) }
    return values(fields, onConflict, mark, plan)
  }

  /// The mark of earlier restorations, and the plan for this one; nil if nothing remains to be done.
  func look(
    _ asked: Set<PersistedField>, _ onConflict: PersistenceConflict
  ) throws(DefaultsDomainError) -> (RestorationMark, PersistencePlan?) {
    let places = try places.get()
    let mark = try RestorationMark(in: places.target)
    let isNothing = mark.open(asked, for: caller).isEmpty && contested(asked, onConflict, mark).isEmpty
    if isNothing { return (mark, nil) }
    let plan = try PersistencePlan(
      places, writeKey: writeKey, recipe: recipe, allowing: allowed, restored: mark.restored, now: now())
    return (mark, plan)
  }

  func values(
    _ asked: Set<PersistedField>, _ onConflict: PersistenceConflict, _ mark: RestorationMark, _ plan: PersistencePlan
  ) -> PersistedValues {
    let contested = contested(asked, onConflict, mark)
    var values: [PersistedField: PropertyListValue] = [:]
    for (persisted, _, resolution) in plan.resolutions(mark.open(asked, for: caller), onConflict, contested: contested)
    {
      if case .write(let value) = resolution { values[persisted] = value }
    }
    return PersistedValues(values: values, findings: plan.plan.findings)
  }

  /// The open conflicts that a call may resolve.
  private func contested(
    _ asked: Set<PersistedField>, _ onConflict: PersistenceConflict, _ mark: RestorationMark
  ) -> [PersistedField: PropertyListValue] {
    onConflict == .keepTarget ? [:] : mark.conflicts(asked)
  }

  /// Restores the fields that were not restored yet.
  ///
  /// An error in one field does not stop the others; the next call tries the failed fields again.
  /// - Parameters:
  ///   - fields: the fields to restore; all by default. A later call can restore the others.
  ///   - onConflict: what to do if the new SDK's suite has another value; by default, it stays.
  /// - Returns: the status, and the outcome of each field.
  @discardableResult
  public func restorePersistence(
    _ fields: Set<PersistedField> = Set(PersistedField.allCases), onConflict: PersistenceConflict = .keepTarget
  ) -> PersistenceReport {
    let report = restoreInTurn(fields, onConflict)
    for entry in report.logEntries { log(entry) }
    return report
  }

  private func restoreInTurn(_ fields: Set<PersistedField>, _ onConflict: PersistenceConflict) -> PersistenceReport {
    Self.lock.lock()
    defer { Self.lock.unlock() }
    do throws(DefaultsDomainError) {
      return try restore(fields, onConflict)
    } catch {
      return PersistenceReport(status: .failed(error))
    }
  }

  /// - Throws: if the values cannot be read. Nothing was written then.
  private func restore(
    _ asked: Set<PersistedField>, _ onConflict: PersistenceConflict
  ) throws(DefaultsDomainError) -> PersistenceReport {
    let places = try places.get()
    let (found, planned) = try look(asked, onConflict)
    let untouched = found.conflicts(asked).mapValues { _ in Outcome.conflict }
    var ended: Set<PersistedField> = []
    for field in untouched.keys where try !isInTheWay(of: field, in: places.target) { ended.insert(field) }
    guard let plan = planned else {
      var report = PersistenceReport(status: .doneBefore, outcomes: untouched, markDefect: found.defect)
      report.overtaken = ended
      return report
    }
    var report = PersistenceReport(status: plan.status, findings: plan.plan.findings)
    guard report.status == .done else { return report }
    report.outcomes = untouched
    var failure: DefaultsDomainError?
    let contested = contested(asked, onConflict, found)
    let open = found.open(asked, for: caller).union(contested.keys)
    var conflicts: [PersistedField: PropertyListValue] = [:]
    for (persisted, field, resolution) in plan.resolutions(open, onConflict, contested: contested) {
      if case .leave(.conflict) = resolution { conflicts[persisted] = plan.valueInTheWay(of: field) }
      do throws(DefaultsDomainError) {
        report.outcomes[persisted] = try carryOut(resolution, field, in: places.target)
      } catch {
        report.outcomes[persisted] = .failed
        failure = failure ?? error
      }
    }
    report.overtaken = Set(contested.keys).intersection(report.fields(.skipped))
      .union(ended.intersection(report.fields(.conflict)))
    let empty = open.filter { [nil, .absent, .skipped].contains(report.outcomes[$0]) }
    // A field that is missing while a file cannot be read is settled for no recipe. A field for which only another SDK
    // has a value is not settled for that SDK.
    let passedOver = plan.isPartlyHidden ? [] : empty.intersection(plan.fieldsOfOthers)
    let unsettled = plan.isPartlyHidden ? empty : passedOver
    do throws(DefaultsDomainError) {
      try settle(
        open.subtracting(report.fields(.failed)).subtracting(unsettled).subtracting(conflicts.keys),
        restored: report.fields(.migrated), passingOver: passedOver, conflicts: conflicts, by: plan.recipe,
        in: places.target)
    } catch {
      failure = failure ?? error
    }
    if let failure { report.status = .failed(failure) }
    report.filesSetAside = places.target.filesSetAside + places.standard.filesSetAside
    return report
  }

  /// Whether the new SDK's suite still has a value for a field of an open conflict. Traits are also in conflict with the
  /// id of another user.
  private func isInTheWay(of field: PersistedField, in target: any DefaultsDomain) throws(DefaultsDomainError) -> Bool {
    if try target.value(for: field.rawValue) != nil { return true }
    guard field == .traits else { return false }
    return try target.value(for: PersistedField.userID.rawValue) != nil
  }

  /// Marks fields, after all values: the mark is a sign that they are there.
  private func settle(
    _ fields: Set<PersistedField>, restored: Set<PersistedField>, passingOver: Set<PersistedField>,
    conflicts: [PersistedField: PropertyListValue], by recipe: String, in target: any DefaultsDomain
  ) throws(DefaultsDomainError) {
    // Read again, because an observer of a write may have restored other fields meanwhile.
    let former = try target.value(for: RestorationMark.key)
    var mark = try RestorationMark(in: target)
    do throws(DefaultsDomainError) {
      if mark.defect == nil {
        try mark.add(
          fields, restored: restored, passingOver: passingOver, for: [caller, recipe], conflicts: conflicts, to: target,
          at: now())
      }
      try target.synchronize()
    } catch {
      // A mark that is not on the disk must not count: a later call in this launch must find the fields open.
      try? target.put(former, for: RestorationMark.key)
      throw error
    }
  }

  private func carryOut(
    _ resolution: Resolution, _ field: Field, in target: any DefaultsDomain
  ) throws(DefaultsDomainError) -> Outcome {
    switch resolution {
    case .leave(let outcome): return outcome
    case .undecided(let conflict): return conflict ? .conflict : .skipped
    case .write(let value):
      try target.set(value, for: field.id)
      guard let read = try target.value(for: field.id), read == value, field.form.mismatch(read) == nil else {
        throw .readsDifferently(field.id)
      }
      return .migrated
    }
  }

  private var caller: String { recipe?.reference.id ?? RestorationMark.anybody }

  private static func live(
    _ writeKey: String, _ bundleIdentifier: String?
  ) -> Result<LegacyPersistence, DefaultsDomainError> {
    guard let bundleIdentifier else { return .failure(.noBundleIdentifier) }
    let names = [NameTemplate.bundleID: bundleIdentifier, RecipeParameter.writeKey.name: writeKey]
    guard let suite = NameTemplate.analytics.name(names) else {
      return .failure(.refused("\(bundleIdentifier).analytics.\(writeKey)"))
    }
    // The system may not give a Library folder, for example on Linux; use the one in the home folder.
    let library =
      FileManager.default.urls(for: .libraryDirectory, in: .userDomainMask).first
      ?? URL(filePath: NSHomeDirectory()).appending(path: "Library")
    return Result { () throws(DefaultsDomainError) in
      LegacyPersistence(
        standard: UserDefaultsDomain.standard(), target: try UserDefaultsDomain(suite: suite),
        library: library, bundleIdentifier: bundleIdentifier)
    }
  }

  fileprivate func valuesIfAny() -> PersistedValues? {
    (try? readPersistence()).flatMap { $0.fields.isEmpty ? nil : $0 }
  }
}

/// A ``PersistentMigrator`` for the Objective-C SDK, with the name and methods of the helper in RudderStack's migration
/// guide. To replace the helper, import CarryoverRestore and delete the helper's files. See
/// <doc:MigrateFromRudderStacksHelper>.
///
/// If the Objective-C SDK has left no values, the migrator writes no mark, even if the beta SDK 2 has left some.
public struct PersistentMigratorFromV1: Sendable {
  package let migrator: PersistentMigrator

  /// A migrator for the running app.
  /// - Parameters:
  ///   - writeKey: the write key of the new SDK's source. It is part of the suite's name.
  ///   - bundleIdentifier: the app's bundle identifier; nil uses that of `Bundle.main`.
  ///   - log: receives the ``PersistenceReport/logEntries`` of each restoration. They contain no values.
  public init(
    writeKey: String, bundleIdentifier: String? = nil, log: @escaping @Sendable (PersistenceLogEntry) -> Void = { _ in }
  ) {
    migrator = PersistentMigrator(
      writeKey: writeKey, bundleIdentifier: bundleIdentifier, recipe: .rudderStackObjC, log: log)
  }

  /// A migrator for a test's places.
  package init(
    writeKey: String, places: LegacyPersistence, log: @escaping @Sendable (PersistenceLogEntry) -> Void = { _ in },
    now: @escaping @Sendable () -> Date
  ) {
    migrator = PersistentMigrator(writeKey: writeKey, places: places, recipe: .rudderStackObjC, log: log, now: now)
  }

  /// The values that would be restored; nil if there are none or they cannot be read. For the reason, use a
  /// ``PersistentMigrator`` with the recipe `rudderStackObjC`.
  public func readPersistence() -> PersistedValues? { migrator.valuesIfAny() }

  /// Restores the fields that were not restored yet.
  @discardableResult
  public func restorePersistence() -> PersistenceReport { migrator.restorePersistence() }
}

/// A ``PersistentMigrator`` for the beta SDK 2, with the helper's methods; see ``PersistentMigratorFromV1``.
public struct PersistentMigratorFromV2: Sendable {
  package let migrator: PersistentMigrator

  /// A migrator for the running app.
  /// - Parameters:
  ///   - writeKey: the write key of the new SDK's source. It is part of the suite's name.
  ///   - bundleIdentifier: the app's bundle identifier; nil uses that of `Bundle.main`.
  ///   - log: receives the ``PersistenceReport/logEntries`` of each restoration. They contain no values.
  public init(
    writeKey: String, bundleIdentifier: String? = nil, log: @escaping @Sendable (PersistenceLogEntry) -> Void = { _ in }
  ) {
    migrator = PersistentMigrator(
      writeKey: writeKey, bundleIdentifier: bundleIdentifier, recipe: .rudderStackSwiftV2, log: log)
  }

  /// A migrator for a test's places.
  package init(
    writeKey: String, places: LegacyPersistence, log: @escaping @Sendable (PersistenceLogEntry) -> Void = { _ in },
    now: @escaping @Sendable () -> Date
  ) {
    migrator = PersistentMigrator(writeKey: writeKey, places: places, recipe: .rudderStackSwiftV2, log: log, now: now)
  }

  /// The values that would be restored; nil if there are none or they cannot be read. For the reason, use a
  /// ``PersistentMigrator`` with the recipe `rudderStackSwiftV2`.
  public func readPersistence() -> PersistedValues? { migrator.valuesIfAny() }

  /// Restores the fields that were not restored yet.
  @discardableResult
  public func restorePersistence() -> PersistenceReport { migrator.restorePersistence() }
}
