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
/// It never throws and never traps. Legacy values are left where they are. A value that is restored is remembered, so
/// that it does not come back after the user has logged out; that mark is written last, and a start that finds no mark
/// begins again and comes to the same values. Numbers that a legacy user id was stored as, corrupt traits, times in the
/// future and the like are handled as the planner does everywhere, and the report says so.
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
  ///   - recipe: what to carry over, ``Carryover/Recipe/rudderStackObjC`` or ``Carryover/Recipe/rudderStackSwiftV2``; nil
  ///     goes by the values that are there.
  ///   - allowed: findings that would forbid everything and are allowed here, such as ``Carryover/FindingCode`` for a user
  ///     who opted out.
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
  /// A value that the new SDK's suite holds already is among them; what another value there would lose to is not.
  /// - Throws: ``DefaultsDomainError`` where the defaults cannot be read.
  public func readPersistence() throws(DefaultsDomainError) -> PersistedValues {
    let plan = try plan().plan
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
    var mark = try RestorationMark(writeKey: writeKey, in: places.standard)
    let open = asked.subtracting(mark.fields)
    guard !open.isEmpty else { return PersistenceReport(.doneBefore) }
    let plan = try plan().plan
    guard plan.blockers.isEmpty else { return PersistenceReport(.blocked, findings: plan.findings) }
    var report = PersistenceReport(.done, findings: plan.findings)
    for field in plan.fields {
      guard let persisted = PersistedField(rawValue: field.id), open.contains(persisted) else { continue }
      report.outcomes[persisted] = try restore(field, in: places.target, onConflict)
    }
    try places.target.synchronize()
    // Last: whoever finds the mark knows that all before it is on the disk.
    mark.fields.formUnion(open.subtracting(report.fields(.failed)))
    try mark.write(to: places.standard, at: now())
    return report
  }

  private func restore(
    _ field: Field, in target: any DefaultsDomain, _ onConflict: PersistenceConflict
  ) throws(DefaultsDomainError) -> Outcome {
    if field.current != nil, field.status == .conflict, onConflict == .keepTarget { return .conflict }
    // There is nobody to ask: what the legacy SDK would have sent is what is restored.
    switch field.resolution(field.proposed == nil ? nil : .migrate) {
    case .leave(let outcome): return outcome
    case .undecided(let conflict): return conflict ? .conflict : .skipped
    case .write(let value):
      try target.set(value, for: field.id)
      guard let read = try target.values()[field.id], read == value, field.form.mismatch(read) == nil else {
        return .failed
      }
      return .migrated
    }
  }

  private func plan() throws(DefaultsDomainError) -> (plan: Plan, target: String) {
    let (container, target) = try places.get().container(writeKey: writeKey)
    let recipe = recipe ?? Recipe.detect(in: container).recipe
    let moment = Moment(secondsSince1970: Int64(exactly: now().timeIntervalSince1970.rounded(.down)) ?? 0)
    let options = PlannerOptions(writeKey: writeKey, targetPath: target, allowed: allowed)
    return (Planner(recipe).plan(container, now: moment, options: options), target)
  }

  private static func live(
    _ writeKey: String, _ bundleIdentifier: String?
  ) -> Result<LegacyPersistence, DefaultsDomainError> {
    guard let suite = SuiteName(bundleID: bundleIdentifier ?? "", writeKey: writeKey) else {
      return .failure(.refused("\(bundleIdentifier ?? "").analytics.\(writeKey)"))
    }
    #if os(Linux)
      let found: URL? = FileManager.default.homeDirectoryForCurrentUser.appending(path: "Library")
    #else
      let found = FileManager.default.urls(for: .libraryDirectory, in: .userDomainMask).first
    #endif
    guard let library = found else {
      return .failure(.unreadable("the app has no Library folder"))
    }
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
  /// The legacy value replaces it.
  case replace
}
