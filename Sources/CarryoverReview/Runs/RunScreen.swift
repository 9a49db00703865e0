import Carryover
import CarryoverPages
import CarryoverTerminal

extension Screen {
  static let run = Screen("run", "Run")
}

extension ScreenContent<ReviewState> {
  static var run: ScreenContent {
    drawn(.run, back: .leftward("Go back; nothing is written.")) { $0.drawRun() }.with {
      $0.scroller = { state, position in
        let layout = state.keysLayout
        guard state.pages.draft != nil, position.map({ $0.row < layout.dividerRow }) ?? true else { return nil }
        return Scroller(state.keys, layout.listRows, 1..<layout.lastColumn) { $0.keys.put($1, top: $2) }
      }
      $0.empty = { _ in "No keys." }
      $0.summary = { state, ink in state.pages.draft.map { ink.sentence(Canvas.counts($0) + ".") } ?? "" }
      $0.closed = { if $0.topScreen != .rollback { $0.pages.draft = nil } }
      $0.line = { state, row, ink in
        guard let draft = state.pages.draft, let entry = draft.plan.entries.element(row) else { return "" }
        let choice = draft.choices[row]
        let sign = choice.sign == .nothing ? "" : ink.sign(choice.sign) + " "
        return sign + "\(ink.name(entry.name)): \(choice.rawValue)."
      }
      $0.texts = { state, row, ink in
        guard let entry = state.keys.rows.element(row) else { return [] }
        return [ink.text(entry.id.file)]
          + [entry.before, entry.current, entry.after].map { ink.value($0, of: entry.id.key, columns: 200) }
      }
      $0.pane = { writer, state in
        if let draft = state.pages.draft, let (entry, choice) = state.selectedKey {
          writer.entry(entry, choice, of: draft.plan, key: state.key("choose", .run))
        }
      }
      $0.click = { state, position in
        guard state.selectRow(at: position), KeyColumns(state.keysLayout).mark.contains(position.column) else {
          return
        }
        state.act(byClick: "choose")
      }
    }
  }
}

extension Canvas<ReviewState> {
  mutating func drawRun() {
    guard let draft = state.pages.draft else { return }
    let layout = state.keysLayout
    let columns = KeyColumns(layout)
    drawListFrame(layout, titles: columns.titles, pane: Self.counts(draft), row: state.keys.row, of: state.keys.count)
    for (row, index, entry) in state.keys.visible(at: layout.listRows) {
      draw(entry, draft.choices[index], isSelected: index == state.keys.row, row: row, columns)
    }
    guard let (entry, choice) = state.selectedKey else {
      field(ink.words("No keys."), row: layout.listRows.lowerBound, columns: columns.name, Style(.muted))
      return
    }
    var writer = paneWriter
    writer.entry(entry, choice, of: draft.plan, key: state.key("choose", .run))
    drawPane(
      layout, writer.lines, rest: "… and more; \(state.key("roll-back", .run)) shows values in full")
  }

  private mutating func draw(
    _ entry: RollbackEntry, _ choice: RollbackChoice, isSelected: Bool, row: Int, _ columns: KeyColumns
  ) {
    let name = Style(.label, selected: isSelected)
    field(isSelected ? ink.pointer : " ", row: row, columns: columns.pointer, name)
    field(ink.sign(choice.sign), row: row, columns: columns.mark, Style(choice.role, selected: isSelected))
    field("", row: row, columns: columns.mark.upperBound..<columns.name.lowerBound, name)
    field(ink.name(entry.name, columns: columns.name.count), row: row, columns: columns.name, name)
    let isLost = choice == .isOverwritten
    let values = [
      (columns.left, entry.after, Role.muted), (columns.current, entry.current, isLost ? .removed : .value),
      (columns.before, entry.before, choice.writes ? .added : .muted),
    ]
    for (range, value, role) in values where !range.isEmpty {
      if range == columns.before, let words = choice.instead {
        field(ink.words(words), row: row, columns: range, Style(.muted))
        continue
      }
      if range == columns.before, value == nil {
        field(ink.words("removed"), row: row, columns: range, Style(role))
        continue
      }
      field(
        ink.value(value, of: entry.id.key, columns: range.count), row: row, columns: range,
        Style(value == nil ? .muted : role))
    }
  }

  /// `6 to roll back, 1 undecided`.
  fileprivate static func counts(_ draft: RollbackDraft) -> String {
    draft.choices.isEmpty ? "No keys" : draft.choices.counts
  }
}

struct KeyColumns {
  let pointer = 1..<2
  let mark = 2..<3
  let name: Range<Int>
  /// The value after the run; empty if there is no room.
  let left: Range<Int>
  let current: Range<Int>
  let before: Range<Int>
  let titles: [(start: Int, title: String)]

  init(_ layout: Layout) {
    let columns = layout.size.columns
    let hasLeft = layout.shape == .wide
    let keys = columns * (hasLeft ? 31 : 40) / 100
    let width = (columns - 1 - keys) / (hasLeft ? 3 : 2)
    func pane(_ start: Int, until end: Int) -> Range<Int> { (start + 2)..<max(start + 2, end - 1) }
    name = 4..<max(4, keys - 1)
    let current = hasLeft ? keys + width : keys
    left = hasLeft ? pane(keys, until: current) : 0..<0
    self.current = pane(current, until: current + width)
    before = pane(current + width, until: columns - 1)
    titles =
      [(0, "Key")] + (hasLeft ? [(keys, "After the run")] : [])
      + [(current, "Now"), (current + width, "After rollback")]
  }
}

extension RollbackChoice {
  /// The words in place of the value after the rollback; nil if it is written.
  fileprivate var instead: String? {
    switch self {
    case .goesBack, .isOverwritten: nil
    case .undecided: "undecided"
    case .stays: "not chosen"
    case .isKept, .isBack, .cannot: "unchanged"
    }
  }
}

extension PageWriter {
  private static let labels = 16

  fileprivate mutating func entry(
    _ entry: RollbackEntry, _ choice: RollbackChoice, of plan: RollbackPlan, key chooses: String
  ) {
    let key = entry.id.key
    add([Span(ink.sign(choice.sign) + " ", choice.role), Span(ink.name(entry.name, columns: columns - 2), .label)])
    words(choice.sentence(ink.shown(entry), key: chooses), choice.role, indent: 2)
    if choice == .cannot, let reason = plan.reason(entry.id.file) { words(reason, .muted, indent: 2) }
    row("Now", width: Self.labels, [value(entry.current, key)], indent: 2)
    row("After the run", width: Self.labels, [value(entry.after, key)], indent: 2)
    row("Before the run", width: Self.labels, [value(entry.before, key)], indent: 2)
    row("File", width: Self.labels, [Span(ink.text(entry.id.file), .muted)], indent: 2)
    row("Run", width: Self.labels, [Span(ink.name(plan.run.id), .muted)], indent: 2)
  }

  private func value(_ value: PropertyListValue?, _ key: String) -> Span {
    Span(ink.value(value, of: key, columns: max(12, columns - Self.labels - 4)), value == nil ? .muted : .value)
  }
}

extension RollbackPlan {
  /// The reason that a file cannot be edited key by key, as a sentence.
  func reason(_ file: String) -> String? {
    for case let entry in files where entry.id.hasSameBytes(as: file) {
      if case .unreadable(let reason) = entry.state { return reason }
    }
    return nil
  }
}

extension Ink {
  /// The entry with masked values.
  func shown(_ entry: RollbackEntry) -> RollbackEntry {
    var entry = entry
    entry.before = entry.before.map { shown($0) }
    entry.current = entry.current.map { shown($0) }
    return entry
  }
}
