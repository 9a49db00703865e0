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

/// A way to decide many fields at once. None but taking back touches a field that is decided already.
enum ManyChoice: CaseIterable, Hashable, Sendable {
  case clean
  case group
  case groupWithFlagged
  case skipGroup
  case keepConflicts
  case replaceConflicts
  case takeBack

  /// The key in the menu.
  var key: Character {
    switch self {
    case .clean: "r"
    case .group: "p"
    case .groupWithFlagged: "P"
    case .skipGroup: "s"
    case .keepConflicts: "t"
    case .replaceConflicts: "#"
    case .takeBack: "u"
    }
  }

  /// The decision; nil for the lack of one.
  var decision: Decision? {
    switch self {
    case .clean, .group, .groupWithFlagged, .replaceConflicts: .migrate
    case .skipGroup: .skip
    case .keepConflicts: .keep
    case .takeBack: nil
    }
  }

  /// Whether it concerns a field, by how that stands.
  func concerns(_ field: FieldFacts, _ standing: FieldState, _ group: FieldGroup?) -> Bool {
    switch self {
    case .clean: standing == .ready && field.hasProposal
    case .group: field.group == group && standing == .ready && field.hasProposal
    case .groupWithFlagged:
      field.group == group && (standing == .ready || standing == .toDecide) && field.hasProposal
    case .skipGroup: field.group == group && (standing == .ready || standing.waits)
    case .keepConflicts: standing == .conflict && field.isOnlyInConflict && field.hasCurrent
    case .replaceConflicts: standing == .conflict && field.isOnlyInConflict && field.hasProposal
    case .takeBack: standing.isDecided
    }
  }
}
