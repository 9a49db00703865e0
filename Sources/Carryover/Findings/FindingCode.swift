public import PropertyLists

/// The stable code of a kind of finding, `group.what-happened`, with its severity and explanation.
///
/// A code is declared beside its finding's sentences: in this folder if any recipe can report it, otherwise in the
/// folder of its vendor.
public struct FindingCode: Hashable, Sendable, CustomStringConvertible, Described {
  /// The code, for example `source.disagree`.
  public let rawValue: String
  /// The severity of findings with this code.
  package let severity: Severity
  /// The effect on an apply.
  let effect: FindingEffect
  /// The reason in two or three words, if a field is not written because of such a finding; otherwise nil.
  package let brief: String?
  /// The explanation of such findings.
  package let explanation: Explanation

  package init(
    _ rawValue: String, _ severity: Severity, _ effect: FindingEffect, brief: String? = nil,
    _ explanation: Explanation
  ) {
    self.rawValue = rawValue
    self.severity = severity
    self.effect = effect
    self.brief = brief
    self.explanation = explanation
  }

  /// Whether the field needs a decision, because the proposal may be wrong.
  package var asks: Bool { effect == .asks }

  /// Whether such a finding blocks an apply until it is allowed.
  package var blocks: Bool { effect == .blocks }

  /// Whether it is about the target: what it contains, and what that means for the legacy value.
  package var isAboutTarget: Bool { rawValue.hasPrefix("target.") }

  /// The code.
  package var words: String { rawValue }

  /// Whether both are the same code.
  public static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }
  /// Feeds the code.
  public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

  /// The codes that do not depend on a vendor.
  package static let general: [FindingCode] = [
    .identityHiddenCharacters, .identityOlderGeneration, .identityPlaceholder, .sourceDisagree, .sourceDoubtful,
    .sourceElsewhere,
    .sourceHidden, .sourceNotAsRequired, .sourceNotConverted, .sourceNotFound, .sourcePartial, .sourcePurgeable,
    .sourceRefused, .sourceStale,
    .sourceUnreadable, .sourceWrongType, .targetConflict, .targetExists, .targetFreshIdentity, .targetManyWriteKeys,
    .targetNoBundleID, .targetNoWriteKey, .targetOtherUser, .targetOtherWriteKey, .targetRemovedSince,
    .targetRolledBack,
    .targetUnreadable, .targetWrongType, .consentMigrated, .consentOptedOut, .recipeUntrusted, .droppedSecrets,
    .droppedUnknownKey, .droppedUnsentEvents, .liveRunningStore, .liveStoreChanged, .modelCorrupt, .modelNewerVersion,
    .modelStepFailed, .modelUnknownVersion,
  ]
}

/// The effect of a finding on an apply.
package enum FindingEffect: Hashable, Sendable {
  /// No effect.
  case informs
  /// The field needs a decision.
  case asks
  /// Blocks the apply until the finding is allowed.
  case blocks
}

/// The severity of a finding for the person whose data it is about.
public enum Severity: String, CaseIterable, Comparable, Sendable {
  /// Identity or consent is affected.
  case error
  /// Data would be lost or changed.
  case warning
  /// Information only.
  case note

  /// Orders severities: a note is less than a warning, and a warning is less than an error.
  public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

  private var rank: Int {
    switch self {
    case .note: 0
    case .warning: 1
    case .error: 2
    }
  }
}

/// A group of findings: the part of their codes before the dot.
package struct FindingGroup: Hashable, Sendable {
  /// The part of the code, for example `source`.
  package let name: String
  /// The subject of the group's findings, in a few words.
  package let title: String

  package init(_ name: String, _ title: String) {
    self.name = name
    self.title = title
  }

  /// The groups that do not depend on a vendor, in display order.
  package static let general = [
    FindingGroup("identity", "who the user is"),
    FindingGroup("traits", "what is known about the user"),
    FindingGroup("session", "the session and the time of its last event"),
    FindingGroup("app", "the app's version and build"),
    FindingGroup("source", "the legacy stores"),
    FindingGroup("target", "the new SDK's store"),
    FindingGroup("consent", "what the user has agreed to"),
    FindingGroup("recipe", "recipe files"),
    FindingGroup("dropped", "what is not migrated"),
    FindingGroup("live", "running apps"),
    FindingGroup("model", "versioned models"),
  ]
}
