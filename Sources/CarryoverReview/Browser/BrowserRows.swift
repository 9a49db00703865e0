import Carryover
import CarryoverTerminal
import CarryoverVendors

/// What every row of the outline's screen depends on: where it changes, all are drawn again.
struct BrowserForm: Equatable {
  let size: Size
  let containerRevision: Int
  /// What a search has marked.
  let query: String?
}

/// What the rows of the outline's screen show inside of the frames' lines, part by part.
struct BrowserRows: Equatable {
  /// A row of the outline, and all that its cells depend on within one ``BrowserForm``.
  struct Item: Equatable {
    let row: Outline.Row
    var isSelected: Bool
    let isOpen: Bool
    let isHidden: Bool
  }

  /// Where it is the same, within one ``BrowserForm``, so are the items, but for which is selected.
  struct Version: Equatable {
    let outline: Outline.Version
    let revision: Int
    let top: Int
  }

  /// A line of the details beside the outline.
  enum PaneLine: Equatable {
    case text([Span])
    /// What says how the rest is seen.
    case rest
  }

  struct Footing: Equatable {
    var message: String?
    var matches: String?
    var hints: FooterHints
  }

  let version: Version
  /// The rows of the outline in sight.
  var items: [Item] = []
  /// The lines of the details in sight.
  var pane: [PaneLine] = []
  /// What stands in the lines of the frames.
  var labels: [FrameLabel] = []
  var footing: Footing

  /// The rows that show something else than those of another frame of the same form, ascending.
  func rows(differingFrom other: BrowserRows, _ layout: BrowserLayout, of count: Int) -> [Int] {
    var changed = ChangedRows(of: count)
    if footing != other.footing { changed.add(count - 1) }
    changed.compare(labels, other.labels)
    changed.compare(items, other.items, from: layout.rows.lowerBound)
    changed.compare(pane, other.pane, from: layout.rows.lowerBound)
    return changed.rows
  }
}

extension BrowserState {
  /// What every row depends on.
  var form: BrowserForm {
    BrowserForm(size: size, containerRevision: containerRevision, query: search?.query)
  }

  /// What each row shows below the title bar.
  /// - Parameter last: The rows of another frame of the same form, of which is kept what has not changed.
  func browserRows(after last: BrowserRows? = nil) -> BrowserRows {
    let layout = layout
    let words = count.message ?? message
    var rows = BrowserRows(
      version: BrowserRows.Version(outline: outline.version, revision: revision, top: top),
      footing: BrowserRows.Footing(
        message: words, matches: words == nil && search != nil ? matchWords : nil, hints: footerHints))
    if let last, last.version == rows.version {
      rows.items = last.items
      for index in rows.items.indices { rows.items[index].isSelected = top + index == cursor }
    } else {
      rows.items = items(layout)
    }
    rows.labels = labels(layout)
    guard layout.isWide else { return rows }
    rows.pane = page.lines.dropFirst(pageTop).prefix(layout.rows.count).map(BrowserRows.PaneLine.text)
    if page.lines.count > layout.rows.count, pageTop == 0, let last = rows.pane.indices.last {
      rows.pane[last] = .rest
    }
    return rows
  }

  private func items(_ layout: BrowserLayout) -> [BrowserRows.Item] {
    let last = min(outline.rows.count, top + layout.rows.count)
    return (min(top, last)..<last).map { position in
      let row = outline.rows[position]
      return BrowserRows.Item(
        row: row, isSelected: position == cursor, isOpen: outline.isOpen(row), isHidden: isHidden(row))
    }
  }

  /// Which row has the cursor, what the details are of, and which part of them is in sight.
  private func labels(_ layout: BrowserLayout) -> [FrameLabel] {
    var labels: [FrameLabel] = []
    if outline.rows.count > layout.rows.count {
      labels.append(
        .place("\(cursor + 1) of \(outline.rows.count)", row: size.rows - 2, before: layout.outline.upperBound))
    }
    guard layout.isWide else { return labels }
    let edge = layout.outline.upperBound
    labels.append(
      FrameLabel(
        row: 1, words: detailsTitle(columns: layout.details.count - 2), column: edge + 1, room: size.columns - edge - 4,
        style: Style(.title)))
    let lines = page.lines.count
    if lines > layout.rows.count, pageTop > 0 {
      let part = "\(pageTop + 1)-\(min(lines, pageTop + layout.rows.count)) of \(lines)"
      labels.append(.place(part, row: size.rows - 2, before: size.columns - 1))
    }
    return labels
  }

  /// The name of what is selected, for the title of its details.
  func detailsTitle(columns: Int) -> String {
    let ink = Ink(options)
    guard let row = selectedRow, let item = outline.item(row) else { return BrowserScreen.details.title }
    switch item {
    case .value(let child): return ink.label(child.label, columns: columns)
    case .root(.store(let store, _)): return ink.tail(store.name, columns: columns)
    case .root(.events(let events)): return ink.tail(events.path, columns: columns)
    case .root(.sign(let sign)): return ink.tail(sign.path, columns: columns)
    case .root(.notice): return "Notice"
    }
  }
}
