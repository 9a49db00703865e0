package import Carryover
package import CarryoverTerminal
import CarryoverVendors

/// What an update does to users of an SDK, without and with Carryover: a sentence, the same in every form.
package struct UsersAnswer: Hashable, Sendable {
  package let group: AffectedUser.Group
  /// Nil if no user loses anything, or if the containers do not tell.
  package let effect: AffectedUser.Effect?
  /// How many users lose it even with Carryover.
  package let lost: Int
  /// What the update does, a sentence without its period.
  private let loss: String
  /// What becomes of it with Carryover; empty if nothing is lost.
  private let remedy: String

  fileprivate init(
    _ group: AffectedUser.Group, _ effect: AffectedUser.Effect?, lost: Int = 0, _ loss: String, _ remedy: String = ""
  ) {
    (self.group, self.effect, self.lost, self.loss, self.remedy) = (group, effect, lost, loss, remedy)
  }

  package var sentence: String { remedy.isEmpty ? lossSentence : "\(loss); \(remedy)." }
  package var lossSentence: String { loss + "." }

  package var sign: Sign { effect?.sign ?? (group.time == .unknown ? .warning : .note) }

  package var role: Role { sign == .note ? .confirmed : sign.role }
}

/// How many users of each SDK there are, and what they lose.
package struct UserTotals: Sendable {
  private var counts: [AffectedUser.Group: UserCount] = [:]

  package init() {}

  /// How many groups of users have sentences of their own.
  package var groups: Int { counts.count }

  package mutating func add(_ user: AffectedUser) { counts[user.group, default: UserCount()].add(user) }

  /// The sentences of all SDKs, the most serious first.
  package var answers: [UsersAnswer] { told.flatMap(\.answers) }

  package var json: [JSONValue] { told.map { $0.count.json($0.group, $0.answers) } }

  /// The SDK with the most serious sentence first; for each SDK, the users about whom nothing can be told last.
  private var told: [(group: AffectedUser.Group, count: UserCount, answers: [UsersAnswer])] {
    func place(_ group: AffectedUser.Group, _ count: UserCount) -> (Int, Int, String) {
      (group.time == .unknown ? 1 : 0, count.weight(group), group.time.rawValue + (group.migrator ?? ""))
    }
    let groups = Dictionary(grouping: counts, by: \.key.recipe).map { recipe, groups in
      (weight: groups.map { $1.weight($0) }.min() ?? 0, recipe: recipe, groups: groups)
    }
    return groups.sorted { ($0.weight, $0.recipe) < ($1.weight, $1.recipe) }.flatMap { sdk in
      let title = Recipe(id: sdk.recipe)?.reference.title ?? sdk.recipe
      return sdk.groups.sorted { place($0.key, $0.value) < place($1.key, $1.value) }.map { group, count in
        let answers = count.answers(group, groups.count > 1 ? title + ": " : "", isAlone: sdk.groups.count == 1)
        return (group, count, answers)
      }
    }
  }
}

/// How many users of a group there are, and what they lose.
private struct UserCount: Sendable {
  private var users = 0
  private var effects: [AffectedUser.Effect: [AffectedUser.Remedy: Int]] = [:]

  mutating func add(_ user: AffectedUser) {
    users += 1
    for (effect, remedy) in user.effects { effects[effect, default: [:]][remedy, default: 0] += 1 }
  }

  /// Sorts groups: the one with the most serious sentence has the lowest weight.
  func weight(_ group: AffectedUser.Group) -> Int {
    let all = AffectedUser.Effect.allCases
    return all.firstIndex { effects[$0] != nil } ?? (group.time == .unknown ? all.count : all.count + 1)
  }

  /// - Parameters:
  ///   - name: the prefix of each sentence if there are several SDKs.
  ///   - isAlone: whether the SDK has no other group.
  func answers(_ group: AffectedUser.Group, _ name: String, isAlone: Bool) -> [UsersAnswer] {
    let found = AffectedUser.Effect.allCases.filter { effects[$0] != nil }
    let all = counted(users, "user")
    guard !found.isEmpty else {
      let sentence =
        switch group.time {
        case .ahead: "\((group.migrator ?? "the update").capitalised) would lose no value of \(all)"
        case .past: "No value of \(all) is lost"
        case .inPlace: "Nothing is wrong with the values of \(all)"
        case .unknown: "Cannot tell for \(isAlone ? all : counted(users, "more user"))"
        }
      return [UsersAnswer(group, nil, name + sentence)]
    }
    return found.map { effect in
      let remedies = effects[effect] ?? [:]
      let count = remedies.values.reduce(0, +)
      let some = "\(count) of \(all)"
      let subject =
        switch effect {
        case .trackedAgain: "\(some) opted out, and"
        case .loggedOut, .newUser: some
        case .otherUser: "The user id of \(some)"
        case .values: "\(effect == found[0] ? "Values" : "Other values") of \(some)"
        }
      let agent = group.time == .ahead ? " by \(group.migrator ?? "the update")" : ""
      return UsersAnswer(
        group, effect, lost: remedies[.lost, default: 0],
        "\(name)\(subject) \(effect.predicate(at: group.time, isOne: count == 1))\(agent)",
        Self.withCarryover(remedies, of: effect))
    }
  }

  private static func withCarryover(
    _ remedies: [AffectedUser.Remedy: Int], of effect: AffectedUser.Effect
  ) -> String {
    // An opt-out that no field migrates stops the run.
    if effect == .trackedAgain, Set(remedies.keys) == [.lost] {
      return "Carryover writes nothing for \(remedies[.lost] == 1 ? "this user" : "them") unless you allow it"
    }
    let notes: [(remedy: AffectedUser.Remedy, one: String, many: String)] = [
      (.undecided, "needs a decision", "need a decision"), (.optedOut, "opted out", "opted out"),
      (.blocked, "is blocked", "are blocked"), (.unknown, "has an unreadable store", "have an unreadable store"),
    ]
    let shown = notes.compactMap { note in
      remedies[note.remedy].map { "\($0) \($0 == 1 ? note.one : note.many)" }
    }
    return "with Carryover, \(remedies[.lost].map { "\($0)" } ?? "none")"
      + (shown.isEmpty ? "" : " (\(shown.joined(separator: ", ")))")
  }

  func json(_ group: AffectedUser.Group, _ answers: [UsersAnswer]) -> JSONValue {
    [
      "recipe": .string(group.recipe), "time": .string(group.time.rawValue), "migrator": JSONValue(group.migrator),
      "users": JSONValue(users),
      "losses": JSONValue(
        AffectedUser.Effect.allCases.compactMap { effect -> JSONValue? in
          guard let remedies = effects[effect] else { return nil }
          return .object(
            [
              JSONMember("kind", .string(effect.rawValue)),
              JSONMember("users", JSONValue(remedies.values.reduce(0, +))),
            ]
              + AffectedUser.Remedy.allCases.map { JSONMember($0.rawValue, JSONValue(remedies[$0, default: 0])) })
        }),
      "sentences": JSONValue(answers.map(\.sentence)),
    ]
  }
}
