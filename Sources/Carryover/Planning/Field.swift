package import CarryoverStorage
public import PropertyLists

/// A row of a plan: a source key, a transform and a target key, with the current values.
public struct Field: Identifiable, Hashable, Sendable {
  /// The target key; in a plan of several recipes, `RECIPE/FIELD`. Unique in a plan.
  public var id: String
  /// The subject of the field. Rows are grouped by it.
  public var group: FieldGroup
  /// In order of precedence.
  package var sources: [SourceKey]
  /// The first of these keys that the legacy SDK itself writes.
  var ownSource: SourceKey?
  package var origin: FieldOrigin?
  /// The legacy value as found; for a member of JSON text, the member's value. Nil if there is none.
  public var legacy: PropertyListValue?
  /// The exact text of a number in JSON text, which a property list would round; otherwise nil.
  public var legacyText: String?
  /// The proposed value for the target; nil if there is nothing to write.
  public var proposed: PropertyListValue?
  /// The target's current value; nil if there is none.
  public var current: PropertyListValue?
  /// The status before any decision.
  public var status: FieldStatus
  package var form: TargetForm
  package var reader = TargetReader.typed
  package var steps: [TransformStep] = []
  /// Other values that the user may choose instead of the proposal.
  public var alternatives: [Alternative] = []
  /// The findings about this field, most severe first.
  public var findings: [Finding] = []
  package var readings = FourWayReadings()
  package var model: FieldModel?
  /// The target key of the id of the user whom the value describes; nil if the value does not depend on a user.
  package var describes: String?
  /// Whether an earlier run kept the target's own value, or none, by decision.
  package var isKept = false
  /// Whether an earlier run left the field unwritten only because the target kept another user. A run that replaces
  /// that user writes it.
  package var isFollowing = false
  /// Whether the field needs its own decision once the kept user is replaced. The next plan then asks for it.
  package var asksOnceOpen = false
  /// Whether the target has another value, which the recipe always keeps. No earlier run has decided about the field.
  package var isTargetKept = false
  /// Whether the target has another value, although a migration has written one: it or the legacy value has changed.
  package var isChangedSince = false
  /// Whether the target still has what a migration has written.
  package var isStillAsWritten = false
  /// The codes of the findings that a run has settled. They still apply to the app, but no longer to the target.
  package var settledCodes: [FindingCode] = []
  /// Whether the user loses nothing without the value. It is known of an unchanged field too, which has no findings.
  package var isHarmless = false
  /// What is lost of a legacy value from which no proposal follows, as a finding says. It is known of an unchanged field
  /// too.
  package var ownLoss: Loss?
  /// Whether its legacy value says that the user opted out. It is known of an unchanged field too.
  package var isOptOut = false
  /// Whether only the app's makers know if the proposal is better than what the vendor's migrator writes, so that
  /// Carryover recommends nothing.
  package var isOpen = false
  /// The sources that say that the user opted out, and whose conditions are not met.
  package var passedOptOuts: [FieldOrigin] = []
  /// The place of the source that supplied the value among those of its rule; nil if none did.
  package var candidate: Int?
  package var owner: FieldOwner?
}

extension Field {
  package init(absent rule: FieldRule) {
    self.init(id: rule.target, group: rule.group, sources: [], status: .absent, form: rule.form)
  }

  /// The target's value; nil if it is missing, an empty id or empty traits.
  package var held: PropertyListValue? { current.flatMap { group.standsForNone($0) ? nil : $0 } }

  /// A value of the target as the new SDK reads it; nil if it reads none.
  package func reads(_ value: PropertyListValue) -> PropertyListValue? { reader.value(value, as: form) }

  /// Whether the legacy stores contain a value, readable or not.
  package var hasLegacy: Bool {
    if group == .identity, legacy == .string("") { return false }
    return status == .dropped || (legacy != nil && status != .absent)
  }

  /// The codes of the findings and, for an unchanged field, of those that a run has settled.
  package var codes: [FindingCode] { findings.map(\.code) + settledCodes }

  package var isRemovedSince: Bool { findings.contains { $0.code == .targetRemovedSince } }

  var differsFromOlderGeneration: Bool {
    group == .identity && proposed != nil && findings.contains { $0.code == .identityOlderGeneration }
  }

  /// What Carryover recommends, the same on every surface; nil if there is nothing to decide, or only the app's makers
  /// know the answer.
  package var recommendation: Recommendation? {
    if isTargetKept { return .keep }
    guard status.asks, proposed != nil, !isOpen, !findings.contains(where: \.code.isOpen) else { return nil }
    if status == .needsDecision { return .accept }
    return findings.contains { $0.code == .targetFreshIdentity } ? .replace : nil
  }

  /// Whether a decision needs a value that the container does not have.
  package var needsValue: Bool {
    // Only the user's own history tells if its value still holds: the user may have logged out.
    proposed == nil && !isRemovedSince && !findings.contains { $0.code == .identityOlderGeneration }
  }

  /// The name of the source for display: `rl_session_id`, `rl_traits.userId`.
  ///
  /// This is the source that supplied the value. If none did, it is the legacy SDK's own key.
  public var sourceLabel: String { (origin?.source ?? ownSource ?? sources.first)?.label ?? id }
}

/// The status of a field before any decision. The raw value is the word in JSON output.
public enum FieldStatus: String, CaseIterable, Sendable, JSONConvertible {
  /// The proposal will be written, unless a decision changes that.
  case ready
  /// Undecided: the proposal may be wrong, or concerns the user's identity. An apply requires a decision.
  case needsDecision = "needs-decision"
  /// The target already contains the proposal, or an earlier run settled the field.
  case unchanged
  /// The legacy stores have no value.
  case absent
  /// The value is not migrated; a finding gives the reason.
  case dropped
  /// The target has another value.
  case conflict

  package var asks: Bool { self == .needsDecision || self == .conflict }
}

package enum Recommendation: String, Sendable {
  case accept, keep, replace
}

package struct FieldOrigin: Hashable, Sendable {
  package var source: SourceKey
  @StringByBytes package var store: String
}

/// A value that the user may choose instead of the proposal.
public struct Alternative: Hashable, Sendable {
  /// The origin of the value, as a short phrase: "rsDefaultsPersistence.plist", "read as milliseconds".
  public var label: String
  /// The value, in the form that the target requires.
  public var value: PropertyListValue
}

/// Interpretations of a legacy value by the legacy SDK, the vendor's guide and migrator, and this plan.
package struct FourWayReadings: Hashable, Sendable {
  package var legacy: Reading
  package var guide: Reading
  /// The value that the vendor's migrator writes.
  package var helper: Reading
  package var plan: Reading

  package init(
    legacy: Reading = .nothing(nil), guide: Reading = .nothing(nil), helper: Reading = .nothing(nil),
    plan: Reading = .nothing(nil)
  ) {
    self.legacy = legacy
    self.guide = guide
    self.helper = helper
    self.plan = plan
  }
}

package enum Reading: Hashable, Sendable {
  case value(PropertyListValue, note: String?)
  case nothing(String?)
}

/// The outcome of a field. The raw value is the word in JSON output and run records.
public enum Outcome: String, CaseIterable, Sendable, JSONConvertible {
  /// The run wrote the value.
  case migrated
  /// A rollback restored the earlier value.
  case restored
  /// The target already contained the value, or its own value was kept.
  case unchanged
  /// The legacy stores have no value.
  case absent
  /// Nothing was written: by decision, or because there was no valid value.
  case skipped
  /// A cleanup removed the legacy value.
  case dropped
  /// The target has another value, and the field is undecided.
  case conflict
  /// The write or its verification failed.
  case failed

  /// The word on screens and in text. The raw value is the word in JSON.
  package var word: String {
    switch self {
    case .migrated: "written"
    case .dropped: "not migrated"
    case .restored: "rolled back"
    case .unchanged, .absent, .skipped, .conflict, .failed: rawValue
    }
  }

  package var sign: Sign {
    switch self {
    case .migrated, .restored: .done
    case .unchanged: .unchanged
    case .absent: .nothing
    case .skipped, .dropped: .omitted
    case .conflict: .conflict
    case .failed: .error
    }
  }
}
