import Carryover
import CarryoverReview
import CarryoverSystem
import CarryoverTerminal
import PropertyLists

/// A versioned model in a plan, for a person to read: its data before and after, and what each step changes.
enum ModelText {
  /// The lines about every model that is changed. They are escaped but for what `masking` does.
  static func lines(_ plan: Plan, decisions: Decisions, columns: Int, _ masking: Masking) -> [String] {
    plan.fields.flatMap { lines($0, decisions[$0.id], columns: columns, masking) }
  }

  private static func lines(_ field: Field, _ decision: Decision?, columns: Int, _ masking: Masking) -> [String] {
    guard field.model != nil, let before = field.legacy else { return [] }
    let after: PropertyListValue?
    switch decision {
    case .skip, .keep, .omit: return []
    case .edit(let value): after = value
    case .migrate, .accept, nil: after = field.status == .unchanged ? nil : field.proposed
    }
    guard let after else { return [] }
    var lines = ["", "\(field.id), \(FieldSummary.change(field, decision)):"]
    lines += data("now", before, columns: columns, masking) + data("becomes", after, columns: columns, masking)
    if case .edit = decision { return lines }
    for step in field.steps {
      guard let from = step.version else { continue }
      let title = "  \(from) → \(from < Int.max ? from + 1 : from)  \(step.operation ?? step.title)"
      lines.append(DisplayText.visible(title, limit: columns))
      for change in step.changes.prefix(most) {
        let parts = ModelSummary.text(change, limit: columns) { masking.value($0) ?? $0 }
        let line = "         \(parts.mark) \(masking.text(parts.name))  \(parts.value)"
        lines.append(DisplayText.fit(DisplayText.visible(line), columns: columns))
      }
      if step.changes.count > most { lines.append("         … \(step.changes.count - most) more") }
    }
    return lines
  }

  /// The data: on one line where it fits, laid out where not; what is long is cut, and its length said.
  private static func data(
    _ label: String, _ value: PropertyListValue, columns: Int, _ masking: Masking
  ) -> [String] {
    let head = "  " + label + String(repeating: " ", count: max(1, 9 - label.utf8.count))
    guard let shown = masking.value(value), let text = text(shown) else {
      return [DisplayText.fit(DisplayText.visible(head + FieldSummary.text(masking.value(value))), columns: columns)]
    }
    let line = DisplayText.visible(head + text, limit: columns + 1)
    // The size of what is masked would be that of its masks.
    let size = masking.isOn ? nil : size(value)
    if DisplayWidth.columns(of: line) <= columns { return [line] }
    let rows = text.utf8.count <= longest ? (try? JSONText(text))?.value.text(pretty: true) : nil
    guard let rows = rows?.split(separator: "\n"), rows.count > 1 else {
      let note = size.map { " (\($0) in all)" } ?? ""
      return [DisplayText.fit(line, columns: max(20, columns - note.utf8.count)) + note]
    }
    var lines = rows.prefix(mostRows).map {
      DisplayText.fit(DisplayText.visible(String(repeating: " ", count: 11) + $0), columns: columns)
    }
    if let first = lines.first { lines[0] = head + first.dropFirst(head.utf8.count) }
    if rows.count > mostRows {
      let all = size.map { ", \($0) in all" } ?? ""
      lines.append(String(repeating: " ", count: 11) + "… \(rows.count - mostRows) more lines\(all)")
    }
    return lines
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
