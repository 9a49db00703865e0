import Carryover
import CarryoverTerminal
import PropertyLists

extension ReviewState {
  /// Explains the field's findings, or the one that is chosen among all.
  mutating func explain() -> [ReviewEffect] {
    if topScreen != .warnings { findingList = FindingList(explainable) }
    guard findingList.selected != nil else { return [.bell] }
    open(.finding)
    return []
  }

  /// What can be explained from the selected field: its own findings, then those of the container.
  var explainable: [Finding] { (selected?.findings ?? []) + plan.containerFindings }

  /// Whether there is any. Asked for every frame, so nothing is put together for it.
  var canExplain: Bool { selected?.findings.isEmpty == false || !plan.containerFindings.isEmpty }

  /// Brings the screens of findings up to date with a new plan.
  mutating func refreshFindings() {
    let index = findingList.index
    show(stack.screens.filter { $0 != .finding })
    findingList = stack.screens.contains(.warnings) ? FindingList(all: plan) : FindingList()
    findingList.select(index)
  }

  /// Goes to the next finding, or the one before.
  mutating func chooseFinding(step: Int) -> [ReviewEffect] {
    findingList.select(findingList.index + step)
    stack.pageTop = 0
    return []
  }

  /// Shows the field of the chosen finding in the list, whatever the list leaves out.
  mutating func goToField() -> [ReviewEffect] {
    guard let id = findingList.selected?.field, let position = positions[id] else { return [.bell] }
    go(toField: position)
    return []
  }

  /// Shows a field in the list, whatever the list leaves out.
  /// - Parameter position: The field's position in the plan.
  mutating func go(toField position: Int) {
    if rows.row(of: position) == nil { endFilter() }
    show([.review])
    focus = .fields
    if let row = rows.row(of: position) { select(row: row) }
  }
}
