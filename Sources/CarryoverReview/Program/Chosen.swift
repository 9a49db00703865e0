import CarryoverTerminal

/// Which of the things in a text is chosen: a finding, an entry of the log. They begin at the page's anchors.
struct Chosen<State: Program>: Sendable {
  /// The number of the one that is chosen.
  let number: @Sendable (State) -> Int
  /// Chooses another.
  let select: @Sendable (inout State, Int) -> Void
}

extension Program {
  /// Scrolls the page, whatever is chosen in it.
  private mutating func scroll(_ move: Move) {
    let visible = PageLayout(size: size).rows.count
    stack.pageTop = clampedPageTop(ListWindow.row(move, from: pageTop, of: page.lines.count, visible: visible))
  }

  /// Goes from thing to thing where the page allows it, and scrolls it where it does not.
  mutating func move(_ move: Move, among chosen: Chosen<Self>) {
    let anchors = page.anchors
    let index = chosen.number(self)
    guard anchors.indices.contains(index) else { return scroll(move) }
    switch move {
    case .first:
      chosen.select(&self, 0)
      stack.pageTop = 0
    case .last:
      chosen.select(&self, anchors.count - 1)
      stack.pageTop = clampedPageTop(.max)
    case .up where anchors[index] < pageTop: scroll(move)
    case .up:
      chosen.select(&self, index - 1)
      reveal(anchor: chosen.number(self))
      if chosen.number(self) == 0 { stack.pageTop = 0 }
    case .down where index + 1 < anchors.count:
      chosen.select(&self, index + 1)
      reveal(anchor: chosen.number(self))
    case .down: scroll(move)
    case .pageUp, .pageDown:
      scroll(move)
      let shown = pageTop..<(pageTop + PageLayout(size: size).rows.count)
      guard !shown.contains(anchors[index]) else { return }
      let near =
        move == .pageDown ? anchors.firstIndex(where: shown.contains) : anchors.lastIndex(where: shown.contains)
      if let near { chosen.select(&self, near) }
    }
  }

  /// Scrolls as little as is needed for a thing to be in sight: all of it, or else its beginning.
  mutating func reveal(anchor index: Int) {
    let anchors = page.anchors
    guard anchors.indices.contains(index) else { return }
    let visible = PageLayout(size: size).rows.count
    let start = anchors[index]
    let end = index + 1 < anchors.count ? anchors[index + 1] - 1 : min(start + 4, page.lines.count)
    stack.pageTop = clampedPageTop(min(start, max(pageTop, end - visible)))
  }
}

extension Canvas {
  /// Shows what is chosen, over the page: moving from one to the next then draws two lines again, and no page.
  mutating func drawChosen(_ index: Int) {
    let layout = PageLayout(size: size)
    let anchors = state.page.anchors
    guard anchors.indices.contains(index) else { return }
    let row = layout.rows.lowerBound + anchors[index] - state.pageTop
    guard layout.rows.contains(row), state.page.lines.indices.contains(anchors[index]) else { return }
    let line = state.page.lines[anchors[index]].map { Span($0.text, style: $0.style.selected()) }
    let start = layout.columns.lowerBound
    field(ink.pointer, row: row, columns: (start - 1)..<start, Style(.label, selected: true))
    put(line, row: row, columns: layout.columns)
  }
}
