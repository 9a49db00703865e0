import Carryover
package import CarryoverStorage
import CarryoverSystem
import CarryoverTerminal

extension PageWriter {
  /// What a step changes.
  package mutating func changes(_ changes: [ModelChange]) {
    for change in changes.prefix(Self.shownChanges) { self.change(change) }
    if changes.count > Self.shownChanges {
      words("… and \(changes.count - Self.shownChanges) more.", .muted, indent: 6)
    }
  }

  private mutating func change(_ change: ModelChange) {
    let name = ink.words(change.name { ink.name($0, columns: 60) })
    let room = max(12, (columns - 20) / 2)
    var spans: [Span]
    switch change.kind {
    case .removed:
      spans = [Span("- ", .removed), Span(name + "  ", .label), Span(value(change.before, room), .removed)]
    case .added: spans = [Span("+ ", .added), Span(name + "  ", .label), Span(value(change.after, room), .added)]
    case .renamed, .moved, .retyped, .changed:
      spans = [Span("~ ", .changed), Span(name + "  ", .label)]
      if change.before != change.after {
        spans += [Span(value(change.before, room), .removed), Span(ink.words(" → "), .muted)]
      }
      spans.append(Span(value(change.after, room), change.before == change.after ? .value : .added))
    }
    add(spans, indent: 6, hanging: 8)
  }

  private func value(_ json: JSONValue?, _ columns: Int) -> String {
    guard let json else { return ink.nothing }
    let text = ModelSummary.text(json, limit: columns) { ink.shown($0) }
    return DisplayText.visible(text, limit: columns, ascii: ink.glyphs == .ascii)
  }

  private static var shownChanges: Int { 40 }
}
