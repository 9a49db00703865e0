import CarryoverSystem
package import PropertyLists

/// Changes as a JSON document, `carryover.changes/1`: what a preview prints is what `set --from` reads.
///
/// Each change has a store, a key as it is typed, and the value after it; null removes the value. A value has its type,
/// as ``CodedValue`` writes it, or is a JSON string, number or boolean. In one with its type, numbers and booleans need
/// no quotation marks. A value before it, if the document has it, must be the one that the changes before it leave; null
/// for none.
package enum ChangeDocument {
  package static let schema = "carryover.changes/1"
  package static let largest = 64 << 20
  private static let members = ["store", "key", "before", "after", "secret"]

  /// - Parameter hides: whether the values of a change are left out.
  package static func json(_ plan: ChangePlan, hides: (PlannedChange) -> Bool) -> JSONValue {
    .object(["schema": schema, "changes": plan.changes.map { json($0, isHidden: hides($0)) }])
  }

  package static func json(_ change: PlannedChange, isHidden: Bool) -> JSONValue {
    func coded(_ value: PropertyListValue?) -> JSONValue { isHidden ? .null : value.map(CodedValue.json) ?? .null }
    // A removal needs no value, so it can be made from a document that hides it.
    let isRemoval = change.after == nil
    return .object(present: [
      "store": change.path.store, "key": change.path.labelText,
      "before": isHidden && isRemoval ? nil : coded(change.before), "after": coded(change.after),
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
      func damage(_ member: String, _ reason: String) -> ChangeError {
        .document("The changes file cannot be read: \(item.name(of: member)): \(reason).")
      }
      // A member with another name, such as a misspelled `before`, would be a check that is not made.
      if let other = item.root.members?.first(where: { !members.contains($0.name) }) {
        throw damage(DisplayText.harmless(ValueWording.cut(other.name)), "unknown member")
      }
      func text(_ member: String) throws(ChangeError) -> String {
        guard let text = item.root[member]?.stringValue else {
          throw damage(member, "the member is missing or not text")
        }
        return text
      }
      let path = try container.place(store: text("store"), key: text("key"))
      if item.flag("secret") {
        throw .document("The changes file hides the value of \(path.labelText). Create it with --secrets.")
      }
      var expected: PropertyListValue??
      if let before = item.root["before"] {
        let value = Self.value(before)
        guard value != nil || before == .null else { throw damage("before", Self.defect(of: before)) }
        expected = .some(value)
      }
      guard let after = item.root["after"] else {
        throw damage("after", "the member is missing; null removes the value")
      }
      if after == .null { return ValueChange(path, .removed, expecting: expected) }
      guard let value = Self.value(after) else { throw damage("after", Self.defect(of: after)) }
      return ValueChange(path, .value(value), expecting: expected)
    }
  }

  private static func value(_ json: JSONValue) -> PropertyListValue? {
    switch json {
    case .string, .number, .boolean: json.propertyListValue
    case .object: CodedValue.value(spelled(json))
    case .array, .null: nil
    }
  }

  /// As ``CodedValue`` writes it: a number or a boolean as text, and the type `number`, which JSON has, as an integer or
  /// a real.
  private static func spelled(_ json: JSONValue) -> JSONValue {
    guard var members = json.members, let place = members.firstIndex(where: { $0.name == "value" }) else { return json }
    let type = json["type"]?.stringValue
    switch members[place].value {
    case .number(let number) where ["number", "integer", "real"].contains(type):
      members[place].value = .string(number.lexeme)
    case .boolean(let flag) where type == "boolean": members[place].value = .string(flag ? "true" : "false")
    case .array(let elements) where type == "array" || type == "set":
      members[place].value = .array(elements.map(spelled))
    case .object(let inner) where type == "dictionary":
      members[place].value = .object(inner.map { JSONMember($0.name, spelled($0.value)) })
    default: break
    }
    if type == "number", let number = members[place].value.stringValue.flatMap({ JSONNumber(lexeme: $0) }),
      number.double != nil, let word = members.firstIndex(where: { $0.name == "type" })
    {
      members[word].value = .string(number.isInteger ? "integer" : "real")
    }
    return .object(members)
  }

  private static let types = ["string", "integer", "real", "number", "boolean", "date", "data", "array", "dictionary"]

  /// Why something is not a value.
  private static func defect(of json: JSONValue) -> String {
    guard json.members != nil else { return "a list needs a type: {\"type\": \"array\", \"value\": […]}" }
    guard let type = json["type"]?.stringValue else { return "the value has no type" }
    guard type == "number" || PropertyListValue.Kind(rawValue: type) != nil else {
      return "type \(DisplayText.quoted(ValueWording.cut(type))) is unknown; the types are "
        + ValueWording.listed(types)
    }
    return "the value does not fit its type, \(type)"
  }
}
