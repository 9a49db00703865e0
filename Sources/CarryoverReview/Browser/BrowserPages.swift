import Carryover
import CarryoverTerminal
import CarryoverVendors
import PropertyLists

extension PageWriter {
  private static let labels = 8

  /// All about what is selected.
  /// - Parameter limit: How many lines of its content are wanted.
  mutating func details(_ state: BrowserState, limit: Int) {
    guard let row = state.selectedRow, let item = state.outline.item(row) else { return }
    switch item {
    case .folder(let folder):
      self.row("Path", width: Self.labels, [Span(ink.text(folder.path), .value)])
      self.row("Stores", width: Self.labels, [Span("\(folder.roots.count)", .value)])
    case .root(.notice(let sentence, _)): words(sentence)
    case .root(.events(let events)): self.events(events)
    case .root(.sign(let sign)):
      self.row("Path", width: Self.labels, [Span(ink.text(sign.path), .value)])
      blank()
      words(sign.sentence, .muted)
    case .root(.store(let store, let value)): self.store(store, value, state.outline.remarks[store.path] ?? [])
    case .value(let child):
      // The pane beside the outline opens no more than its row does.
      let isPane = limit < 1000
      let opened = state.outline.openValue(row)
      value(opened ?? child.value(limits: isPane ? .row : .default), row, state, limit: limit)
    }
  }

  private mutating func events(_ events: UnsentEvents) {
    row("Path", width: Self.labels, [Span(ink.text(events.path), .value)])
    row("Events", width: Self.labels, [Span(events.count.map(String.init) ?? "not counted", .value)])
    blank()
    words("A database of events that the legacy SDK had not sent yet. Its content is not shown.", .muted)
  }

  private mutating func store(_ store: Store, _ root: InspectedValue?, _ remarks: [StoreRemark]) {
    row("Path", width: Self.labels, [Span(ink.text(store.path), .value)])
    for remark in remarks { row("Is", width: Self.labels, [Span(ink.words(remark.sentence), .note)]) }
    switch store.content {
    case .unreadable(let reason):
      blank()
      add([Span(ink.words("This store cannot be read. "), .error)])
      words(reason)
      return
    case .document(let document):
      row("Format", width: Self.labels, [Span(ink.words("\(document.format.words) property list"), .value)])
    case .json: row("Format", width: Self.labels, [Span("JSON", .value)])
    case .database: row("Format", width: Self.labels, [Span("SQLite, the tables that recipes read", .value)])
    }
    if let size = store.size { row("Size", width: Self.labels, [Span(bytes(size), .value)]) }
    if let root {
      row("Content", width: Self.labels, [Span(ink.words("\(root.typeWords), \(root.contentWords)"), .value)])
    }
    let findings = store.findings
    if !findings.isEmpty { heading("Found while reading \(findings.count)") }
    for finding in findings.prefix(100) { words(finding, indent: 2) }
    if findings.count > 100 { words("… and \(findings.count - 100) more.", .muted, indent: 2) }
    guard let root, !root.isContainer else { return }
    blank()
    content(of: root, limit: 1000)
  }

  private func bytes(_ count: Int) -> String {
    count < 10_240 ? counted(count, "byte") : "\(sizeText(count)), \(count) bytes"
  }

  private mutating func value(_ value: InspectedValue, _ row: Outline.Row, _ state: BrowserState, limit: Int) {
    self.row("Path", width: Self.labels, [Span(ink.text(state.outline.path(row).text), .muted)])
    guard !state.isHidden(row) else {
      self.row("Type", width: Self.labels, [Span(ink.words(ink.typeWord(value)), .note)])
      blank()
      words(
        "This value is a secret: it is hidden, and is neither searched nor copied. \(state.key("secret", .stores)) shows it."
      )
      return
    }
    self.row("Type", width: Self.labels, [Span(ink.words(ink.typeWords(value)), .note)])
    // The size of a mask is not that of the value, and that one would tell of it.
    let size = ink.isMasking ? value.countWords : value.sizeWords
    if let size { self.row("Size", width: Self.labels, [Span(ink.words(size))]) }
    moment(of: value, state)
    blank()
    content(of: value, limit: limit)
  }

  private mutating func moment(of value: InspectedValue, _ state: BrowserState) {
    guard let reading = value.moment else { return }
    let moment = reading.moment
    row("Moment", width: Self.labels, [Span(MomentText.text(moment) + " UTC", .value)])
    let offset = state.zone(moment)
    if offset != 0 {
      let zone = MomentText.zone(offset)
      row("", width: Self.labels, [Span("\(MomentText.text(moment, offset: offset)) local time (\(zone))", .value)])
    }
    row("", width: Self.labels, [Span(ink.words("read as \(reading.unit.words)"), .muted)])
  }
}

extension InspectedValue {
  /// How much is inside, in words; nil for what contains nothing.
  fileprivate var countWords: String? { isContainer ? contentWords : nil }

  /// How large it is, in words; nil where that says nothing.
  fileprivate var sizeWords: String? {
    var words: [String] = []
    if let countWords { words.append(countWords) }
    if let data { words.append(counted(data.count, "byte")) }
    if let string { words.append(counted(string.utf8.count, "byte")) }
    if !packings.isEmpty {
      switch stored {
      case .string(let text): words.append("stored as \(counted(text.utf8.count, "byte")) of text")
      case .data(let bytes): words.append("stored as \(counted(bytes.count, "byte")) of data")
      default: break
      }
    }
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }
}
