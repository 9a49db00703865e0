import Carryover
import PropertyLists

/// The mirror of a visitor's id. If it is lost, proposes the id in the SDK's files, if there is only one.
struct VisitorMirrorCheck: FieldCheck {
  let name = "visitor-mirror"

  func amend(_ draft: inout FieldDraft, _ context: PlanningContext) {
    guard draft.failure == nil else { return }
    let stores = ConvertStores(context.container)
    let ids = stores.visitors
    guard case .string(let mirror)? = draft.proposed, !mirror.isEmpty else { return propose(ids, stores, &draft) }
    guard !ids.isEmpty, !ids.containsBytes(of: mirror) else { return }
    draft.withdraw("not the id of the SDK's files")
    draft.note(.convertIDsDiffer(mirror: mirror, stored: ids))
    offer(ids, &draft)
  }

  func findings(_ rule: FieldRule, of recipe: Recipe) -> [FindingCode] {
    [.convertIDElsewhere, .convertIDsDiffer, .sourceHidden]
  }

  private func propose(_ read: [String], _ stores: ConvertStores, _ draft: inout FieldDraft) {
    let unread = stores.documentedVisitors.filter { !read.containsBytes(of: $0) }
    let ids = read + unread
    guard let only = ids.first else {
      draft.countsAsAbsent = true
      return
    }
    guard ids.count == 1 else {
      draft.withdraw("several ids in the decisions and the queue")
      draft.note(.convertIDsDiffer(mirror: nil, stored: ids))
      return offer(ids, &draft)
    }
    draft.propose(
      .string(only),
      steps: [TransformStep(title: "the only id in the decisions and the queue", result: .string(only))])
    if read.isEmpty { draft.note(.convertIDElsewhere(only, path: stores.decisions[1].path)) }
    // The decisions may be another visitor's.
    if case .damaged = stores.decisions[0].file {
      draft.note(.sourceHidden(draft.rule.target, in: stores.decisions[0].path, proposedFrom: stores.queuePath))
    }
  }

  /// A longer list would not help the user.
  private func offer(_ ids: [String], _ draft: inout FieldDraft) {
    for id in ids.prefix(8) { draft.offer("the decisions or the queue", .string(id)) }
  }
}
