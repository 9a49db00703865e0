import CarryoverSystem
package import PropertyLists

/// The content of a saved file: one recipe's plan, or several recipes' plans for one run.
package struct SavedPlans: Hashable, Sendable {
  package var first: SavedPlan
  package var others: [SavedPlan] = []

  package var all: [SavedPlan] { [first] + others }

  /// The decisions of all plans, by the names of the fields in the combined plan.
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

extension SavedPlans {
  package static let schema = "carryover.plans/1"

  /// A plan in its form for saving: `carryover.plan/1`, or `carryover.plans/1` for several recipes, which contains a
  /// document of the first form for each recipe.
  /// - Parameter others: additional members of a recipe's document.
  package static func json(
    _ plan: Plan, request: PlanRequest, decisions: Decisions = [:], tool: String,
    adding others: (Plan) -> [JSONMember] = { _ in [] }
  ) -> JSONValue {
    guard !plan.parts.isEmpty else {
      return SavedPlan.json(plan, request: request, decisions: decisions, tool: tool, adding: others(plan))
    }
    let documents = plan.parts.map { part in
      SavedPlan.json(plan.naming(part), request: request, decisions: decisions, tool: tool, adding: others(part))
    }
    return ["schema": .string(schema), "tool": .string(tool), "plans": .array(documents)]
  }

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
    where other.container != first.container || other.now != first.now || !other.request.isSame(as: first.request) {
      throw reader.damage("plans.request")
    }
    self.init(first: first, others: Array(plans.dropFirst()))
  }
}

extension Plan {
  fileprivate func naming(_ part: Plan) -> Plan {
    var part = part
    part.fields = fields.filter { $0.owner?.recipe == part.recipe.id }
    return part
  }
}

extension SavedPlan {
  /// The same plan with target keys as field names; a document of several plans has `RECIPE/FIELD`.
  fileprivate func withoutRecipe(_ reader: PlanReader) throws(PlanDamage) -> SavedPlan {
    let prefix = FieldOwner.name("", of: recipe.id)
    var plan = self
    for index in plan.fields.indices {
      guard plan.fields[index].id.beginsWithBytes(of: prefix) else { throw reader.damage("fields.id") }
      plan.fields[index].id = Self.key(plan.fields[index].id, prefix)
    }
    plan.decisions = [:]
    for (field, decision) in decisions { plan.decisions[Self.key(field, prefix)] = decision }
    return plan
  }

  private static func key(_ field: Field.ID, _ prefix: String) -> String {
    String(decoding: field.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
  }
}
