import Carryover
import PropertyLists

struct FieldList: Sendable {
  /// Nil if no field is listed.
  private(set) var cursor: Field.ID?
  /// Its position in the plan.
  private(set) var position: Int?
  var top = 0
  var rows = FieldRows(all: 0)
  var anchor: Field.ID?
  var filter: FieldFilter?
  var search: FieldSearch?
  var searches: [String] = []
  /// By whether capitals count; made at the first search.
  var texts: [Bool: FieldTexts] = [:]

  var row: Int? { position.flatMap { rows.row(of: $0) } }
  var isNarrowed: Bool { anchor != nil || search != nil || filter != nil }

  mutating func putCursor(at position: Int?, in plan: Plan) {
    self.position = position
    cursor = position.map { plan.fields[$0].id }
  }

  /// For a new plan: the cursor stays with its field, if that still exists.
  mutating func renew(_ positions: [StringByBytes: Int]) {
    position = cursor.flatMap { positions[$0] }
    (texts, anchor) = ([:], nil)
  }
}

/// The filter of the list. The list is made again only when the filter is typed, kept or given a new plan: a field that
/// no longer matches after a decision stays in its place, so that the next key does not hit another.
struct FieldFilter: Hashable, Sendable {
  var text: String
  var before: Before

  struct Before: Hashable, Sendable {
    var text: String?
    var rows: FieldRows
    var cursor: Field.ID?
    var top: Int
  }
}

struct FieldSearch: Hashable, Sendable {
  var wanted = SearchText("")
  /// Positions in the plan, ascending.
  var matches: [Int] = []
  /// Matching lines of the pane below the list, among those about the container.
  var notes: [Int] = []
  /// The number of the current line; nil if the current match is a field.
  var note: Int?
  /// The review's revision at the search: a decision may change what a field says.
  var revision = -1
  var origin: Field.ID?
  var originTop: Int
  var originFocus: Pane
  var originWarnings: Int
  var originDetails: Int
}

/// The listed fields by their positions in the plan, ascending.
struct FieldRows: Hashable, Sendable {
  /// Ascending, each once.
  let positions: [Int]

  init(all count: Int) { positions = Array(0..<count) }
  init(_ positions: [Int]) { self.positions = positions }

  var count: Int { positions.count }

  subscript(row: Int) -> Int? { positions.element(row) }

  /// The row of the field at a position; nil if it is filtered out.
  func row(of position: Int) -> Int? {
    let row = insertionRow(of: position)
    return positions.element(row) == position ? row : nil
  }

  /// The row of the first listed field at or behind a position.
  func insertionRow(of position: Int) -> Int { positions.lowerBound(position) }
}

extension [Int] {
  /// The index of the first element that is not less than a number, in an ascending list.
  func lowerBound(_ number: Int) -> Int {
    var range = 0..<count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      if self[middle] < number { range = (middle + 1)..<range.upperBound } else { range = range.lowerBound..<middle }
    }
    return range.lowerBound
  }
}

/// What deciding and filtering many fields need of a field. A whole field is too large for going through all.
struct FieldFacts: Hashable, Sendable {
  let id: Field.ID
  let group: FieldGroup
  let status: FieldStatus
  let hasProposal: Bool
  let hasCurrent: Bool
  /// Whether only the target's own value is in question.
  let isOnlyInConflict: Bool
  let severities: [Severity]

  init(_ field: Field) {
    id = field.id
    group = field.group
    status = field.status
    hasProposal = field.proposed != nil
    hasCurrent = field.current != nil
    isOnlyInConflict = field.status == .conflict && field.resolution(nil) == .undecided(conflict: true)
    severities = field.findings.map(\.severity)
  }

  func canTake(_ decision: Decision) -> Bool {
    switch decision {
    case .migrate, .accept: hasProposal
    case .keep: hasCurrent
    case .skip, .omit, .edit: true
    }
  }
}

extension ReviewState {
  func decision(at position: Int) -> Decision? { standings[position].isDecided ? decisions[facts[position].id] : nil }
}
