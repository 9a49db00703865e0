import Carryover
import CarryoverTerminal

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
    if rows.row(of: position) == nil { endFilter() }
    show([.review])
    focus = .fields
    if let row = rows.row(of: position) { select(row: row) }
    return []
  }
}

extension ReviewState {
  /// Scrolls the page, whatever is chosen in it.
  private mutating func scroll(_ move: Move) {
    let visible = PageLayout(size: size).rows.count
    stack.pageTop = clampedPageTop(ListWindow.row(move, from: pageTop, of: page.lines.count, visible: visible))
  }

  /// Goes from finding to finding where the page allows it, and scrolls it where it does not.
  mutating func moveFinding(_ move: Move) {
    let anchors = page.anchors
    let visible = PageLayout(size: size).rows.count
    let index = findingList.index
    guard anchors.indices.contains(index) else { return scroll(move) }
    switch move {
    case .first:
      findingList.select(0)
      stack.pageTop = 0
    case .last:
      findingList.select(anchors.count - 1)
      stack.pageTop = clampedPageTop(.max)
    case .up where anchors[index] < pageTop: scroll(move)
    case .up:
      findingList.select(index - 1)
      reveal(finding: findingList.index, anchors)
      if findingList.index == 0 { stack.pageTop = 0 }
    case .down where index + 1 < anchors.count:
      findingList.select(index + 1)
      reveal(finding: findingList.index, anchors)
    case .down: scroll(move)
    case .pageUp, .pageDown:
      scroll(move)
      let shown = pageTop..<(pageTop + visible)
      guard !shown.contains(anchors[index]) else { return }
      let near =
        move == .pageDown ? anchors.firstIndex(where: shown.contains) : anchors.lastIndex(where: shown.contains)
      if let near { findingList.select(near) }
    }
  }

  /// Scrolls as little as is needed for a finding to be in sight: all of it, or else its beginning.
  private mutating func reveal(finding index: Int, _ anchors: [Int]) {
    let visible = PageLayout(size: size).rows.count
    let start = anchors[index]
    let end = index + 1 < anchors.count ? anchors[index + 1] - 1 : min(start + 4, page.lines.count)
    stack.pageTop = clampedPageTop(min(start, max(pageTop, end - visible)))
  }
}
