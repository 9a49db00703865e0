import Carryover
import CarryoverTerminal

/// A list of things to do over the review, each with how many fields it concerns.
struct ChoiceMenu: Hashable, Sendable {
  /// What choosing does.
  enum Meaning: Hashable, Sendable {
    case decide(ManyChoice)
    case filter(FilterWord)
    case allFields
    case setup(SetupItem)
  }

  struct Item: Hashable, Sendable {
    var key: Character
    var words: String
    /// How many fields it concerns, so that it can be chosen only where there are any; nil where it concerns none.
    var count: Int?
    /// What else there is to know.
    var note: String
    var meaning: Meaning

    var isOpen: Bool { count != 0 }
  }

  let title: String
  let items: [Item]
  /// The item with the cursor.
  var row = 0
  /// The item at the top, where not all are in sight.
  var top = 0

  init(title: String, items: [Item]) {
    self.title = title
    self.items = items
    row = items.firstIndex { $0.isOpen } ?? 0
  }

  var selected: Item? { items.indices.contains(row) ? items[row] : nil }

  mutating func reveal(visible: Int) {
    top = ListWindow.top(top, showing: row, of: items.count, visible: visible)
  }
}
