import Carryover
import CarryoverPages
import CarryoverReview
import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors

/// The stores of a container as text, packed values opened below their keys. The lines are escaped.
struct InspectText {
  private let paper: Paper
  private let ink: Ink
  private let masking: Masking
  /// Whether to show everything, and not to cut lines to the width of the terminal.
  private let all: Bool
  private let isNarrowed: Bool

  /// - Parameter isNarrowed: whether only some keys are shown, so that each can be opened whatever its size.
  init(all: Bool, isNarrowed: Bool, on paper: Paper, masking: Masking) {
    self.masking = masking
    self.paper = paper
    ink = paper.page(masking).ink
    self.all = all
    self.isNarrowed = isNarrowed
  }

  /// Passes on one line after the other: there may be millions.
  func write(_ container: Container, stores: [InspectedStore], to line: ([Span]) throws -> Void) rethrows {
    let count = ValueWording.counted(container.stores.count, "store")
    try page { $0.add("\(container.bundleID ?? "unknown app") · \(container.kind.rawValue) · \(count)") }
      .forEach(line)
    try page { page in for notice in container.notices { page.add(.warning, notice) } }.forEach(line)
    if let unread = container.unread?.sentence {
      try page { page in
        page.add(.note, unread)
        page.add(opening(container))
      }.forEach(line)
    }
    let remarks = container.remarks
    var rows = InspectedRows(all: all, isNarrowed: isNarrowed)
    for store in stores {
      try line([])
      try page { page in
        let details = details(store).joined(separator: " · ")
        let line = page.ink.sentence(store.store.path + " · " + details)
        if all || DisplayWidth.columns(of: line) <= paper.columns {
          page.line([Span(line)])
        } else {
          page.line(store.store.path)
          page.add(details, indent: 2)
        }
        for remark in remarks where remark.path.hasSameBytes(as: store.store.path) {
          page.add(.note, remark.sentence, indent: 2)
        }
        for finding in store.store.findings { page.add(.warning, finding, indent: 2) }
        for problem in store.store.tables?.problems ?? [] { page.add(.note, problem, indent: 2) }
      }.forEach(line)
      try write(store, &rows, to: line)
    }
    // Signs are not stores: they are shown only if no store was named.
    if stores.count == container.stores.count {
      for sign in remarks where sign.subject == .sign {
        try line([])
        try page { page in
          page.line(sign.path)
          page.add(.note, sign.sentence, indent: 2)
        }.forEach(line)
      }
    }
    if rows.wasCut {
      let hint = all ? "the packed values unpack to more than can be shown" : "--all shows everything"
      try line([])
      try page { $0.add("… marks rows that are not shown: \(hint).") }.forEach(line)
    }
  }

  private func page(_ write: (inout PageWriter) -> Void) -> [[Span]] {
    var page = paper.page(masking)
    write(&page)
    return page.lines
  }

  /// Fits the columns to the rows of the first keys, because to fit all rows, a large store would be read twice. Omits
  /// the types if there is little room.
  private func write(
    _ store: InspectedStore, _ rows: inout InspectedRows, to line: ([Span]) throws -> Void
  ) rethrows {
    let hasTypes = all || paper.columns >= 80
    let (mostOfLabel, mostOfType) = (all ? 40 : min(40, max(16, paper.columns * 2 / 5)), 20)
    var (labels, types) = (0, 0)
    var measured = rows
    measured.forEach(of: store, first: 1_000) { row in
      labels = max(labels, min(mostOfLabel, DisplayWidth.columns(of: shown(row.label))))
      types = hasTypes ? max(types, min(mostOfType, DisplayWidth.columns(of: ink.words(row.type)))) : 0
    }
    try rows.forEach(of: store) { row in
      let label = fitted(shown(row.label), mostOfLabel, DisplayText.fitMiddle)
      let type = hasTypes ? fitted(ink.words(row.type), mostOfType, DisplayText.fit) : ""
      let (head, width) = (label.padded(labels), DisplayWidth.columns(of: type))
      let gap = hasTypes ? max(types - width, 0) + 2 : 0
      let room = paper.columns - DisplayWidth.columns(of: head) - width - gap
      let value = fitted(shown(text(row)), room, DisplayText.fit)
      guard !type.isEmpty || !value.isEmpty else { return try line([Span(label)]) }
      let end = value.isEmpty ? "" : String(repeating: " ", count: gap) + value
      try line([Span(head), Span(type, .muted), Span(end)])
    }
  }

  private func fitted(
    _ text: String, _ columns: Int, _ fit: (String, Int, Glyphs) -> String
  ) -> String { all ? text : fit(text, max(8, columns), ink.glyphs) }

  /// How to open the first unread property list; nothing if it is not a file on the disk, or if its name is masked.
  private func opening(_ container: Container) -> [Block] {
    guard container.wrapper == nil, !masking.isOn,
      let file = container.unread?.data.first(where: { $0.form == .propertyList })
    else { return [] }
    let command = ShellCommand(["carryover", "inspect", FilePath.join(container.root, file.path)])
    return [.paragraph("To open \(DisplayText.named(FilePath.name(of: file.path))):", indent: 2), .commands([command])]
  }

  func lines(_ matches: [InspectedSearch.Match], text: String, isCut: Bool, of container: Container) -> [[Span]] {
    page { page in
      if matches.isEmpty {
        // The text may be a part of a masked value.
        page.add(
          "No key or visible value contains " + (masking.isOn ? "that text." : "“\(text)”."))
        if let unread = container.unread?.sentence { page.add(unread) }
        if let rows = container.unreadRowsSentence { page.add(rows) }
      }
      for match in matches {
        let path = page.ink.path(match.path)
        let value = shown(match.isHidden ? Secrets.standIn : inline(match.value))
        let room = paper.columns - DisplayWidth.columns(of: path) - 2
        if all || room >= min(20, DisplayWidth.columns(of: value)) {
          page.line([Span(path + "  "), Span(fitted(value, room, DisplayText.fit))])
        } else {
          page.line([Span(path)])
          page.line(PageWriter.margin(4) + [Span(fitted(value, paper.columns - 4, DisplayText.fit))])
        }
      }
      if isCut { page.add("The packed values unpack to more than can be searched: there may be more matches.") }
    }
  }

  private func details(_ store: InspectedStore) -> [String] {
    let parts = [store.store.format, store.store.size.map { ByteCount.text($0) }].compactMap(\.self)
    return parts + [store.store.problem.map { "unreadable: " + $0 } ?? contents(store)]
  }

  private func contents(_ store: InspectedStore) -> String {
    if let tables = store.store.tables?.tables { return ValueWording.counted(tables.count, "table") }
    switch store.root?.content {
    case .propertyList(.dictionary(let dictionary)): return ValueWording.counted(dictionary.count, "key")
    case .json(.object(let members)): return ValueWording.counted(members.count, "key")
    default: return store.root.map { DisplayText.visible(inline($0), limit: 80) } ?? ""
    }
  }

  private func text(_ row: InspectedRow) -> String {
    switch row.content {
    case .value(let value): text(value)
    case .table(let table): table.rowWords + " · " + table.columnWords
    case .row(let value): InspectedText.columns(of: value, limit: all ? .max : paper.columns, shown: inline)
    case .secret: Secrets.standIn
    case .more: ""
    }
  }

  private func text(_ value: InspectedValue) -> String {
    if masking.isOn { return inline(value) }
    var text =
      all
      ? InspectedText.whole(value) ?? InspectedText.inline(value) : InspectedText.inline(value, limit: paper.columns)
    if let reading = value.moment, reading.unit != .date {
      text += " (\(MomentText.seconds(reading.moment)) UTC, \(reading.unit.words))"
    }
    return text
  }

  /// Not escaped yet.
  private func inline(_ value: InspectedValue) -> String { masking.inline(value, limit: paper.columns) }

  private func shown(_ text: String) -> String {
    DisplayText.visible(masking.text(text), ascii: ink.glyphs == .ascii)
  }
}

struct InspectedRow {
  var label: String
  var content: Content

  enum Content {
    case value(InspectedValue)
    case table(DatabaseTable)
    /// The columns of a table's row.
    case row(InspectedValue)
    case secret(type: String)
    case more
  }

  var type: String {
    switch content {
    case .value(let value): InspectedText.rawType(value)
    case .table: "table"
    case .row: "row"
    case .secret(let type): type
    case .more: ""
    }
  }
}

/// The rows of stores, within bounds: packed values can unfold without end.
struct InspectedRows {
  let all: Bool
  let limits: InspectionLimits
  /// Rows left for what is inside values, over all stores.
  private var left = 1_000_000
  private(set) var wasCut = false

  init(all: Bool, isNarrowed: Bool) {
    self.all = all
    limits = all || isNarrowed ? .default : .row
  }

  /// - Parameter most: the number of keys to visit, the first ones of the store.
  mutating func forEach(
    of store: InspectedStore, first most: Int = .max, _ row: (InspectedRow) throws -> Void
  ) rethrows {
    for child in store.keys.prefix(most) {
      if let name = child.label.name, let table = store.store.tables?.table(name) {
        try give(table, child.value, to: row)
      } else if let value = try give(child, depth: 1, to: row) {
        try giveInside(value, to: row)
      }
    }
  }

  /// A row of a table is one line, unless all is shown.
  private mutating func give(
    _ table: DatabaseTable, _ rows: InspectedValue, to row: (InspectedRow) throws -> Void
  ) rethrows {
    try row(InspectedRow(label: "  " + table.name, content: .table(table)))
    for place in 0..<rows.count {
      guard let child = rows.child(at: place) else { return }
      guard all || place < Self.rowsOfValue else {
        wasCut = true
        return try row(InspectedRow(label: "    … \(rows.count - place) more", content: .more))
      }
      let name = "    " + (child.label.name ?? "")
      guard !Secrets.holds(child) else {
        try row(InspectedRow(label: name, content: .secret(type: "row")))
        continue
      }
      try row(InspectedRow(label: name, content: .row(child.value)))
      if all { try giveInside(child.value, depth: 3, to: row) }
    }
  }

  /// - Returns: the value if it can be opened.
  private mutating func give(
    _ child: InspectedChild, depth: Int, to row: (InspectedRow) throws -> Void
  ) rethrows -> InspectedValue? {
    let name =
      switch child.label {
      case .key(let key): key.text
      case .index(let index): "[\(index)]"
      }
    let label = String(repeating: "  ", count: depth) + name
    if Secrets.holds(child) {
      let type = InspectedText.rawType(child.value(limits: .closed))
      try row(InspectedRow(label: label, content: .secret(type: type)))
      return nil
    }
    let value = child.value(limits: limits)
    if value.isLeftPacked { wasCut = true }
    try row(InspectedRow(label: label, content: .value(value)))
    return value.isContainer ? value : nil
  }

  private struct Frame {
    let value: InspectedValue
    let depth: Int
    var next = 0
  }

  private mutating func giveInside(
    _ value: InspectedValue, depth: Int = 2, to row: (InspectedRow) throws -> Void
  ) rethrows {
    var frames = [Frame(value: value, depth: depth)]
    var rows = all ? Int.max : Self.rowsOfKey
    while var frame = frames.popLast() {
      guard let child = frame.value.child(at: frame.next) else { continue }
      let isDeep = !all && frame.depth > Self.deepest
      guard rows > 0, left > 0, !isDeep, all || frame.next < Self.rowsOfValue else {
        let indent = String(repeating: "  ", count: min(frame.depth, Self.widest))
        try row(InspectedRow(label: indent + "… \(frame.value.count - frame.next) more", content: .more))
        wasCut = true
        continue
      }
      rows -= 1
      left -= 1
      frame.next += 1
      frames.append(frame)
      if let inner = try give(child, depth: min(frame.depth, Self.widest), to: row) {
        left -= inner.packedSize / 256
        frames.append(Frame(value: inner, depth: frame.depth + 1))
      }
    }
  }

  /// The most rows of a key's value, of a value in it, and the greatest depth, unless all is shown.
  private static let rowsOfKey = 60
  private static let rowsOfValue = 20
  private static let deepest = 7
  /// Rows that nest deeper are not indented further.
  private static let widest = 60
}

struct InspectedStore {
  var store: Store
  /// Nil if the store could not be read.
  var root: InspectedValue?
  /// Where the keys are; a key itself is much larger.
  private var places: [Int]

  /// - Parameter names: the keys to show; empty for all.
  init(_ store: Store, names: Set<StringByBytes> = []) {
    self.store = store
    root = InspectedValue(store)
    places = Array(0..<(root?.count ?? 0))
    if !names.isEmpty { keep { $0.label.name.map { names.contains($0) } ?? false } }
  }

  var isEmpty: Bool { places.isEmpty }

  var keys: some Sequence<InspectedChild> { places.lazy.compactMap { [root] in root?.child(at: $0) } }

  mutating func keep(_ isKept: (InspectedChild) -> Bool) {
    guard let root else { return }
    places.removeAll { place in root.child(at: place).map(isKept) != true }
  }
}
