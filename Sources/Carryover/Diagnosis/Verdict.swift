package import CarryoverSystem

/// The effect of the update on a container's user, past or future: a sentence, its certainty and the reason.
package struct Verdict: Hashable, Sendable {
  /// The raw value is the word in JSON output.
  package enum Certainty: String, CaseIterable, Sendable, JSONConvertible {
    case certain
    case likely
    case cannotTell = "cannot-tell"

    package var words: String { self == .cannotTell ? "cannot tell" : rawValue }
  }

  package let certainty: Certainty
  package let sentence: FindingText
  /// The reason for the certainty, in whole sentences.
  package let reason: FindingText
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
  package var isLoggedOut: Bool { certainty != .cannotTell && losses.first?.loss.kind == .loggedOut }
  package var isSound: Bool { certainty != .cannotTell && losses.isEmpty }
  /// Whether the user id is known not to be lost: it is kept, or nobody was logged in.
  var keepsUser: Bool { certainty != .cannotTell && losses.allSatisfy { $0.loss.kind > .otherUser } }

  /// The word for the most severe loss in JSON output: "logged-out", "nothing-lost", "unknown".
  package var outcome: String {
    certainty == .cannotTell ? "unknown" : losses.first?.loss.kind.rawValue ?? "nothing-lost"
  }

  /// The places of verdicts in a list, the gravest first.
  package enum Weight: CaseIterable, Hashable, Sendable { case loggedOut, loss, unknown, sound }

  package var weight: Weight {
    if isLoggedOut { return .loggedOut }
    if isSound { return .sound }
    return certainty == .cannotTell ? .unknown : .loss
  }
}

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
  case unknown(Obstacle)

  package enum Obstacle: String, Sendable {
    case noBundleID = "no-bundle-id"
    case severalWriteKeys = "several-write-keys"
    case otherWriteKey = "other-write-key"
    case unreadableTarget = "unreadable-target"
    case interruptedRun = "interrupted-run"
  }

  var hasTarget: Bool { [.past, .begun, .migrated].contains(self) }

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

package struct LostValue: Hashable, Sendable {
  package let loss: Loss
  /// The cause, as a part of a sentence.
  package internal(set) var cause: FindingText
  /// The fields that are lost together, in row order; empty if the loss has no field.
  package internal(set) var fields: [Field.ID]
  /// The finding about the loss; nil if only the comparison with the target or with the vendor's migrator shows it.
  package internal(set) var finding: Finding?

  init(_ loss: Loss, _ cause: FindingText, fields: [Field.ID] = [], finding: Finding? = nil) {
    self.loss = loss
    self.cause = cause
    self.fields = fields
    self.finding = finding
  }

  /// The cause as text. Escape it before you print it.
  package var causeText: String { cause.text(source: finding?.source) }
}

/// What an update does to the data of an SDK in a container, or has done, by the recipe for that SDK.
package struct RecipeVerdict: Sendable {
  /// Of this recipe alone; without fields if the container does not show a value that the recipe needs.
  package let plan: Plan
  package let verdict: Verdict
  private let fates: @Sendable () -> [StringByBytes: LegacyFate]

  /// Whether the sentence says which value is missing, and nothing about the user.
  package let isGap: Bool

  package var recipe: RecipeReference { plan.recipe }

  package init(_ plan: Plan, isInterrupted: Bool) {
    (self.plan, isGap) = (plan, false)
    let (verdict, diagnosis) = plan.definition.judged(plan, isInterrupted: isInterrupted)
    self.verdict = verdict
    fates = { diagnosis.legacyFates }
  }

  package init(_ recipe: Recipe, _ gap: ParameterGap, in container: Container, now: Moment) {
    plan = Plan(recipe: recipe, container: ContainerSummary(container), target: nil, now: now, fields: [])
    verdict = Verdict(.cannotTell, gap.text, because: "The recipe needs it.", .inPlace, losses: [])
    isGap = true
    fates = { [:] }
  }

  /// What becomes of each legacy value without Carryover. Those that nobody misses are not among them.
  package var legacyFates: [StringByBytes: LegacyFate] { fates() }

  /// The verdict of each recipe that a plan follows.
  package static func all(of plan: Plan, isInterrupted: Bool) -> [RecipeVerdict] {
    plan.recipePlans.map { RecipeVerdict($0, isInterrupted: isInterrupted) }
  }

  /// The gravest first; those that need more than the container shows last.
  package static func sorted(_ all: [RecipeVerdict]) -> [RecipeVerdict] {
    Verdict.Weight.allCases.flatMap { weight in all.filter { !$0.isGap && $0.verdict.weight == weight } }
      + all.filter(\.isGap)
  }
}

extension PlannerOptions {
  /// The options for another recipe. What the user gave for one SDK's file does not apply to another SDK's, unless that
  /// SDK has a file of that name. A value that is given by the recipe's name applies.
  package func ofAnother(_ recipe: Recipe, in container: Container) -> PlannerOptions {
    var options = self
    options.parameters = RecipeParameter.values(parameters, of: recipe.reference.id)
    for name in recipe.target.parameters where container.bundleID != nil {
      guard parameters[FieldOwner.name(name, of: recipe.reference.id)] == nil else { continue }
      let values = recipe.target.values(of: name, in: container)
      let shown = recipe.shownValue(of: name, in: container)
      if shown != nil || options.parameters[name].map({ !values.contains($0) }) == true {
        options.parameters[name] = shown
      }
    }
    (options.targetPath, options.settled) = (nil, [:])
    return options
  }
}

/// The part of a verdict's losses that a migration can repair.
package struct Mending: Hashable, Sendable {
  package private(set) var accept: [Field.ID] = []
  /// The fields to accept too if a person replaces the target's user.
  package let acceptIfReplaced: [DescribingField]
  /// The fields without a proposal, which need an entered value.
  package private(set) var edit: [Field.ID] = []
  package private(set) var replace: [Field.ID] = []
  /// The fields without a recommendation: only the app's makers know, for example, which of two users is the right one.
  package private(set) var asks: [Field.ID] = []
  /// Whether there are changes to apply, and none of them needs the user's judgement.
  package private(set) var applies = false
  /// Whether these changes repair a loss.
  package private(set) var repairs = false
  /// The field to show first in the review; nil if no field is more important than the others.
  package private(set) var field: Field.ID?
  /// The findings that must be settled before an apply.
  package let blockers: [Finding]
  /// The losses that no migration can repair, each with what to do.
  package private(set) var outside: [LostValue] = []

  /// The first lost field without a decision. If an apply writes a field before it, that repairs the graver loss.
  private static func unwritten(_ verdict: Verdict, _ plan: Plan, _ decisions: Decisions) -> Field.ID? {
    for id in verdict.losses.lazy.flatMap(\.fields) {
      if case .write? = plan.field(id)?.resolution(decisions[id]) { return nil }
      if decisions[id] == nil { return id }
    }
    return nil
  }

  package init(_ verdict: Verdict, _ plan: Plan, _ decisions: Decisions = [:]) {
    let isMistyped = verdict.situation == .unknown(.otherWriteKey)
    let mistyped = plan.containerFindings.filter { isMistyped && $0.code == .targetOtherWriteKey }
    blockers = plan.blockers(after: decisions) + mistyped
    let undecided = plan.undecided(decisions)
    acceptIfReplaced = plan.acceptedIfReplaced(decisions)
    let later = Set(bytesOf: acceptIfReplaced.map(\.field.id))
    for field in undecided where !later.contains(field.id) {
      switch field.recommendation {
      case .accept: accept.append(field.id)
      case .replace: replace.append(field.id)
      case .keep, nil: if field.needsValue { edit.append(field.id) } else { asks.append(field.id) }
      }
    }
    outside = verdict.losses.filter { lost in
      guard let finding = lost.finding, !blockers.contains(where: { $0.code == finding.code }) else { return false }
      return !lost.fields.contains { id in
        plan.field(id).map { $0.proposed != nil || $0.status.asks || decisions[id] != nil } ?? false
      }
    }
    let ids = Set(bytesOf: undecided.map(\.id))
    // A doubtful verdict lists no loss of the user, who may be the question.
    let user = plan.definition.rules.first { $0.loss?.kind == .loggedOut }.flatMap { plan.field($0.target)?.id }
    field =
      (verdict.certainty == .cannotTell ? user.flatMap { ids.contains($0) ? $0 : nil } : nil)
      ?? verdict.losses.lazy.flatMap(\.fields).first(where: { ids.contains($0) }) ?? undecided.first?.id
      ?? Self.unwritten(verdict, plan, decisions)
    let writes = !plan.changes(decisions).isEmpty || !accept.isEmpty || !edit.isEmpty || !replace.isEmpty
    applies = writes && asks.isEmpty && !isMistyped
    repairs = applies && verdict.losses.contains { $0.fields.contains { plan.field($0)?.proposed != nil } }
  }
}
