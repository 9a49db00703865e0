import PropertyLists

extension FieldDraft {
  /// The mirror of a visitor's id: where it is lost, it is the one id that the SDK's files agree on.
  mutating func checkVisitorMirror(_ context: PlanningContext) {
    guard failure == nil, let ids = context.convert?.visitors else { return }
    guard case .string(let mirror)? = proposed, !mirror.isEmpty else { return proposeVisitor(of: ids) }
    guard !ids.isEmpty, !ids.contains(where: { $0.utf8.elementsEqual(mirror.utf8) }) else { return }
    withdraw("not the id of the SDK's files")
    note(.convertIDsDiffer(mirror: mirror, stored: ids))
    offer(ids)
  }

  private mutating func proposeVisitor(of ids: [String]) {
    guard let only = ids.first else {
      countsAsAbsent = true
      return
    }
    if ids.count == 1 {
      propose(
        .string(only),
        steps: [TransformStep(title: "the one id in the SDK's decisions and queue", result: .string(only))])
    } else {
      withdraw("several ids in the SDK's decisions and queue")
      note(.convertIDsDiffer(mirror: nil, stored: ids))
      offer(ids)
    }
  }

  /// More than a person would look through helps nobody.
  private mutating func offer(_ ids: [String]) {
    for id in ids.prefix(8) { offer("the SDK's files", .string(id)) }
  }
}
