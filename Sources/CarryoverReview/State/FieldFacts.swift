import Carryover

/// What deciding and filtering many fields ask of one, in a few bytes: a field itself is large, and going through all of
/// them would be felt.
struct FieldFacts: Hashable, Sendable {
  let id: Field.ID
  let group: FieldGroup
  let status: FieldStatus
  private let flags: UInt8

  init(_ field: Field) {
    id = field.id
    group = field.group
    status = field.status
    var flags: UInt8 = 0
    if field.proposed != nil { flags |= Self.proposed }
    if field.current != nil { flags |= Self.current }
    if field.status == .conflict, field.resolution(nil) == .undecided(conflict: true) { flags |= Self.onlyInConflict }
    for finding in field.findings { flags |= Self.flag(finding.severity) }
    self.flags = flags
  }

  var hasProposal: Bool { flags & Self.proposed != 0 }
  /// Whether the target holds something.
  var hasCurrent: Bool { flags & Self.current != 0 }
  /// Whether nothing but the target's own value is in question.
  var isOnlyInConflict: Bool { flags & Self.onlyInConflict != 0 }
  var hasFinding: Bool { flags & Self.anySeverity != 0 }
  func has(_ severity: Severity) -> Bool { flags & Self.flag(severity) != 0 }

  /// Whether there is anything a decision could mean here.
  func canTake(_ decision: Decision) -> Bool {
    switch decision {
    case .migrate, .accept: hasProposal
    case .keep: hasCurrent
    case .skip, .omit, .edit: true
    }
  }

  private static let proposed: UInt8 = 1
  private static let current: UInt8 = 2
  private static let onlyInConflict: UInt8 = 4
  private static let anySeverity: UInt8 = 8 | 16 | 32

  private static func flag(_ severity: Severity) -> UInt8 {
    switch severity {
    case .error: 8
    case .warning: 16
    case .note: 32
    }
  }
}

extension ReviewState {
  /// What was decided for the field at a position in the plan.
  func decision(at position: Int) -> Decision? {
    standings[position].isDecided ? decisions[facts[position].id] : nil
  }
}
