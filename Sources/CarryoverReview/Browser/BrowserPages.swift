import Carryover
import CarryoverPages
import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors

extension PageWriter {
  private static let labels = 8

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
      if let difference = state.outline.difference(row), difference.inner.isEmpty, !state.isHidden(row) {
        self.row("Path", width: Self.labels, [Span(ink.path(state.outline.path(row)), .muted)])
        self.row(
          "Change", width: Self.labels, [Span(ink.words(difference.change.word), difference.change.role)])
        return sides(difference, limit: limit)
      }
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
    case .database:
      let words = store.tables == nil ? "SQLite, the tables that recipes read" : "SQLite, read-only"
      row("Format", width: Self.labels, [Span(words, .value)])
    }
    if let size = store.size { row("Size", width: Self.labels, [Span(bytes(size), .value)]) }
    if let tables = store.tables {
      row("Content", width: Self.labels, [Span(tables.words, .value)])
      if !tables.problems.isEmpty { blank() }
      for problem in tables.problems { words(problem, .muted) }
    } else if let root {
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
    count < 1000 ? counted(count, "byte") : "\(ByteCount.text(count)), \(count) bytes"
  }

  private mutating func value(_ value: InspectedValue, _ row: Outline.Row, _ state: BrowserState, limit: Int) {
    self.row("Path", width: Self.labels, [Span(ink.path(state.outline.path(row)), .muted)])
    if let marking = state.marking(of: row) {
      self.row("Change", width: Self.labels, [Span(marking.words, .changed)])
    }
    guard !state.isHidden(row) else {
      self.row("Type", width: Self.labels, [Span(ink.words(ink.typeWord(value)), .note)])
      blank()
      words(
        "This value is a secret: it is hidden, and is neither searched nor copied. \(state.key("secret", .stores)) shows it."
      )
      return
    }
    let path = state.outline.path(row)
    if state.marking(of: row) == .byApp, let old = state.replaced[path] ?? nil {
      let isHidden = Secrets.holds(old) && !state.revealed.contains(path)
      let text = isHidden ? Secrets.standIn : InspectedText.inline(old.value(limits: .row), limit: 200)
      self.row("Before", width: Self.labels, [Span(ink.name(text), .value)])
    }
    if case .table(let table)? = state.outline.tablePart(row) { return self.table(table) }
    self.row("Type", width: Self.labels, [Span(ink.words(ink.typeWords(value)), .note)])
    // The size of a mask is not the value's, which would reveal something.
    let size = ink.isMasking ? value.countWords : value.sizeWords
    if let size { self.row("Size", width: Self.labels, [Span(ink.words(size))]) }
    moment(of: value, state)
    blank()
    content(of: value, limit: limit)
  }

  private mutating func table(_ table: DatabaseTable) {
    row("Type", width: Self.labels, [Span(ink.words("table"), .note)])
    row("Rows", width: Self.labels, [Span(ink.words(table.rowWords), .value)])
    row("Named", width: Self.labels, [Span(ink.words(table.isNamedByKey ? "by primary key" : "by rowid"), .value)])
    heading("Columns \(table.columns.count)")
    var columns = Table([.init(.name, "", .head), .init(.name, "", .head), .init(.whole)], indent: 2)
    for column in table.columns {
      columns.add([
        .name(column.name, .label), .name(column.type, .note), column.isKey ? .text("key", .muted) : .text(""),
      ])
    }
    add(columns)
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
  fileprivate var countWords: String? { isContainer ? contentWords : nil }

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

extension PageWriter {
  /// At most `limit` lines: text as it is, bytes as hex, JSON laid out, any other container as a tree.
  mutating func content(of value: InspectedValue, limit: Int) {
    if let bytes = value.data { return hex(bytes, limit: limit) }
    if let text = value.string { return string(text, limit: limit) }
    guard value.isContainer else {
      return add([Span(ink.name(InspectedText.inline(value, limit: Grid.maximum)), .value)], exact: true)
    }
    let isWhole =
      if case .json(let json) = value.content { self.json(json, limit: limit) } else { tree(value, limit: limit) }
    if !isWhole { words("… and more.", .muted) }
  }

  private mutating func string(_ text: String, limit: Int) {
    guard !text.isEmpty else { return words("An empty text.", .muted) }
    let scalars = max(1, min(ink.textLimit, limit.multipliedReportingOverflow(by: columns).partialValue))
    add([Span(ink.text(text, limit: scalars), .value)], exact: true)
    if limit > 1000, let cut = ink.cut(text) { add([Span(cut, .muted)]) }
  }

  mutating func hex(_ bytes: [UInt8], limit: Int) {
    guard !bytes.isEmpty else { return words("No bytes.", .muted) }
    let width = columns >= 75 ? 16 : 8
    let most = ink.isWhole ? bytes.count : min(bytes.count, max(1, min(limit, 4096)) * width)
    for start in stride(from: 0, to: most, by: width) {
      let line = bytes[start..<min(start + width, bytes.count)]
      let offset = String(start, radix: 16).zeroPadded(to: 6)
      let digits = line.map { [$0].hexadecimal }.joined(separator: " ")
      let gap = String(repeating: " ", count: 3 * width - 1 - digits.utf8.count)
      let text = String(String.UnicodeScalarView(line.map { $0 >= 0x20 && $0 < 0x7F ? Unicode.Scalar($0) : "." }))
      add([
        Span(offset + "  ", .muted), Span(digits, .value), Span(gap + "  ", .plain), Span(text, .note),
      ])
    }
    if bytes.count > most { words("… \(bytes.count) bytes in all.", .muted) }
  }

  /// One value a line; false once the limit is reached.
  private mutating func tree(_ value: InspectedValue, depth: Int = 0, limit: Int) -> Bool {
    for index in 0..<value.count {
      guard let child = value.child(at: index) else { return true }
      guard lines.count <= limit else { return false }
      let margin = 2 * min(depth, columns / 8)
      let label = Span(ink.label(child.label, columns: 60) + "  ", .label)
      guard !Secrets.holds(child) else {
        add([label, Span(Secrets.standIn, .muted)], indent: margin, hanging: margin + 2)
        continue
      }
      let inner = child.value(limits: .row)
      let text = ink.name(InspectedText.inline(inner, limit: 400), columns: 400)
      add([label, Span(text, inner.isContainer ? .muted : .value)], indent: margin, hanging: margin + 2)
      if inner.isContainer, depth < 127, !tree(inner, depth: depth + 1, limit: limit) { return false }
    }
    return true
  }

  private mutating func json(
    _ value: JSONValue, name: String? = nil, depth: Int = 0, comma: String = "", limit: Int
  ) -> Bool {
    switch value {
    case .object(let members) where !members.isEmpty:
      guard jsonLine("{", name, depth, limit) else { return false }
      for (index, member) in members.enumerated() {
        let isSecret = Secrets.holds(member.name) || member.value.stringValue.map(SecretNames.isToken) == true
        let inner = isSecret ? .string(Secrets.standIn) : member.value
        let comma = index + 1 < members.count ? "," : ""
        guard json(inner, name: member.name, depth: depth + 1, comma: comma, limit: limit) else { return false }
      }
      return jsonLine("}" + comma, nil, depth, limit)
    case .array(let elements) where !elements.isEmpty:
      guard jsonLine("[", name, depth, limit) else { return false }
      for (index, element) in elements.enumerated() {
        let comma = index + 1 < elements.count ? "," : ""
        guard json(element, depth: depth + 1, comma: comma, limit: limit) else { return false }
      }
      return jsonLine("]" + comma, nil, depth, limit)
    default: return jsonLine(value.text() + comma, name, depth, limit)
    }
  }

  private mutating func jsonLine(_ text: String, _ name: String?, _ depth: Int, _ limit: Int) -> Bool {
    guard lines.count <= limit else { return false }
    let margin = 2 * min(depth, columns / 8)
    let label = name.map { [Span(ink.text(JSONValue.string($0).text()) + ": ", .label)] } ?? []
    add(label + [Span(ink.text(text, limit: 4096), .value)], indent: margin, hanging: margin + 2, exact: true)
    return true
  }
}
