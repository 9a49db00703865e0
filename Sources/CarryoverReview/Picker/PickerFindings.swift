import Carryover
import CarryoverPages
import CarryoverTerminal

extension Screen {
  static let containersFindings = Screen("containers-findings", "Findings of all containers")
}

struct FoundFinding: Hashable, Sendable {
  var code: FindingCode
  var containers = 0
  /// How many fields it asks about.
  var fields = 0

  /// The decisions that a policy can take about it.
  var choices: [DecisionPolicy.Choice] { code.asks ? DecisionPolicy.Choice.choices(for: code) : [] }
}

extension ScreenContent<PickerState> {
  static var containersFindings: ScreenContent {
    text(.containersFindings, back: .leftward, keys: keys) { $0.findings($1) }.with {
      $0.opened = { $0.listFindings() }
      $0.closed = { $0.findings = RowList() }
      $0.chosen = Chosen(number: { $0.findings.row }, select: { $0.findings.select($1) })
      $0.summary = { state, ink in
        guard let found = state.findings.selected else { return "" }
        let words = state.policy.choices[found.code].map { ", " + $0.words } ?? ""
        return ink.words(
          "At finding \(state.findings.row + 1) of \(state.findings.count): \(found.code.rawValue)\(words)")
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
      "Accept the proposal of every field that only this finding asks about, in each container that you open (again: "
        + "undo).", [.accept, .replace]),
    deciding(.character("s"), "skip", "Skip every such field in each container that you open (again: undo).", [.skip]),
    deciding(
      .character("t"), "keep", "Keep the target's value in each container that you open (again: undo).", [.keep]),
    KeyBinding(
      [.enter], "list", "List only the containers that have this finding.", in: [.containersFindings], .searching,
      hint: 1, name: "list-containers", unless: { $0.findings.selected == nil ? noFinding : nil }
    ) { state in
      guard let found = state.findings.selected else { return state.emit(.bell) }
      state.back()
      state.refilter(found.code.rawValue)
    },
  ]

  private static let noFinding = "There is no finding here."

  private static func deciding(
    _ key: Key, _ label: String, _ help: String, _ choices: [DecisionPolicy.Choice]
  ) -> KeyBinding<PickerState> {
    KeyBinding(
      [key], label, help, in: [.containersFindings], .deciding, hint: 1, name: label + "-finding",
      footer: .init(label: { state in
        let decided = state.findings.selected.flatMap { state.policy.choices[$0.code] }
        return decided.map(choices.contains) == true ? "undo" : label
      }),
      unless: { state in
        guard let found = state.findings.selected else { return noFinding }
        if found.choices.isEmpty { return "This finding asks for no decision." }
        return found.choices.contains(where: choices.contains)
          ? nil
          : "This does not decide \(found.code.rawValue): \(found.choices.map(\.rawValue).joined(separator: " or "))."
      }
    ) { state in
      guard let found = state.findings.selected, let choice = found.choices.first(where: choices.contains) else {
        return state.emit(.bell)
      }
      let isOn = state.policy.choices[found.code] == choice
      state.decide(found.code, isOn ? nil : choice)
      state.message =
        isOn
        ? "\(found.code.rawValue) is no longer decided."
        : "Holds for containers opened from here; nothing is written before you apply."
    }
  }
}

extension PickerState {
  /// Lists the findings of the containers that were read: those that ask for a decision first, then by severity and
  /// number of containers.
  mutating func listFindings() {
    var found: [FindingCode: FoundFinding] = [:]
    for plan in states.lazy.compactMap(\.plan) {
      for code in plan.findings { found[code, default: FoundFinding(code: code)].containers += 1 }
      for field in plan.fields {
        for code in field.asking { found[code, default: FoundFinding(code: code)].fields += 1 }
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
  var words: String {
    switch self {
    case .accept: "accepted"
    case .skip: "skipped"
    case .keep: "target's value kept"
    case .replace: "target's value replaced"
    }
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
        head += [Span("  " + ink.sign(.done) + " ", .confirmed), Span(ink.words(choice.words), .confirmed)]
      }
      add(head, hanging: 2)
      words(code.explanation.title, indent: 2)
    }
  }
}
