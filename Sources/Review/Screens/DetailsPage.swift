import Carryover
import PropertyLists
import Terminal

extension PageWriter {
  private static let labels = 12

  /// All about a field.
  mutating func details(of field: Field, _ state: ReviewState) {
    let decision = state.decisions[field.id]
    let standing = FieldState(field, decision)
    row(
      "State", width: Self.labels,
      [
        Span(standing.mark(ink.glyphs) + " ", standing.role), Span(ink.words(standing.word), standing.role),
        Span(ink.words("  " + ChangeSummary.text(field, decision)), .muted),
      ])
    if let origin = field.origin {
      let place = "\(origin.source.label) in \(origin.store)"
      row("Found as", width: Self.labels, [Span(ink.text(place), .muted)])
    } else {
      let keys = field.sources.map(\.label).joined(separator: ", ")
      row("Looked for", width: Self.labels, [Span(ink.text(keys), .muted)])
    }
    blank()
    value("Legacy", field.legacy, state.options, kept: keptMembers(field))
    value("Proposed", field.proposed, state.options, nothing: ChangeSummary.proposal(field))
    if case .edit(let edited) = decision { value("Edited", edited, state.options) }
    value("Target now", field.current, state.options)
    findings(field)
    alternatives(field)
    readings(field)
    steps(field)
  }

  /// A value with its type: beside the label where it is short, below it where it is not.
  private mutating func value(
    _ label: String, _ value: PropertyListValue?, _ options: ReviewOptions, kept: Set<String>? = nil,
    nothing: String? = nil
  ) {
    guard let value else {
      return row(
        label, width: Self.labels, [Span(ink.nothing, .muted), Span(ink.words("  " + (nothing ?? "")), .muted)])
    }
    let kind = Span(value.kind.word, .note)
    let short = ink.value(value, columns: Grid.maximum)
    let room = columns - Self.labels - 9
    let isShort = value.children.isEmpty && value.kind != .data && DisplayWidth.columns(of: short) <= room
    if isShort, JSONOutline(short) == nil {
      let gap = String(repeating: " ", count: max(0, 7 - kind.text.utf8.count) + 2)
      row(label, width: Self.labels, [kind, Span(gap, .plain), Span(short, .value)])
      moment(of: value, options)
    } else {
      blank()
      row(label, width: Self.labels, [kind])
      text(of: value, options, kept: kept)
      blank()
    }
  }

  /// The members of the legacy JSON text that the proposal still has; nil where members say nothing.
  private func keptMembers(_ field: Field) -> Set<String>? {
    guard case .string(let proposed) = field.proposed, case .string = field.legacy else { return nil }
    return JSONOutline.memberNames(proposed).map(Set.init)
  }

  /// The whole value: JSON laid out, bytes as hex, everything else as it is, and the moment it stands for.
  private mutating func text(of value: PropertyListValue, _ options: ReviewOptions, kept: Set<String>?) {
    let indent = 2
    switch value {
    case .string(let text):
      let outline = text.utf8.count <= Ink.textLimit ? JSONOutline(text) : nil
      if let outline {
        json(outline, kept: kept)
      } else {
        add([Span(text.isEmpty ? "\"\"" : ink.text(text), .value)], indent: indent, exact: true)
        if text.unicodeScalars.count > Ink.textLimit {
          words("… cut here: \(text.utf8.count) bytes in all. c copies the whole value.", .muted, indent: indent)
        }
      }
    case .data(let bytes): hex(bytes)
    case .array, .dictionary, .set: tree(value)
    default: add([Span(ink.value(value, columns: Grid.maximum), .value)], indent: indent, exact: true)
    }
  }

  private mutating func json(_ outline: JSONOutline, kept: Set<String>?) {
    for row in outline.rows {
      let isStripped = kept.map { kept in row.member.map { !kept.contains($0) } ?? false } ?? false
      let margin = String(repeating: "  ", count: min(row.depth, columns / 8))
      add(
        [
          Span(isStripped ? "- " : "  ", .removed), Span(margin, .plain),
          Span(ink.text(row.text), isStripped ? .removed : .value),
          Span(isStripped && row.isMemberStart ? "  stripped" : "", .muted),
        ], hanging: 4 + margin.utf8.count, exact: true)
    }
  }

  /// Sixteen bytes a line, with their offset.
  private mutating func hex(_ bytes: [UInt8]) {
    let limit = 4096
    for start in stride(from: 0, to: min(bytes.count, limit), by: 16) {
      let line = bytes[start..<min(start + 16, bytes.count)]
      let offset = String(start, radix: 16)
      let margin = String(repeating: "0", count: max(0, 6 - offset.utf8.count))
      let digits = line.map { PropertyListValue.hex($0) }.joined(separator: " ")
      add([Span(margin + offset + "  ", .muted), Span(digits, .value)], indent: 2, exact: true)
    }
    if bytes.count > limit { words("… cut here: \(bytes.count) bytes in all.", .muted, indent: 2) }
    if bytes.isEmpty { words("no bytes", .muted, indent: 2) }
  }

  /// The contents of an array or a dictionary, one value a line.
  private mutating func tree(_ root: PropertyListValue) {
    var pending: [(name: String, value: PropertyListValue, depth: Int)] = Self.children(of: root, depth: 0).reversed()
    var budget = 2000
    while let (name, value, depth) = pending.popLast() {
      budget -= 1
      guard budget > 0 else { return words("… and more.", .muted, indent: 2) }
      let margin = 2 + 2 * min(depth, columns / 8)
      let shown = ink.value(value, columns: 200)
      add([Span(ink.name(name, columns: 60) + "  ", .label), Span(shown, .value)], indent: margin)
      pending += Self.children(of: value, depth: depth + 1).prefix(budget).reversed()
    }
  }

  private static func children(
    of value: PropertyListValue, depth: Int
  ) -> [(name: String, value: PropertyListValue, depth: Int)] {
    if case .dictionary(let dictionary) = value {
      return dictionary.entries.map { ($0.key, $0.value, depth) }
    }
    return value.children.enumerated().map { ("[\($0)]", $1, depth) }
  }

  private mutating func moment(of value: PropertyListValue, _ options: ReviewOptions) {
    guard let reading = MomentReading(ofTime: value) else { return }
    let indent = Self.labels + 9
    let moment = reading.moment
    words("\(MomentText.text(moment)) UTC, read as \(reading.unit.words)", .muted, indent: indent)
    if options.zoneOffset != 0 {
      let zone = MomentText.zone(options.zoneOffset)
      words("\(MomentText.text(moment, offset: options.zoneOffset)) local time (\(zone))", .muted, indent: indent)
    }
  }

  private mutating func findings(_ field: Field) {
    guard !field.findings.isEmpty else { return }
    heading("Warnings \(field.findings.count)")
    for (index, finding) in field.findings.enumerated() {
      if index > 0 { blank() }
      self.finding(finding)
    }
  }

  private mutating func alternatives(_ field: Field) {
    guard !field.alternatives.isEmpty else { return }
    heading("Other values: the number takes one")
    for (index, alternative) in field.alternatives.enumerated() {
      let key = index < 9 ? "\(index + 1) " : "  "
      add(
        [
          Span(key, .key), Span(ink.value(alternative.value, columns: max(12, columns / 2)) + "  ", .value),
          Span(ink.text(alternative.label), .muted),
        ], indent: 2, hanging: 4)
    }
  }

  private mutating func readings(_ field: Field) {
    heading("Four readings")
    let all: [(String, Reading)] = [
      ("the legacy SDK reads", field.readings.legacy), ("the guide says", field.readings.guide),
      ("the helper writes", field.readings.helper), ("Carryover writes", field.readings.plan),
    ]
    for (label, reading) in all {
      var spans: [Span] = []
      switch reading {
      case .value(let value, let note):
        spans.append(Span(ink.value(value, columns: max(12, columns - 30)), .value))
        if let note { spans.append(Span("  " + ink.words(note), .muted)) }
      case .nothing(let reason):
        spans.append(Span("nothing", .muted))
        if let reason { spans.append(Span("  " + ink.words(reason), .muted)) }
      }
      row(label, width: 22, spans, indent: 2)
    }
  }

  private mutating func steps(_ field: Field) {
    guard !field.steps.isEmpty else { return }
    heading("Step by step")
    for (index, step) in field.steps.enumerated() {
      let title = ink.words(step.title)
      let result = step.result.map { ink.value($0, columns: max(12, columns - 30)) } ?? "nothing"
      add(
        [
          Span("\(index + 1) ", .muted), Span(title + "  ", .label),
          Span(result, step.result == nil ? .muted : .value),
        ], indent: 2, hanging: 4)
    }
  }
}
