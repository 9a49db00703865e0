import Carryover
import CarryoverReview
import CarryoverTerminal
import PropertyLists

/// A cleanup plan for a person to read: a row a key, with what becomes of it and why.
enum CleanupText {
  static func write(_ plan: CleanupPlan, only: Set<KeyPlace>?, to page: inout TextPage) {
    let ink = page.ink
    page.add(
      ((plan.container.bundleID == nil ? ["unknown app"] : []) + plan.container.names + [plan.recipe.title])
        .joined(separator: " · "))
    page.line("target: " + (plan.target.map { $0.path + ($0.exists ? "" : " (not there)") } ?? "none"))
    for store in plan.stores {
      page.blank()
      page.line(store.id)
      if let problem = store.problem { page.add(.error, "unreadable: \(problem)", indent: 2) }
      var table = Table(
        [
          Table.Column(.whole, "", .head), Table.Column(.name, "", .head),
          Table.Column(.value, "value", isOptional: true), Table.Column(.whole, "", .head),
          Table.Column(.sentence, "why"),
        ], indent: 2, glyphs: ink.glyphs)
      for entry in plan.entries where entry.id.file.hasSameBytes(as: store.id) {
        let isChosen = only?.contains(entry.id) ?? true
        let isRemoved = isChosen && entry.verdict.isRemovable
        table.add([
          (isRemoved ? Sign.ready : .omitted).span(ink), Span(ink.name(entry.id.key)),
          Span(entry.secret ? SecretKeys.standIn : ink.value(entry.value, columns: page.paper.columns)),
          Span(isRemoved ? "remove" : "stays", isRemoved ? .plain : .muted),
          Span(ink.sentence(entry.verdict.sentence(isChosen: isChosen))),
        ])
      }
      page.add(table)
    }
    page.blank()
    let count = plan.removable.count { entry in only.map { $0.contains(entry.id) } ?? true }
    page.add("Cleanup: \(count) to remove, \(plan.entries.count - count) unchanged.")
  }
}
