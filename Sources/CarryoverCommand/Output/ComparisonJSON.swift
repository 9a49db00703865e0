import Carryover
import CarryoverPages

/// `carryover.diff/1`.
struct ComparisonJSON {
  private let compared: ComparedContainers
  /// The shared budget for the shown values.
  private var left = 5_000_000

  init(_ compared: ComparedContainers) { self.compared = compared }

  mutating func document() -> JSONValue {
    let comparison = compared.comparison
    var stores: [JSONValue] = []
    for store in comparison.stores { stores.append(json(store)) }
    return .object(present: [
      "schema": "carryover.diff/1", "before": Self.json(compared.before), "after": Self.json(compared.after),
      "equal": .boolean(comparison.isEmpty && comparison.obstacles.isEmpty), "compared": JSONValue(comparison.count),
      "stores": .array(stores), "notCompared": Self.json(comparison.obstacles),
      "notRead": comparison.gaps.isEmpty ? JSONValue?.none : Self.json(comparison.gaps),
      "systemKeys": JSONValue(comparison.systemKeys), "ignored": JSONValue(comparison.ignored),
      "cut": .boolean(comparison.isCut),
    ])
  }

  private static func json(_ side: ComparedContainers.Side) -> JSONValue {
    .object(present: [
      "path": .string(side.path), "kind": .string(side.container.kind.rawValue),
      "bundleID": JSONValue(side.container.bundleID), "beforeRun": side.run.map(JSONValue.string),
    ])
  }

  private static func json(_ obstacles: [StoreComparison.Obstacle]) -> JSONValue {
    .array(obstacles.map { ["path": .string($0.path), "reason": .string($0.reason)] })
  }

  private mutating func json(_ store: StoreDifference) -> JSONValue {
    var values: [JSONValue] = []
    for (path, difference) in store.values(where: \.isSecret) { values.append(json(path, difference)) }
    return .object(present: [
      "path": .string(store.path), "change": .string(store.change.rawValue),
      "formatBefore": store.before.map { JSONValue($0.format) },
      "formatAfter": store.after.map { JSONValue($0.format) },
      "problemBefore": store.before?.problem.map(JSONValue.string),
      "problemAfter": store.after?.problem.map(JSONValue.string),
      "whole": .boolean(store.keys.isEmpty && store.isListed), "values": .array(values),
      "systemKeys": JSONValue(store.systemKeys), "ignored": JSONValue(store.ignored),
    ])
  }

  private mutating func json(_ path: InspectedPath, _ difference: ValueDifference) -> JSONValue {
    let isSecret = difference.isSecret
    return .object(present: [
      "change": .string(difference.change.rawValue), "path": path.json, "text": .string(path.labelText),
      "secret": isSecret ? true : nil, "before": difference.before.map { json($0, isSecret: isSecret) },
      "after": difference.after.map { json($0, isSecret: isSecret) },
    ])
  }

  private mutating func json(_ child: InspectedChild, isSecret: Bool) -> JSONValue {
    var opened = OpenedJSON(most: left)
    defer { left = opened.left }
    return opened.json(child, isSecret: isSecret)
  }
}

extension InspectedPath {
  /// The names and indexes that lead from the store's root to the value.
  var json: JSONValue {
    .array(
      labels.map { label in
        switch label {
        case .key(let key): .string(key.text)
        case .index(let index): .number(JSONNumber(index))
        }
      })
  }
}
