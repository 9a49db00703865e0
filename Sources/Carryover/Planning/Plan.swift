package import CarryoverSystem
package import PropertyLists

/// What a recipe makes of a container at one moment: per field the legacy value, the proposal, the target's present
/// value and the findings. Pure data: making a plan writes nothing.
public struct Plan: Hashable, Sendable {
  /// Which recipe made it; the first of several.
  public var recipe: RecipeReference
  /// What the container is.
  package var container: ContainerSummary
  /// The file that would be written; nil when it cannot be named (bundle id or write key unknown). Of several recipes
  /// it is the first file that can be named: see ``targets``.
  package var target: TargetSummary?
  /// The moment the plan was made, which decides what lies in the future.
  package var now: Moment
  /// The rows, in the recipe's order.
  public var fields: [Field]
  /// Findings about the container as a whole; those about a field are in the field.
  package var containerFindings: [Finding]
  /// Legacy keys that are left behind by design, each with its reason.
  package var dropped: [DroppedKey]
  /// Every value the plan rests on, so that a later change of one of them can be told.
  package var basis: [PlanBasis]
  /// Codes that the caller allowed by name, so that they no longer stop an apply.
  package var allowed: Set<FindingCode>
  /// The plans it was made of, one a recipe; empty for a plan of one recipe.
  package var parts: [Plan] = []

  /// A plan from its parts.
  package init(
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
package struct ContainerSummary: Hashable, Sendable {
  /// The form in which the container came.
  package var kind: ContainerKind
  /// The app's bundle identifier, when known.
  package var bundleID: String?
  /// The last component of the container's path, for titles.
  package var name: String

  /// A summary from its parts.
  package init(kind: ContainerKind, bundleID: String?, name: String) {
    self.kind = kind
    self.bundleID = bundleID
    self.name = name
  }
}

/// The file a plan would write.
package struct TargetSummary: Hashable, Sendable {
  /// The path, relative to the container's root.
  package var path: String
  /// Whether the file was there when the plan was made.
  package var exists: Bool
  /// Whether there are files of the same kind with other values in their names.
  package var hasOthers = false
  /// Whether runs of Carryover made the file and nothing else has changed it since: the new SDK has not started with it.
  package var isMadeByRuns = false

  /// A summary from its parts.
  package init(path: String, exists: Bool) {
    self.path = path
    self.exists = exists
  }
}

/// A legacy key that is left behind, and why.
package struct DroppedKey: Hashable, Sendable {
  /// The key in the legacy store.
  package var key: String
  /// Its value, for display.
  package var value: PropertyListValue?
  /// Why it is left behind, as a sentence.
  package var reason: String
  /// Whether the value is a secret that no output may show.
  package var secret: Bool

  /// A dropped key from its parts.
  package init(key: String, value: PropertyListValue? = nil, reason: String, secret: Bool = false) {
    self.key = key
    self.value = value
    self.reason = reason
    self.secret = secret
  }
}
