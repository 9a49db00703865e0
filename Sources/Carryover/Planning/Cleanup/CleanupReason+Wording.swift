import CarryoverSystem

/// The code and the sentence of each reason. Text from a container is escaped for display.
extension CleanupReason: CustomStringConvertible {
  /// The stable word in JSON output.
  package var code: String {
    switch self {
    case .leftBehind: "left-behind"
    case .unknownKey: "unknown-key"
    case .noTarget: "no-target"
    case .unreadableTarget: "unreadable-target"
    case .missing: "missing"
    case .differs: "differs"
    case .inexact: "inexact"
    case .lost: "lost"
    case .notCarried: "not-carried"
    }
  }

  /// The target keys of the reason.
  package var fields: [Field.ID] {
    switch self {
    case .missing(let fields), .differs(let fields), .inexact(let fields), .notCarried(let fields): fields
    case .leftBehind, .unknownKey, .noTarget, .unreadableTarget, .lost: []
    }
  }

  /// The parts of the value that removal would lose.
  package var parts: [String] {
    if case .lost(let parts) = self { parts } else { [] }
  }

  /// The reason that the value stays, in one sentence.
  package var description: String {
    switch self {
    case .leftBehind: "It is not migrated by design, so no other file has it."
    case .unknownKey: "No rule of the recipe reads it, so no other file is known to have it."
    case .noTarget: "There is no target file."
    case .unreadableTarget(let reason): reason
    case .missing(let fields): "The target has no value for \(Self.list(fields))."
    case .differs(let fields): "The target has another value for \(Self.list(fields))."
    case .inexact(let fields): "The exact value does not follow from the target's \(Self.list(fields))."
    case .lost(let parts): "The target does not have all of it: \(Self.list(parts)) would be lost."
    case .notCarried(let fields): "It cannot be migrated to \(Self.list(fields)) unchanged."
    }
  }

  fileprivate static func list(_ names: [String]) -> String {
    let head = names.prefix(8).map { DisplayText.harmless(ValueWording.cut($0)) }.joined(separator: ", ")
    return names.count > 8 ? "\(head) and \(names.count - 8) more" : head
  }
}

extension CleanupVerdict {
  /// The reason that the value is removed or stays, in one sentence.
  /// - Parameter isChosen: whether the value was chosen for removal.
  package func sentence(isChosen: Bool = true) -> String {
    switch self {
    case .stays(let reason): reason.description
    case .removable(let fields):
      isChosen ? "It is in the target's \(CleanupReason.list(fields))." : "You did not choose it."
    }
  }
}
