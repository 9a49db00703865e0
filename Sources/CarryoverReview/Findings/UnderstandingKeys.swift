import Carryover
import CarryoverTerminal
import PropertyLists

/// The screens of findings.
extension ScreenContent<ReviewState> {
  /// Every finding, and what is left behind.
  static var warnings: ScreenContent {
    text(.warnings, back: .leftward) { $0.warnings($1) }.with {
      $0.opened = { $0.findingList = FindingList(all: $0.plan) }
      $0.chosen = Chosen(number: { $0.findingList.index }, select: { $0.findingList.select($1) })
      $0.summary = { state, ink in
        guard let finding = state.findingList.selected else { return "" }
        let place = "\(state.findingList.index + 1) of \(state.findingList.findings.count)"
        let field = finding.field.map { ink.name($0) + ", " } ?? ""
        return ink.words("At finding \(place): ") + field + finding.code.rawValue
      }
    }
  }

  /// All about one finding.
  static var finding: ScreenContent {
    text(.finding, back: .leftward) { $0.finding($1) }.with {
      $0.title = { state, _ in "Finding \(state.findingList.index + 1) of \(state.findingList.findings.count)" }
    }
  }
}

/// What the keys do that explain findings.
enum FindingKeys {
  typealias Binding = KeyBinding<ReviewState>

  static let seeing: [Binding] = [
    Binding(
      [.character("w")], "findings", "List every finding, and the keys that are not migrated.",
      in: [.review, .details, .preview], .seeing, hint: 4, opens: .warnings)
  ]

  static let explaining: [Binding] = [
    Binding(
      [.enter, .character("x")], "explain", "Explain the finding: its cause, and what to do.",
      in: [.warnings], .seeing, hint: 1, opens: [.finding],
      unless: { $0.findingList.selected == nil ? "There is nothing to explain here." : nil }
    ) { $0.explain() }
  ]

  static let understanding: [Binding] = [
    Binding(
      [.character("x")], "explain", "Explain the field's findings: their cause, and what to do.",
      in: [.review, .details], .seeing, hint: 4, opens: [.finding],
      unless: { $0.canExplain ? nil : "There is nothing to explain here." }
    ) { $0.explain() },
    Binding(
      [.enter], "go to field", "Go to the finding's field in the review.", in: [.finding], .moving, hint: 1,
      unless: { state in
        guard let id = state.findingList.selected?.field else {
          return "This finding is about the container, not about one field."
        }
        return state.positions[id] == nil ? "The plan has no such field." : nil
      }
    ) { $0.goToField() },
    Binding(
      [.character("]")], "next finding", "Go to the next finding.", in: [.finding], .moving, hint: 2,
      unless: { $0.findingList.index + 1 < $0.findingList.findings.count ? nil : "This is the last finding." }
    ) { $0.chooseFinding(step: 1) },
    Binding(
      [.character("[")], "previous finding", "Go to the previous finding.", in: [.finding], .moving, hint: 2,
      unless: { $0.findingList.index > 0 ? nil : "This is the first finding." }
    ) { $0.chooseFinding(step: -1) },
  ]
}
