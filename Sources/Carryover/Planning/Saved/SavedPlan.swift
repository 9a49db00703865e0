package import CarryoverSystem
package import PropertyLists

/// A plan that was saved for a later apply: the request, the values that it depends on, the proposals and the
/// decisions.
///
/// To apply it, the plan is computed again from the current container and must equal the saved one (see `plan(_:by:)`
/// and `check(_:in:decisions:)`). Only the decisions are used directly, so nothing else in the file is ever written.
package struct SavedPlan: Hashable, Sendable {
  /// The version of the tool that made it.
  package var tool: String
  /// The plan's recipe.
  package var recipe: RecipeReference
  /// The container of the plan.
  package var container: ContainerIdentity
  /// The target file, relative to the container's root; nil if its name was unknown.
  package var target: String?
  /// The moment of the plan.
  package var now: Moment
  /// The request.
  package var request: PlanRequest
  /// The rows, in the recipe's order.
  package var fields: [SavedField]
  /// Every value that the plan depends on.
  package var basis: [SavedBasis]
  /// The decisions so far.
  package var decisions: Decisions

  /// A saved plan from its parts.
  package init(
    tool: String, recipe: RecipeReference, container: ContainerIdentity, target: String?, now: Moment,
    request: PlanRequest, fields: [SavedField], basis: [SavedBasis], decisions: Decisions
  ) {
    self.tool = tool
    self.recipe = recipe
    self.container = container
    self.target = target
    self.now = now
    self.request = request
    self.fields = fields
    self.basis = basis
    self.decisions = decisions
  }

  /// A plan in its form for saving.
  /// - Parameters:
  ///   - request: the request with the plan's own options.
  ///   - tool: the version of the tool that saves it.
  package init(_ plan: Plan, request: PlanRequest, decisions: Decisions = [:], tool: String) {
    var request = request
    request.parameters.merge(plan.definition.values) { _, own in own }
    let secrets = Set(bytesOf: plan.dropped.filter(\.secret).map(\.key))
    self.init(
      tool: tool, recipe: plan.recipe,
      container: ContainerIdentity(kind: plan.container.kind, bundleID: plan.container.bundleID),
      target: plan.target?.path, now: plan.now, request: request, fields: plan.fields.map(SavedField.init),
      basis: plan.basis.map { entry in
        SavedBasis(
          place: KeyPlace(file: entry.store, key: entry.key),
          value: entry.value.map { SavedValue($0, secret: secrets.contains(entry.key)) })
      },
      decisions: decisions.filter { plan.field($0.key) != nil })
  }
}

/// The identity of a container, regardless of its place.
package struct ContainerIdentity: Hashable, Sendable {
  /// The form of the container.
  package var kind: ContainerKind
  /// The app's bundle identifier; nil if it is unknown.
  package var bundleID: String?

  /// An identity from its parts.
  package init(kind: ContainerKind, bundleID: String?) {
    self.kind = kind
    self.bundleID = bundleID
  }
}

/// The request for a plan: the container's path, and the options.
///
/// The target is always the recipe's; `PlannerOptions.targetPath` is not saved.
package struct PlanRequest: Hashable, Sendable {
  /// The container's path on the machine of the plan, absolute if possible.
  package var container: String
  /// The bundle identifier, if the caller gave it.
  package var bundleID: String?
  /// The state folder's path, if the caller gave it.
  package var stateDirectory: String?
  /// The values of the recipe's parameters and the write key, given or found.
  package var parameters: [String: String]
  /// The version of the new SDK; nil for the current version.
  package var targetSDK: SDKVersion?
  /// The codes of the blocking findings that were allowed.
  package var allowed: Set<FindingCode>

  /// The parameter that has a member of its own in the format.
  package static let writeKey = "write-key"

  /// The values of the recipe's own parameters.
  package var ownParameters: [String: String] { parameters.filter { $0.key != Self.writeKey } }

  /// A request from its parts.
  package init(
    container: String, bundleID: String? = nil, stateDirectory: String? = nil,
    parameters: [String: String] = [:],
    targetSDK: SDKVersion? = nil, allowed: Set<FindingCode> = []
  ) {
    self.container = container
    self.bundleID = bundleID
    self.stateDirectory = stateDirectory
    self.parameters = parameters
    self.targetSDK = targetSDK
    self.allowed = allowed
  }

  /// The request for an opened container.
  /// - Parameter hasOwnStateDirectory: whether the caller chose the state folder.
  package init(_ container: Container, options: PlannerOptions, hasOwnStateDirectory: Bool = false) {
    // The root of a single property list is its folder.
    let isFile = container.kind == .propertyList
    let folder = container.root.hasSuffix("/") ? container.root : container.root + "/"
    self.init(
      container: isFile ? folder + container.name : container.root,
      bundleID: container.bundleIDOrigin == .option ? container.bundleID : nil,
      stateDirectory: hasOwnStateDirectory ? container.stateDirectory : nil,
      parameters: options.parameters, targetSDK: options.targetSDK, allowed: options.allowed)
  }
}

extension PlanRequest {
  /// Whether another part of the same file can have this request: the parameters are those of its recipe.
  func isSame(as other: PlanRequest) -> Bool {
    var same = other
    same.parameters = parameters
    return self == same && parameters[Self.writeKey] == other.parameters[Self.writeKey]
  }
}

/// A field of a saved plan, which the new plan must have too.
package struct SavedField: Identifiable, Hashable, Sendable {
  /// The target key.
  @StringByBytes package var id: Field.ID
  /// The legacy value; nil if there was none.
  package var legacy: SavedValue?
  /// The proposal.
  package var proposed: SavedValue?
  /// The target's value.
  package var current: SavedValue?
  /// The status.
  package var status: FieldStatus

  /// A row from its parts.
  package init(
    id: Field.ID, legacy: SavedValue?, proposed: SavedValue?, current: SavedValue?, status: FieldStatus
  ) {
    self.id = id
    self.legacy = legacy
    self.proposed = proposed
    self.current = current
    self.status = status
  }

  /// A field in its form for saving.
  package init(_ field: Field) {
    self.init(
      id: field.id, legacy: SavedValue(whole: field.legacy, text: field.legacyText),
      proposed: SavedValue(whole: field.proposed), current: SavedValue(whole: field.current), status: field.status)
  }
}

/// A value that a saved plan depends on.
package struct SavedBasis: Hashable, Sendable {
  /// The store and the key.
  package var place: KeyPlace
  /// The value; nil if the key or the store was missing.
  package var value: SavedValue?

  /// A value from its parts.
  package init(place: KeyPlace, value: SavedValue?) {
    self.place = place
    self.value = value
  }
}
