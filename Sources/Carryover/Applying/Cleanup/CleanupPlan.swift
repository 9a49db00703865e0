public import PropertyLists

/// Which legacy values a cleanup would remove, and why the others stay. Pure data: making it writes nothing.
public struct CleanupPlan: Hashable, Sendable {
  /// The recipe whose legacy keys it is about.
  public var recipe: RecipeReference
  /// What the container is.
  public var container: ContainerSummary
  /// The file that must hold the values; nil where it cannot be named.
  public var target: TargetSummary?
  /// Every legacy key found, by store and key.
  public var entries: [CleanupEntry]
  /// Every value the plan rests on, those in the target included.
  public var basis: [PlanBasis]

  /// A plan from its parts.
  public init(
    recipe: RecipeReference, container: ContainerSummary, target: TargetSummary?, entries: [CleanupEntry],
    basis: [PlanBasis]
  ) {
    self.recipe = recipe
    self.container = container
    self.target = target
    self.entries = entries
    self.basis = basis
  }

  /// The entries that would be removed.
  public var removable: [CleanupEntry] { entries.filter { if case .removable = $0.verdict { true } else { false } } }
}

/// One legacy key of one store.
public struct CleanupEntry: Identifiable, Hashable, Sendable {
  /// The key and its file.
  public var id: KeyPlace
  /// What it holds.
  public var value: PropertyListValue
  /// Whether the value is a secret that no output may show.
  public var secret: Bool
  /// What becomes of it.
  public var verdict: CleanupVerdict

  /// An entry from its parts.
  public init(id: KeyPlace, value: PropertyListValue, secret: Bool = false, verdict: CleanupVerdict) {
    self.id = id
    self.value = value
    self.secret = secret
    self.verdict = verdict
  }
}

/// What a cleanup makes of a legacy key.
public enum CleanupVerdict: Hashable, Sendable {
  /// The target holds all of it, in these fields.
  case removable(heldBy: [Field.ID])
  /// It stays.
  case stays(CleanupReason)
}

/// Why a legacy key stays. Its sentence is in the wording beside it.
public enum CleanupReason: Hashable, Sendable {
  /// It is not carried over, so nothing else holds it.
  case leftBehind
  /// No rule of the recipe reads it.
  case unknownKey
  /// There is no target file yet, or it cannot be named.
  case noTarget
  /// The target has no value for these fields.
  case missing([Field.ID])
  /// The target holds other values for these fields than the ones this would become.
  case differs([Field.ID])
  /// These parts of the value are in no field.
  case lost([String])
  /// The value cannot be carried over to these fields, so the target cannot hold it.
  case notCarried([Field.ID])
}
