package import CarryoverStorage
public import PropertyLists

/// One row of a plan: source key → transform → target key, with what stands there now.
public struct Field: Identifiable, Hashable, Sendable {
  /// The target key; in a plan of several recipes `RECIPE/FIELD`. Unique in a plan.
  public var id: String
  /// What the field is about; rows are shown by group.
  public var group: FieldGroup
  /// The keys the legacy value may come from, in order of precedence.
  package var sources: [SourceKey]
  /// The first of them that the legacy SDK itself writes.
  var ownSource: SourceKey?
  /// The source that supplied the legacy value; nil when none did.
  package var origin: FieldOrigin?
  /// The legacy value as found (for a member of JSON text: the member's value); nil when absent.
  public var legacy: PropertyListValue?
  /// The exact text of the legacy value where it is a number in JSON text, which a property list would round.
  public var legacyText: String?
  /// What the target should hold; nil when there is nothing to write.
  public var proposed: PropertyListValue?
  /// What the target holds at present; nil when absent.
  public var current: PropertyListValue?
  /// Where the field stands before any decision.
  public var status: FieldStatus
  /// The form the target's reader requires.
  package var form: TargetForm
  /// The transform, step by step, from the legacy value to the proposal.
  package var steps: [TransformStep]
  /// Other values a person may reasonably want instead of the proposal, each with where it comes from.
  public var alternatives: [Alternative]
  /// What was observed about this field, most severe first.
  public var findings: [Finding]
  /// What each of the four parties makes of the legacy value.
  package var readings: FourWayReadings
  /// The versioned model that the field is; nil for any other field.
  package var model: FieldModel?
  /// The target key that says whom the value describes; nil for a value that does not depend on another.
  package var describes: String?
  /// Whether an earlier run kept the target's own value, or none, because somebody decided so.
  package var isKept = false
  /// Whose it is in a plan of several recipes; nil in a plan of one.
  package var owner: FieldOwner?

  /// A field from its parts.
  package init(
    id: String, group: FieldGroup, sources: [SourceKey], origin: FieldOrigin? = nil,
    legacy: PropertyListValue? = nil, legacyText: String? = nil, proposed: PropertyListValue? = nil,
    current: PropertyListValue? = nil,
    status: FieldStatus, form: TargetForm, steps: [TransformStep] = [], alternatives: [Alternative] = [],
    findings: [Finding] = [], readings: FourWayReadings = FourWayReadings(), model: FieldModel? = nil
  ) {
    self.id = id
    self.group = group
    self.sources = sources
    self.origin = origin
    self.legacy = legacy
    self.legacyText = legacyText
    self.proposed = proposed
    self.current = current
    self.status = status
    self.form = form
    self.steps = steps
    self.alternatives = alternatives
    self.findings = findings
    self.readings = readings
    self.model = model
  }

  /// The source's name as a person reads it: `rl_session_id`, `rl_traits.userId`.
  ///
  /// Names the source that supplied the value. Where none did, it is the legacy SDK's own key, not that of an SDK above it.
  public var sourceLabel: String {
    (origin?.source ?? ownSource ?? sources.first)?.label ?? id
  }
}

/// Where a field stands before any decision. The raw value is the word in JSON output.
public enum FieldStatus: String, CaseIterable, Sendable {
  /// The proposal is sound and will be written unless someone decides otherwise.
  case ready
  /// The proposal may be wrong, or identity is at stake: nothing is applied until someone decides.
  case needsDecision = "needs-decision"
  /// The target already holds the proposal, or what an earlier run left there on a decision.
  case unchanged
  /// The legacy store has no value for it.
  case absent
  /// There is a legacy value and it cannot be carried over; a finding says why.
  case dropped
  /// The target holds another value.
  case conflict

  /// Whether a decision must be taken before anything is applied.
  package var asks: Bool { self == .needsDecision || self == .conflict }
}

/// Which source key, in which store, supplied a field's legacy value.
package struct FieldOrigin: Hashable, Sendable {
  /// The key, and the member where there is one.
  package var source: SourceKey
  /// The store's path in the container.
  package var store: String

  /// An origin from its parts.
  package init(source: SourceKey, store: String) {
    self.source = source
    self.store = store
  }
}

/// A value a person may choose instead of the proposal.
public struct Alternative: Hashable, Sendable {
  /// Where it comes from, as a short phrase: "rsDefaultsPersistence.plist", "read as milliseconds".
  public var label: String
  /// The value, in the form the target needs.
  public var value: PropertyListValue

  /// An alternative from its parts.
  package init(label: String, value: PropertyListValue) {
    self.label = label
    self.value = value
  }
}

/// What the legacy SDK reads, what the vendor's guide says, what the reference helper writes, and what this plan
/// writes, side by side.
package struct FourWayReadings: Hashable, Sendable {
  /// What the legacy SDK itself reads back.
  package var legacy: Reading
  /// What the vendor's migration guide says should be written.
  package var guide: Reading
  /// What the vendor's reference helper writes.
  package var helper: Reading
  /// What this plan writes.
  package var plan: Reading

  /// Readings; each is "nothing" unless given.
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

/// What one party makes of a value.
package enum Reading: Hashable, Sendable {
  /// A value, with a remark where it needs one.
  case value(PropertyListValue, note: String?)
  /// Nothing is read or written, with the reason where there is one.
  case nothing(String?)
}
