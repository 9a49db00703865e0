import Carryover
import CarryoverSystem
import CarryoverTerminal

/// What the titles of the panes depend on within one ``ReviewForm``, with how they say which part is in sight: where it is
/// the same, so are they.
struct LabelBasis: Equatable {
  var row: Int?
  var rows: Int
  var position: Int?
  var filter: String?
  var warnings: Int
  var warningsTop: Int
  var isBrief: Bool
  var details: Int
  var detailsTop: Int
}

/// The titles of the panes, and which part of one is in sight.
extension ReviewState {
  func labelBasis(_ form: ReviewForm) -> LabelBasis {
    LabelBasis(
      row: rows.count > form.layout.listRows.count ? cursorRow : nil, rows: rows.count,
      position: form.layout.hasDetails ? cursorPosition : nil, filter: filter?.text, warnings: panes.warnings.count,
      warningsTop: panes.warnings.top, isBrief: panes.warnings.ownKey?.room != nil, details: panes.details.lines.count,
      detailsTop: panes.details.top)
  }

  /// What stands in the lines of the frames. The pane that receives the keys has a mark in its title
  /// besides the colour of its lines.
  func labels(_ form: ReviewForm, _ ink: Ink) -> [FrameLabel] {
    let layout = form.layout
    var labels: [FrameLabel] = []
    func title(_ text: String, row: Int, from column: Int, until end: Int) {
      let room = max(0, end - column - 3)
      labels.append(FrameLabel(row: row, words: text, column: column + 1, room: room, style: Style(.title)))
    }
    func title(_ text: String, of pane: Pane, row: Int, from column: Int) {
      let mark = pane == form.active ? ink.focusMark : ""
      let end = layout.frame(of: pane).columnRange.upperBound - 1
      title("\(mark)\(pane.rawValue) \(text)", row: row, from: column, until: end)
    }
    func part(of count: Int, top: Int, isActive: Bool, rows: Range<Int>, edge: Int) {
      guard count > rows.count, isActive || top > 0 else { return }
      let part = "\(top + 1)-\(min(count, top + rows.count)) of \(count)"
      labels.append(.place(part, row: size.rows - 2, before: edge))
    }

    let first = layout.shape == .narrow ? "Proposed" : "Legacy"
    // The number, the mark of the keys and the frame stand around it.
    title(listTitle(first, columns: layout.listColumns.count - 6), of: .fields, row: 1, from: 0)
    if layout.shape != .narrow {
      title("Proposed", row: 1, from: layout.proposedColumns.lowerBound - 1, until: layout.lastColumn)
    }
    title(ink.words(warningsTitle(layout)), of: .warnings, row: layout.dividerRow, from: 0)
    if layout.hasDetails {
      let name = selected.map { ": " + ink.name($0.id, columns: layout.detailsColumns.count) } ?? ""
      title(Pane.details.title + name, of: .details, row: 1, from: layout.lastColumn)
    }
    if rows.count > layout.listRows.count, let row = cursorRow {
      labels.append(.place("\(row + 1) of \(rows.count)", row: layout.dividerRow, before: layout.lastColumn))
    }
    part(
      of: panes.warnings.count, top: panes.warnings.top, isActive: form.active == .warnings, rows: layout.warningRows,
      edge: layout.lastColumn)
    if layout.hasDetails {
      part(
        of: panes.details.lines.count, top: panes.details.top, isActive: form.active == .details,
        rows: layout.detailsRows, edge: size.columns - 1)
    }
    return labels
  }

  /// The title of the warnings: how many there are, and while only their first sentences are shown, how to see more. The
  /// same for every field, so that it is sent once. It ends before the line between the columns, which joins the frame.
  private func warningsTitle(_ layout: Layout) -> String {
    guard findingsCount > 0 else { return "No warnings" }
    let count = "Warnings \(findingsCount)"
    guard panes.warnings.ownKey?.room != nil, findingsCount > plan.containerFindings.count else { return count }
    let end = layout.shape == .narrow ? layout.lastColumn : layout.proposedColumns.lowerBound - 2
    // The frame and the pane's number stand before it, a space after it.
    let room = end - 5
    return count.utf8.count + briefHint.columns <= room ? count + briefHint.words : count
  }

  /// The title of the list, with the filter where one is on.
  private func listTitle(_ title: String, columns: Int) -> String {
    guard let text = filter?.text, let filter = filterTitle.map({ typed($0) }) else { return title }
    let both = title + "  " + filter
    if DisplayWidth.columns(of: both) <= columns { return both }
    guard DisplayWidth.columns(of: filter) > columns else { return filter }
    // The count is kept whole, whatever was typed.
    let count = "filter (\(rows.count) of \(plan.fields.count)): "
    return count + typed(text, columns: max(1, columns - count.utf8.count))
  }

  /// What somebody typed, as they typed it.
  private func typed(_ text: String, columns: Int = Grid.maximum) -> String {
    DisplayText.visible(text, limit: columns, ascii: options.glyphs == .ascii)
  }
}

extension Ink {
  /// Marks the title of the pane that receives the keys, so that it can be told without colours.
  var focusMark: String { glyphs == .ascii ? ">" : "»" }
}
