import Carryover
import CarryoverReview
import CarryoverSystem
import CarryoverTerminal
import PropertyLists

/// A versioned model in a plan, for a person to read: its data before and after, and what each step changes.
enum ModelText {
  /// Writes about every model that is changed.
  static func write(_ plan: Plan, decisions: Decisions, to page: inout TextPage) {
    for field in plan.fields { write(field, decisions[field.id], to: &page) }
  }

  private static func write(_ field: Field, _ decision: Decision?, to page: inout TextPage) {
    guard field.model != nil, let before = field.legacy else { return }
    let after: PropertyListValue?
    switch decision {
    case .skip, .keep, .omit: return
    case .edit(let value): after = value
    case .migrate, .accept, nil: after = field.status == .unchanged ? nil : field.proposed
    }
    guard let after else { return }
    page.blank()
    page.add("\(field.id), \(FieldSummary.change(field, decision)):")
    writeData("now", before, to: &page)
    writeData("becomes", after, to: &page)
    if case .edit = decision { return }
    let (ink, columns) = (page.ink, page.paper.columns)
    for step in field.steps {
      guard let from = step.version else { continue }
      page.add("\(from) → \(from < Int.max ? from + 1 : from)  \(step.operation ?? step.title)", indent: 2, hanging: 4)
      for change in step.changes.prefix(most) {
        let parts = ModelSummary.text(change, limit: columns, ink.shown)
        let line = "         \(parts.mark) \(ink.name(parts.name))  \(ink.sentence(parts.value))"
        page.line([Span(DisplayText.fit(line, columns: columns, glyphs: ink.glyphs))])
      }
      if step.changes.count > most { page.line("         … \(step.changes.count - most) more") }
    }
  }

  /// The data: on one line where it fits, laid out where not; what is long is cut, and its length said.
  private static func writeData(_ label: String, _ value: PropertyListValue, to page: inout TextPage) {
    let (ink, columns) = (page.ink, page.paper.columns)
    let head = "  " + label + String(repeating: " ", count: max(1, 9 - label.utf8.count))
    guard let text = text(ink.shown(value)) else {
      page.line([Span(DisplayText.fit(head + ink.value(value, columns: columns), columns: columns, glyphs: ink.glyphs))]
      )
      return
    }
    let isASCII = ink.glyphs == .ascii
    let line = head + DisplayText.visible(text, limit: columns + 1, ascii: isASCII)
    // The size of what is masked would be that of its masks.
    let size = ink.isMasking ? nil : size(value)
    if DisplayWidth.columns(of: line) <= columns { return page.line([Span(line)]) }
    let rows = text.utf8.count <= longest ? (try? JSONText(text))?.value.text(pretty: true) : nil
    guard let rows = rows?.split(separator: "\n"), rows.count > 1 else {
      let note = size.map { " (\($0) in all)" } ?? ""
      let room = max(20, columns - note.utf8.count)
      return page.line([Span(DisplayText.fit(line, columns: room, glyphs: ink.glyphs) + note)])
    }
    let margin = String(repeating: " ", count: 11)
    for (index, row) in rows.prefix(mostRows).enumerated() {
      let start = index == 0 ? head : margin
      let shown = DisplayText.visible(String(row), limit: max(1, columns - 11), ascii: isASCII)
      page.line([Span(start + shown)])
    }
    if rows.count > mostRows {
      let all = size.map { ", \($0) in all" } ?? ""
      page.line(margin + "… \(rows.count - mostRows) more lines\(all)")
    }
  }

  private static func text(_ value: PropertyListValue) -> String? {
    switch value {
    case .string(let text): text
    case .data(let bytes): String(utf8: bytes)
    default: nil
    }
  }

  private static func size(_ value: PropertyListValue) -> String? {
    switch value {
    case .string(let text): ByteCount.text(text.utf8.count)
    case .data(let bytes): ByteCount.text(bytes.count)
    default: nil
    }
  }

  /// How many changes of a step, and lines of a value, are shown.
  private static let most = 40
  private static let mostRows = 24
  /// Up to which size a value is laid out, in bytes.
  private static let longest = 1 << 20
}
