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

  /// The number of groups of users and of the names of lost values in them.
  package private(set) var keys = 0

  package mutating func add(_ user: AffectedUser) { count(user, 1) }

  /// Removes a user that was added.
  package mutating func remove(_ user: AffectedUser) { count(user, -1) }

  private mutating func count(_ user: AffectedUser, _ change: Int) {
    let before = counts[user.group]
    var count = before ?? UserCount()
    count.add(user, change)
    counts[user.group] = count.users == 0 ? nil : count
    keys += (counts[user.group].map { $0.names + 1 } ?? 0) - (before.map { $0.names + 1 } ?? 0)
  }

  /// The sentences of all SDKs, the most serious first.
  package var answers: [UsersAnswer] { told.flatMap(\.answers) }

  package var json: [JSONValue] { told.map { $0.count.json($0.group, $0.answers) } }

  /// The sentence about containers without a user to count.
  package static func withoutUsers(_ containers: Int) -> String {
    "No SDK that Carryover knows left data in \(counted(containers, "container"))."
  }

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
      let users = sdk.groups.reduce(0) { $0 + $1.value.users }
      return sdk.groups.sorted { place($0.key, $0.value) < place($1.key, $1.value) }.map { group, count in
        let answers = count.answers(group, groups.count > 1 ? title + ": " : "", of: users)
        return (group, count, answers)
      }
    }
  }
}

/// How many users of a group there are, and what they lose.
private struct UserCount: Sendable {
  private(set) var users = 0
  private var effects: [AffectedUser.Effect: [AffectedUser.Remedy: Int]] = [:]
  /// By the names of the lost values.
  private var values: [String: [AffectedUser.Remedy: Int]] = [:]

  var names: Int { values.count }

  mutating func add(_ user: AffectedUser, _ change: Int) {
    users += change
    for (effect, remedy) in user.effects { Self.add(change, to: &effects[effect, default: [:]], remedy) }
    for (name, remedy) in user.values { Self.add(change, to: &values[name, default: [:]], remedy) }
    if change < 0 {
      effects = effects.filter { !$0.value.isEmpty }
      values = values.filter { !$0.value.isEmpty }
    }
  }

  private static func add(
    _ change: Int, to counts: inout [AffectedUser.Remedy: Int], _ remedy: AffectedUser.Remedy
  ) {
    let count = counts[remedy, default: 0] + change
    counts[remedy] = count == 0 ? nil : count
  }

  /// Sorts groups: the one with the most serious sentence has the lowest weight.
  func weight(_ group: AffectedUser.Group) -> Int {
    let all = AffectedUser.Effect.allCases
    return all.firstIndex { effects[$0] != nil } ?? (group.time == .unknown ? all.count : all.count + 1)
  }

  /// - Parameters:
  ///   - name: the prefix of each sentence if there are several SDKs.
  ///   - whole: the number of the SDK's users in all groups. Every count is a part of it.
  func answers(_ group: AffectedUser.Group, _ name: String, of whole: Int) -> [UsersAnswer] {
    let found = AffectedUser.Effect.allCases.filter { effects[$0] != nil }
    let all = counted(whole, "user")
    guard !found.isEmpty else {
      let some = users == whole ? all : "\(users) of \(all)"
      let sentence =
        switch group.time {
        case .ahead: "\((group.migrator ?? "the update").capitalised) would lose no value of \(some)"
        case .past: "No value of \(some) is lost"
        case .inPlace: "Nothing is wrong with the values of \(some)"
        case .unknown: "Cannot tell for \(some)"
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
        case .values: "\(effect == found[0] ? "Values" : "Other values") of \(some)\(named(of: count).inParentheses)"
        }
      let agent = group.time == .ahead ? " by \(group.migrator ?? "the update")" : ""
      return UsersAnswer(
        group, effect, lost: remedies[.lost, default: 0],
        "\(name)\(subject) \(effect.predicate(at: group.time, isOne: count == 1))\(agent)",
        withCarryover(remedies, of: effect))
    }
  }

  /// The lost values, those of the most users first: "the traits, the session of 2".
  /// - Parameters:
  ///   - remedy: counts only the losses with this remedy; nil for all.
  ///   - count: the number of users who lose values. A name without a number applies to all of them.
  private func named(_ remedy: AffectedUser.Remedy? = nil, of count: Int) -> String {
    let counts = values.mapValues { $0.reduce(0) { $0 + (remedy == nil || remedy == $1.key ? $1.value : 0) } }
    let sorted = counts.filter { $0.value > 0 }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let names = sorted.prefix(Self.mostNames).map { $0.value == count ? $0.key : "\($0.key) of \($0.value)" }
    let more = sorted.count - names.count
    return (names + (more > 0 ? ["\(more) more"] : [])).joined(separator: ", ")
  }

  private static let mostNames = 3

  private func withCarryover(_ remedies: [AffectedUser.Remedy: Int], of effect: AffectedUser.Effect) -> String {
    // An opt-out that no field migrates stops the run.
    if effect == .trackedAgain, Set(remedies.keys) == [.lost] {
      return "Carryover writes nothing for \(remedies[.lost] == 1 ? "this user" : "them") unless you allow it"
    }
    let notes: [(remedy: AffectedUser.Remedy, one: String, many: String)] = [
      (.undecided, "needs a decision", "need a decision"), (.optedOut, "opted out", "opted out"),
      (.blocked, "is blocked", "are blocked"), (.unknown, "is unknown", "are unknown"),
    ]
    let shown = notes.compactMap { note in
      remedies[note.remedy].map { "\($0) \($0 == 1 ? note.one : note.many)" }
    }
    // The subject of the sentence names a single value.
    let lost = effect == .values && values.count > 1 ? remedies[.lost].map { named(.lost, of: $0) } ?? "" : ""
    let aside = [lost, shown.joined(separator: ", ")].filter { !$0.isEmpty }.joined(separator: "; ")
    return "with Carryover, \(remedies[.lost].map { "\($0)" } ?? "none")\(aside.inParentheses)"
  }

  func json(_ group: AffectedUser.Group, _ answers: [UsersAnswer]) -> JSONValue {
    .object([
      "recipe": group.recipe, "time": group.time, "migrator": group.migrator, "users": users,
      "losses": AffectedUser.Effect.allCases.compactMap { effect in
        effects[effect].map { remedies in
          JSONValue.object(["kind": effect, "users": remedies.values.reduce(0, +)]).adding(
            AffectedUser.Remedy.allCases.map { JSONMember($0.rawValue, remedies[$0, default: 0].json) })
        }
      },
      "sentences": answers.map(\.sentence),
    ])
  }
}

extension String {
  /// In parentheses after a space; empty if the text is empty.
  fileprivate var inParentheses: String { isEmpty ? "" : " (\(self))" }
}
