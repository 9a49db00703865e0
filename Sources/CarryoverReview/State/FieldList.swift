import Carryover
import PropertyLists

/// The list of fields: which are in it, which has the cursor, what narrows it and what is looked for in it.
struct FieldList: Sendable {
  /// The field with the cursor; nil only where no field is listed.
  private(set) var cursor: Field.ID?
  /// Where that stands in the plan.
  private(set) var position: Int?
  /// The row at the top.
  var top = 0
  /// The fields in the list.
  var rows = FieldRows(all: 0)
  /// The field a range of rows began at.
  var anchor: Field.ID?
  /// What narrows the list.
  var filter: FieldFilter?
  var search: FieldSearch?
  /// Earlier searches, the last at the end.
  var searches: [String] = []
  /// The text of the fields for searching, once somebody searched; without regard to capitals, and with.
  var foldedTexts: FieldTexts?
  var exactTexts: FieldTexts?

  /// The row with the cursor; nil where there is none.
  var row: Int? { position.flatMap { rows.row(of: $0) } }

  /// Whether a range, a search or a filter is on.
  var isNarrowed: Bool { anchor != nil || search != nil || filter != nil }

  /// Puts the cursor on the field at a position in a plan; on none where that is nil.
  mutating func putCursor(at position: Int?, in plan: Plan) {
    self.position = position
    cursor = position.map { plan.fields[$0].id }
  }

  /// The plan is another: the cursor stays with its field, if that is still there.
  mutating func renew(_ positions: [StringByBytes: Int]) {
    position = cursor.flatMap { positions[$0] }
    (foldedTexts, exactTexts, anchor) = (nil, nil, nil)
  }
}

/// What narrows the list of fields.
///
/// The list is made again only when the filter is typed, kept or given a new plan: a field that no longer matches after a
/// decision stays where it is, so that the next key does not hit another.
struct FieldFilter: Hashable, Sendable {
  /// The words, as they were typed.
  var text: String
  /// What there was before it was typed, to go back to.
  var before: Before

  struct Before: Hashable, Sendable {
    var text: String?
    var rows: FieldRows
    var cursor: Field.ID?
    var top: Int
  }
}

/// A search through the fields that are listed, typed or kept.
struct FieldSearch: Hashable, Sendable {
  var wanted = SearchText("")
  /// The fields that were found, by their positions in the plan, ascending.
  var matches: [Int] = []
  /// The lines that were found below the list, in what all fields share: of the container, and what is not migrated.
  var notes: [Int] = []
  /// The number of the line that was gone to last; nil while a field was.
  var note: Int?
  /// The state of the review in which they were found: a decision may change what a field says.
  var revision = -1
  /// Where the search began, to go back to.
  var origin: Field.ID?
  var originTop: Int
  var originFocus: Pane
  /// The lines at the top of the panes where it began.
  var originWarnings: Int
  var originDetails: Int
}

/// The fields that stand in the list, by their positions in the plan: all of them, or those that a filter leaves, in the
/// plan's order either way.
struct FieldRows: Hashable, Sendable {
  /// The positions a filter leaves, ascending; nil where every field is listed.
  private let kept: [Int]?
  /// How many rows there are.
  let count: Int

  /// Every field of a plan.
  init(all count: Int) {
    kept = nil
    self.count = count
  }

  /// - Parameter positions: ascending, each once.
  init(_ positions: [Int]) {
    kept = positions
    count = positions.count
  }

  /// Where the field of a row stands in the plan; nil where there is no such row.
  subscript(row: Int) -> Int? {
    guard row >= 0, row < count else { return nil }
    return kept?[row] ?? row
  }

  /// Every position in the list.
  var positions: [Int] { kept ?? Array(0..<count) }

  /// The row of the field at a position; nil where the filter leaves it out.
  func row(of position: Int) -> Int? {
    guard let kept else { return position < count ? position : nil }
    let row = insertionRow(of: position)
    return row < count && kept[row] == position ? row : nil
  }

  /// The row a field would have: that of the first listed at or behind its position.
  func insertionRow(of position: Int) -> Int {
    kept?.lowerBound(position) ?? min(position, count)
  }
}

extension [Int] {
  /// The index of the first element that is not less than a number, in a list that ascends.
  func lowerBound(_ number: Int) -> Int {
    var range = 0..<count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      if self[middle] < number { range = (middle + 1)..<range.upperBound } else { range = range.lowerBound..<middle }
    }
    return range.lowerBound
  }
}

/// What deciding and filtering many fields ask of one, in a few bytes: a field itself is large, and going through all of
/// them would be felt.
struct FieldFacts: Hashable, Sendable {
  let id: Field.ID
  let group: FieldGroup
  let status: FieldStatus
  private let flags: UInt8

  init(_ field: Field) {
    id = field.id
    group = field.group
    status = field.status
    var flags: UInt8 = 0
    if field.proposed != nil { flags |= Self.proposed }
    if field.current != nil { flags |= Self.current }
    if field.status == .conflict, field.resolution(nil) == .undecided(conflict: true) { flags |= Self.onlyInConflict }
    for finding in field.findings { flags |= Self.flag(finding.severity) }
    self.flags = flags
  }

  var hasProposal: Bool { flags & Self.proposed != 0 }
  /// Whether the target holds something.
  var hasCurrent: Bool { flags & Self.current != 0 }
  /// Whether nothing but the target's own value is in question.
  var isOnlyInConflict: Bool { flags & Self.onlyInConflict != 0 }
  var hasFinding: Bool { flags & Self.anySeverity != 0 }
  func has(_ severity: Severity) -> Bool { flags & Self.flag(severity) != 0 }

  /// Whether there is anything a decision could mean here.
  func canTake(_ decision: Decision) -> Bool {
    switch decision {
    case .migrate, .accept: hasProposal
    case .keep: hasCurrent
    case .skip, .omit, .edit: true
    }
  }

  private static let proposed: UInt8 = 1
  private static let current: UInt8 = 2
  private static let onlyInConflict: UInt8 = 4
  private static let anySeverity: UInt8 = 8 | 16 | 32

  private static func flag(_ severity: Severity) -> UInt8 {
    switch severity {
    case .error: 8
    case .warning: 16
    case .note: 32
    }
  }
}

extension ReviewState {
  /// What was decided for the field at a position in the plan.
  func decision(at position: Int) -> Decision? {
    standings[position].isDecided ? decisions[facts[position].id] : nil
  }
}
