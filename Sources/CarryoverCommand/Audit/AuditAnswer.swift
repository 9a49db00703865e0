import Carryover
import CarryoverPages
import CarryoverTerminal
import CarryoverVendors

/// What an update does to users of an SDK, without and with Carryover: a sentence, the same in every form.
struct AuditAnswer {
  let group: AuditedUser.Group
  /// Nil if no user loses anything, or if the containers do not tell.
  let effect: AuditedUser.Effect?
  /// How many users lose it even with Carryover.
  let lost: Int
  let sentence: String

  var sign: Sign {
    switch effect {
    case .loggedOut, .otherUser: .error
    case nil where group.time != .unknown: .note
    default: .warning
    }
  }

  var role: Role { sign == .note ? .confirmed : sign.role }

  /// The test passes if Carryover keeps all users.
  var junit: JUnit.Case {
    JUnit.Case(
      name: effect?.rawValue ?? (group.time == .unknown ? "unknown" : "nothing-lost"), className: group.recipe,
      result: lost > 0
        ? .failed(message: sentence, lines: []) : group.time == .unknown ? .skipped(message: sentence) : .passed,
      output: [sentence])
  }
}

/// How many users of a group there are, and what they lose.
struct AuditUserCount: Sendable {
  private(set) var users = 0
  private var effects: [AuditedUser.Effect: [AuditedUser.Remedy: Int]] = [:]

  mutating func add(_ user: AuditedUser) {
    users += 1
    for (effect, remedy) in user.effects { effects[effect, default: [:]][remedy, default: 0] += 1 }
  }

  /// Sorts groups: the one with the gravest sentence has the lowest weight.
  fileprivate func weight(_ group: AuditedUser.Group) -> Int {
    let all = AuditedUser.Effect.allCases
    return all.firstIndex { effects[$0] != nil } ?? (group.time == .unknown ? all.count : all.count + 1)
  }

  /// - Parameters:
  ///   - name: the prefix of each sentence if there are several SDKs.
  ///   - isAlone: whether the SDK has no other group.
  fileprivate func answers(_ group: AuditedUser.Group, _ name: String, isAlone: Bool) -> [AuditAnswer] {
    let found = AuditedUser.Effect.allCases.filter { effects[$0] != nil }
    let all = ValueWording.counted(users, "user")
    guard !found.isEmpty else {
      let sentence =
        switch group.time {
        case .ahead: "\((group.migrator ?? "the update").capitalised) would lose no value of \(all)."
        case .past: "The update lost no value of \(all)."
        case .inPlace: "Nothing is wrong with the values of \(all)."
        case .unknown: "Cannot tell for \(isAlone ? all : ValueWording.counted(users, "more user"))."
        }
      return [AuditAnswer(group: group, effect: nil, lost: 0, sentence: name + sentence)]
    }
    return found.map { effect in
      let remedies = effects[effect] ?? [:]
      let count = remedies.values.reduce(0, +)
      let some = "\(count) of \(all)"
      let what = Self.words(effect, some, isOne: count == 1, isFirst: effect == found[0], group)
      return AuditAnswer(
        group: group, effect: effect, lost: remedies[.lost, default: 0],
        sentence: "\(name)\(what); \(Self.withCarryover(remedies)).")
    }
  }

  private static func words(
    _ effect: AuditedUser.Effect, _ some: String, isOne: Bool, isFirst: Bool, _ group: AuditedUser.Group
  ) -> String {
    let (was, agent) = (isOne ? "was" : "were", "by " + (group.migrator ?? "the update"))
    let values = isFirst ? "Values" : "Other values"
    func words(_ start: String, _ past: String, _ done: String) -> String {
      switch group.time {
      case .ahead: "\(start) would be \(done) \(agent)"
      case .past: "\(start) \(past) \(done)"
      case .inPlace, .unknown: "\(start) may be \(done)"
      }
    }
    return switch effect {
    case .loggedOut: words(some, was, "logged out")
    case .otherUser: words("The user id of \(some)", "was", "changed")
    case .newUser: words(some, was, "counted as new")
    case .trackedAgain: words("\(some) opted out, and", was, "tracked again")
    case .values where group.time == .inPlace: "\(values) of \(some) cannot be migrated"
    case .values: words("\(values) of \(some)", "were", "lost")
    }
  }

  private static func withCarryover(_ remedies: [AuditedUser.Remedy: Int]) -> String {
    let notes: [(remedy: AuditedUser.Remedy, one: String, many: String)] = [
      (.undecided, "needs a decision", "need a decision"), (.optedOut, "opted out", "opted out"),
      (.blocked, "is blocked", "are blocked"), (.unknown, "has an unreadable store", "have an unreadable store"),
    ]
    let shown = notes.compactMap { note in
      remedies[note.remedy].map { "\($0) \($0 == 1 ? note.one : note.many)" }
    }
    return "with Carryover, \(remedies[.lost].map { "\($0)" } ?? "none")"
      + (shown.isEmpty ? "" : " (\(shown.joined(separator: ", ")))")
  }

  fileprivate func json(_ group: AuditedUser.Group, _ answers: [AuditAnswer]) -> JSONValue {
    [
      "recipe": .string(group.recipe), "time": .string(group.time.rawValue), "migrator": JSONValue(group.migrator),
      "users": JSONValue(users),
      "losses": JSONValue(
        AuditedUser.Effect.allCases.compactMap { effect -> JSONValue? in
          guard let remedies = effects[effect] else { return nil }
          return .object(
            [
              JSONMember("kind", .string(effect.rawValue)),
              JSONMember("users", JSONValue(remedies.values.reduce(0, +))),
            ]
              + AuditedUser.Remedy.allCases.map { JSONMember($0.rawValue, JSONValue(remedies[$0, default: 0])) })
        }),
      "sentences": JSONValue(answers.map(\.sentence)),
    ]
  }
}

extension AuditTotals {
  /// The sentences of all SDKs, the gravest first.
  var answers: [AuditAnswer] { told.flatMap(\.answers) }

  /// The sentence without any verdict.
  var withoutAnswer: String {
    planned == 0
      ? "No container has a plan."
      : "No SDK that Carryover knows left data in \(ValueWording.counted(planned, "container"))."
  }

  var usersJSON: [JSONValue] { told.map { $0.count.json($0.group, $0.answers) } }

  /// The SDK with the gravest sentence first; for each SDK, the users about whom nothing can be told last.
  private var told: [(group: AuditedUser.Group, count: AuditUserCount, answers: [AuditAnswer])] {
    func place(_ group: AuditedUser.Group, _ count: AuditUserCount) -> (Int, Int, String) {
      (group.time == .unknown ? 1 : 0, count.weight(group), group.time.rawValue + (group.migrator ?? ""))
    }
    let groups = Dictionary(grouping: users, by: \.key.recipe).map { recipe, groups in
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
