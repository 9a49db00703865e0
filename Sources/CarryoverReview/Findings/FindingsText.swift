import Carryover
import CarryoverTerminal

extension PageWriter {
  /// A finding: where and which, what happened, what to do.
  /// - Parameters:
  ///   - remedy: What to do, where more can be said of it than the finding does.
  ///   - asks: Whether what to do is said at all; not once the field is decided.
  mutating func finding(_ finding: Finding, _ remedy: String? = nil, asks: Bool = true) {
    let severity = finding.severity
    var head = [Span(ink.sign(severity.sign) + " ", style: Style(severity.role))]
    if let field = finding.field { head.append(Span(ink.name(field) + "  ", .label)) }
    head.append(Span(ink.words(finding.code.rawValue), .muted))
    add(head, hanging: 2)
    words(finding.message, indent: 2)
    // In one style: an arrow of its own colour would cost a slow line more than it tells.
    if asks { add([Span(ink.words("→ " + (remedy ?? finding.commandRemedy)))], indent: 2, hanging: 4) }
  }

  /// The keys that stay in the legacy store, each with the reason.
  mutating func keysLeftBehind(_ keys: [DroppedKey]) {
    let most = 1000
    let rest = keys.count - most
    let keys = keys.prefix(most)
    let width = min(columns / 2, (keys.map { DisplayWidth.columns(of: ink.name($0.key, columns: 40)) }.max() ?? 0) + 2)
    for key in keys {
      let name = ink.name(key.key, columns: 40)
      var spans = [Span(ink.sign(.omitted) + " ", .flagged), Span(name.padded(width - 1, gap: 1), .label)]
      if key.secret {
        spans.append(Span("(secret)  ", .muted))
      } else if let value = key.value {
        spans.append(Span(ink.value(value, columns: 24) + "  ", .value))
      }
      spans.append(Span(ink.words(key.reason), .plain))
      add(spans, indent: 2, hanging: 4 + width)
    }
    if rest > 0 { words("… and \(rest) more; the stores show all of them.", .muted, indent: 2) }
  }
}
