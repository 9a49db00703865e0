import CarryoverSystem
package import PropertyLists

/// The legacy values that a cleanup would remove, and the reasons that others stay. Making the plan writes nothing.
package struct CleanupPlan: Hashable, Sendable {
  /// The recipe of the legacy keys.
  package var recipe: RecipeReference
  /// The container of the plan.
  package var container: ContainerSummary
  /// The file that must contain the values; nil if its name is unknown.
  package var target: TargetSummary?
  /// The existing legacy stores, most trusted first.
  package var stores: [CleanupStore]
  /// The legacy keys in these stores, by store and key.
  package var entries: [CleanupEntry]
  /// Every value that the plan depends on, including those in the target.
  package var basis: [PlanBasis]

  /// A plan from its parts.
  package init(
    recipe: RecipeReference, container: ContainerSummary, target: TargetSummary?, stores: [CleanupStore],
    entries: [CleanupEntry], basis: [PlanBasis]
  ) {
    self.recipe = recipe
    self.container = container
    self.target = target
    self.stores = stores
    self.entries = entries
    self.basis = basis
  }

  /// The entries to remove.
  package var removable: [CleanupEntry] { entries.filter(\.verdict.isRemovable) }
}

/// A legacy store in a cleanup.
package struct CleanupStore: Identifiable, Hashable, Sendable {
  /// The path, relative to the container's root.
  package var id: String
  /// Whether the file belongs to the legacy SDK alone. It is then removed once it has no keys left.
  package var isOwn: Bool
  /// The reason that it could not be read, as a sentence. Nothing is removed from it then.
  package var problem: String?

  /// A store from its parts.
  package init(id: String, isOwn: Bool, problem: String? = nil) {
    self.id = id
    self.isOwn = isOwn
    self.problem = problem
  }
}

/// A legacy key of a store.
package struct CleanupEntry: Identifiable, Hashable, Sendable {
  /// The key and its file.
  package var id: KeyPlace
  /// The value.
  package var value: PropertyListValue
  /// Whether the value is a secret that no output may show.
  package var secret: Bool
  /// Whether the value is removed or stays.
  package var verdict: CleanupVerdict

  /// An entry from its parts.
  package init(id: KeyPlace, value: PropertyListValue, secret: Bool = false, verdict: CleanupVerdict) {
    self.id = id
    self.value = value
    self.secret = secret
    self.verdict = verdict
  }
}

/// The decision of a cleanup about a legacy key.
package enum CleanupVerdict: Hashable, Sendable {
  /// The target contains the whole value, in these fields.
  case removable(heldBy: [Field.ID])
  /// It stays.
  case stays(CleanupReason)

  /// Whether the value can be removed.
  package var isRemovable: Bool {
    if case .removable = self { true } else { false }
  }
}

/// The reason that a legacy key stays.
package enum CleanupReason: Hashable, Sendable {
  /// The value is not migrated by design, so no other place contains it.
  case leftBehind
  /// No rule of the recipe reads the key.
  case unknownKey
  /// There is no target file yet, or its name is unknown.
  case noTarget
  /// The target file cannot be read or compared; the reason is a sentence.
  case unreadableTarget(String)
  /// The target has no value for these fields.
  case missing([Field.ID])
  /// The target's values of these fields differ from the migrated value.
  case differs([Field.ID])
  /// These fields contain the migrated value, but it does not determine the legacy value exactly.
  case inexact([Field.ID])
  /// No field contains these parts of the value.
  case lost([String])
  /// The value cannot be migrated to these fields, so the target cannot contain it.
  case notCarried([Field.ID])
}

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
