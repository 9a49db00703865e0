package import CarryoverSystem
import PropertyLists

/// A plan that was written down to be applied later: what was asked for, what the plan rested on, what it proposed and
/// what was decided.
///
/// Nothing is ever written from it. To apply it, the plan is made anew from the container as it then is and has to come
/// out as it was saved (see `plan(_:by:)` and `check(_:in:decisions:)`); only the decisions are taken from here.
package struct SavedPlan: Hashable, Sendable {
  /// The version of the tool that made it.
  package var tool: String
  /// Which recipe made it.
  package var recipe: RecipeReference
  /// What the container was.
  package var container: ContainerIdentity
  /// The file to be written, relative to the container's root; nil where it could not be named.
  package var target: String?
  /// The moment it was made for.
  package var now: Moment
  /// What was asked for.
  package var request: PlanRequest
  /// The rows, in the recipe's order.
  package var fields: [SavedField]
  /// Every value the plan rested on.
  package var basis: [SavedBasis]
  /// What was decided so far.
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

  /// A plan as it is to be saved.
  /// - Parameters:
  ///   - request: what the plan was made from; its options must be those the plan was made with.
  ///   - tool: the version of the tool that saves it.
  package init(_ plan: Plan, request: PlanRequest, decisions: Decisions = [:], tool: String) {
    let secrets = Set(plan.dropped.filter(\.secret).map(\.key))
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

/// What tells a container from another one, wherever it lies.
package struct ContainerIdentity: Hashable, Sendable {
  /// The form in which it came.
  package var kind: ContainerKind
  /// The app's bundle identifier, when known.
  package var bundleID: String?

  /// An identity from its parts.
  package init(kind: ContainerKind, bundleID: String?) {
    self.kind = kind
    self.bundleID = bundleID
  }
}

/// What a plan was asked for with: the container's place, and the options.
///
/// The target is always the file that the recipe names; `PlannerOptions.targetPath` is not saved.
package struct PlanRequest: Hashable, Sendable {
  /// The container's path on the machine where the plan was made, absolute where that could be told.
  package var container: String
  /// The bundle identifier, where it was given and not found.
  package var bundleID: String?
  /// The state folder's path, where it was given.
  package var stateDirectory: String?
  /// The values of the recipe's parameters, given or found.
  package var parameters: [String: String]
  /// The version of the new SDK; nil for the present one.
  package var targetSDK: SDKVersion?
  /// Codes of blocking findings that were allowed by name.
  package var allowed: Set<FindingCode>

  /// The only parameter in version 1 of the format.
  package static let writeKey = "write-key"

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

  /// What an open container was planned with.
  /// - Parameter hasOwnStateDirectory: whether the caller chose the state folder.
  package init(_ container: Container, options: PlannerOptions, hasOwnStateDirectory: Bool = false) {
    // A property list by itself has the folder it lies in as its root.
    let isFile = container.kind == .propertyList
    let folder = container.root.hasSuffix("/") ? container.root : container.root + "/"
    self.init(
      container: isFile ? folder + container.name : container.root,
      bundleID: container.bundleIDOrigin == .option ? container.bundleID : nil,
      stateDirectory: hasOwnStateDirectory ? container.stateDirectory : nil,
      parameters: options.parameters, targetSDK: options.targetSDK, allowed: options.allowed)
  }
}

/// One row of a saved plan: what has to come out again.
package struct SavedField: Identifiable, Hashable, Sendable {
  /// The target key.
  package var id: Field.ID
  /// The legacy value; nil where there was none.
  package var legacy: SavedValue?
  /// What was proposed.
  package var proposed: SavedValue?
  /// What the target held.
  package var current: SavedValue?
  /// Where the field stood.
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

  /// A field as it is saved.
  package init(_ field: Field) {
    self.init(
      id: field.id, legacy: SavedValue(whole: field.legacy, text: field.legacyText),
      proposed: SavedValue(whole: field.proposed), current: SavedValue(whole: field.current), status: field.status)
  }
}

/// One value a saved plan rested on.
package struct SavedBasis: Hashable, Sendable {
  /// The store and the key.
  package var place: KeyPlace
  /// What stood there; nil where key or store were absent.
  package var value: SavedValue?

  /// A value from its parts.
  package init(place: KeyPlace, value: SavedValue?) {
    self.place = place
    self.value = value
  }
}
