import Carryover
import CarryoverPages
import CarryoverTerminal

extension Screen {
  static let decideMany = Screen("decide-many", "Decide many")
  static let filterMenu = Screen("filter-menu", "Filters")
}

extension ScreenContent<ReviewState> {
  static var decideMany: ScreenContent { menu(.decideMany) { $0.manyMenu } }
  static var filterMenu: ScreenContent { menu(.filterMenu) { $0.filtersMenu } }

  static func menu(
    _ screen: Screen, keys: [ReviewKey] = [], _ menu: @escaping @Sendable (ReviewState) -> ChoiceMenu
  ) -> ScreenContent {
    drawn(screen, back: Back(help: "Go back; nothing is changed.")) {
      if $0.state.isUnknown { $0.drawUnknown() } else { $0.drawReview() }
      $0.drawMenu()
    }
    .with {
      $0.keys = keys
      $0.hasHelp = false
      $0.opened = { state in
        state.menu = menu(state)
        state.reveal(screen)
      }
      $0.closed = { $0.menu = nil }
      $0.isMenu = true
      $0.line = { state, row, ink in
        guard let item = state.menu?.list.rows.element(row) else { return "" }
        let count = item.count.map { ", " + counted($0, "field") } ?? ""
        return ink.words("\(item.key): \(item.words)\(count)\(item.isOpen ? ". \(item.note)" : ".")")
      }
      $0.scroller = { state, position in
        guard let menu = state.menu else { return nil }
        if let position, !state.menuLayout.rows.contains(position.row) { return nil }
        return Scroller(menu.list, state.menuLayout.rows, state.menuLayout.columns) { $0.menu?.list.put($1, top: $2) }
      }
    }
  }
}

enum MenuKeys {
  static let deciding: [ReviewKey] = [
    ReviewKey(
      [.enter], "decide", "Make the chosen decision; nothing is written.", in: [.decideMany],
      .deciding, hint: 1, unless: noneConcerned
    ) { $0.pick() },
    .picked(
      ManyChoice.all.map(\.key), "by-letter", "Make the decision listed under the key.", .decideMany,
      .deciding),
  ]

  static let filtering: [ReviewKey] = [
    ReviewKey(
      [.enter], "list", "List the fields of the chosen filter.", in: [.filterMenu], .searching, hint: 1,
      unless: noneConcerned
    ) { $0.pick() },
    listed(["a"], "all", "List every field."),
    listed(
      FilterWord.keys { $0.isDisjoint(with: FilterWord.decided) }, "undecided",
      "List fields without a decision, by state."),
    listed(
      FilterWord.keys { !$0.isDisjoint(with: FilterWord.decided) }, "decided",
      "List decided fields, by decision."),
    listed(FilterWord.findingKeys, "findings", "List fields with findings."),
    listed(FilterWord.groupKeys, "groups", "List the fields of a group."),
  ]

  private static func listed(_ keys: [Character], _ name: String, _ help: String) -> ReviewKey {
    .picked(keys, name, help, .filterMenu, .searching)
  }

  private static let noneConcerned: @Sendable (ReviewState) -> String? = {
    $0.menu?.list.selected?.isOpen == true ? nil : ReviewState.noneConcerned
  }
}

extension KeyBinding<ReviewState> {
  static func picked(
    _ keys: [Character], _ name: String, _ help: String, _ screen: Screen, _ group: BindingGroup
  ) -> KeyBinding {
    ReviewKey(
      keys.map { .character($0) }, "", help, in: [screen], group, name: name,
      byKey: { state, key in
        guard case .character(let character) = key else { return state.emit(.bell) }
        state.pick(under: character)
      })
  }
}

extension ReviewState {
  static let noneConcerned = "No field matches."

  var menuLayout: MenuLayout { MenuLayout(size: size, items: menu?.list.count ?? 0) }

  mutating func closeMenu() {
    show(stack.screens.filter { $0 != .decideMany && $0 != .filterMenu && $0 != .setup })
  }

  mutating func pick() {
    if let item = menu?.list.selected { pick(item) } else { emit(.bell) }
  }

  mutating func pick(under key: Character) {
    guard let item = menu?.list.rows.first(where: { $0.key == key }) else { return refuse("\(key) has no entry here.") }
    pick(item)
  }

  private mutating func pick(_ item: ChoiceMenu.Item) {
    guard item.isOpen else { return refuse(Self.noneConcerned) }
    closeMenu()
    item.pick(&self)
  }

  var filtersMenu: ChoiceMenu {
    let counts = filterCounts
    let all = ChoiceMenu.Item(
      key: "a", words: "all fields", count: plan.fields.count,
      note: "Clears the filter, like \(key("clear", .review)).",
      pick: { $0.endFilter() })
    let words = zip(FilterWord.all, counts).map { word, count in
      ChoiceMenu.Item(
        key: word.key, words: word.title, count: count,
        note: count == 0 ? Self.noneConcerned : "Same as typing \(key("filter", .review)) \(word.word) enter.",
        pick: { $0.setFilter(word.word) })
    }
    return ChoiceMenu(title: Screen.filterMenu.title, items: [all] + words)
  }

  private var filterCounts: [Int] {
    FilterWord.all.map { word in
      // No other test depends on the state.
      if case .state(let states) = word.test { return states.reduce(0) { $0 + tally[$1] } }
      return facts.count { word.matches($0, .ready) }
    }
  }

  var manyMenu: ChoiceMenu {
    let group = selected?.group
    var counts = ManyChoice.all.map { _ in 0 }
    var words = ManyWords(
      group: group?.rawValue ?? "the group", isPart: narrowing != nil, undo: key("undo", .review))
    for row in narrowedRows {
      guard let position = rows.element(row) else { continue }
      let (field, state) = (facts[position], standings[position])
      for (index, choice) in ManyChoice.all.enumerated() where choice.concerns(field, state, field.group == group) {
        counts[index] += 1
      }
      if state == .conflict, !(field.isOnlyInConflict && field.hasProposal) { words.flaggedConflicts += 1 }
      guard field.group == group else { continue }
      if state.waits { words.waiting += 1 }
      if state == .toDecide, field.hasProposal { words.flagged += 1 }
      if state == .conflict { words.conflicts += 1 }
    }
    let items = zip(ManyChoice.all, counts).compactMap { choice, count -> ChoiceMenu.Item? in
      if count == 0 || choice.isForFlagged && words.flagged == 0 { return nil }
      return ChoiceMenu.Item(
        key: choice.key, words: choice.title(words), count: count, note: choice.note(words),
        pick: { $0.decideMany(choice) })
    }
    let scope = narrowing.map { ": only the \(counted(narrowedRows.count, "field")) \($0)" } ?? ""
    return ChoiceMenu(title: Screen.decideMany.title + scope, items: items)
  }

  private mutating func decideMany(_ choice: ManyChoice) {
    let group = selected?.group
    let changes = narrowedRows.compactMap { row -> DecisionChange? in
      guard let position = rows.element(row) else { return nil }
      let field = facts[position]
      guard choice.concerns(field, standings[position], field.group == group) else { return nil }
      return DecisionChange(
        field: field.id, before: decision(at: position), after: choice.decision, position: position)
    }
    let more = record(changes).map { " " + $0 } ?? ""
    message = "\(changes.count) \(choice.decision?.pastWord ?? "undone")." + more
  }
}

/// At the bottom, over the list, with room for the items and two lines about the selected one.
struct MenuLayout: Hashable {
  let frame: Rect
  let rows: Range<Int>
  let noteRows: Range<Int>
  let columns: Range<Int>

  init(size: Size, items: Int) {
    let room = max(1, size.rows - 2)
    let height = min(room, items + 4)
    let top = size.rows - 1 - height
    frame = Rect(column: 0, row: top, columns: size.columns, rows: height)
    let end = max(top + 1, size.rows - 2)
    let notes = min(2, max(0, height - 3))
    rows = (top + 1)..<max(top + 1, end - notes)
    noteRows = rows.upperBound..<max(rows.upperBound, end)
    columns = 1..<max(1, size.columns - 1)
  }
}

extension Canvas<ReviewState> {
  /// What a menu covers where no recipe finds data.
  fileprivate mutating func drawUnknown() {
    let content = ReviewState.table[.unknown]
    drawPage(content.page?(state) ?? Page(), from: 0, title: ink.words(content.screen.title))
  }

  mutating func drawMenu() {
    guard let menu = state.menu else { return }
    let layout = state.menuLayout
    grid.clear(layout.frame)
    grid.frame(layout.frame, title: ink.words(menu.title), style: Style(.frameFocused), titleStyle: Style(.title))
    let (list, items) = (menu.list, menu.list.rows)
    drawPlace(of: list, visible: layout.rows.count)
    let digits = max(1, items.map { String($0.count ?? 0).utf8.count }.max() ?? 1)
    let left = layout.columns.lowerBound
    for (row, index, item) in list.visible(at: layout.rows) {
      let isSelected = index == list.row
      let plain = Style(item.isOpen ? .plain : .muted, selected: isSelected)
      field("", row: row, columns: layout.columns, plain)
      field(isSelected ? ink.pointer : " ", row: row, columns: left..<(left + 1), plain)
      field(
        String(item.key), row: row, columns: (left + 1)..<(left + 2),
        Style(item.isOpen ? .key : .muted, selected: isSelected))
      let count = item.count.map { String($0) } ?? ""
      let end = items.contains { $0.count != nil } ? left + 4 + digits : left + 2
      field(count, row: row, columns: (end - count.utf8.count)..<end, plain)
      field(ink.words(item.words), row: row, columns: (end + 2)..<max(end + 2, layout.columns.upperBound), plain)
    }
    let columns = 2..<max(2, size.columns - 2)
    var writer = PageWriter(columns: columns.count, ink: ink)
    if let note = list.selected?.note { writer.words(note, .muted) }
    for (line, row) in zip(writer.lines, layout.noteRows) { put(line, row: row, columns: columns) }
  }
}

/// A way to decide many fields at once. Only the last one changes decided fields.
private struct ManyChoice: Sendable {
  let key: Character
  /// Nil undoes decisions.
  var decision: Decision? = .migrate
  var isForFlagged = false
  let title: @Sendable (ManyWords) -> String
  let note: @Sendable (ManyWords) -> String
  let concerns: @Sendable (FieldFacts, FieldState, _ isInGroup: Bool) -> Bool

  static let all: [ManyChoice] = [
    ManyChoice(
      key: "a", title: { "accept \($0.all) recommendations" },
      note: { _ in "Accepts proposals and replaces the new SDK's fresh ids. The rest stays undecided." },
      concerns: { field, state, _ in state.waits && field.isRecommended }),
    ManyChoice(
      key: "r", title: { "accept \($0.all) ready fields" },
      note: { _ in "Undecided and already decided fields are not changed." },
      concerns: { field, state, _ in state == .ready && field.hasProposal }),
    ManyChoice(
      key: "p", title: { "accept \($0.all) proposals in group \($0.group)" },
      note: { $0.leftOut(flagged: $0.flagged) },
      concerns: { field, state, isInGroup in isInGroup && state == .ready && field.hasProposal }),
    ManyChoice(
      key: "P", isForFlagged: true,
      title: { "accept \($0.all) proposals in group \($0.group), including \($0.flagged) undecided" },
      note: { $0.leftOut(flagged: 0) },
      concerns: { field, state, isInGroup in
        isInGroup && (state == .ready || state == .toDecide) && field.hasProposal
      }),
    ManyChoice(
      key: "s", decision: .skip, title: { "skip \($0.all) fields in group \($0.group)" },
      note: { $0.waiting == 0 ? "Decided fields are not changed." : "Including \($0.waiting) undecided." },
      concerns: { _, state, isInGroup in isInGroup && (state == .ready || state.waits) }),
    ManyChoice(
      key: "t", decision: .keep, title: { "keep \($0.all) conflicting target values" }, note: { $0.leftOutConflicts },
      concerns: { field, state, _ in state == .conflict && field.isOnlyInConflict && field.hasCurrent }),
    ManyChoice(
      key: "#", title: { "replace \($0.all) conflicting target values" }, note: { $0.leftOutConflicts },
      concerns: { field, state, _ in state == .conflict && field.isOnlyInConflict && field.hasProposal }),
    ManyChoice(
      key: "u", decision: nil, title: { $0.isPart ? "undo every decision on these fields" : "undo every decision" },
      note: { "Afterwards, \($0.undo) in the review restores them." }, concerns: { _, state, _ in state.isDecided }),
  ]
}

/// What the choices say about the fields of the range, or else of the list.
private struct ManyWords {
  var group: String
  var isPart: Bool
  var undo: String
  /// Of the group, as the next two.
  var flagged = 0
  var waiting = 0
  var conflicts = 0
  /// Also flagged for another reason.
  var flaggedConflicts = 0

  var all: String { isPart ? "all these" : "all" }

  var leftOutConflicts: String {
    flaggedConflicts > 0
      ? "Not included: \(flaggedConflicts) also flagged for another reason." : "Nothing is written until you apply."
  }

  func leftOut(flagged: Int) -> String {
    var parts: [String] = []
    if flagged > 0 { parts.append("\(flagged) undecided") }
    if conflicts > 0 { parts.append("\(conflicts) in conflict") }
    return parts.isEmpty
      ? "Decided fields are not changed." : "Not included: \(parts.joined(separator: " and ")) in the group."
  }
}

struct ChoiceMenu: Sendable {
  struct Item: Sendable {
    var key: Character
    var words: String
    /// Nil for items that do not concern fields. An item with 0 cannot be chosen.
    var count: Int?
    var note: String
    var pick: @Sendable (inout ReviewState) -> Void

    var isOpen: Bool { count != 0 }
  }

  let title: String
  var list: RowList<Item>

  init(title: String, items: [Item]) {
    self.title = title
    list = RowList(items)
    list.select(items.firstIndex { $0.isOpen } ?? 0)
  }
}
