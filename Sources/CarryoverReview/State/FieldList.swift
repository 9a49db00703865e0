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
