import Carryover
import CarryoverTerminal

extension FieldState {
  /// The mark in front of the row: every state has one of its own, so that colour only repeats it.
  func mark(_ glyphs: Glyphs) -> String {
    let ascii = glyphs == .ascii
    switch self {
    case .ready: return ascii ? "." : "·"
    case .toDecide: return "!"
    case .conflict: return ascii ? "x" : "≠"
    case .confirmed: return ascii ? "+" : "✓"
    case .edited: return "e"
    case .kept: return "t"
    case .skipped: return "s"
    case .unchanged: return "="
    case .dropped: return ascii ? "0" : "∅"
    case .absent: return ascii ? "-" : "–"
    }
  }

  /// What the mark and the change summary are.
  var role: Role {
    switch self {
    case .ready: .ready
    case .toDecide: .flagged
    case .conflict: .conflict
    case .confirmed: .confirmed
    case .edited: .edited
    case .kept, .skipped, .unchanged, .absent: .skipped
    case .dropped: .flagged
    }
  }
}

extension Severity {
  /// The mark in front of a finding.
  func mark(_ glyphs: Glyphs) -> String {
    switch self {
    case .error: "!"
    case .warning: glyphs == .ascii ? "^" : "▲"
    case .note: "i"
    }
  }

  /// What the mark is.
  var role: Role {
    switch self {
    case .error: .error
    case .warning: .flagged
    case .note: .note
    }
  }
}
