import Carryover
import CarryoverPages
import CarryoverTerminal

extension Screen {
  static let containersFindings = Screen("containers-findings", "Findings of all containers")
  static let containersReplace = Screen("containers-replacing", "Replace in all containers")
}

struct FoundFinding: Hashable, Sendable {
  var code: FindingCode
  var containers = 0
  /// How many fields its decision concerns.
  var fields = 0
  /// How many of them are decided.
  var decided = 0
  /// The findings without a decision that ask about the others too.
  var others: Set<FindingCode> = []

  /// The decisions that a policy can take about it.
  var choices: [DecisionPolicy.Choice] { code.asks ? DecisionPolicy.Choice.choices(for: code) : [] }
}

/// A decision by finding, and what it changes in the containers that were read.
struct FindingDecision: Hashable, Sendable {
  let code: FindingCode
  let choice: DecisionPolicy.Choice
  private(set) var containers = 0
  private(set) var fields = 0
  /// The number of containers in which it concerns ids of a user whom the new SDK knows; a fresh identity is nobody's.
  private(set) var users = 0

  fileprivate init(
    _ code: FindingCode, _ choice: DecisionPolicy.Choice, after policy: DecisionPolicy, in states: [ContainerState]
  ) {
    (self.code, self.choice) = (code, choice)
    var policy = policy
    policy.choices[code] = choice
    for state in states {
      let decided = (state.plan?.fields ?? []).filter { field in
        field.asking.contains(code)
          && policy.decision(field.status, asking: field.asking, hasProposal: field.hasProposal) != nil
      }
      guard !decided.isEmpty else { continue }
      containers += 1
      fields += decided.count
      if decided.contains(where: { $0.group == .identity && $0.asking.contains(.targetConflict) }) { users += 1 }
    }
  }

  /// `40 fields in 20 containers`.
  var scope: String { "\(counted(fields, "field")) in \(counted(containers, "container"))" }
}

extension ScreenContent<PickerState> {
  static var containersFindings: ScreenContent {
    text(.containersFindings, back: .leftward, keys: keys) { $0.findings($1) }.with {
      $0.opened = { $0.listFindings() }
      $0.closed = { $0.findings = RowList() }
      $0.chosen = Chosen(number: { $0.findings.row }, select: { $0.findings.select($1) })
      $0.summary = { state, ink in
        guard let found = state.findings.selected else { return "" }
        let words = state.policy.choices[found.code].map { ", " + found.words($0) } ?? ""
        return ink.words(
          "At finding \(state.findings.row + 1) of \(state.findings.count): \(found.code.rawValue)\(words)")
      }
    }
  }

  static var containersReplace: ScreenContent {
    text(.containersReplace, back: Back(help: "Go back; nothing is decided.")) { $0.replaceQuestion($1) }.with {
      $0.isRead = true
      $0.closed = { $0.asked = nil }
      $0.question = { state in
        "Replace \(state.asked?.scope ?? "")? \(state.key("replace", .containersReplace)) or "
          + state.key("back", .containersReplace)
      }
    }
  }

  private static let keys: [KeyBinding<PickerState>] = [
    KeyBinding(
      [.character("w")], "findings", "List the findings of all containers, and decide by finding.",
      in: [.containers], .seeing, hint: 2, opens: .containersFindings,
      unless: { $0.isPlanning ? nil : "Containers are not planned here, so there are no findings." }),
    deciding(
      .character(" "), "accept",
      "Accept the proposal of every field that only this finding asks about. If it asks about the target's value, "
        + "replace that value, after a question (again: undo).", [.accept, .replace], opens: [.containersReplace]),
    deciding(.character("s"), "skip", "Skip every field that only this finding asks about (again: undo).", [.skip]),
    deciding(
      .character("t"), "keep", "Keep the target's value of every field that this finding asks about (again: undo).",
      [.keep]),
    KeyBinding(
      [.character("y")], "replace", "Replace these values in each container that you apply; nothing is written yet.",
      in: [.containersReplace], .deciding, hint: 1, duty: .confirmation
    ) { state in
      guard let asked = state.asked else { return state.emit(.bell) }
      state.back()
      state.decide(asked)
    },
    KeyBinding(
      [.enter], "list", "List only the containers that have this finding.", in: [.containersFindings], .searching,
      hint: 1, name: "list-containers", unless: { $0.findings.selected == nil ? noFinding : nil }
    ) { state in
      guard let found = state.findings.selected else { return state.emit(.bell) }
      let former = state.filter
      state.back()
      state.refilter(found.code.rawValue)
      let clear = state.key("clear", .containers)
      state.message =
        former.isEmpty || former == state.filter
        ? "Listed: \(found.code.rawValue). \(clear) lists all containers."
        : "The filter \(found.code.rawValue) replaces “\(former)”. \(clear) lists all containers."
    },
  ]

  private static let noFinding = "There is no finding here."

  private static func deciding(
    _ key: Key, _ label: String, _ help: String, _ choices: [DecisionPolicy.Choice], opens: [Screen] = []
  ) -> KeyBinding<PickerState> {
    KeyBinding(
      [key], label, help, in: [.containersFindings], .deciding, hint: 1, name: label + "-finding", opens: opens,
      footer: .init(label: { state in
        guard let found = state.findings.selected else { return label }
        if state.policy.choices[found.code].map(choices.contains) == true { return "undo" }
        return found.choices.first(where: choices.contains)?.rawValue ?? label
      }),
      unless: { state in
        guard let found = state.findings.selected else { return noFinding }
        if found.choices.isEmpty { return "This finding asks for no decision." }
        guard found.choices.contains(where: choices.contains) else {
          return
            "Decide \(found.code.rawValue) with \(found.choices.map(\.rawValue).joined(separator: " or ")) instead."
        }
        return found.fields > 0
          ? nil : "The decision about \(FindingCode.targetFreshIdentity.rawValue) decides these fields."
      }
    ) { state in
      guard let found = state.findings.selected, let choice = found.choices.first(where: choices.contains) else {
        return state.emit(.bell)
      }
      guard state.policy.choices[found.code] != choice else {
        state.decide(found.code, nil)
        state.message = "\(found.code.rawValue) is no longer decided."
        return
      }
      let decision = FindingDecision(found.code, choice, after: state.policy, in: state.states)
      guard choice == .replace else { return state.decide(decision) }
      state.asked = decision
      state.open(.containersReplace)
    }
  }
}

extension PickerState {
  fileprivate mutating func decide(_ decision: FindingDecision) {
    decide(decision.code, decision.choice)
    let rest = findings.rows.first { $0.code == decision.code }.flatMap(\.undecidedWords)
    let done = "\(decision.choice.words.capitalised): \(decision.scope)."
    message = ([done] + (rest.map { [$0] } ?? []) + ["Nothing is written until you apply."]).joined(separator: " ")
  }

  /// Lists the findings of the containers that were read: those that ask for a decision first, then by severity and
  /// number of containers.
  mutating func listFindings() {
    var found: [FindingCode: FoundFinding] = [:]
    for plan in states.lazy.compactMap(\.plan) {
      for code in plan.findings { found[code, default: FoundFinding(code: code)].containers += 1 }
      for field in plan.fields {
        for code in field.asking {
          found[code, default: FoundFinding(code: code)].fields += 1
          if field.standing.isDecided {
            found[code]?.decided += 1
          } else {
            found[code]?.others.formUnion(field.asking.filter { $0 != code && policy.choices[$0] == nil })
          }
        }
      }
    }
    func place(_ finding: FoundFinding) -> [Int] {
      [finding.code.asks ? 0 : 1, Severity.allCases.firstIndex(of: finding.code.severity) ?? 0, -finding.containers]
    }
    let sorted = found.values.sorted { first, second in
      let (one, other) = (place(first), place(second))
      return one == other ? first.code.rawValue < second.code.rawValue : one.lexicographicallyPrecedes(other)
    }
    // The selection stays while findings are added.
    findings.replace(sorted) { $0.code == $1.code }
  }
}

extension DecisionPolicy.Choice {
  fileprivate var words: String {
    switch self {
    case .accept: "accepted"
    case .skip: "skipped"
    case .keep: "target's value kept"
    case .replace: "target's value replaced"
    }
  }
}

extension FoundFinding {
  fileprivate func words(_ choice: DecisionPolicy.Choice) -> String {
    decided == fields ? choice.words : "\(choice.words) in \(decided) of \(counted(fields, "field"))"
  }

  /// What its decision leaves undecided, and why; nil if nothing is.
  fileprivate var undecidedWords: String? {
    guard decided < fields else { return nil }
    let rest = counted(fields - decided, "field")
    let stay = fields - decided == 1 ? "stays" : "stay"
    guard !others.isEmpty else { return "\(rest) \(stay) undecided." }
    let names = others.map(\.rawValue).sorted().joined(separator: ", ")
    return "\(rest) \(stay) undecided: \(names) \(others.count == 1 ? "asks" : "ask") too."
  }
}

extension PageWriter {
  fileprivate mutating func findings(_ state: PickerState) {
    if state.unreadCount > 0 {
      words("\(counted(state.unreadCount, "container")) not read yet.", .muted)
    } else if state.findings.count == 0 {
      words("There are no findings.")
    }
    for found in state.findings.rows {
      blank()
      anchor()
      let (code, choice) = (found.code, state.policy.choices[found.code])
      var head = [
        Span(ink.sign(code.severity.sign) + " ", style: Style(code.severity.role)),
        Span(ink.words(code.rawValue), .label), Span(ink.words("  \(counted(found.containers, "container"))"), .muted),
      ]
      if found.fields > 0 { head.append(Span(ink.words(", asks about \(counted(found.fields, "field"))"), .muted)) }
      if let choice {
        head += [Span("  " + ink.sign(.done) + " ", .confirmed), Span(ink.words(found.words(choice)), .confirmed)]
      }
      add(head, hanging: 2)
      words(code.explanation.title, indent: 2)
      if choice != nil, let rest = found.undecidedWords { words(rest, .flagged, indent: 2) }
    }
  }

  fileprivate mutating func replaceQuestion(_ state: PickerState) {
    guard let asked = state.asked else { return }
    add([Span(ink.words(asked.code.rawValue), .label), Span(ink.words(": " + asked.code.explanation.title))])
    blank()
    words("Replace \(asked.scope)? Each gets the legacy value, and the new SDK's is lost.")
    if asked.users > 0 {
      let containers = asked.users == 1 ? "1 container" : "\(asked.users) containers"
      words("In \(containers) these are ids of the user: the new SDK may know another user there.", .flagged)
    }
    if state.unreadCount > 0 {
      words("It also applies to \(counted(state.unreadCount, "container")) not read yet.", .flagged)
    }
    blank()
    add([
      Span(state.key("replace", .containersReplace), .key),
      Span(ink.words(" replaces them. Nothing is written until you apply.")),
    ])
  }
}
