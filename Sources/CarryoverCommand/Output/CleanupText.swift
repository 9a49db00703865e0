import Carryover
import CarryoverReview
import PropertyLists

/// A cleanup plan for a person to read: a row a key, with what becomes of it and why.
enum CleanupText {
  static func lines(_ plan: CleanupPlan, only: Set<KeyPlace>?, columns: Int, _ masking: Masking) -> [String] {
    var lines = [title(plan)]
    for store in plan.stores {
      lines += ["", store.id + (store.problem.map { " · unreadable: \($0)" } ?? "")]
      var table = Table(limits: [30, 24, 7, nil], masking: masking)
      for entry in plan.entries where entry.id.file == store.id {
        table.add(["  " + entry.id.key, value(entry, masking)] + state(entry, only))
      }
      lines += table.lines(columns: columns)
    }
    return lines + ["", counts(plan, only)]
  }

  private static func title(_ plan: CleanupPlan) -> String {
    let target = plan.target.map { $0.path + ($0.exists ? "" : " (not there)") } ?? "no target"
    return
      ((plan.container.bundleID == nil ? ["unknown app"] : []) + plan.container.names + [plan.recipe.title])
      .joined(separator: " · ") + "\nheld by \(target)"
  }

  private static func value(_ entry: CleanupEntry, _ masking: Masking) -> String {
    entry.secret ? "(secret)" : FieldSummary.text(masking.value(entry.value))
  }

  private static func state(_ entry: CleanupEntry, _ only: Set<KeyPlace>?) -> [String] {
    let isChosen = only?.contains(entry.id) ?? true
    return [isChosen && entry.verdict.isRemovable ? "remove" : "stays", entry.verdict.sentence(isChosen: isChosen)]
  }

  private static func counts(_ plan: CleanupPlan, _ only: Set<KeyPlace>?) -> String {
    let count = plan.removable.count { entry in only.map { $0.contains(entry.id) } ?? true }
    return "\(count) to remove · \(plan.entries.count - count) stay"
  }
}
