import PropertyLists

@testable import Carryover
@testable import CarryoverStorage
@testable import CarryoverSystem
@testable import CarryoverVendors

/// A saved plan with the app it was made from, and what becomes of it when the app changes.
struct SavedSample {
  var app: LegacyApp
  var options = PlannerOptions(writeKey: LegacyApp.writeKey)
  var decisions: Decisions = [:]

  func document() throws -> JSONValue {
    let container = try app.container()
    return SavedPlan.json(
      try app.plan(options: options), request: PlanRequest(container, options: options), decisions: decisions,
      tool: "0.1.0")
  }

  func bytes() throws -> [UInt8] { Array(try document().text(pretty: true).utf8) }

  func saved() throws -> SavedPlan { try SavedPlan(json: bytes(), path: "plan.json") }

  /// Applies the saved plan to an app in the way the command does, up to the writing.
  @discardableResult
  static func carryOut(
    _ saved: SavedPlan, on app: LegacyApp, settled: [StringByBytes: SettledField] = [:], overriding: Decisions = [:],
    allowing allowed: Set<FindingCode> = []
  ) throws -> (plan: Plan, changes: [KeyChange]) {
    try carryOut(saved, on: try app.container(), settled: settled, overriding: overriding, allowing: allowed)
  }

  @discardableResult
  static func carryOut(
    _ saved: SavedPlan, on container: Container, settled: [StringByBytes: SettledField] = [:],
    overriding: Decisions = [:],
    allowing allowed: Set<FindingCode> = []
  ) throws(SavedPlanError) -> (plan: Plan, changes: [KeyChange]) {
    let plan = try saved.plan(container, by: .rudderStackObjC, settled: settled, allowing: allowed)
    let decisions = saved.decisions.merging(overriding)
    try saved.check(plan, in: container, decisions: decisions)
    return (plan, plan.changes(decisions))
  }

  static func written(_ changes: [KeyChange], to target: PropertyListDictionary?) -> PropertyListDictionary {
    var target = target ?? [:]
    for change in changes { target[change.key] = change.after }
    return target
  }
}

extension JSONValue {
  /// The value with another one, or none, at the end of a way of member names; a list is entered at its first element.
  func replacing(_ way: some Collection<String>, with value: JSONValue?) -> JSONValue {
    switch self {
    case .array(var elements):
      guard let first = elements.first else { return self }
      elements[0] = first.replacing(way, with: value)
      return .array(elements)
    case .object(let members):
      guard let name = way.first else { return value ?? .null }
      return .object(
        members.compactMap { member in
          guard member.name == name else { return member }
          guard way.count == 1 else { return JSONMember(name, member.value.replacing(way.dropFirst(), with: value)) }
          return value.map { JSONMember(name, $0) }
        })
    default: return self
    }
  }
}
