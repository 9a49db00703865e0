import Carryover

/// What the hints in the review's last line depend on while nothing is typed, searched or filtered and no range is on:
/// where it is the same, so are they. To ask every binding whether it is of use takes longer than to draw a row.
struct FooterBasis: Equatable {
  /// What the bindings ask of the field with the cursor.
  struct Aspects: Equatable {
    let standing: FieldState
    let hasProposal: Bool
    let hasCurrent: Bool
    let hasFinding: Bool
  }

  /// Nil where no field has the cursor.
  let field: Aspects?
  /// What was decided stands for how many fields wait, and for what there is to undo.
  let decisionsRevision: Int
  let hasRun: Bool
}

extension ReviewState {
  /// Within one ``ReviewForm``; nil while the hints depend on more.
  var footerBasis: FooterBasis? {
    guard message == nil, count.value == nil, anchor == nil, search == nil, filter == nil else { return nil }
    let field = cursorPosition.map { position in
      let facts = facts[position]
      return FooterBasis.Aspects(
        standing: standings[position], hasProposal: facts.hasProposal, hasCurrent: facts.hasCurrent,
        hasFinding: facts.hasFinding)
    }
    return FooterBasis(field: field, decisionsRevision: decisionsRevision, hasRun: lastRun != nil)
  }
}
