import Carryover
import PropertyLists

/// The filter of the list. The list is made again only when the filter is typed, kept or given a new plan: a field that
/// no longer matches after a decision stays in its place, so that the next key does not hit another.
struct FieldFilter: Hashable, Sendable {
  var text: String
  var before: Before

  struct Before: Hashable, Sendable {
    var text: String?
    var rows: [Int]
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

  /// The index of a number in an ascending list; nil if it is not in it.
  func row(of number: Int) -> Int? {
    let row = lowerBound(number)
    return element(row) == number ? row : nil
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
