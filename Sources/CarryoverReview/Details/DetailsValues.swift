import Carryover
import CarryoverPages
import CarryoverTerminal

extension PageWriter {
  mutating func values(_ field: Field, _ state: ReviewState) {
    let (legacy, proposed) = (text(field.legacy), text(field.proposed))
    let fates = field.model.map { _ in ModelFates(field.steps) }
    let tree = MemberTree([legacy, proposed])
    value("Legacy", field.legacy, field, state, marks: MemberMarks(tree, .legacy, fates))
    value(
      "Proposed", field.proposed, field, state, marks: MemberMarks(tree, .proposal, fates),
      nothing: ChangeSummary.proposal(field))
    if case .edit(let edited) = state.decisions[field.id] {
      // A typed value has its own members, whatever the steps made.
      let typed = fates.map { _ in ModelFates([]) }
      value("Edited", edited, field, state, marks: MemberMarks(MemberTree([legacy, text(edited)]), .proposal, typed))
    }
    guard !field.isChangedInPlace else {
      return row(
        "Target now", width: Self.detailLabels, [Span("the legacy value: this recipe changes it in place", .muted)])
    }
    value(
      "Target now", field.current, field, state,
      marks: MemberMarks(MemberTree([text(field.current), proposed]), .target))
    difference(field)
  }

  /// As it may be seen: equal values have equal masks.
  private func text(_ value: PropertyListValue?) -> String? {
    guard let value, case .string(let text) = ink.shown(value.readable ?? value) else { return nil }
    return text
  }

  private mutating func value(
    _ label: String, _ found: PropertyListValue?, _ field: Field, _ state: ReviewState, marks: MemberMarks?,
    nothing: String? = nil
  ) {
    let labels = Self.detailLabels
    guard let found else {
      return row(label, width: labels, [Span(ink.nothing, .muted), Span(ink.words("  " + (nothing ?? "")), .muted)])
    }
    let kind = Span(found.kind.word, .note)
    let value = ink.shown(found.readable ?? found)
    let short = ink.value(value, columns: Grid.maximum)
    let room = columns - labels - 9
    let isShort = value.children.isEmpty && value.kind != .data && DisplayWidth.columns(of: short) <= room
    guard !isShort || JSONOutline(short) != nil else {
      // The length of a mask says nothing about the value.
      let size = found.kind == .data ? Self.size(of: found).map { "  " + $0 } ?? "" : ""
      row(label, width: labels, [Span(found.kind.word.padded(7), .note), Span(short, .value), Span(size, .muted)])
      if field.group == .session || found.kind == .date { moment(of: value, state) }
      return
    }
    blank()
    row(label, width: labels, [kind, Span(Self.size(of: found).map { ", " + $0 } ?? "", .muted)])
    whole(value, marks)
    blank()
  }

  private static func size(of value: PropertyListValue) -> String? {
    switch value {
    case .string(let text): counted(text.utf8.count, "byte")
    case .data(let bytes): counted(bytes.count, "byte")
    case .array(let elements), .set(let elements): counted(elements.count, "element")
    case .dictionary(let dictionary): counted(dictionary.count, "key")
    default: nil
    }
  }

  private mutating func whole(_ value: PropertyListValue, _ marks: MemberMarks?) {
    let indent = 2
    switch value {
    case .string(let text):
      if text.utf8.count <= ink.textLimit, let outline = JSONOutline(text) { return json(outline, marks) }
      add([Span(text.isEmpty ? "\"\"" : ink.text(text), .value)], indent: indent, exact: true)
      if let cut = ink.cut(text) { add([Span(cut, .muted)], indent: indent) }
    case .data(let bytes): hex(bytes, limit: ink.isWhole ? .max : 4096)
    case .array, .dictionary, .set: tree(value)
    default: add([Span(ink.value(value, columns: Grid.maximum), .value)], indent: indent, exact: true)
    }
  }

  private mutating func json(_ outline: JSONOutline, _ marks: MemberMarks?) {
    for row in outline.rows {
      let mark = row.member.flatMap { marks?[$0] }
      let margin = String(repeating: "  ", count: min(row.depth, columns / 8))
      add(
        [
          Span(mark.map { $0.fate.sign(.unicode) + " " } ?? "  ", mark?.fate.role ?? .plain), Span(margin),
          Span(ink.text(row.text), mark?.fate.role ?? .value),
          Span(row.isMemberStart ? mark.map { "  " + ink.text($0.words) } ?? "" : "", .muted),
        ], hanging: 4 + margin.utf8.count, exact: true)
    }
  }

  private mutating func tree(_ root: PropertyListValue) {
    var pending: [(name: String, value: PropertyListValue, depth: Int)] = Self.members(of: root, depth: 0).reversed()
    var budget = ink.isWhole ? Int.max : 2000
    while let (name, value, depth) = pending.popLast() {
      budget -= 1
      guard budget > 0 else { return words("… and more.", .muted, indent: 2) }
      let margin = 2 + 2 * min(depth, columns / 8)
      let shown = ink.value(value, columns: 200)
      add([Span(ink.name(name, columns: 60) + "  ", .label), Span(shown, .value)], indent: margin)
      pending += Self.members(of: value, depth: depth + 1).prefix(budget).reversed()
    }
  }

  private static func members(
    of value: PropertyListValue, depth: Int
  ) -> [(name: String, value: PropertyListValue, depth: Int)] {
    if case .dictionary(let dictionary) = value {
      return dictionary.entries.map { ($0.key, $0.value, depth) }
    }
    return value.children.enumerated().map { ("[\($0)]", $1, depth) }
  }

  private mutating func moment(of value: PropertyListValue, _ state: ReviewState) {
    guard let reading = MomentReading(ofTime: value) else { return }
    let indent = Self.detailLabels + 9
    let (moment, offset) = (reading.moment, state.options.zoneOffset)
    words("\(MomentText.text(moment)) UTC, read as \(reading.unit.words)", .muted, indent: indent)
    if offset != 0 {
      words(
        "\(MomentText.text(moment, offset: offset)) local time (\(MomentText.zone(offset)))", .muted, indent: indent)
    }
    words(TimeDistance.words(moment, fromPlan: state.plan.now), .muted, indent: indent)
  }

  mutating func difference(_ field: Field) {
    guard !field.isChangedInPlace, let current = field.current, let proposed = field.proposed else { return }
    row("", width: Self.detailLabels, differences(current, proposed, field))
  }

  private func differences(_ current: PropertyListValue, _ proposed: PropertyListValue, _ field: Field) -> [Span] {
    if current == proposed { return [Span("the same as the proposal", .muted)] }
    if field.form.isEquivalent(current, proposed) {
      return [Span("same meaning as the proposal, written differently", .muted)]
    }
    let mark = Span(ink.sign(FieldState.conflict.sign) + " ", .conflict)
    guard current.kind == proposed.kind else {
      let words = "\(current.kind.word), but \(field.reader) reads \(field.form.words): it treats this as absent"
      return [mark, Span(ink.words(words), .conflict)]
    }
    guard case (.string(let here), .string(let there)) = (ink.shown(current), ink.shown(proposed)) else {
      return [mark, Span("differs from the proposal", .conflict)]
    }
    if let tree = MemberTree([here, there]) { return [mark] + members(tree.nodes.filter { $0.depth == 0 }) }
    // Masks only show that values differ.
    guard case (.string(here), .string(there)) = (current, proposed), let difference = TextDifference(here, there)
    else {
      return [mark, Span("differs from the proposal", .conflict)]
    }
    let place =
      difference.common == 0
      ? "differs from the first character on: " : "differs after character \(difference.common): "
    return [
      mark, Span(place, .conflict), Span(quoted(difference.here), .removed), Span(" here, ", .muted),
      Span(quoted(difference.there), .added), Span(" in the proposal", .muted),
    ]
  }

  private func members(_ members: [MemberTree.Node]) -> [Span] {
    var parts: [String] = []
    let changed = members.count { $0.fate == .changed }
    let extra = members.count { $0.fate == .removed }
    let missing = members.filter { $0.fate == .added }
    if changed > 0 { parts.append("\(counted(changed, "member")) with another value") }
    if extra > 0 { parts.append("\(extra) not in the proposal") }
    if parts.isEmpty, missing.isEmpty { parts.append("the same members, in a different order or form") }
    var spans = [Span(ink.words(parts.joined(separator: ", ")), .conflict)]
    guard !missing.isEmpty else { return spans }
    let names = missing.prefix(6).map { ink.name($0.name, columns: 30) }.joined(separator: ", ")
    let more = missing.count > 6 ? " and \(missing.count - 6) more" : ""
    spans.append(Span(parts.isEmpty ? "lacks " : "; lacks ", .conflict))
    spans.append(Span(names + more, .label))
    return spans
  }

  private func quoted(_ text: String) -> String {
    text.isEmpty ? "the end" : ink.words("“") + ink.text(text) + ink.words("”")
  }
}

struct MemberMarks {
  enum Side { case legacy, proposal, target }

  private let fates: [StringByBytes: MemberTree.Fate]
  private let side: Side
  /// Where members of a model went and came from; nil for other values.
  private let models: ModelFates?

  init?(_ tree: MemberTree?, _ side: Side, _ models: ModelFates? = nil) {
    guard let tree else { return nil }
    (self.fates, self.side, self.models) = (tree.fates, side, models)
  }

  private static func name(_ written: String) -> String {
    written.utf8.contains(UInt8(ascii: "\\"))
      ? (try? JSONText(written))?.value.stringValue ?? written : String(written.dropFirst().dropLast())
  }

  /// By the member's name as written; nil if there is nothing to say.
  subscript(written: String) -> (fate: MemberTree.Fate, words: String)? {
    let name = Self.name(written)
    guard let fate = fates[StringByBytes(name)] else { return nil }
    switch (fate, side) {
    case (.kept, _), (.differs, _): return nil
    case (.removed, .legacy):
      return models?.destination(of: name).map { (.changed, "becomes \($0)") } ?? (fate, "removed")
    case (.added, .proposal): return models?.origin(of: name).map { (.changed, "was \($0)") } ?? (fate, "added")
    case (.changed, .target): return (fate, "differs from the proposal")
    case (.removed, _): return (fate, "not in the proposal")
    case (.changed, _), (.added, _): return (fate, "changed")
    }
  }
}
