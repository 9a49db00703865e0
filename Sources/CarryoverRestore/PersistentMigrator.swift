public import Carryover
public import CarryoverUserDefaults
import CarryoverVendors
public import Foundation
import PropertyLists

/// Carries what the legacy RudderStack SDK left in a running app over to the new one, once, before the new SDK starts.
///
/// <!-- snippet: restore -->
/// ```swift
/// let report = PersistentMigrator(writeKey: "1xAcmeWriteKey").restorePersistence()
/// print(report)
/// ```
///
/// ``restorePersistence(_:onConflict:)`` never throws and never traps. The legacy values are only read, so a legacy SDK may
/// go on running, and an older version of the app can be installed again.
///
/// It happens once. What is restored is marked in the new SDK's suite, under `carryover.restored`, in the same file as the
/// values and after them: a value that is gone later, because the user has logged out, does not come back. A start that
/// finds no mark begins again and comes to the same values. A start that finds nothing of a legacy SDK marks nothing, so
/// that values which could not be read yet, or which a backup brings back, are restored when they are there. Where a file of
/// the SDK cannot be read, only the fields that have a value all the same are marked. If the new SDK's suite has
/// another value for a field, that conflict stays open: a later call can resolve it by saying which value wins, as
/// long as the suite has one. A mark that is not understood, such as one of a later version of this library, means that
/// all was restored.
///
/// Where both legacy SDKs have run, one recipe is followed: the one given, or else the beta SDK 2's, which ran last. What it
/// has no value for and the other has, such as the Objective-C SDK's anonymous id, is left to a call with the other.
///
/// Numbers that a legacy user id was stored as, corrupt traits, times in the future and the like are handled as the planner
/// does everywhere, and the report says so.
public struct PersistentMigrator: Sendable {
  private let writeKey: String
  private let recipe: Recipe?
  private let places: Result<LegacyPersistence, DefaultsDomainError>
  private let allowed: Set<FindingCode>
  private let log: @Sendable (PersistenceLogEntry) -> Void
  private let now: @Sendable () -> Date

  /// One restoration at a time: of two at once, each would mark only what it has restored itself. It may be entered again by
  /// whoever is told of a write.
  private static let lock = NSRecursiveLock()

  /// A migrator for the running app.
  /// - Parameters:
  ///   - writeKey: the write key of the new SDK's source; names its suite.
  ///   - bundleIdentifier: the app's bundle identifier; nil asks `Bundle.main`.
  ///   - recipe: what to carry over, `Recipe.rudderStackObjC` or `Recipe.rudderStackSwiftV2`; nil
  ///     goes by the values that are there. With a recipe for other data nothing is found.
  ///   - allowed: findings that would forbid everything and are allowed here, such as `FindingCode.consentOptedOut` for
  ///     a user who opted out.
  ///   - log: is told of every field that a restoration could not migrate, and why, without values.
  public init(
    writeKey: String, bundleIdentifier: String? = nil, recipe: Recipe? = nil, allowing allowed: Set<FindingCode> = [],
    log: @escaping @Sendable (PersistenceLogEntry) -> Void = { _ in }
  ) {
    self.init(
      writeKey: writeKey, places: Self.live(writeKey, bundleIdentifier ?? Bundle.main.bundleIdentifier), recipe: recipe,
      allowing: allowed, log: log, now: { Date() })
  }

  /// A migrator for places of a test's own.
  public init(
    writeKey: String, places: LegacyPersistence, recipe: Recipe? = nil, allowing allowed: Set<FindingCode> = [],
    log: @escaping @Sendable (PersistenceLogEntry) -> Void = { _ in }, now: @escaping @Sendable () -> Date
  ) {
    self.init(writeKey: writeKey, places: .success(places), recipe: recipe, allowing: allowed, log: log, now: now)
  }

  private init(
    writeKey: String, places: Result<LegacyPersistence, DefaultsDomainError>, recipe: Recipe?,
    allowing allowed: Set<FindingCode>, log: @escaping @Sendable (PersistenceLogEntry) -> Void,
    now: @escaping @Sendable () -> Date
  ) {
    self.log = log
    self.writeKey = writeKey
    self.places = places
    self.recipe = recipe
    self.allowed = allowed
    self.now = now
  }

  /// What ``restorePersistence(_:onConflict:)`` would write now, with what was observed; writes nothing.
  ///
  /// It is exactly that: nothing where something forbids it, nothing of what was restored before, and no value that the new
  /// SDK's suite holds already or that another one there wins over.
  /// - Parameters:
  ///   - fields: what would be restored; everything by default.
  ///   - onConflict: what would be done where the new SDK's suite holds another value.
  /// - Throws: `DefaultsDomainError` where the defaults cannot be read.
  public func readPersistence(
    _ fields: Set<PersistedField> = Set(PersistedField.allCases), onConflict: PersistenceConflict = .keepTarget
  ) throws(DefaultsDomainError) -> PersistedValues {
    let (mark, plan) = try look(fields, onConflict)
    guard let plan else { return PersistedValues(values: [:], findings: []) }
    return values(fields, onConflict, mark, plan)
  }

  /// What was restored before, and what is to be done now; no plan where that is nothing.
  func look(
    _ asked: Set<PersistedField>, _ onConflict: PersistenceConflict
  ) throws(DefaultsDomainError) -> (RestorationMark, PersistencePlan?) {
    let places = try places.get()
    let mark = try RestorationMark(in: places.target)
    let isNothing = mark.open(asked, for: caller).isEmpty && contested(asked, onConflict, mark).isEmpty
    return (mark, isNothing ? nil : try plan(places))
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

  /// The conflicts that were left open and that a call may resolve.
  private func contested(
    _ asked: Set<PersistedField>, _ onConflict: PersistenceConflict, _ mark: RestorationMark
  ) -> [PersistedField: PropertyListValue] {
    onConflict == .keepTarget ? [:] : mark.conflicts(asked)
  }

  /// Restores what has not been restored yet.
  ///
  /// A field that cannot be written holds up no other; the next call tries it again.
  /// - Parameters:
  ///   - fields: what to restore; everything by default. What is left out can be restored by a later call.
  ///   - onConflict: what to do where the new SDK's suite holds another value; it stays by default.
  /// - Returns: how it ended, field by field.
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
      return PersistenceReport(.failed(error))
    }
  }

  /// - Throws: where nothing could be looked at; nothing has been written then.
  private func restore(
    _ asked: Set<PersistedField>, _ onConflict: PersistenceConflict
  ) throws(DefaultsDomainError) -> PersistenceReport {
    let places = try places.get()
    let (found, planned) = try look(asked, onConflict)
    let untouched = found.conflicts(asked).mapValues { _ in Outcome.conflict }
    guard let plan = planned else {
      return PersistenceReport(.doneBefore, outcomes: untouched, markDefect: found.defect)
    }
    var report = PersistenceReport(plan.status, findings: plan.plan.findings)
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
    let empty = open.filter { [nil, .absent, .skipped].contains(report.outcomes[$0]) }
    // What is missing while a file cannot be read is not settled for anybody; what these rules have no value for and
    // another SDK's have is not settled for that one.
    let passedOver = plan.isPartlyHidden ? [] : empty.intersection(plan.fieldsOfOthers)
    let unsettled = plan.isPartlyHidden ? empty : passedOver
    do throws(DefaultsDomainError) {
      try settle(
        open.subtracting(report.fields(.failed)).subtracting(unsettled).subtracting(conflicts.keys),
        passingOver: passedOver, conflicts: conflicts, by: plan.recipe, in: places.target)
    } catch {
      failure = failure ?? error
    }
    if let failure { report.status = .failed(failure) }
    report.filesSetAside = places.target.filesSetAside + places.standard.filesSetAside
    return report
  }

  /// Marks fields, last of all: whoever finds the mark knows that all before it is there.
  private func settle(
    _ fields: Set<PersistedField>, passingOver: Set<PersistedField>,
    conflicts: [PersistedField: PropertyListValue], by recipe: String, in target: any DefaultsDomain
  ) throws(DefaultsDomainError) {
    // As it is by now: who was told of a write may have restored other fields meanwhile.
    let former = try target.value(for: RestorationMark.key)
    var mark = try RestorationMark(in: target)
    do throws(DefaultsDomainError) {
      if mark.defect == nil {
        try mark.add(
          fields, passingOver: passingOver, for: [caller, recipe], conflicts: conflicts, to: target, at: now())
      }
      try target.synchronize()
    } catch {
      // What is not on the disk is not done: another attempt in this run of the app has to find it open.
      try? target.takeBack(former, for: RestorationMark.key)
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

  private func plan(_ places: LegacyPersistence) throws(DefaultsDomainError) -> PersistencePlan {
    try PersistencePlan(places, writeKey: writeKey, recipe: recipe, allowing: allowed, now: now())
  }

  /// Whose rules were asked for, as the mark says it.
  private var caller: String { recipe?.reference.id ?? RestorationMark.anybody }

  private static func live(
    _ writeKey: String, _ bundleIdentifier: String?
  ) -> Result<LegacyPersistence, DefaultsDomainError> {
    guard let bundleIdentifier else { return .failure(.noBundleIdentifier) }
    let names = [NameTemplate.bundleID: bundleIdentifier, PlannerOptions.writeKeyParameter: writeKey]
    guard let suite = NameTemplate.analytics.name(names) else {
      return .failure(.refused("\(bundleIdentifier).analytics.\(writeKey)"))
    }
    // Where the system names none, as on Linux, it is the place in the home folder.
    let library =
      FileManager.default.urls(for: .libraryDirectory, in: .userDomainMask).first
      ?? URL(filePath: NSHomeDirectory()).appending(path: "Library")
    return Result { () throws(DefaultsDomainError) in
      LegacyPersistence(
        standard: UserDefaultsDomain.standard(), target: try UserDefaultsDomain(suite: suite),
        library: library, bundleIdentifier: bundleIdentifier)
    }
  }
}
