public import CarryoverSystem
public import PropertyLists

/// What a recipe makes of a container at one moment: per field the legacy value, the proposal, the target's present
/// value and the findings. Pure data: making a plan writes nothing.
public struct Plan: Hashable, Sendable {
  /// Which recipe made it.
  public var recipe: RecipeReference
  /// What the container is.
  public var container: ContainerSummary
  /// The file that would be written; nil when it cannot be named (bundle id or write key unknown).
  public var target: TargetSummary?
  /// The moment the plan was made, which decides what lies in the future.
  public var now: Moment
  /// The rows, in the recipe's order.
  public var fields: [Field]
  /// Findings about the container as a whole; those about a field stand in the field.
  public var containerFindings: [Finding]
  /// Legacy keys that are left behind by design, each with its reason.
  public var dropped: [DroppedKey]
  /// Every value the plan rests on, so that a later change of one of them can be told.
  public var basis: [PlanBasis]
  /// Codes that the caller allowed by name, so that they no longer stop an apply.
  public var allowed: Set<FindingCode>

  /// A plan from its parts.
  public init(
    recipe: RecipeReference, container: ContainerSummary, target: TargetSummary?, now: Moment, fields: [Field],
    containerFindings: [Finding] = [], dropped: [DroppedKey] = [], basis: [PlanBasis] = [],
    allowed: Set<FindingCode> = []
  ) {
    self.recipe = recipe
    self.container = container
    self.target = target
    self.now = now
    self.fields = fields
    self.containerFindings = containerFindings
    self.dropped = dropped
    self.basis = basis
    self.allowed = allowed
  }

  /// All findings: the container's first, then each field's in row order.
  public var findings: [Finding] { containerFindings + fields.flatMap(\.findings) }

  /// Findings that stop an apply, because no named option allowed them.
  public var blockers: [Finding] { findings.filter { $0.blocks && !allowed.contains($0.code) } }

  /// The field with this target key.
  public func field(_ id: Field.ID) -> Field? { fields.first { $0.id == id } }
}

/// What a plan says of the container it was made from.
public struct ContainerSummary: Hashable, Sendable {
  /// The form in which the container came.
  public var kind: ContainerKind
  /// The app's bundle identifier, when known.
  public var bundleID: String?
  /// The last component of the container's path, for titles.
  public var name: String

  /// A summary from its parts.
  public init(kind: ContainerKind, bundleID: String?, name: String) {
    self.kind = kind
    self.bundleID = bundleID
    self.name = name
  }
}

/// The file a plan would write.
public struct TargetSummary: Hashable, Sendable {
  /// The path, relative to the container's root.
  public var path: String
  /// Whether the file was there when the plan was made.
  public var exists: Bool

  /// A summary from its parts.
  public init(path: String, exists: Bool) {
    self.path = path
    self.exists = exists
  }
}

/// A legacy key that is left behind, and why.
public struct DroppedKey: Hashable, Sendable {
  /// The key in the legacy store.
  public var key: String
  /// Its value, for display.
  public var value: PropertyListValue?
  /// Why it is left behind, as a sentence.
  public var reason: String
  /// Whether the value is a secret that no output may show.
  public var secret: Bool

  /// A dropped key from its parts.
  public init(key: String, value: PropertyListValue? = nil, reason: String, secret: Bool = false) {
    self.key = key
    self.value = value
    self.reason = reason
    self.secret = secret
  }
}
