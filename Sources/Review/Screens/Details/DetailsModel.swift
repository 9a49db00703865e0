import Carryover
import PropertyLists
import Terminal

extension PageWriter {
  /// What a step of a model changes, a line for each member.
  mutating func changes(from before: PropertyListValue?, to after: PropertyListValue?) {
    guard let old = Self.json(before), let new = Self.json(after) else { return }
    let changes = JSONChange.between(old, new)
    for change in changes.prefix(Self.shownChanges) { self.change(change) }
    if changes.count > Self.shownChanges {
      words("… and \(changes.count - Self.shownChanges) more.", .muted, indent: 6)
    }
  }

  private mutating func change(_ change: JSONChange) {
    let name = change.path.isEmpty ? "the whole" : ink.name(change.path.joined(separator: "."), columns: 60)
    let room = max(12, (columns - 20) / 2)
    var spans: [Span]
    switch (change.before, change.after) {
    case (let before?, let after?):
      spans = [Span("~ ", .changed), Span(name + "  ", .label), Span(value(before, room), .removed)]
      spans += [Span(ink.words(" → "), .muted), Span(value(after, room), .added)]
    case (let before?, nil):
      spans = [Span("- ", .removed), Span(name + "  ", .label), Span(value(before, room), .removed)]
    case (nil, let after): spans = [Span("+ ", .added), Span(name + "  ", .label), Span(value(after, room), .added)]
    }
    add(spans, indent: 6, hanging: 8)
  }

  private func value(_ json: JSONValue?, _ columns: Int) -> String {
    guard let json else { return ink.nothing }
    switch json {
    case .object, .array: return ink.value(.string(json.text()), columns: columns)
    case .string(let text):
      // Text that could be taken for a number has its quotes already.
      let shown = ink.value(.string(text), columns: columns)
      return shown.hasPrefix("\"") && !text.hasPrefix("\"") ? shown : "\"" + shown + "\""
    case .number(let number):
      let value =
        PropertyListInteger(number.lexeme).map(PropertyListValue.integer)
        ?? .real(PropertyListReal(number.double ?? .nan))
      // A property list spells a number its own way; where it may be seen, it is seen as it is written.
      let isMasked = ink.shown(value) != value
      return isMasked ? ink.value(value, columns: columns) : ink.words(String(number.lexeme.prefix(columns)))
    case .boolean(let flag): return flag ? "true" : "false"
    case .null: return "null"
    }
  }

  private static func json(_ value: PropertyListValue?) -> JSONValue? {
    guard let text = value?.jsonText, text.utf8.count <= Ink.textLimit else { return nil }
    return try? JSONText(text).value
  }

  private static var shownChanges: Int { 40 }
}
