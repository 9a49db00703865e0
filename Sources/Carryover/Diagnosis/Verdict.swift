/// What became of a container's user, or will with the update: one sentence, how certain it is, and why.
package struct Verdict: Hashable, Sendable {
  /// How certain it is. The raw value is the word in JSON output.
  package enum Certainty: String, CaseIterable, Sendable {
    case certain
    case likely
    case cannotTell = "cannot-tell"

    /// As a person reads it: "cannot tell".
    package var words: String { self == .cannotTell ? "cannot tell" : rawValue }
  }

  package let certainty: Certainty
  /// The whole sentence.
  package let sentence: FindingText
  /// Why it is that certain and no more, in whole sentences.
  package let reason: FindingText
  /// Whether the new SDK has started in the container.
  package let situation: Situation
  /// What is lost, the gravest first: the sentence is about the first.
  package private(set) var losses: [LostValue]

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

  /// Whether the user is, or would be, logged out.
  package var isLoggedOut: Bool { certainty != .cannotTell && losses.first?.loss.kind == .loggedOut }
  /// Whether nothing is lost, as far as anybody can tell.
  package var isSound: Bool { certainty != .cannotTell && losses.isEmpty }

  /// The gravest loss as the word in JSON output: "logged-out", "nothing-lost", "unknown".
  package var outcome: String {
    certainty == .cannotTell ? "unknown" : losses.first?.loss.kind.rawValue ?? "nothing-lost"
  }

  /// The same with every fact masked.
  func masked(by mask: FactMask) -> Verdict {
    Verdict(
      certainty, sentence.masked(by: mask), because: reason.masked(by: mask), situation,
      losses: losses.map { $0.masked(by: mask) })
  }
}

/// How far an update has come in a container.
package enum Situation: Hashable, Sendable {
  /// The target's file is not there: the new SDK has not started.
  case ahead
  /// The target's file is there, and the new SDK has started with it.
  case past
  /// The target's file is there without what the new SDK makes when it starts.
  case begun
  /// The target's file is as runs of Carryover made it: the new SDK has not started with it.
  case migrated
  /// Values are changed in their place, so nothing tells before from after.
  case inPlace
  /// It cannot be told, and why.
  case unknown(Obstacle)

  /// What keeps anybody from telling.
  package enum Obstacle: String, Sendable {
    case noBundleID = "no-bundle-id"
    case severalWriteKeys = "several-write-keys"
    case otherWriteKey = "other-write-key"
    case unreadableTarget = "unreadable-target"
    case interruptedRun = "interrupted-run"
  }

  /// Whether there is a target that can be compared with.
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

/// Something that is lost, or would be.
package struct LostValue: Hashable, Sendable {
  /// What the user meets.
  package let loss: Loss
  /// Why, as a part of a sentence.
  package let cause: FindingText
  /// The fields that are lost together, in row order; empty where no field holds it.
  package let fields: [Field.ID]
  /// The finding that says so; nil where only the comparison with the target or the vendor's migrator does.
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
