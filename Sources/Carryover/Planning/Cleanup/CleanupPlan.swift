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
