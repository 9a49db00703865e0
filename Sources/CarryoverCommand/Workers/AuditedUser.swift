import Carryover
import CarryoverPages

/// What an update does to the user of one SDK, without and with Carryover: an element of the `verdicts` in a row.
struct AuditedUser: Hashable, Sendable {
  /// Users whose sentences differ in numbers only. Raw values are words in JSON.
  struct Group: Hashable, Sendable {
    var recipe: String
    var time: Time
    /// The vendor's migrator, if it does the update's work; nil if nothing does.
    var migrator: String?
  }

  enum Time: String, Sendable {
    case ahead, past
    /// The app itself decides about the values at its next start.
    case inPlace = "in-place"
    /// The container does not tell what becomes of the user.
    case unknown
  }

  /// What the user loses, the gravest first.
  enum Effect: String, CaseIterable, Sendable {
    case loggedOut = "logged-out"
    case otherUser = "other-user"
    case newUser = "new-user"
    case trackedAgain = "tracked-again"
    case values

    fileprivate init(_ lost: LostValue) {
      self =
        switch lost.loss.kind {
        case .loggedOut: .loggedOut
        case .otherUser: .otherUser
        // A user who stays logged in is not a new one.
        case .newUser where !lost.loss.isChange: .newUser
        case .trackedAgain: .trackedAgain
        case .newUser, .data, .session, .app: .values
        }
    }
  }

  /// What becomes of a loss with Carryover, the worst first.
  enum Remedy: String, CaseIterable, Sendable {
    case lost, blocked
    /// Blocked by the opt-out alone.
    case optedOut = "opted-out"
    case unknown
    case undecided = "carries-with-decision"
    case mended = "carries"
  }

  let group: Group
  /// A user has one of the first three effects at most, and lost values only without any other.
  let effects: [Effect: Remedy]

  init(_ audited: AuditedPlan) {
    let (plan, verdict) = (audited.told.plan, audited.told.verdict)
    let (migrator, situation) = (plan.definition.migrator, verdict.situation)
    let time: Time =
      switch situation {
      case _ where verdict.certainty == .cannotTell: .unknown
      case .past: .past
      case .inPlace: .inPlace
      case .ahead, .begun, .migrated, .unknown: .ahead
      }
    let isAhead = time == .ahead && migrator?.isAhead(in: situation) == true
    group = Group(recipe: plan.recipe.id, time: time, migrator: isAhead ? migrator?.name : nil)
    let losses = time == .unknown ? [:] : Dictionary(grouping: verdict.losses, by: Effect.init)
    let identity = [Effect.loggedOut, .otherUser, .newUser].first { losses[$0] != nil }
    let gravest = [identity, losses[.trackedAgain] == nil ? nil : .trackedAgain].compactMap(\.self)
    effects = losses.filter { gravest.isEmpty || gravest.contains($0.key) }.mapValues(audited.remedy)
  }

  private static let longestNames = 1_000

  /// - Returns: nil if the JSON is not valid.
  init?(_ json: JSONValue) {
    guard let recipe = json["recipe"]?.stringValue, let time = json["time"]?.stringValue.flatMap(Time.init),
      let losses = json["losses"]?.elements
    else { return nil }
    group = Group(recipe: recipe, time: time, migrator: json["migrator"]?.stringValue)
    // They are in a headline.
    guard recipe.utf8.count + (group.migrator ?? "").utf8.count <= Self.longestNames else { return nil }
    var effects: [Effect: Remedy] = [:]
    for loss in losses {
      guard let effect = loss["kind"]?.stringValue.flatMap(Effect.init),
        let remedy = loss["withCarryover"]?.stringValue.flatMap(Remedy.init)
      else { return nil }
      effects[effect] = remedy
    }
    self.effects = effects
  }

  func json(_ verdict: Verdict) -> JSONValue {
    [
      "recipe": .string(group.recipe), "outcome": .string(verdict.outcome),
      "certainty": .string(verdict.certainty.rawValue), "time": .string(group.time.rawValue),
      "migrator": JSONValue(group.migrator),
      "losses": JSONValue(
        Effect.allCases.compactMap { effect in
          effects[effect].map { ["kind": .string(effect.rawValue), "withCarryover": .string($0.rawValue)] }
        }),
    ]
  }
}

extension AuditedPlan {
  /// The worst that becomes of the fields of losses.
  fileprivate func remedy(of losses: [LostValue]) -> AuditedUser.Remedy {
    // A loss without a field is one that no migration repairs.
    guard losses.allSatisfy({ !$0.fields.isEmpty }) else { return .lost }
    let found = losses.flatMap(\.fields).map { plan.field($0).map(remedy) ?? .lost }
    return AuditedUser.Remedy.allCases.first(where: found.contains) ?? .lost
  }

  private func remedy(of field: Field) -> AuditedUser.Remedy {
    switch verdict(on: field) {
    case .carries: .mended
    case .carriesWithDecision: .undecided
    case .blocked: isBlockedByOptOut ? .optedOut : .blocked
    case .unknown: .unknown
    case .lost, .nothing: .lost
    }
  }
}
