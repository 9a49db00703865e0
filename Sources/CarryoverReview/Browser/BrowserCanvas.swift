import Carryover
import CarryoverPages
import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors

extension Canvas where State == BrowserState {
  mutating func drawOutline() {
    let layout = state.layout
    drawFrames(layout)
    let rows = state.outline.rows
    for (position, row) in zip(state.topRow..., layout.rows) {
      guard position < rows.count else { break }
      draw(rows[position], isSelected: position == state.cursor, row: row, columns: layout.outline)
    }
    if layout.isWide { drawDetails(layout) }
    if let wanted = state.search?.wanted {
      markMatches(wanted, rows: layout.rows, columns: layout.outline)
      markMatches(wanted, rows: layout.rows, columns: layout.details, isWrapped: true)
    }
  }

  private mutating func drawFrames(_ layout: BrowserLayout) {
    let (edge, rows) = (layout.outline.upperBound, state.outline.rows)
    grid.frame(Rect(column: 0, row: 1, columns: size.columns, rows: size.rows - 2))
    grid.frame(
      Rect(column: 0, row: 1, columns: layout.isWide ? edge + 1 : size.columns, rows: size.rows - 2),
      title: state.outlineTitle(ink), titleStyle: Style(.title))
    if layout.isWide { grid.frame(Rect(column: edge, row: 1, columns: size.columns - edge, rows: size.rows - 2)) }
    if rows.isEmpty {
      field(
        ink.words(state.emptyWords), row: layout.rows.lowerBound,
        columns: (layout.outline.lowerBound + 1)..<edge, Style(.muted))
    } else if rows.count > layout.rows.count {
      drawPlace("\(state.cursor + 1) of \(rows.count)", row: size.rows - 2, before: edge)
    }
  }

  private mutating func drawDetails(_ layout: BrowserLayout) {
    let (lines, top, edge) = (state.page.lines, state.pageTop, layout.outline.upperBound)
    drawLabel(
      state.detailsTitle(ink, columns: layout.details.count - 2), row: 1, from: edge + 1, room: size.columns - edge - 4,
      Style(.title))
    for (line, row) in zip(lines.dropFirst(top), layout.rows) { put(line, row: row, columns: layout.details) }
    guard lines.count > layout.rows.count else { return }
    guard top == 0, let last = layout.rows.last else {
      return drawPlace("\(top + 1)-\(min(lines.count, top + layout.rows.count)) of \(lines.count)", row: size.rows - 2)
    }
    let key = state.key("details", .stores)
    field(ink.words("… \(key) shows the rest"), row: last, columns: layout.details, Style(.muted))
  }
}

extension Ink {
  func label(_ label: InspectedChild.Label, columns: Int = Grid.maximum) -> String {
    switch label {
    case .key(let key): key.text.isEmpty ? "\"\"" : name(key.text, columns: columns)
    case .index(let index): "[\(index)]"
    }
  }

  /// Cuts the middle: similar names differ at the end.
  func middle(_ name: String, columns: Int) -> String {
    guard DisplayWidth.columns(of: name) > columns else { return name }
    let head = DisplayWidth.truncate(name, columns: max(1, columns / 3), glyphs: glyphs).text
    return head + String(tail(name, columns: max(0, columns - DisplayWidth.columns(of: head) + 1)).dropFirst())
  }

  func tail(_ path: String, columns: Int) -> String {
    let end = path.tail(columns: columns)
    let shown = DisplayText.visible(end, ascii: glyphs == .ascii)
    guard DisplayWidth.columns(of: shown) > columns || end.utf8.count < path.utf8.count else { return shown }
    var kept: [DisplayWidth.Cluster] = []
    var used = 1
    for cluster in DisplayWidth.clusters(of: shown).reversed() {
      guard used + cluster.columns <= columns else { break }
      used += cluster.columns
      kept.append(cluster)
    }
    if let slash = kept.lastIndex(where: { $0.text == "/" }), kept.count - slash < min(16, kept.count / 2) {
      kept.removeSubrange((slash + 1)...)
    }
    return glyphs.ellipsis + kept.reversed().map(\.text).joined()
  }
}

extension Canvas where State == BrowserState {
  mutating func draw(_ row: Outline.Row, isSelected: Bool, row line: Int, columns: Range<Int>) {
    guard let item = state.outline.item(row) else { return }
    // Unpacked once, and only as much as a row shows.
    let value = item.value(.row)
    let name = Style(.label, selected: isSelected)
    field(isSelected ? ink.pointer : " ", row: line, columns: columns.lowerBound..<(columns.lowerBound + 1), name)
    let markStart = state.layout.markColumn(depth: state.outline.depth(row))
    let isMarked = state.marking(of: row) != nil && markStart > columns.lowerBound + 1
    let hint = isMarked ? ValueDifference.Change.changed : nil
    field(
      hint?.sign ?? "", row: line, columns: (columns.lowerBound + 1)..<markStart,
      Style(hint?.role ?? .label, selected: isSelected))
    drawChange(row, isSelected: isSelected, row: line)
    field(mark(row, item, value), row: line, columns: markStart..<(markStart + 1), Style(.muted, selected: isSelected))
    field("", row: line, columns: (markStart + 1)..<(markStart + 2), name)
    let rest = (markStart + 2)..<max(markStart + 2, columns.upperBound - 1)
    switch item {
    case .folder(let folder):
      let words = state.outline.isOpen(row) ? "" : counted(folder.roots.count, "store")
      let title = state.folderName(folder.path, ink, columns: max(1, rest.count - words.utf8.count - 2))
      draw(title, words, .muted, row: line, columns: rest, isSelected ? name : Style(.title))
    case .root(let root): draw(root, row: line, columns: rest, name)
    case .value(let child):
      guard let value else { return }
      draw(child.label, value, of: row, row: line, columns: rest, within: columns, name)
    }
  }

  private func mark(_ row: Outline.Row, _ item: Outline.Item, _ value: InspectedValue?) -> String {
    if case .root(.notice(_, let sign)) = item { return ink.sign(sign) }
    if state.isHidden(row) { return "*" }
    if case .root(.store(_, nil)) = item { return ink.sign(.warning) }
    // Beside the signs of what differs, which are + and -.
    let (open, closed) = state.isComparing ? ("v", ink.words("›")) : ("-", "+")
    if state.outline.isOpen(row) { return open }
    if case .folder = item { return closed }
    return value.map { $0.count > 0 || $0.isLeftPacked } == true ? closed : " "
  }

  private mutating func draw(_ root: Outline.Root, row: Int, columns: Range<Int>, _ name: Style) {
    switch root {
    case .notice(let sentence, _):
      field(ink.name(sentence, columns: columns.count), row: row, columns: columns, name)
    case .events(let events):
      let count = events.count.map { counted($0, "unsent event") } ?? "unsent events, not counted"
      draw(root.fileName, count, .muted, row: row, columns: columns, name)
    case .sign(let sign): draw(root.fileName, sign.words, .muted, row: row, columns: columns, name)
    case .store(let store, _) where store.problem != nil:
      let words = state.outline.remarks[store.path]?.first?.words ?? "cannot be read"
      draw(root.fileName, words, .error, row: row, columns: columns, name)
    case .store(let store, let value):
      let facts = store.facts(value, columns: columns.count / 2)
      let remark = state.outline.remarks[store.path]?.first { $0.subject != .key }
      let words = remark.map { $0.words + "  " } ?? ""
      // Without room for both, what the store is matters more than its size.
      let isRoomy = words.utf8.count + facts.utf8.count <= columns.count / 2
      draw(root.fileName, isRoomy || words.isEmpty ? words + facts : words, .muted, row: row, columns: columns, name)
    }
  }

  private mutating func draw(
    _ file: String, _ words: String, _ role: Role, row: Int, columns: Range<Int>, _ name: Style
  ) {
    let words = ink.words(words)
    let width = min(DisplayWidth.columns(of: words), columns.count / 2)
    let end = max(columns.lowerBound, columns.upperBound - width - 2)
    let shown = ink.middle(ink.name(file), columns: end - columns.lowerBound)
    field(shown, row: row, columns: columns.lowerBound..<end, name)
    field("", row: row, columns: end..<min(end + 2, columns.upperBound), Style(.plain))
    field(words, row: row, columns: (columns.upperBound - width)..<columns.upperBound, Style(role))
  }

  private mutating func draw(
    _ label: InspectedChild.Label, _ value: InspectedValue, of place: Outline.Row, row: Int, columns: Range<Int>,
    within outline: Range<Int>, _ name: Style
  ) {
    // Types and values have their own columns at every depth.
    let typeStart =
      outline.lowerBound + max(columns.lowerBound - outline.lowerBound + 8, state.layout.typeColumn)
    let typeEnd = typeStart + BrowserLayout.typeWidth
    let names = columns.lowerBound..<max(columns.lowerBound, min(typeStart - 1, columns.upperBound))
    field(ink.label(label, columns: names.count), row: row, columns: names, name)
    guard typeEnd < columns.upperBound else { return }
    field("", row: row, columns: names.upperBound..<typeStart, Style(.plain))
    field(ink.words(state.shownType(of: value, place, ink)), row: row, columns: typeStart..<typeEnd, Style(.note))
    let values = typeEnd..<columns.upperBound
    let isHidden = state.isHidden(place)
    if let difference = state.outline.difference(place), difference.inner.isEmpty || isHidden {
      return drawSides(difference, isHidden: isHidden, row: row, columns: values)
    }
    if isHidden {
      return field(
        Secrets.standIn + ", \(state.key("secret", .stores)) shows it", row: row, columns: values,
        Style(.muted))
    }
    let text = ink.name(state.shownText(of: value, place, limit: values.count), columns: values.count)
    field(text, row: row, columns: values, Style(value.isContainer || value.isLeftPacked ? .muted : .value))
    guard let reading = value.moment, reading.unit != .date else { return }
    let used = values.lowerBound + DisplayWidth.columns(of: text) + 2
    let shown = ink.words("→ " + MomentText.seconds(reading.moment))
    let width = DisplayWidth.columns(of: shown)
    if used + width <= values.upperBound { field(shown, row: row, columns: used..<(used + width), Style(.muted)) }
  }
}

extension Store {
  fileprivate func facts(_ root: InspectedValue?, columns: Int) -> String {
    switch content {
    case .document(let document):
      Self.facts(document.format.words, size ?? 0, words: root?.rootWords, columns: columns)
    case .json: Self.facts("JSON", size ?? 0, words: root?.rootWords, columns: columns)
    case .database: Self.facts("SQLite", size ?? 0, words: tables?.words ?? root?.rootWords, columns: columns)
    case .unreadable: ""
    }
  }

  private static func facts(_ format: String, _ size: Int, words: String?, columns: Int) -> String {
    let rest = trailing(ByteCount.text(size), 11) + " " + trailing(words ?? "", 11)
    let all = format + String(repeating: " ", count: max(0, 6 - format.utf8.count)) + " " + rest
    return all.utf8.count <= columns ? all : rest
  }

  private static func trailing(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.utf8.count)) + text
  }
}

extension InspectedValue {
  fileprivate var rootWords: String { isContainer ? contentWords : "only \(typeWord)" }
}

extension DatabaseTables {
  var words: String { counted(tables.count, "table") }
}

extension PropertyListFormat {
  var words: String {
    switch self {
    case .binary: "binary"
    case .xml: "XML"
    }
  }
}
