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
      $0.drawReview()
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
      ManyChoice.allCases.map(\.rawValue), "by-letter", "Make the decision listed under the key.", .decideMany,
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
        guard case .character(let character) = key else { return [.bell] }
        return state.pick(under: character)
      })
  }
}

extension ReviewState {
  static let noneConcerned = "No field matches."

  var menuLayout: MenuLayout { MenuLayout(size: size, items: menu?.list.count ?? 0) }

  mutating func closeMenu() {
    show(stack.screens.filter { $0 != .decideMany && $0 != .filterMenu && $0 != .setup })
  }

  mutating func pick() -> [ReviewEffect] { menu?.list.selected.map { pick($0) } ?? [.bell] }

  mutating func pick(under key: Character) -> [ReviewEffect] {
    guard let item = menu?.list.rows.first(where: { $0.key == key }) else { return refuse("\(key) has no entry here.") }
    return pick(item)
  }

  private mutating func pick(_ item: ChoiceMenu.Item) -> [ReviewEffect] {
    guard item.isOpen else { return refuse(Self.noneConcerned) }
    closeMenu()
    return item.pick(&self)
  }

  var filtersMenu: ChoiceMenu {
    let counts = filterCounts
    let all = ChoiceMenu.Item(
      key: "a", words: "all fields", count: plan.fields.count,
      note: "Clears the filter, like \(key("clear", .review)).",
      pick: {
        $0.endFilter()
        return []
      })
    let words = zip(FilterWord.all, counts).map { word, count in
      ChoiceMenu.Item(
        key: word.key, words: word.title, count: count,
        note: count == 0 ? Self.noneConcerned : "Same as typing \(key("filter", .review)) \(word.word) enter.",
        pick: {
          $0.setFilter(word.word)
          return []
        })
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

  private var manyRows: Range<Int> { range.map { $0.lowerBound..<($0.upperBound + 1) } ?? 0..<rows.count }

  var manyMenu: ChoiceMenu {
    let group = selected?.group
    var counts: [ManyChoice: Int] = [:]
    var (flagged, waitingInGroup, conflicts) = (0, 0, (inGroup: 0, all: 0))
    for row in manyRows {
      guard let position = rows.element(row) else { continue }
      let standing = standings[position]
      for choice in ManyChoice.allCases where choice.concerns(facts[position], standing, group) {
        counts[choice, default: 0] += 1
      }
      if standing == .conflict { conflicts.all += 1 }
      guard facts[position].group == group else { continue }
      if standing.waits { waitingInGroup += 1 }
      if standing == .toDecide, facts[position].hasProposal { flagged += 1 }
      if standing == .conflict { conflicts.inGroup += 1 }
    }
    let words = ManyWords(
      group: group?.rawValue ?? "the group", isPart: isFiltered || range != nil, flagged: flagged, conflicts: conflicts,
      onlyConflicts: counts[.replaceConflicts] ?? 0, waitingInGroup: waitingInGroup,
      undo: key("undo", .review))
    let items = ManyChoice.allCases.compactMap { choice -> ChoiceMenu.Item? in
      if choice == .groupWithFlagged, flagged == 0 { return nil }
      return ChoiceMenu.Item(
        key: choice.rawValue, words: words.title(choice), count: counts[choice] ?? 0, note: words.note(choice),
        pick: { $0.decideMany(choice) })
    }
    let scope =
      range.map { ": only the \(counted($0.count, "field")) in the range" }
      ?? (isFiltered ? ": only the \(counted(rows.count, "field")) listed" : "")
    return ChoiceMenu(title: Screen.decideMany.title + scope, items: items)
  }

  mutating func decideMany(_ choice: ManyChoice) -> [ReviewEffect] {
    let group = selected?.group
    var changes: [DecisionChange] = []
    for row in manyRows {
      guard let position = rows.element(row), choice.concerns(facts[position], standings[position], group) else {
        continue
      }
      changes.append(
        DecisionChange(
          field: facts[position].id, before: decision(at: position), after: choice.decision, position: position))
    }
    let more = record(changes).map { " " + $0 } ?? ""
    message = "\(changes.count) \(choice.decision?.pastWord ?? "undone")." + more
    return []
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
  mutating func drawMenu() {
    guard let menu = state.menu else { return }
    let layout = state.menuLayout
    grid.fill(layout.frame)
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

private struct ManyWords {
  var group: String
  var isPart: Bool
  var flagged: Int
  var conflicts: (inGroup: Int, all: Int)
  var onlyConflicts: Int
  var waitingInGroup: Int
  var undo: String

  private var all: String { isPart ? "all these" : "all" }

  func title(_ choice: ManyChoice) -> String {
    switch choice {
    case .clean: "accept \(all) ready fields"
    case .group: "accept \(all) proposals in group \(group)"
    case .groupWithFlagged: "the same, including \(flagged) undecided"
    case .skipGroup: "skip \(all) fields in group \(group)"
    case .keepConflicts: "keep \(all) conflicting target values"
    case .replaceConflicts: "replace \(all) conflicting target values"
    case .undo: isPart ? "undo every decision on these fields" : "undo every decision"
    }
  }

  func note(_ choice: ManyChoice) -> String {
    switch choice {
    case .clean: "Undecided and already decided fields are not changed."
    case .group: leftOut(flagged: flagged)
    case .groupWithFlagged: leftOut(flagged: 0)
    case .skipGroup: waitingInGroup == 0 ? "Decided fields are not changed." : "Including \(waitingInGroup) undecided."
    case .keepConflicts, .replaceConflicts:
      conflicts.all > onlyConflicts
        ? "Not included: \(conflicts.all - onlyConflicts) also flagged for another reason."
        : "Nothing is written before you apply."
    case .undo: "Afterwards, \(undo) in the review restores them."
    }
  }

  private func leftOut(flagged: Int) -> String {
    var parts: [String] = []
    if flagged > 0 { parts.append("\(flagged) undecided") }
    if conflicts.inGroup > 0 { parts.append("\(conflicts.inGroup) in conflict") }
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
    var pick: @Sendable (inout ReviewState) -> [ReviewEffect]

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

/// A way to decide many fields at once, by its key in the menu. Only `undo` changes decided fields.
enum ManyChoice: Character, CaseIterable, Sendable {
  case clean = "r"
  case group = "p"
  case groupWithFlagged = "P"
  case skipGroup = "s"
  case keepConflicts = "t"
  case replaceConflicts = "#"
  case undo = "u"

  var decision: Decision? {
    switch self {
    case .clean, .group, .groupWithFlagged, .replaceConflicts: .migrate
    case .skipGroup: .skip
    case .keepConflicts: .keep
    case .undo: nil
    }
  }

  func concerns(_ field: FieldFacts, _ standing: FieldState, _ group: FieldGroup?) -> Bool {
    switch self {
    case .clean: standing == .ready && field.hasProposal
    case .group: field.group == group && standing == .ready && field.hasProposal
    case .groupWithFlagged: field.group == group && (standing == .ready || standing == .toDecide) && field.hasProposal
    case .skipGroup: field.group == group && (standing == .ready || standing.waits)
    case .keepConflicts: standing == .conflict && field.isOnlyInConflict && field.hasCurrent
    case .replaceConflicts: standing == .conflict && field.isOnlyInConflict && field.hasProposal
    case .undo: standing.isDecided
    }
  }
}

/// A setting of the plan, by its key in the menu.
enum SetupItem: Character, CaseIterable, Sendable {
  case writeKey = "w"
  case bundleID = "b"
  case recipe = "r"
  case optedOut = "o"
}
