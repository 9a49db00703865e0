import Carryover
import PropertyLists

/// The mirror of a visitor's id. If it is lost, proposes the id in the SDK's files, if there is only one.
struct VisitorMirrorCheck: FieldCheck {
  let name = "visitor-mirror"

  func amend(_ draft: inout FieldDraft, _ context: PlanningContext) {
    guard draft.failure == nil else { return }
    let ids = ConvertStores(context.container).visitors
    guard case .string(let mirror)? = draft.proposed, !mirror.isEmpty else { return propose(ids, &draft) }
    guard !ids.isEmpty, !ids.contains(where: { $0.utf8.elementsEqual(mirror.utf8) }) else { return }
    draft.withdraw("not the id of the SDK's files")
    draft.note(.convertIDsDiffer(mirror: mirror, stored: ids))
    offer(ids, &draft)
  }

  func findings(_ rule: FieldRule, of recipe: Recipe) -> [FindingCode] {
    [.convertIDsDiffer]
  }

  private func propose(_ ids: [String], _ draft: inout FieldDraft) {
    guard let only = ids.first else {
      draft.countsAsAbsent = true
      return
    }
    if ids.count == 1 {
      draft.propose(
        .string(only),
        steps: [TransformStep(title: "the one id in the SDK's decisions and queue", result: .string(only))])
    } else {
      draft.withdraw("several ids in the SDK's decisions and queue")
      draft.note(.convertIDsDiffer(mirror: nil, stored: ids))
      offer(ids, &draft)
    }
  }

  /// A longer list would not help the user.
  private func offer(_ ids: [String], _ draft: inout FieldDraft) {
    for id in ids.prefix(8) { draft.offer("the SDK's files", .string(id)) }
  }
}
