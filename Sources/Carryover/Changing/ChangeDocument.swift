import CarryoverSystem
package import PropertyLists

/// Changes as a JSON document, `carryover.changes/1`: what a preview prints is what `set --from` reads.
///
/// Each change has a store, a key as it is typed, and the value after it; null removes the value. A value has its type,
/// as ``CodedValue`` writes it, or is a JSON string, number or boolean. A value before it, if the document has it,
/// must be the one that the changes before it leave; null for none.
package enum ChangeDocument {
  package static let schema = "carryover.changes/1"
  package static let largest = 64 << 20

  /// - Parameter hides: whether the values of a change are left out.
  package static func json(_ plan: ChangePlan, hides: (PlannedChange) -> Bool) -> JSONValue {
    ["schema": .string(schema), "changes": .array(plan.changes.map { json($0, isHidden: hides($0)) })]
  }

  package static func json(_ change: PlannedChange, isHidden: Bool) -> JSONValue {
    func coded(_ value: PropertyListValue?) -> JSONValue { isHidden ? .null : value.map(CodedValue.json) ?? .null }
    // A removal needs no value, so it can be made from a document that hides it.
    let isRemoval = change.after == nil
    return .object(present: [
      "store": .string(change.path.store), "key": .string(change.path.labelText),
      "before": isHidden && isRemoval ? JSONValue?.none : coded(change.before), "after": coded(change.after),
      "secret": isHidden && !isRemoval ? true : nil,
    ])
  }

  /// The changes of a document, for a container.
  package static func changes(_ bytes: [UInt8], in container: Container) throws(ChangeError) -> [ValueChange] {
    let reader = try JSONReader<ChangeError>(bytes, JSONLimits(size: largest)) { damage in
      .document("The changes file cannot be read: \(damage.phrase(schema: schema)).")
    }
    try reader.require([schema], ["carryover.changes/"])
    if reader.flag("redacted") { throw .document("The changes file is redacted: its values are masked.") }
    return try reader.list("changes", limit: ChangePlan.mostChanges) { (item) throws(ChangeError) -> ValueChange in
      let path = try container.place(store: item.text("store"), key: item.text("key"))
      if item.flag("secret") {
        throw .document("The changes file hides the value of \(path.labelText). Create it with --secrets.")
      }
      var expected: PropertyListValue??
      if let before = item.root["before"] {
        let value = Self.value(before)
        guard value != nil || before == .null else { throw item.damage("before") }
        expected = .some(value)
      }
      guard let after = item.root["after"] else { throw item.damage("after") }
      if after == .null { return ValueChange(path, .removed, expecting: expected) }
      guard let value = Self.value(after) else { throw item.damage("after") }
      return ValueChange(path, .value(value), expecting: expected)
    }
  }

  private static func value(_ json: JSONValue) -> PropertyListValue? {
    switch json {
    case .string, .number, .boolean: json.propertyListValue
    case .object: CodedValue.value(json)
    case .array, .null: nil
    }
  }
}
