import CarryoverSystem
package import PropertyLists

extension RunRecord {
  /// The schema of the records that this version writes. A later one is refused; unknown members are allowed.
  static let schema = "carryover.run/1"

  /// The record to write, without its seal. It is also meant for people to read.
  var document: JSONValue {
    var members = [
      JSONMember("schema", .string(Self.schema)),
      JSONMember("id", .string(id.text)),
      JSONMember("kind", .string(kind.rawValue)),
      JSONMember("state", .string(state.rawValue)),
      JSONMember("moment", .string(moment.text)),
      JSONMember("milliseconds", .string(String(moment.millisecondsSince1970))),
      JSONMember("tool", .string(tool)),
      JSONMember("recipe", recipe.json), JSONMember("container", container.json),
    ]
    if !otherRecipes.isEmpty { members.append(JSONMember("otherRecipes", .array(otherRecipes.map(\.json)))) }
    if let rolledBack { members.append(JSONMember("rolledBack", .string(rolledBack.text))) }
    if let batch { members.append(JSONMember("batch", .string(batch.text))) }
    if let heldIn { members.append(JSONMember("heldIn", heldIn.json)) }
    if isPruned { members.append(JSONMember("pruned", .boolean(true))) }
    members.append(JSONMember("files", .array(files.map(\.json))))
    members.append(JSONMember("fields", .array(fields.map(\.json))))
    return .object(members)
  }
}

extension RecipeReference {
  var json: JSONValue {
    .object(
      [JSONMember("id", .string(id)), JSONMember("version", JSONValue(version)), JSONMember("title", .string(title))]
        + fileMembers)
  }

  /// The member that identifies the recipe's file, if it is one.
  package var fileMembers: [JSONMember] {
    digest.map { [JSONMember("sha256", .string($0))] } ?? []
  }
}

extension RecordedContainer {
  var json: JSONValue {
    let members = [("kind", kind.rawValue), ("bundleID", bundleID), ("name", name), ("root", root)]
    return .object(members.compactMap { name, text in text.map { JSONMember(name, .string($0)) } })
  }
}

extension RecordedFile {
  var json: JSONValue {
    .object([
      JSONMember("path", .string(path)), JSONMember("before", before.json), JSONMember("after", after.json),
      JSONMember("folders", JSONValue(folders)),
    ])
  }
}

extension RecordedState {
  fileprivate var json: JSONValue {
    guard case .file(let name, let attributes, let digest) = self else { return .string("absent") }
    var members = [
      JSONMember("name", .string(name)), JSONMember("mode", .string(String(attributes.mode, radix: 8))),
    ]
    if let owner = attributes.owner {
      members.append(JSONMember("user", JSONValue(Int(owner.user))))
      members.append(JSONMember("group", JSONValue(Int(owner.group))))
    }
    return .object(members + digest.members)
  }
}

extension RecordedField {
  fileprivate var json: JSONValue {
    let place = [("recipe", recipe), ("file", file)].compactMap { name, text in
      text.map { JSONMember(name, .string($0)) }
    }
    return .object(
      [JSONMember("id", .string(id))] + place + [
        JSONMember("decision", JSONValue(decision)),
        JSONMember("legacy", Self.json(legacy)),
        JSONMember("proposed", Self.json(proposed)),
        JSONMember("before", Self.json(before)),
        JSONMember("after", Self.json(after)),
        JSONMember("outcome", .string(outcome.rawValue)),
        JSONMember("findings", JSONValue(findings)),
      ])
  }

  private static func json(_ value: RecordedValue?) -> JSONValue {
    switch value {
    case nil: .null
    case .whole(let value): CodedValue.json(value)
    case .summary(let kind, let digest): .object([JSONMember("type", .string(kind.rawValue))] + digest.members)
    }
  }
}
