public import PropertyLists

/// The stable code of a kind of finding, `group.what-happened`, with its severity and explanation.
///
/// A code is declared in the file of its finding's sentences: in this folder if any recipe can report it, otherwise in
/// its vendor's folder.
public struct FindingCode: Hashable, Sendable, CustomStringConvertible, CustomHashable, Described {
  /// The code: `source.disagree`.
  public let rawValue: String
  /// How grave a finding with this code is.
  package let severity: Severity
  /// What it asks for before anything is applied.
  let effect: FindingEffect
  /// The reason, in two or three words, if the field is not written because of this finding; otherwise nil.
  package let brief: String?
  /// What is known about such findings.
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

  /// Whether the proposal may be wrong because of it, so that the field needs a decision.
  package var asks: Bool { effect == .asks }

  /// Whether nothing at all is applied because of it, until a named option is given.
  package var blocks: Bool { effect == .blocks }

  /// The code.
  package var words: String { rawValue }

  package func isEqual(to other: Self) -> Bool { rawValue == other.rawValue }
  package func feed(_ hasher: inout Hasher) { hasher.combine(rawValue) }

  /// Those that no vendor has to be known for.
  package static let general: [FindingCode] = [
    .sourceDisagree, .sourceNotFound, .sourcePartial, .sourcePurgeable, .sourceStale, .sourceUnreadable,
    .sourceWrongType, .targetConflict, .targetExists, .targetFreshIdentity, .targetManyWriteKeys, .targetNoBundleID,
    .targetNoWriteKey, .targetOtherUser, .targetOtherWriteKey, .targetRolledBack, .targetUnreadable, .targetWrongType,
    .consentOptedOut,
    .droppedSecrets, .droppedUnknownKey, .droppedUnsentEvents, .liveRunningStore, .liveStoreChanged, .modelCorrupt,
    .modelNewerVersion, .modelStepFailed, .modelUnknownVersion,
  ]
}

/// What a finding asks for before anything is applied.
package enum FindingEffect: Hashable, Sendable {
  /// Nothing.
  case informs
  /// The field needs a decision.
  case asks
  /// Nothing at all is applied until a named option is given.
  case blocks
}

/// How grave a finding is to the person whose data it is.
public enum Severity: String, CaseIterable, Comparable, Sendable {
  /// Identity or consent is at stake.
  case error
  /// Data would be lost or changed.
  case warning
  /// Good to know.
  case note

  /// A note is less than a warning, a warning less than an error.
  public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

  private var rank: Int {
    switch self {
    case .note: 0
    case .warning: 1
    case .error: 2
    }
  }
}

/// What findings are about: the part of their codes before the dot.
package struct FindingGroup: Hashable, Sendable {
  /// The part of the code: `source`.
  package let name: String
  /// What the group's findings are about, in a few words.
  package let title: String

  package init(_ name: String, _ title: String) {
    self.name = name
    self.title = title
  }

  /// Those that no vendor has to be known for, in the order in which they are shown.
  package static let general = [
    FindingGroup("identity", "who the user is"),
    FindingGroup("traits", "what is known about the user"),
    FindingGroup("session", "the session and the time of its last event"),
    FindingGroup("app", "the app's version and build"),
    FindingGroup("source", "the legacy stores"),
    FindingGroup("target", "the new SDK's store"),
    FindingGroup("consent", "what the user has agreed to"),
    FindingGroup("dropped", "what is not migrated"),
    FindingGroup("live", "running apps"),
    FindingGroup("model", "versioned models"),
  ]
}
