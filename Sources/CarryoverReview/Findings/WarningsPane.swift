import Carryover
import CarryoverPages
import CarryoverTerminal

extension ReviewState {
  /// What to press comes first while the field is undecided, so that a small window shows it.
  func ownWarnings(at position: Int?, _ shape: Layout.Shape, columns: Int) -> [[Span]] {
    guard let position else { return [] }
    let field = noted(plan.fields[position])
    let standing = FieldState(field, decision(at: position))
    var writer = PageWriter(columns: columns, ink: Ink(options))
    if shape == .narrow { writer.legacy(of: field) }
    writer.replacement(in: field, standing)
    let answers = self.answers(to: field, standing)
    if standing.waits { writer.answers(answers) }
    if standing.isDecided, !field.findings.isEmpty { writer.decided(standing) }
    for finding in field.findings.sorted(by: { $0.severity > $1.severity }) {
      writer.whole(finding, standing.isDecided ? nil : remedy(of: finding))
    }
    if !standing.waits, !answers.isEmpty { writer.answers(answers) }
    // Blocking findings are shown whole below, and need the room.
    if writer.lines.isEmpty, blockers.isEmpty { writer.words(standing.sentence(of: field), .muted) }
    return writer.lines
  }

  /// - Parameters:
  ///   - isWhole: Whether every finding is shown whole; otherwise only those that block the plan.
  ///   - limit: The visible lines; nil for all lines, up to a bound.
  func sharedWarnings(columns: Int, isWhole: Bool, limit: Int?) -> [[Span]] {
    var writer = PageWriter(columns: columns, ink: Ink(options), limit: limit)
    let most = limit ?? Self.mostWarnings
    let findings = plan.containerFindings
    guard !findings.isEmpty || !plan.dropped.isEmpty else { return [] }
    writer.rule("container · " + sharedCounts.joined(separator: " · ") + " · \(key("findings", .review))")
    for finding in findings.sorted(by: { $0.weight > $1.weight }).prefix(most) {
      if isWhole || finding.blocks { writer.whole(finding, remedy(of: finding)) } else { writer.line(finding) }
    }
    let keys = plan.dropped.prefix(most)
    if isWhole {
      if !findings.isEmpty { writer.blank() }
      writer.add(DroppedKey.table(keys))
    } else {
      for key in keys { writer.line(key) }
    }
    if limit == nil, max(findings.count, plan.dropped.count) > most {
      writer.words("… and more: \(key("findings", .review)) shows all.", .muted)
    }
    return writer.lines
  }

  private var sharedCounts: [String] {
    let keys = plan.dropped.count
    return Severity.counts(plan.containerFindings)
      + (keys == 0 ? [] : ["\(counted(keys, "key")) not migrated"])
  }

  private static let mostWarnings = 1000

  func answers(to field: Field, _ standing: FieldState) -> [(key: String, does: String)] {
    func answer(_ name: String, _ words: String) -> (key: String, does: String) { (key(name, .review), words) }
    let ink = Ink(options)
    func value(_ value: PropertyListValue?) -> String { ink.value(value, columns: 24) }
    switch standing {
    case .toDecide, .conflict:
      var answers: [(key: String, does: String)] = []
      if field.proposed != nil {
        let verb = field.current == nil ? "accept" : "replace with"
        let isRecommended = field.recommendation != nil
        answers.append(
          answer("accept", "\(verb) \(value(field.proposed))\(isRecommended ? " (recommended)" : "")"))
      }
      if field.current != nil { answers.append(answer("keep", "keep \(value(field.current))")) }
      return answers + [answer("edit", "edit"), answer("skip", "skip")]
    case .dropped: return [answer("edit", "type a value"), answer("skip", "skip")]
    case .confirmed: return [answer("accept", "undo")]
    case .edited:
      return [answer("edit", "edit again")] + (field.proposed == nil ? [] : [answer("accept", "accept the proposal")])
    case .kept: return [answer("keep", "undo")]
    case .skipped: return [answer("skip", "undo")]
    case .ready, .unchanged, .absent, .omitted: return []
    }
  }
}

extension FieldState {
  fileprivate func sentence(of field: Field) -> String {
    switch self {
    case .unchanged where field.isKept:
      field.current == nil
        ? "Unchanged: an earlier run skipped this field." : "Unchanged: an earlier run kept the target's value."
    case .unchanged where field.isTargetKept:
      "Ready: Carryover keeps the target's value, because the new SDK wrote it later."
    case .ready: "Ready: Carryover writes the value when you apply."
    case .unchanged: "Unchanged: the target has this value."
    case .absent: "Absent: there is no legacy value, so nothing is written."
    case .toDecide, .conflict, .confirmed, .edited, .kept, .skipped, .dropped, .omitted: ""
    }
  }
}

extension Finding {
  fileprivate var weight: Int { (blocks ? 10 : 0) + (Severity.allCases.count { $0 < severity }) }
}

extension Severity {
  /// `1 error`, `2 warnings`, the gravest first.
  static func counts(_ findings: [Finding]) -> [String] {
    Severity.allCases.sorted(by: >).compactMap { severity in
      let count = findings.count { $0.severity == severity }
      return count == 0 ? nil : "\(count) \(severity)" + (count == 1 ? "" : "s")
    }
  }
}

extension PageWriter {
  fileprivate mutating func legacy(of field: Field) {
    let name = ink.name(field.sourceLabel, columns: columns * 6 / 10)
    let room = max(1, columns - DisplayWidth.columns(of: name) - 2)
    add([Span(name + "  ", .label), Span(ink.value(field.legacy, columns: room), .value)])
  }

  fileprivate mutating func replacement(in field: Field, _ standing: FieldState) {
    guard let current = field.current, let proposed = field.proposed, standing == .conflict || standing == .confirmed,
      current != proposed
    else { return }
    let room = max(8, (columns - 16) / 2)
    add([
      Span("Target  ", .label), Span(ink.value(current, columns: room), .removed), Span(ink.words(" → ")),
      Span(ink.value(proposed, columns: room), .added),
    ])
  }

  fileprivate mutating func decided(_ standing: FieldState) {
    add([
      Span(ink.sign(standing.sign) + " ", standing.role), Span("Decided: \(standing.word). \(Self.earlier)"),
    ])
  }

  private static let earlier = "Findings before the decision:"

  /// With its code at the right of the first line if there is room.
  /// - Parameter remedy: Nil if the field is decided.
  fileprivate mutating func whole(_ finding: Finding, _ remedy: String?) {
    let severity = finding.severity
    let first = FirstSentence.of(finding.message)
    let rest = finding.message.dropFirst(first.count).drop { $0 == " " }
    let (head, code) = (ink.words(first), ink.words(finding.code.rawValue))
    let used = DisplayWidth.columns(of: head) + 2
    let gap = columns - used - DisplayWidth.columns(of: code)
    add(
      [Span(ink.sign(severity.sign) + " ", severity.role), Span(head, bold: severity == .error)]
        + (gap >= 2 ? [Span(String(repeating: " ", count: gap) + code, .muted)] : []), hanging: 2)
    if !rest.isEmpty { words(String(rest), indent: 2) }
    if let remedy { add([Span(ink.words("→ " + remedy))], indent: 2, hanging: 4) }
  }

  fileprivate mutating func line(_ finding: Finding) {
    let severity = finding.severity
    let text = DisplayWidth.truncate(
      ink.words(FirstSentence.of(finding.message)), columns: columns - 2, glyphs: ink.glyphs
    ).text
    add([Span(ink.sign(severity.sign) + " ", severity.role), Span(text)])
  }

  fileprivate mutating func line(_ key: DroppedKey) {
    let name = ink.name(key.key, columns: min(30, columns / 2))
    let room = columns - 4 - DisplayWidth.columns(of: name)
    add([
      Span(Sign.omitted.text(ascii: ink.glyphs == .ascii) + " ", .flagged), Span(name + "  ", .label),
      Span(DisplayWidth.truncate(ink.words(key.reason), columns: room, glyphs: ink.glyphs).text, .muted),
    ])
  }

  fileprivate mutating func answers(_ answers: [(key: String, does: String)]) {
    var line: [Span] = []
    var used = 2
    for answer in answers {
      let (key, does) = (ink.words(answer.key) + " ", ink.words(answer.does) + "   ")
      let width = DisplayWidth.columns(of: key + does)
      if used + width - 3 > columns, !line.isEmpty {
        add(line, indent: 2)
        (line, used) = ([], 2)
      }
      line += [Span(key, .key), Span(does)]
      used += width
    }
    add(line, indent: 2)
  }

  mutating func findings(around state: ReviewState) {
    guard let position = state.cursorPosition else { return }
    let field = state.noted(state.plan.fields[position])
    let isDecided = FieldState(field, state.decision(at: position)).isDecided
    if isDecided, !field.findings.isEmpty { words(Self.earlier, .muted) }
    add(.list(field.findings.map { $0.item(asks: !isDecided) }))
  }
}
