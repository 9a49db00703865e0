/// The effect of the update on a container's user, past or future: a sentence, its certainty and the reason.
package struct Verdict: Hashable, Sendable {
  /// The certainty of a verdict. The raw value is the word in JSON output.
  package enum Certainty: String, CaseIterable, Sendable {
    case certain
    case likely
    case cannotTell = "cannot-tell"

    /// The word for display: "cannot tell".
    package var words: String { self == .cannotTell ? "cannot tell" : rawValue }
  }

  package let certainty: Certainty
  /// The whole sentence.
  package let sentence: FindingText
  /// The reason for the certainty, in whole sentences.
  package let reason: FindingText
  /// Whether the new SDK has started in the container.
  package let situation: Situation
  /// The losses, most severe first. The sentence is about the first.
  package internal(set) var losses: [LostValue]

  init(
    _ certainty: Certainty, _ sentence: FindingText, because reason: FindingText, _ situation: Situation,
    losses: [LostValue]
  ) {
    self.certainty = certainty
    self.sentence = sentence
    self.reason = reason
    self.situation = situation
    self.losses = losses
  }

  /// The sentence as text. Escape it before you print it.
  package var text: String { sentence.text(source: nil) }
  /// The reason as text. Escape it before you print it.
  package var reasonText: String { reason.text(source: nil) }

  /// Whether the user is or would be logged out.
  package var isLoggedOut: Bool { certainty != .cannotTell && losses.first?.loss.kind == .loggedOut }
  /// Whether nothing is lost, as far as the container shows.
  package var isSound: Bool { certainty != .cannotTell && losses.isEmpty }

  /// The word for the most severe loss in JSON output: "logged-out", "nothing-lost", "unknown".
  package var outcome: String {
    certainty == .cannotTell ? "unknown" : losses.first?.loss.kind.rawValue ?? "nothing-lost"
  }

  /// The same verdict with every fact masked.
  func masked(by mask: FactMask) -> Verdict {
    Verdict(
      certainty, sentence.masked(by: mask), because: reason.masked(by: mask), situation,
      losses: losses.map { $0.masked(by: mask) })
  }
}

/// The progress of an update in a container.
package enum Situation: Hashable, Sendable {
  /// The target's file does not exist: the new SDK has not started.
  case ahead
  /// The target's file exists, and the new SDK has started with it.
  case past
  /// The target's file exists, but without the values that the new SDK creates when it starts.
  case begun
  /// Only Carryover's runs have written the target's file: the new SDK has not started with it.
  case migrated
  /// Values are changed in place, so the container does not show whether the new SDK has started.
  case inPlace
  /// Unknown, for this reason.
  case unknown(Obstacle)

  /// The reason that the progress is unknown.
  package enum Obstacle: String, Sendable {
    case noBundleID = "no-bundle-id"
    case severalWriteKeys = "several-write-keys"
    case otherWriteKey = "other-write-key"
    case unreadableTarget = "unreadable-target"
    case interruptedRun = "interrupted-run"
  }

  /// Whether the container shows it.
  var isKnown: Bool { if case .unknown = self { false } else { true } }

  /// Whether there is a target to compare with.
  var hasTarget: Bool { [.past, .begun, .migrated].contains(self) }

  /// The word in JSON output.
  package var word: String {
    switch self {
    case .ahead: "ahead"
    case .past: "past"
    case .begun: "begun"
    case .migrated: "migrated"
    case .inPlace: "in-place"
    case .unknown(let obstacle): obstacle.rawValue
    }
  }
}

/// A loss that has happened or would happen.
package struct LostValue: Hashable, Sendable {
  /// The effect on the user.
  package let loss: Loss
  /// The cause, as a part of a sentence.
  package let cause: FindingText
  /// The fields that are lost together, in row order; empty if the loss has no field.
  package let fields: [Field.ID]
  /// The finding about the loss; nil if only the comparison with the target or with the vendor's migrator shows it.
  package let finding: Finding?

  init(_ loss: Loss, _ cause: FindingText, fields: [Field.ID] = [], finding: Finding? = nil) {
    self.loss = loss
    self.cause = cause
    self.fields = fields
    self.finding = finding
  }

  /// The cause as text. Escape it before you print it.
  package var causeText: String { cause.text(source: finding?.source) }

  func masked(by mask: FactMask) -> LostValue {
    LostValue(
      loss, cause.masked(by: mask), fields: fields,
      finding: finding.map { Finding($0.observation.masked(by: mask), field: $0.field, source: $0.source) })
  }
}
