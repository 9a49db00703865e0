import CarryoverStorage
package import CarryoverSystem
package import PropertyLists

/// A plan that was saved for a later apply: the request, the values that it depends on, the proposals and the
/// decisions.
///
/// To apply it, the plan is computed again from the current container and must equal the saved one (see `plan(_:by:)`
/// and `check(_:in:decisions:)`). Only the decisions are used directly, so nothing else in the file is ever written.
package struct SavedPlan: Hashable, Sendable {
  package var tool: String
  package var recipe: RecipeReference
  package var container: ContainerIdentity
  package var target: String?
  package var now: Moment
  package var request: PlanRequest
  package var fields: [SavedField]
  package var basis: [SavedBasis]
  package var decisions: Decisions

  /// Computes the plan again from the current container, with the saved moment and options. It differs from the saved
  /// plan unless `check(_:in:decisions:)` succeeds.
  /// - Parameters:
  ///   - settled: the fields that earlier runs settled. A field that the saved plan would write is not settled by these
  ///     as long as its target has not changed, unless a run wrote it.
  ///   - allowed: the codes of the blocking findings to allow. Those in the saved plan do not count, because an
  ///     untrusted file must not allow anything.
  package func plan(
    _ container: Container, by recipe: Recipe, settled: [StringByBytes: SettledField] = [:],
    removed: [KeyPlace: PropertyListValue] = [:], allowing allowed: Set<FindingCode> = []
  ) throws(SavedPlanError) -> Plan {
    try requireSameOrigin(container, by: recipe)
    var options = request.options
    options.allowed = allowed
    options.removed = removed
    let plan = Planner(recipe).plan(container, now: now, options: options)
    let changed = Set(bytesOf: stale(plan, in: container).filter { isTarget($0.file) }.map(\.key))
    let ready = Set(bytesOf: fields.filter { $0.status == .ready }.map(\.id))
    // What a run wrote and the app has removed since is settled as well: the user may have logged out.
    options.settled = settled.filter { key, field in
      !ready.contains(key) || changed.contains(key) || field.isWrittenEarlier
        || field.left != nil && !field.isRolledBack
    }
    return options.settled.isEmpty ? plan : Planner(recipe).plan(container, now: now, options: options)
  }

  package func ownRecipe(among recipes: [Recipe]) throws(SavedPlanError) -> Recipe {
    guard let own = recipes.first(where: { $0.reference.id == recipe.id }) else { throw .unknownRecipe(recipe) }
    return own
  }

  /// Checks that the plan belongs to this container and recipe, regardless of the container's current content.
  package func requireSameOrigin(_ container: Container, by recipe: Recipe) throws(SavedPlanError) {
    let found = container.identity
    guard found == self.container else { throw .otherContainer(saved: self.container, found: found) }
    let present = recipe.reference
    let saved = self.recipe
    guard (present.id, present.version, present.digest) == (saved.id, saved.version, saved.digest) else {
      throw .otherRecipe(saved: saved, present: present)
    }
    let target = Planner(recipe).targetPath(in: container, options: request.options)
    guard target.map(isTarget) ?? (self.target == nil) else { throw .otherTarget(saved: self.target, present: target) }
  }

  /// Checks that a newly computed plan equals the saved one. A target key that already has the value to be written is
  /// no difference: the plan was applied before, completely or partly.
  /// - Throws: `stale` if a value that the plan depends on has changed, appeared or disappeared; `differs` if these are
  ///   the same but a field's legacy value, proposal or current value is not.
  package func check(_ plan: Plan, in container: Container, decisions: Decisions) throws(SavedPlanError) {
    let changed = stale(plan, in: container)
    let saved = Dictionary(firstOf: fields.map { ($0.id, $0) })
    let stale = changed.filter { place in
      guard isTarget(place.file), let field = plan.field(place.key) else { return true }
      return !field.stands(decisions[field.id]) || holdsAnother(field, saved[field.id], decisions[field.id])
    }
    guard stale.isEmpty else { throw .stale(stale) }
    let standing = Set(bytesOf: changed.map(\.key))
    var different = fields.filter { saved in
      guard let field = plan.field(saved.id) else { return true }
      let fresh = SavedField(field)
      // A value that is changed in place was also the legacy value, and no longer is.
      let isInPlace = saved.legacy == saved.current && fresh.legacy == fresh.current
      if isInPlace, standing.contains(saved.id) { return false }
      guard fresh.legacy == saved.legacy else { return true }
      guard !standing.contains(saved.id) else { return false }
      let isSettled = (fresh.status == .unchanged || saved.status == .unchanged) && !field.writes(decisions[field.id])
      // A settled field has no repair to propose, and later runs do not change the container's values.
      return fresh.current != saved.current || !isSettled && fresh.proposed != saved.proposed
    }.map(\.id)
    different += plan.fields.map(\.id).filter { saved[$0] == nil }
    guard different.isEmpty else { throw .differs(different) }
  }

  private func isTarget(_ file: String) -> Bool { target?.hasSameBytes(as: file) ?? false }

  /// Whether a value that is changed in place is now in its newest form but differs from the saved proposal, because
  /// another program has changed it.
  private func holdsAnother(_ field: Field, _ saved: SavedField?, _ decision: Decision?) -> Bool {
    guard [nil, .migrate, .accept].contains(decision), let saved else { return false }
    let fresh = SavedField(field)
    return saved.legacy == saved.current && fresh.legacy == fresh.current && fresh.current != saved.proposed
  }

  /// The places whose value has changed, without duplicates, and new places that have a value.
  private func stale(_ plan: Plan, in container: Container) -> [KeyPlace] {
    var present: [KeyPlace: PropertyListValue?] = [:]
    for entry in plan.basis { present[KeyPlace(file: entry.store, key: entry.key)] = .some(entry.value) }
    var indexes: [StringByBytes: PropertyListDictionaryIndex] = [:]
    var known: Set<KeyPlace> = []
    var stale: [KeyPlace] = []
    for entry in basis {
      let file = entry.place.file
      if present[entry.place] == nil, indexes[file] == nil {
        indexes[file] = container.store(file)?.dictionary?.indexed() ?? PropertyListDictionary(entries: []).indexed()
      }
      let value = present[entry.place] ?? indexes[file]?[entry.place.key]
      let isSame =
        switch (entry.value, value) {
        case (nil, nil): true
        case (let saved?, let value?): saved.matches(value)
        default: false
        }
      if known.insert(entry.place).inserted, !isSame { stale.append(entry.place) }
    }
    for entry in plan.basis where entry.value != nil {
      let place = KeyPlace(file: entry.store, key: entry.key)
      if known.insert(place).inserted { stale.append(place) }
    }
    return stale
  }
}

extension SavedPlan {
  package init(_ plan: Plan, request: PlanRequest, decisions: Decisions = [:], tool: String) {
    var request = request
    request.parameters = RecipeParameter.values(request.parameters, of: plan.recipe.id)
    request.parameters.merge(plan.definition.values) { _, own in own }
    let secrets = Set(bytesOf: plan.dropped.filter(\.secret).map(\.key))
    self.init(
      tool: tool, recipe: plan.recipe,
      container: plan.container.identity, target: plan.target?.path, now: plan.now, request: request,
      fields: plan.fields.map(SavedField.init),
      basis: plan.basis.map { entry in
        SavedBasis(
          place: KeyPlace(file: entry.store, key: entry.key),
          value: entry.value.map { SavedValue($0, secret: secrets.contains(entry.key)) })
      },
      decisions: decisions.filter { plan.field($0.key) != nil })
  }
}

/// The content of a saved file: one recipe's plan, or several recipes' plans for one run.
package struct SavedPlans: Hashable, Sendable {
  package var first: SavedPlan
  package var others: [SavedPlan] = []

  package var all: [SavedPlan] { [first] + others }

  package var decisions: Decisions {
    guard !others.isEmpty else { return first.decisions }
    return all.reduce(into: Decisions()) { decisions, saved in
      for (field, decision) in saved.decisions { decisions[FieldOwner.name(field, of: saved.recipe.id)] = decision }
    }
  }

  package func check(_ plan: Plan, in container: Container, decisions: Decisions) throws(SavedPlanError) {
    for (saved, part) in zip(all, plan.recipePlans) {
      try saved.check(part, in: container, decisions: plan.decisions(decisions, of: part))
    }
  }
}

package struct ContainerIdentity: Hashable, Sendable {
  package var kind: ContainerKind
  package var bundleID: String?
}

extension Container {
  package var identity: ContainerIdentity { ContainerIdentity(kind: kind, bundleID: bundleID) }
}

extension ContainerSummary {
  package var identity: ContainerIdentity { ContainerIdentity(kind: kind, bundleID: bundleID) }
}

/// The request for a plan. Its target is always the recipe's; `PlannerOptions.targetPath` is not saved.
package struct PlanRequest: Hashable, Sendable {
  /// The container's path on the machine of the plan, absolute if possible.
  package var container: String
  package var bundleID: String?
  package var stateDirectory: String?
  /// The values of the recipe's parameters and the write key, given or found.
  package var parameters: [String: String] = [:]
  package var targetSDK: SDKVersion?
  package var allowed: Set<FindingCode> = []

  /// Without the write key, which has a member of its own in the format.
  package var ownParameters: [String: String] { parameters.filter { $0.key != RecipeParameter.writeKey.name } }

  package var options: PlannerOptions { PlannerOptions(parameters: parameters, targetSDK: targetSDK) }
}

extension PlanRequest {
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

  /// Whether another part of the same file can have this request: the parameters are those of its recipe.
  func isSame(as other: PlanRequest) -> Bool {
    var same = other
    same.parameters = parameters
    return self == same
  }
}

package struct SavedField: Identifiable, Hashable, Sendable {
  @StringByBytes package var id: Field.ID
  package var legacy: SavedValue?
  package var proposed: SavedValue?
  package var current: SavedValue?
  package var status: FieldStatus
}

extension SavedField {
  init(_ field: Field) {
    self.init(
      id: field.id, legacy: SavedValue(whole: field.legacy, text: field.legacyText),
      proposed: SavedValue(whole: field.proposed), current: SavedValue(whole: field.current), status: field.status)
  }
}

package struct SavedBasis: Hashable, Sendable {
  package var place: KeyPlace
  package var value: SavedValue?
}

/// A value in a saved plan or a run's record, sufficient for detecting a difference.
package enum SavedValue: Hashable, Sendable, JSONConvertible {
  case whole(PropertyListValue)
  /// A number with its own JSON text, which a property list would change.
  case text(PropertyListValue.Kind, String)
  /// A secret or a long value: its type, and the digest of its JSON text without spaces (see `CodedValue`).
  case summary(PropertyListValue.Kind, ContentDigest)

  /// The saved form of a value that a plan depends on. Secrets and long values become a summary.
  package init(_ value: PropertyListValue, secret: Bool = false) {
    let text = Array(CodedValue.json(value).text().utf8)
    self = secret || text.count > Self.longest ? .summary(value.kind, ContentDigest(text)) : .whole(value)
  }

  /// The saved form of a field's value. Null counts as missing. `text` is a number's own text in JSON.
  init?(whole value: PropertyListValue?, text: String? = nil) {
    guard let value, value != .null else { return nil }
    guard let text, text != Self.plainText(value) else {
      self = .whole(value)
      return
    }
    self = .text(value.kind, text)
  }

  /// The value; nil if only its text or its summary was saved.
  var value: PropertyListValue? { if case .whole(let value) = self { value } else { nil } }

  package func matches(_ value: PropertyListValue) -> Bool {
    switch self {
    case .whole(let saved): saved == value
    case .text: false
    case .summary(let kind, let digest): value.kind == kind && digest.matches(Array(CodedValue.json(value).text().utf8))
    }
  }

  /// The longest JSON text of a value that is saved as a whole, in bytes.
  package static let longest = 64 << 10

  private static func plainText(_ value: PropertyListValue) -> String? {
    let json = CodedValue.json(value)
    return json["binary"] == nil ? json["value"]?.stringValue : nil
  }

  package var json: JSONValue {
    switch self {
    case .whole(let value): CodedValue.json(value)
    case .text(let kind, let text): .object(["type": kind, "value": text])
    case .summary(let kind, let digest): .object([JSONMember("type", kind.json)] + digest.members)
    }
  }

  init?(json: JSONValue) {
    guard let word = json["type"]?.stringValue, let kind = PropertyListValue.Kind(rawValue: word) else { return nil }
    if json["sha256"] != nil {
      guard let digest = ContentDigest(json) else { return nil }
      self = .summary(kind, digest)
      return
    }
    let value = CodedValue.value(json)
    if kind == .integer || kind == .real, json["binary"] == nil, let text = json["value"]?.stringValue,
      value.flatMap(Self.plainText) != text, JSONNumber(lexeme: text) != nil
    {
      self = .text(kind, text)
    } else if let value {
      self = .whole(value)
    } else {
      return nil
    }
  }
}

extension Field {
  fileprivate func writes(_ decision: Decision?) -> Bool {
    if case .write = resolution(decision) { true } else { false }
  }

  /// Whether the target already has the value that applying the field would write.
  fileprivate func stands(_ decision: Decision?) -> Bool {
    guard current != nil, !isTargetKept else { return false }
    switch decision {
    case .skip, .keep, .omit: return false
    case .edit(let value): return value == current
    case .migrate, .accept, nil: break
    }
    guard case .leave(let outcome) = resolution(decision) else { return false }
    return status == .unchanged || outcome == .unchanged
  }
}
