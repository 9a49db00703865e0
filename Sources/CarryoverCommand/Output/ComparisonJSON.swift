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
      "equal": comparison.isEmpty && comparison.obstacles.isEmpty, "compared": comparison.count, "stores": stores,
      "notCompared": Self.json(comparison.obstacles),
      "notRead": comparison.gaps.isEmpty ? nil : Self.json(comparison.gaps), "systemKeys": comparison.systemKeys,
      "ignored": comparison.ignored, "cut": comparison.isCut,
    ])
  }

  private static func json(_ side: ComparedContainers.Side) -> JSONValue {
    .object(present: [
      "path": side.path, "kind": side.container.kind, "bundleID": JSONValue(side.container.bundleID),
      "beforeRun": side.run,
    ])
  }

  private static func json(_ obstacles: [StoreComparison.Obstacle]) -> [JSONValue] {
    obstacles.map { .object(["path": $0.path, "reason": $0.reason]) }
  }

  private mutating func json(_ store: StoreDifference) -> JSONValue {
    var values: [JSONValue] = []
    for (path, difference) in store.values(where: \.isSecret) { values.append(json(path, difference)) }
    return .object(present: [
      "path": store.path, "change": store.change, "formatBefore": store.before.map { JSONValue($0.format) },
      "formatAfter": store.after.map { JSONValue($0.format) }, "problemBefore": store.before?.problem,
      "problemAfter": store.after?.problem, "whole": store.keys.isEmpty && store.isListed, "values": values,
      "systemKeys": store.systemKeys, "ignored": store.ignored,
    ])
  }

  private mutating func json(_ path: InspectedPath, _ difference: ValueDifference) -> JSONValue {
    let isSecret = difference.isSecret
    return .object(present: [
      "change": difference.change, "path": path, "text": path.labelText, "secret": isSecret ? true : nil,
      "before": difference.before.map { json($0, isSecret: isSecret) },
      "after": difference.after.map { json($0, isSecret: isSecret) },
    ])
  }

  private mutating func json(_ child: InspectedChild, isSecret: Bool) -> JSONValue {
    var opened = OpenedJSON(most: left)
    defer { left = opened.left }
    return opened.json(child, isSecret: isSecret)
  }
}
