import CarryoverSystem
package import PropertyLists

/// What a saved file holds: the plan of one recipe, or those of several that one run applies.
package struct SavedPlans: Hashable, Sendable {
  /// The plan of the first recipe.
  package var first: SavedPlan
  /// Those of the others, made from the same container with the same options.
  package var others: [SavedPlan] = []

  /// All of them.
  package var all: [SavedPlan] { [first] + others }

  /// The decisions of all, by the names that the fields have in one plan of them.
  package var decisions: Decisions {
    guard !others.isEmpty else { return first.decisions }
    return all.reduce(into: [:]) { decisions, saved in
      for (field, decision) in saved.decisions { decisions[FieldOwner.name(field, of: saved.recipe.id)] = decision }
    }
  }
}

extension SavedPlans {
  /// The schema of a document with the plans of several recipes. A later one is refused; unknown members are not.
  package static let schema = "carryover.plans/1"

  /// A plan as the document that is saved: `carryover.plan/1`, or `carryover.plans/1` for several recipes, which
  /// contains one of the first form for each.
  /// - Parameter others: what a document has beside the plan of a recipe.
  package static func json(
    _ plan: Plan, request: PlanRequest, decisions: Decisions = [:], tool: String,
    adding others: (Plan) -> [JSONMember] = { _ in [] }
  ) -> JSONValue {
    guard !plan.parts.isEmpty else {
      return SavedPlan.json(plan, request: request, decisions: decisions, tool: tool, adding: others(plan))
    }
    let documents = plan.parts.map { part in
      SavedPlan.json(
        plan.naming(part), request: request, decisions: decisions, tool: tool, adding: others(part))
    }
    return .object([
      JSONMember("schema", .string(schema)), JSONMember("tool", .string(tool)),
      JSONMember("plans", .array(documents)),
    ])
  }

  /// Reads a document of either form.
  /// - Parameter path: where the bytes come from, for the error.
  /// - Throws: `damaged` for anything that is no saved plan, or one of a later schema.
  package init(json bytes: [UInt8], path: String) throws(SavedPlanError) {
    do throws(PlanDamage) {
      try self.init(reading: bytes)
    } catch {
      throw .damaged(path: path, error)
    }
  }

  init(reading bytes: [UInt8]) throws(PlanDamage) {
    let root = try SavedPlan.root(of: bytes)
    guard root["schema"]?.stringValue == Self.schema else {
      self.init(first: try SavedPlan(reading: bytes))
      return
    }
    guard root["redacted"]?.booleanValue != true else { throw .redacted }
    let reader = PlanReader(root)
    let plans = try reader.list("plans") { (item) throws(PlanDamage) in try SavedPlan(item).withoutRecipe(item) }
    guard let first = plans.first, plans.count > 1, Set(plans.map(\.recipe.id)).count == plans.count else {
      throw reader.damage("plans")
    }
    for other in plans
    where other.container != first.container || other.request != first.request || other.now != first.now {
      throw reader.damage("plans.request")
    }
    self.init(first: first, others: Array(plans.dropFirst()))
  }
}

extension SavedPlans {
  /// Makes sure that a plan made anew is the one that was saved; see ``SavedPlan/check(_:in:decisions:)``.
  package func check(_ plan: Plan, in container: Container, decisions: Decisions) throws(SavedPlanError) {
    for (saved, part) in zip(all, plan.recipePlans) {
      try saved.check(part, in: container, decisions: plan.decisions(decisions, of: part))
    }
  }
}

extension Plan {
  /// One of its parts, with the fields as this plan has them.
  fileprivate func naming(_ part: Plan) -> Plan {
    var part = part
    part.fields = fields.filter { $0.owner?.recipe == part.recipe.id }
    return part
  }
}

extension SavedPlan {
  /// The same with the target keys as the names of its fields, which are `RECIPE/FIELD` in a document of several plans.
  fileprivate func withoutRecipe(_ reader: PlanReader) throws(PlanDamage) -> SavedPlan {
    let prefix = FieldOwner.name("", of: recipe.id)
    var plan = self
    for index in plan.fields.indices {
      guard plan.fields[index].id.hasPrefix(prefix) else { throw reader.damage("fields.id") }
      plan.fields[index].id.removeFirst(prefix.count)
    }
    plan.decisions = [:]
    for (field, decision) in decisions { plan.decisions[String(field.dropFirst(prefix.count))] = decision }
    return plan
  }
}
