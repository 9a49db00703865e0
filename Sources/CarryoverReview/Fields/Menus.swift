import Carryover
import CarryoverTerminal

extension ScreenContent<ReviewState> {
  /// The ways to decide many fields at once.
  static var decideMany: ScreenContent { menu(.decideMany) { $0.manyMenu } }

  /// The filters there are.
  static var filterMenu: ScreenContent { menu(.filterMenu) { $0.filtersMenu } }

  /// A menu over the list.
  static func menu(
    _ screen: Screen, keys: [KeyBinding<ReviewState>] = [], _ menu: @escaping @Sendable (ReviewState) -> ChoiceMenu
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
        state.revealMenu()
      }
      $0.closed = { $0.menu = nil }
      $0.isMenu = true
      $0.line = { state, row, ink in
        guard let item = state.menu?.items.element(row) else { return "" }
        let count = item.count.map { ", " + counted($0, "field") } ?? ""
        return ink.words("\(item.key): \(item.words)\(count)\(item.isOpen ? ". \(item.note)" : ".")")
      }
      $0.scroller = { state, position in
        guard let menu = state.menu else { return nil }
        if let position, !state.menuLayout.rows.contains(position.row) { return nil }
        return Scroller(
          count: menu.items.count, rows: state.menuLayout.rows, columns: state.menuLayout.columns, top: menu.top,
          row: menu.row,
          select: {
            $0.menu?.row = $1
            $0.revealMenu()
          }, scroll: { $0.menu?.top = $1 })
      }
    }
  }
}

extension ReviewState {
  static let noneConcerned = "No field matches."

  var menuLayout: MenuLayout { MenuLayout(size: size, items: menu?.items.count ?? 0) }

  /// Scrolls the menu so that its cursor is in sight.
  mutating func revealMenu() {
    let visible = menuLayout.rows.count
    menu?.reveal(visible: visible)
  }

  /// Closes a menu, whose counts would not be true any more.
  mutating func closeMenu() {
    show(stack.screens.filter { $0 != .decideMany && $0 != .filterMenu && $0 != .setup })
  }

  /// Does what stands at the cursor.
  mutating func pick() -> [ReviewEffect] { menu?.selected.map { pick($0) } ?? [.bell] }

  /// Does what the menu has under a key.
  mutating func pick(under key: Character) -> [ReviewEffect] {
    guard let item = menu?.items.first(where: { $0.key == key }) else {
      message = "\(key) has no entry here."
      return [.bell]
    }
    return pick(item)
  }

  private mutating func pick(_ item: ChoiceMenu.Item) -> [ReviewEffect] {
    guard item.isOpen else {
      message = Self.noneConcerned
      return [.bell]
    }
    closeMenu()
    switch item.meaning {
    case .decide(let choice): decideMany(choice)
    case .filter(let word): setFilter(word.word)
    case .allFields: endFilter()
    case .setup(let item): return change(item)
    }
    return []
  }

  var filtersMenu: ChoiceMenu {
    let counts = filterCounts
    let all = ChoiceMenu.Item(
      key: "a", words: "all fields", count: plan.fields.count,
      note: "Clears the filter, like \(key("clear", .review)).",
      meaning: .allFields)
    let words = zip(FilterWord.all, counts).map { word, count in
      ChoiceMenu.Item(
        key: word.key, words: word.title, count: count,
        note: count == 0 ? Self.noneConcerned : "Same as typing \(key("filter", .review)) \(word.word) enter.",
        meaning: .filter(word))
    }
    return ChoiceMenu(title: Screen.filterMenu.title, items: [all] + words)
  }

  /// How many fields each word lists.
  private var filterCounts: [Int] {
    var groups: [FieldGroup: Int] = [:]
    var severities: [Severity: Int] = [:]
    var withFinding = 0
    for field in facts {
      groups[field.group, default: 0] += 1
      guard field.hasFinding else { continue }
      withFinding += 1
      for severity in Severity.allCases where field.has(severity) { severities[severity, default: 0] += 1 }
    }
    return FilterWord.all.map { word in
      switch word.test {
      case .state(let states): states.reduce(0) { $0 + tally[$1] }
      case .severity(let severity): severities[severity] ?? 0
      case .finding: withFinding
      case .group(let group): groups[group] ?? 0
      }
    }
  }
}
