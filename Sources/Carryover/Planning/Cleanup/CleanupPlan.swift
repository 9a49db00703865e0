package import PropertyLists

/// Which legacy values a cleanup would remove, and why the others stay. Pure data: making it writes nothing.
package struct CleanupPlan: Hashable, Sendable {
  /// The recipe whose legacy keys it is about.
  package var recipe: RecipeReference
  /// What the container is.
  package var container: ContainerSummary
  /// The file that must hold the values; nil where it cannot be named.
  package var target: TargetSummary?
  /// Every legacy store that is there, the most trusted first.
  package var stores: [CleanupStore]
  /// Every legacy key found, by store and key.
  package var entries: [CleanupEntry]
  /// Every value the plan rests on, those in the target included.
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

  /// The entries that would be removed.
  package var removable: [CleanupEntry] { entries.filter(\.verdict.isRemovable) }
}

/// A legacy store as a cleanup finds it.
package struct CleanupStore: Identifiable, Hashable, Sendable {
  /// The path, relative to the container's root.
  package var id: String
  /// Whether the file is the legacy SDK's own, and goes once nothing is left in it.
  package var isOwn: Bool
  /// Why it could not be read, as a sentence; nothing is removed from it then.
  package var problem: String?

  /// A store from its parts.
  package init(id: String, isOwn: Bool, problem: String? = nil) {
    self.id = id
    self.isOwn = isOwn
    self.problem = problem
  }
}

/// One legacy key of one store.
package struct CleanupEntry: Identifiable, Hashable, Sendable {
  /// The key and its file.
  package var id: KeyPlace
  /// What it holds.
  package var value: PropertyListValue
  /// Whether the value is a secret that no output may show.
  package var secret: Bool
  /// What becomes of it.
  package var verdict: CleanupVerdict

  /// An entry from its parts.
  package init(id: KeyPlace, value: PropertyListValue, secret: Bool = false, verdict: CleanupVerdict) {
    self.id = id
    self.value = value
    self.secret = secret
    self.verdict = verdict
  }
}

/// What a cleanup makes of a legacy key.
package enum CleanupVerdict: Hashable, Sendable {
  /// The target holds all of it, in these fields.
  case removable(heldBy: [Field.ID])
  /// It stays.
  case stays(CleanupReason)

  /// Whether the value can go.
  package var isRemovable: Bool {
    if case .removable = self { true } else { false }
  }
}

/// Why a legacy key stays. Its sentence is in the wording beside it.
package enum CleanupReason: Hashable, Sendable {
  /// It is not carried over, so nothing else holds it.
  case leftBehind
  /// No rule of the recipe reads it.
  case unknownKey
  /// There is no target file yet, or it cannot be named.
  case noTarget
  /// The target file cannot be read; the reason is a sentence.
  case unreadableTarget(String)
  /// The target has no value for these fields.
  case missing([Field.ID])
  /// The target holds other values for these fields than the ones this would become.
  case differs([Field.ID])
  /// These fields hold what became of it, from which it cannot be made again.
  case inexact([Field.ID])
  /// These parts of the value are in no field.
  case lost([String])
  /// The value cannot be carried over to these fields, so the target cannot hold it.
  case notCarried([Field.ID])
}
