import Carryover
import CarryoverTerminal

/// What a row of the review's screen shows inside of the frames' lines: all that its cells depend on, so that rows that
/// are equal look the same. Strings that take a while to make stand in it as what they are made from.
struct ReviewRow: Hashable {
  /// What the row is of: there is never more than one of them in it.
  var content = Content.none
  /// What stands in the lines of the frames: titles, and which part is in sight.
  var labels: [FrameLabel] = []
  /// A line of the warnings.
  var warning: [Span] = []
  /// A line of the details.
  var details: [Span] = []

  enum Content: Hashable {
    /// Nothing but what stands in the frames.
    case none
    /// The title bar.
    case bar(Bar)
    /// A field of the list.
    case field(FieldRow)
    /// What stands in the list in place of fields.
    case notice(Text)
    /// The last line.
    case footer(Footing)
  }

  /// What the counts of the title bar come from; the names are the plan's.
  struct Bar: Hashable {
    var tally: Tally
    var isReadOnly: Bool
    var isBlocked: Bool
  }

  /// A field by its position in the plan.
  struct FieldRow: Hashable {
    let position: Int
    let decision: Decision?
    let hasCursor: Bool
    let isInRange: Bool
  }

  struct Text: Hashable {
    var words: String
    var columns: Range<Int>
  }

  struct Footing: Hashable {
    var message: String?
    var find: String?
    var hints: FooterHints
  }
}

/// What every row of the review's screen depends on: where it changes, all are drawn again.
struct ReviewForm: Hashable {
  var layout: Layout
  var active: Pane
  var widths: NameWidths
  var wanted: SearchText?
  var planRevision: Int
}

extension ReviewState {
  /// What every row depends on. A property: an initializer would be given a copy of the whole state.
  var form: ReviewForm {
    ReviewForm(
      layout: layout, active: activePane, widths: widths, wanted: searchText, planRevision: planRevision)
  }
}
