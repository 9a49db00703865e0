package import Carryover
package import CarryoverTerminal

extension FieldState {
  /// The sign in front of the row.
  package var sign: Sign {
    switch self {
    case .ready: .ready
    case .toDecide: .undecided
    case .conflict: .conflict
    case .confirmed, .edited, .kept: .done
    case .skipped, .dropped: .omitted
    case .unchanged: .unchanged
    case .absent: .nothing
    }
  }

  /// What the sign and the change summary are.
  package var role: Role {
    switch self {
    case .ready: .ready
    case .toDecide: .flagged
    case .conflict: .conflict
    case .confirmed: .confirmed
    case .edited: .edited
    case .kept, .unchanged: .skipped
    case .absent: .muted
    case .skipped, .dropped: .flagged
    }
  }
}

extension Severity {
  /// What the sign is.
  var role: Role {
    switch self {
    case .error: .error
    case .warning: .flagged
    case .note: .note
    }
  }
}

extension MemberTree.Fate {
  /// The word for what happens to a member.
  var word: String {
    switch self {
    case .kept: "unchanged"
    case .changed: "changed"
    case .added: "added"
    case .removed: "removed"
    case .differs: "differs"
    }
  }

  /// The mark in front of a member.
  func sign(_ glyphs: Glyphs) -> String {
    switch self {
    case .kept: Sign.unchanged.text(ascii: glyphs == .ascii)
    case .changed: "~"
    case .added: "+"
    case .removed: "-"
    case .differs: Sign.conflict.text(ascii: glyphs == .ascii)
    }
  }

  /// What mark and word are.
  var role: Role {
    switch self {
    case .kept: .muted
    case .changed: .changed
    case .added: .added
    case .removed: .removed
    case .differs: .conflict
    }
  }
}
