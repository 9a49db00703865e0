public import Carryover
public import Foundation
import PropertyLists

/// Carries what the legacy RudderStack SDK left in a running app over to the new one, once, before the new SDK starts.
///
/// ```swift
/// let report = PersistentMigrator(writeKey: "<write key>").restorePersistence()
/// log(report.description)
/// // … start the new SDK here
/// ```
///
/// ``restorePersistence(_:onConflict:)`` never throws and never traps. The legacy values are only read, so a legacy SDK may
/// go on running, and an older version of the app can be installed again.
///
/// It happens once. What is restored is marked in the new SDK's suite, under `carryover.restored`, in the same file as the
/// values and after them: a value that is gone later, because the user has logged out, does not come back. A start that
/// finds no mark begins again and comes to the same values. A start that finds nothing of a legacy SDK marks nothing, so
/// that values which could not be read yet, or which a backup brings back, are restored when they are there.
///
/// Numbers that a legacy user id was stored as, corrupt traits, times in the future and the like are handled as the planner
/// does everywhere, and the report says so.
public struct PersistentMigrator: Sendable {
  private let writeKey: String
  private let recipe: Recipe?
  private let places: Result<LegacyPersistence, DefaultsDomainError>
  private let allowed: Set<FindingCode>
  private let now: @Sendable () -> Date

  /// A migrator for the running app.
  /// - Parameters:
  ///   - writeKey: the write key of the new SDK's source; names its suite.
  ///   - bundleIdentifier: the app's bundle identifier; nil asks `Bundle.main`.
  ///   - recipe: what to carry over, `Recipe.rudderStackObjC` or `Recipe.rudderStackSwiftV2`; nil
  ///     goes by the values that are there.
  ///   - allowed: findings that would forbid everything and are allowed here, such as `FindingCode.consentOptedOut` for
  ///     a user who opted out.
  public init(
    writeKey: String, bundleIdentifier: String? = nil, recipe: Recipe? = nil, allowing allowed: Set<FindingCode> = []
  ) {
    self.init(
      writeKey: writeKey, places: Self.live(writeKey, bundleIdentifier ?? Bundle.main.bundleIdentifier), recipe: recipe,
      allowing: allowed, now: { Date() })
  }

  /// A migrator for places of a test's own.
  public init(
    writeKey: String, places: LegacyPersistence, recipe: Recipe? = nil, allowing allowed: Set<FindingCode> = [],
    now: @escaping @Sendable () -> Date
  ) {
    self.init(writeKey: writeKey, places: .success(places), recipe: recipe, allowing: allowed, now: now)
  }

  private init(
    writeKey: String, places: Result<LegacyPersistence, DefaultsDomainError>, recipe: Recipe?,
    allowing allowed: Set<FindingCode>, now: @escaping @Sendable () -> Date
  ) {
    self.writeKey = writeKey
    self.places = places
    self.recipe = recipe
    self.allowed = allowed
    self.now = now
  }

  /// What would be restored, with what was observed; writes nothing.
  ///
  /// A value that the new SDK's suite holds already is among them; one that another value there would win over is not.
  /// - Throws: ``DefaultsDomainError`` where the defaults cannot be read.
  public func readPersistence() throws(DefaultsDomainError) -> PersistedValues {
    let plan = try plan(places.get()).plan
    var values: [PersistedField: PropertyListValue] = [:]
    for field in plan.fields {
      guard let persisted = PersistedField(rawValue: field.id), field.status != .conflict else { continue }
      values[persisted] = field.proposed
    }
    return PersistedValues(values: values, findings: plan.findings)
  }

  /// Restores what has not been restored yet.
  /// - Parameters:
  ///   - fields: what to restore; everything by default. What is left out can be restored by a later call.
  ///   - onConflict: what to do where the new SDK's suite holds another value; it stays by default.
  /// - Returns: how it ended, field by field.
  @discardableResult
  public func restorePersistence(
    _ fields: Set<PersistedField> = Set(PersistedField.allCases), onConflict: PersistenceConflict = .keepTarget
  ) -> PersistenceReport {
    do throws(DefaultsDomainError) {
      return try restore(fields, onConflict)
    } catch {
      return PersistenceReport(.failed(error.description))
    }
  }

  private func restore(
    _ asked: Set<PersistedField>, _ onConflict: PersistenceConflict
  ) throws(DefaultsDomainError) -> PersistenceReport {
    let places = try places.get()
    let former = try places.target.value(for: RestorationMark.key)
    var mark = try RestorationMark(in: places.target)
    let open = asked.subtracting(mark.fields)
    guard !open.isEmpty else { return PersistenceReport(.doneBefore) }
    let (plan, snapshot) = try plan(places)
    guard snapshot.holdsLegacyValues else { return PersistenceReport(.nothingFound, findings: plan.findings) }
    guard plan.blockers.isEmpty else { return PersistenceReport(.blocked, findings: plan.findings) }
    var report = PersistenceReport(.done, findings: plan.findings)
    for field in plan.fields {
      guard let persisted = PersistedField(rawValue: field.id), open.contains(persisted) else { continue }
      report.outcomes[persisted] = try restore(field, in: places.target, onConflict)
    }
    let failed = report.fields(.failed)
    // Last: whoever finds the mark knows that all before it is there.
    try mark.add(open.subtracting(failed), to: places.target, at: now())
    do {
      try places.target.synchronize()
    } catch {
      // What is not on the disk is not done: another attempt in this run of the app has to find it open.
      try? places.target.takeBack(former, for: RestorationMark.key)
      throw error
    }
    if !failed.isEmpty {
      report.status = .failed("what was written reads back differently; the next start tries again")
    }
    return report
  }

  private func restore(
    _ field: Field, in target: any DefaultsDomain, _ onConflict: PersistenceConflict
  ) throws(DefaultsDomainError) -> Outcome {
    if field.status == .conflict, !onConflict.replaces(field) { return .conflict }
    // There is nobody to ask: what the legacy SDK would have sent is what is restored.
    switch field.resolution(field.proposed == nil ? nil : .migrate) {
    case .leave(let outcome): return outcome
    case .undecided(let conflict): return conflict ? .conflict : .skipped
    case .write(let value):
      try target.set(value, for: field.id)
      guard let read = try target.value(for: field.id), read == value, field.form.mismatch(read) == nil else {
        return .failed
      }
      return .migrated
    }
  }

  private func plan(
    _ places: LegacyPersistence
  ) throws(DefaultsDomainError) -> (plan: Plan, snapshot: PersistenceSnapshot) {
    let snapshot = try places.snapshot(writeKey: writeKey)
    let recipe = recipe ?? Recipe.detect(in: snapshot.container).recipe
    let moment = Moment(secondsSince1970: Int64(exactly: now().timeIntervalSince1970.rounded(.down)) ?? 0)
    let options = PlannerOptions(writeKey: writeKey, targetPath: snapshot.target, allowed: allowed)
    return (Planner(recipe).plan(snapshot.container, now: moment, options: options), snapshot)
  }

  private static func live(
    _ writeKey: String, _ bundleIdentifier: String?
  ) -> Result<LegacyPersistence, DefaultsDomainError> {
    guard let bundleIdentifier else { return .failure(.noBundleIdentifier) }
    guard let suite = SuiteName(bundleID: bundleIdentifier, writeKey: writeKey) else {
      return .failure(.refused("\(bundleIdentifier).analytics.\(writeKey)"))
    }
    // Where the system names none, as on Linux, it is the place in the home folder.
    let library =
      FileManager.default.urls(for: .libraryDirectory, in: .userDomainMask).first
      ?? URL(filePath: NSHomeDirectory()).appending(path: "Library")
    return Result { () throws(DefaultsDomainError) in
      LegacyPersistence(
        standard: UserDefaultsDomain.standard, target: try UserDefaultsDomain(suite: suite.name),
        library: library, bundleIdentifier: suite.bundleID)
    }
  }
}

/// What becomes of a field for which the new SDK's suite holds another value.
public enum PersistenceConflict: Hashable, Sendable {
  /// The suite's value stays, and the report says so.
  case keepTarget
  /// The legacy value replaces an anonymous id that the new SDK made for itself because it ran first: where it holds
  /// neither a user id nor traits. Any other value stays.
  case replaceFreshIdentity
  /// The legacy value replaces it.
  case replace

  func replaces(_ field: Field) -> Bool {
    switch self {
    case .keepTarget: false
    case .replaceFreshIdentity: field.findings.contains { $0.code == .targetFreshIdentity }
    case .replace: true
    }
  }
}
