import Terminal

/// Where the parts of the review screen are, from the size of the screen alone: a title, a list of rows, the warnings, a
/// footer. Reducer and renderer share it, so that what moves and what is drawn agree.
struct Layout: Hashable {
  /// How a field is shown in the list.
  enum Shape: Hashable {
    /// Legacy and proposal side by side, with the change in words.
    case wide
    /// Side by side, without the change in words.
    case medium
    /// One pane with the proposals; the legacy value of the selected field stands below.
    case narrow
  }

  let size: Size
  let shape: Shape
  /// The rows of the screen that hold fields.
  let listRows: Range<Int>
  /// The row of the line between the list and the warnings.
  let dividerRow: Int
  /// The rows of the warnings.
  let warningRows: Range<Int>
  /// The columns of the legacy pane between its frames; empty in the narrow shape.
  let legacyColumns: Range<Int>
  /// The columns of the proposals between their frames.
  let proposedColumns: Range<Int>

  /// The columns of whichever pane stands first.
  var listColumns: Range<Int> { legacyColumns.isEmpty ? proposedColumns : legacyColumns }

  init(size: Size, rows: Int) {
    self.size = size
    shape = size.columns >= 100 ? .wide : size.columns >= 76 ? .medium : .narrow
    // The title, three lines of frame and the footer stand around list and warnings.
    let room = max(0, size.rows - 5)
    // Long lists leave the warnings this much; short ones leave them everything.
    let warnings = min(room, max(5, min(12, room * 2 / 5)))
    let list = max(1, min(rows, room - warnings))
    listRows = 2..<(2 + list)
    dividerRow = 2 + list
    warningRows = (dividerRow + 1)..<max(dividerRow + 1, size.rows - 2)
    let right = max(2, size.columns - 1)
    switch shape {
    case .wide, .medium:
      let middle = size.columns * Self.legacyShare(size.columns) / 100
      legacyColumns = 1..<middle
      proposedColumns = (middle + 1)..<max(middle + 1, right)
    case .narrow:
      legacyColumns = 1..<1
      proposedColumns = 1..<right
    }
  }

  /// Of a hundred columns. The proposals need more where the change in words stands beside them and room is scarce.
  private static func legacyShare(_ columns: Int) -> Int { columns < 100 ? 45 : columns < 110 ? 40 : 42 }
}

/// Where the parts of a screen of text are: a title, one frame, a footer.
struct PageLayout: Hashable {
  /// The rows of the text.
  let rows: Range<Int>
  /// The columns of the text.
  let columns: Range<Int>

  init(size: Size) {
    rows = 2..<max(2, size.rows - 2)
    columns = 2..<max(2, size.columns - 2)
  }
}
