package import Carryover
package import CarryoverTerminal

/// What an update does to the user of one SDK, without and with Carryover: an element of the `verdicts` in a row of an
/// audit.
package struct AffectedUser: Hashable, Sendable {
  /// Users whose sentences differ in numbers only. Raw values are words in JSON.
  package struct Group: Hashable, Sendable {
    package let recipe: String
    package let time: Time
    /// The vendor's migrator, if it does the update's work; nil if nothing does.
    package let migrator: String?

    package init(recipe: String, time: Time, migrator: String?) {
      (self.recipe, self.time, self.migrator) = (recipe, time, migrator)
    }
  }

  package enum Time: String, Sendable, JSONConvertible {
    case ahead, past
    /// The app itself decides about the values at its next start.
    case inPlace = "in-place"
    /// The container does not tell what becomes of the user.
    case unknown
  }

  /// What the user loses, in the order in which it is named. An opt-out comes first: nobody may track that user.
  package enum Effect: String, CaseIterable, Sendable, JSONConvertible {
    case trackedAgain = "tracked-again"
    case loggedOut = "logged-out"
    case otherUser = "other-user"
    case newUser = "new-user"
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
  package enum Remedy: String, CaseIterable, Sendable, JSONConvertible {
    case lost, blocked
    /// Blocked by the opt-out alone.
    case optedOut = "opted-out"
    case unknown
    case undecided = "carries-with-decision"
    case mended = "carries"
  }

  package let group: Group
  /// A user has one of the effects on the identity at most, and lost values only without any other effect.
  package let effects: [Effect: Remedy]
  /// The lost values that have a name, such as "the traits".
  package let values: [String: Remedy]
  private let certainty: Verdict.Certainty

  package init(
    _ group: Group, _ certainty: Verdict.Certainty = .likely, losing effects: [Effect: Remedy],
    values: [String: Remedy] = [:]
  ) {
    (self.group, self.certainty, self.effects, self.values) = (group, certainty, effects, values)
  }

  /// - Parameters:
  ///   - name: the name of what is lost, without any text from the container; nil if it has none.
  ///   - remedy: what becomes of losses with Carryover.
  package init(_ told: RecipeVerdict, name: (LostValue) -> String?, remedy: ([LostValue]) -> Remedy) {
    let verdict = told.verdict
    let (migrator, situation) = (told.plan.definition.migrator, verdict.situation)
    let time: Time =
      switch situation {
      case _ where verdict.certainty == .cannotTell: .unknown
      case .past: .past
      case .inPlace: .inPlace
      case .ahead, .begun, .migrated, .unknown: .ahead
      }
    let isAhead = time == .ahead && migrator?.isAhead(in: situation) == true
    group = Group(recipe: told.recipe.id, time: time, migrator: isAhead ? migrator?.name : nil)
    certainty = verdict.certainty
    let losses = time == .unknown ? [:] : Dictionary(grouping: verdict.losses, by: Effect.init)
    let identity = [Effect.loggedOut, .otherUser, .newUser].first { losses[$0] != nil }
    let gravest = [identity, losses[.trackedAgain] == nil ? nil : .trackedAgain].compactMap(\.self)
    effects = losses.filter { gravest.isEmpty || gravest.contains($0.key) }.mapValues(remedy)
    let named = effects[.values] == nil ? [:] : Dictionary(grouping: losses[.values] ?? [], by: name)
    values = named.reduce(into: [:]) { values, lost in
      if let name = lost.key { values[name] = remedy(lost.value) }
    }
  }

  private static let longestNames = 1_000
  private static let mostValues = 20

  /// - Returns: nil if the JSON is not valid.
  package init?(_ json: JSONValue) {
    guard let recipe = json["recipe"]?.stringValue, let time = json["time"]?.stringValue.flatMap(Time.init),
      let certainty = json["certainty"]?.stringValue.flatMap(Verdict.Certainty.init),
      let losses = json["losses"]?.elements
    else { return nil }
    group = Group(recipe: recipe, time: time, migrator: json["migrator"]?.stringValue)
    // They are in a headline.
    guard recipe.utf8.count + (group.migrator ?? "").utf8.count <= Self.longestNames else { return nil }
    var (effects, values): ([Effect: Remedy], [String: Remedy]) = ([:], [:])
    for loss in losses {
      guard let effect = loss["kind"]?.stringValue.flatMap(Effect.init),
        let remedy = loss["withCarryover"]?.stringValue.flatMap(Remedy.init)
      else { return nil }
      effects[effect] = remedy
      // Older rows name no values.
      for value in loss["values"]?.elements?.prefix(Self.mostValues) ?? [] {
        guard let name = value["name"]?.stringValue,
          let remedy = value["withCarryover"]?.stringValue.flatMap(Remedy.init)
        else { return nil }
        if name.utf8.count <= Self.longestNames { values[name] = remedy }
      }
    }
    (self.effects, self.values, self.certainty) = (effects, values, certainty)
  }

  /// The key to sort by: the most serious effects with the worst remedies come first. Different users differ in it.
  fileprivate var order: [String] {
    func place(_ remedy: Remedy?) -> String {
      remedy.flatMap(Remedy.allCases.firstIndex(of:)).map(String.init) ?? "none"
    }
    let lost = Effect.allCases.map { place(effects[$0]) }
    let named = values.sorted { $0.key < $1.key }.flatMap { [place($0.value), $0.key] }
    return lost + named + [group.recipe, group.time.rawValue, group.migrator ?? "", certainty.rawValue]
  }

  /// The user after every field is decided for Carryover's proposal.
  package var accepted: AffectedUser {
    func settled(_ remedy: Remedy) -> Remedy { remedy == .undecided ? .mended : remedy }
    return AffectedUser(group, certainty, losing: effects.mapValues(settled), values: values.mapValues(settled))
  }

  package func json(_ verdict: Verdict) -> JSONValue {
    .object([
      "recipe": group.recipe, "outcome": verdict.outcome, "certainty": verdict.certainty, "time": group.time,
      "migrator": group.migrator,
      "losses": Effect.allCases.compactMap { effect in
        effects[effect].map { remedy in
          JSONValue.object(present: [
            "kind": effect, "withCarryover": remedy, "values": effect == .values ? valuesJSON : nil,
          ])
        }
      },
    ])
  }

  private var valuesJSON: [JSONValue] {
    values.sorted { $0.key < $1.key }.map { .object(["name": $0.key, "withCarryover": $0.value]) }
  }
}

extension AffectedUser {
  private var first: Effect? { Effect.allCases.first { effects[$0] != nil } }

  /// The words for a column, the same as in the sentence about many users: "would be logged out".
  package var words: String {
    guard let first else {
      return switch group.time {
      case .ahead: group.migrator == nil ? "would lose nothing" : "nothing lost with the migrator"
      case .past: certainty == .likely ? "likely nothing lost" : "nothing lost"
      case .inPlace: "nothing wrong"
      case .unknown: Verdict.Certainty.cannotTell.words
      }
    }
    return (first.part ?? "") + first.predicate(at: group.time, isOne: true, isLikely: certainty == .likely)
  }

  package var role: Role {
    if group.time == .unknown { return .muted }
    return first.map { $0.sign.role } ?? .confirmed
  }
}

extension AffectedUser.Effect {
  package var sign: Sign {
    switch self {
    case .trackedAgain, .loggedOut, .otherUser: .error
    case .newUser, .values: .warning
    }
  }

  /// What is affected, if it is not the user: "user id ".
  fileprivate var part: String? {
    switch self {
    case .otherUser: "user id "
    case .values: "values "
    case .trackedAgain, .loggedOut, .newUser: nil
    }
  }

  /// "would be logged out", "were counted as new".
  /// - Parameter isOne: whether one user is affected; values are always many.
  func predicate(at time: AffectedUser.Time, isOne: Bool, isLikely: Bool = false) -> String {
    let likely = isLikely ? "likely " : ""
    let done: String
    switch self {
    case .trackedAgain: done = "tracked again"
    case .loggedOut: done = "logged out"
    // Nobody need have changed it: the new SDK may have kept its own.
    case .otherUser where time == .past: return "\(likely)differs from the legacy one"
    case .otherUser: done = "changed"
    case .newUser: done = "counted as new"
    case .values: done = "lost"
    }
    switch time {
    case .ahead: return "would be \(done)"
    case .past:
      let was = isOne && self != .values ? "was" : "were"
      return "\(was) \(likely)\(done)"
    case .inPlace where self == .values: return "cannot be migrated"
    case .inPlace, .unknown: return "may be \(done)"
    }
  }
}

extension [AffectedUser] {
  /// Whether these users of a container lose less than the others. If they lose the same, a fixed order decides.
  package func isLessGrave(than others: [AffectedUser]) -> Bool {
    others.flatMap(\.order).lexicographicallyPrecedes(flatMap(\.order))
  }
}
