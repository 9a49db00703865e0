import Carryover
import CarryoverTerminal
import PropertyLists

extension PageWriter {
  /// How what the target holds differs from the proposal, where both are there.
  mutating func difference(_ field: Field) {
    guard !field.isChangedInPlace, let current = field.current, let proposed = field.proposed else { return }
    row("", width: Self.detailLabels, differences(current, proposed, field))
  }

  private func differences(_ current: PropertyListValue, _ proposed: PropertyListValue, _ field: Field) -> [Span] {
    if current == proposed { return [Span("the same as the proposal", .muted)] }
    if field.form.isEquivalent(current, proposed) {
      return [Span("says the same as the proposal, written differently", .muted)]
    }
    let mark = Span(ink.sign(FieldState.conflict.sign) + " ", .conflict)
    guard current.kind == proposed.kind else {
      let words = "\(current.kind.word), but \(field.reader) reads \(field.form.words): it takes this for absent"
      return [mark, Span(ink.words(words), .conflict)]
    }
    guard case (.string(let here), .string(let there)) = (ink.shown(current), ink.shown(proposed)) else {
      return [mark, Span("another value than the proposal", .conflict)]
    }
    if let tree = MemberTree([here, there]) { return [mark] + members(tree.nodes.filter { $0.depth == 0 }) }
    // Of masks only that they differ is true.
    guard case (.string(here), .string(there)) = (current, proposed), let difference = TextDifference(here, there)
    else {
      return [mark, Span("another value than the proposal", .conflict)]
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
    if extra > 0 { parts.append("\(extra) that the proposal has not") }
    if parts.isEmpty, missing.isEmpty { parts.append("the same members, in another order or form") }
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
