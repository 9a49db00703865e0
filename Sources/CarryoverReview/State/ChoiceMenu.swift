import Carryover
import CarryoverPages
import CarryoverTerminal

/// A menu over the review. Its items say how many fields they concern.
struct ChoiceMenu: Sendable {
  enum Meaning: Hashable, Sendable {
    case decide(ManyChoice)
    case filter(FilterWord)
    case allFields
    case setup(SetupItem)
  }

  struct Item: Hashable, Sendable {
    var key: Character
    var words: String
    /// Nil for items that do not concern fields. An item with 0 cannot be chosen.
    var count: Int?
    var note: String
    var meaning: Meaning

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

/// A way to decide many fields at once. Only `undo` changes fields that are decided already.
enum ManyChoice: Character, CaseIterable, Sendable {
  case clean = "r"
  case group = "p"
  case groupWithFlagged = "P"
  case skipGroup = "s"
  case keepConflicts = "t"
  case replaceConflicts = "#"
  case undo = "u"

  /// The key in the menu.
  var key: Character { rawValue }

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

enum SetupItem: Character, CaseIterable, Sendable {
  case writeKey = "w"
  case bundleID = "b"
  case recipe = "r"
  case optedOut = "o"

  /// The key in the menu.
  var key: Character { rawValue }
}
