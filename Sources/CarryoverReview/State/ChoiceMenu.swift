import Carryover

/// A list of things to do over the review, each with how many fields it concerns.
struct ChoiceMenu: Hashable, Sendable {
  /// What choosing does.
  enum Meaning: Hashable, Sendable {
    case decide(ManyChoice)
    case filter(FilterWord)
    case allFields
  }

  struct Item: Hashable, Sendable {
    var key: Character
    var words: String
    /// How many fields it concerns; it can be chosen only where there are any.
    var count: Int
    /// What else there is to know.
    var note: String
    var meaning: Meaning
  }

  let title: String
  let items: [Item]
  /// The item with the cursor.
  private(set) var row = 0
  /// The item at the top, where not all are in sight.
  private(set) var top = 0

  init(title: String, items: [Item]) {
    self.title = title
    self.items = items
    row = items.firstIndex { $0.count > 0 } ?? 0
  }

  var selected: Item? { items.indices.contains(row) ? items[row] : nil }

  mutating func move(_ move: Move, visible: Int) {
    guard !items.isEmpty else { return }
    row = ListWindow.row(move, from: row, of: items.count, visible: visible)
    reveal(visible: visible)
  }

  mutating func reveal(visible: Int) {
    top = ListWindow.top(top, showing: row, of: items.count, visible: visible)
  }
}

extension ReviewState {
  static let noneConcerned = "There is no field this would concern."

  var menuLayout: MenuLayout { MenuLayout(size: size, items: menu?.items.count ?? 0) }

  mutating func chooseMany(_ command: Command) -> [ReviewEffect] {
    switch command {
    case .toggleRange: return toggleRange()
    case .decideMany: open(.decideMany, manyMenu)
    case .filterMenu: open(.filterMenu, filtersMenu)
    case .pick:
      guard let item = menu?.selected else { return [.bell] }
      return pick(item)
    case .pickKey(let key):
      guard let item = menu?.items.first(where: { $0.key == key }) else {
        message = "Nothing stands under \(key) here."
        return [.bell]
      }
      return pick(item)
    default: return [.bell]
    }
    return []
  }

  private mutating func open(_ screen: Screen, _ menu: ChoiceMenu) {
    self.menu = menu
    revealMenu()
    open(screen)
  }

  /// Scrolls the menu so that its cursor is in sight.
  mutating func revealMenu() {
    let visible = menuLayout.rows.count
    menu?.reveal(visible: visible)
  }

  /// Closes a menu, whose counts would not be true any more.
  mutating func closeMenu() {
    menu = nil
    screens.removeAll { $0 == .decideMany || $0 == .filterMenu }
  }

  private mutating func pick(_ item: ChoiceMenu.Item) -> [ReviewEffect] {
    guard item.count > 0 else {
      message = Self.noneConcerned
      return [.bell]
    }
    closeMenu()
    switch item.meaning {
    case .decide(let choice): decideMany(choice)
    case .filter(let word): setFilter(word.word)
    case .allFields: endFilter()
    }
    return []
  }

  private var filtersMenu: ChoiceMenu {
    let counts = filterCounts
    let all = ChoiceMenu.Item(
      key: "a", words: "all fields", count: plan.fields.count, note: "Leaves the filter, as esc does.",
      meaning: .allFields)
    let words = zip(FilterWord.all, counts).map { word, count in
      ChoiceMenu.Item(
        key: word.key, words: word.title, count: count, note: "f, then \(word.word), does the same.",
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
