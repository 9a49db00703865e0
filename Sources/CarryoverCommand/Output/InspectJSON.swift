import Carryover
import CarryoverVendors
import PropertyLists

/// Every store of a container with its keys, as `carryover.inspect/1`, printed key by key: there may be millions.
struct InspectJSON {
  /// How much is left to open, over all stores.
  private var left = 5_000_000
  private var output: DocumentOutput

  init(_ masking: Masking) { output = DocumentOutput(schema: "carryover.inspect/1", masking) }

  mutating func write(
    _ container: Container, stores: [InspectedStore], matches: [InspectedSearch.Match]? = nil
  ) throws {
    try output.member(
      "container",
      .object([
        JSONMember("kind", .string(container.kind.rawValue)), JSONMember("bundleID", JSONValue(container.bundleID)),
        JSONMember("bundleIDFrom", JSONValue(container.bundleIDOrigin?.rawValue)),
      ]))
    try output.member("writeKeys", .array(container.writeKeys.map(JSONValue.string)))
    try output.member("notices", .array(container.notices.map(JSONValue.string)))
    if let unread = container.unread { try output.member("unread", Self.json(unread)) }
    let remarks = container.remarks
    output.beginArray("stores")
    for store in stores { try write(store, remarks.filter { $0.path.hasSameBytes(as: store.store.path) }) }
    output.end()
    let signs = remarks.filter { $0.subject == .sign }
    if !signs.isEmpty {
      try output.member(
        "signs", .array(signs.map { ["path": .string($0.path), "remarks": .array([.object($0.members)])] }))
    }
    if let matches {
      output.beginArray("matches")
      for match in matches { try output.element(Self.json(match)) }
      output.end()
    }
    try output.finish()
  }

  /// A store, with what is known of it from the SDK that wrote it.
  private mutating func write(_ store: InspectedStore, _ remarks: [StoreRemark]) throws {
    output.beginObject()
    try output.member("path", .string(store.store.path))
    if let size = store.store.size { try output.member("size", .number(JSONNumber(size))) }
    if let format = store.store.format {
      try output.member("readable", .boolean(true))
      try output.member("format", .string(format))
      try output.member("findings", .array(store.store.findings.map(JSONValue.string)))
      try writeContents(store)
    } else {
      try output.member("readable", .boolean(false))
      try output.member("reason", .string(store.store.problem ?? ""))
    }
    if !remarks.isEmpty { try output.member("remarks", .array(remarks.map { .object($0.members) })) }
    output.end()
  }

  private mutating func writeContents(_ store: InspectedStore) throws {
    guard let root = store.root else { return }
    switch root.content {
    case .propertyList(.dictionary), .json(.object):
      output.beginArray("keys")
      for child in store.keys { try output.element(entry(child)) }
      output.end()
    default:
      var opened = OpenedJSON(most: left)
      let json = opened.json(root)
      left = opened.rest
      output.beginArray("keys")
      // What stands in the file of an archive is its object table; it would tell what the opened form leaves out.
      let raw = opened.hidesSecrets ? [] : store.store.dictionary?.entries ?? []
      for entry in raw { try output.element(["key": .string(entry.key), "value": CodedValue.json(entry.value)]) }
      output.end()
      try output.member("opened", json)
    }
  }

  private mutating func entry(_ child: InspectedChild) -> JSONValue {
    let name = JSONMember("key", JSONValue(child.label.name))
    guard !SecretKeys.holds(child) else {
      return .object([name, JSONMember("value", .null), JSONMember("secret", true)])
    }
    let value = child.value
    var opened = OpenedJSON(most: left)
    let isPlain = value.stored != nil && !value.isContainer && value.packings.isEmpty
    let json = isPlain ? .null : opened.json(value)
    if opened.isPacked || opened.hidesSecrets || value.stored == nil { left = opened.rest }
    var members = [name]
    if opened.hidesSecrets {
      // The value as it is stored has the secret in it.
      members += [JSONMember("value", .null), JSONMember("secret", true), JSONMember("opened", json)]
    } else {
      members.append(JSONMember("value", value.stored.map(CodedValue.json) ?? .null))
      if opened.isPacked || value.stored == nil { members.append(JSONMember("opened", json)) }
    }
    return .object(members + OpenedJSON.moments(value))
  }

  private static func json(_ unread: UnreadFiles) -> JSONValue {
    [
      "files": JSONValue(unread.count), "more": .boolean(unread.isCut), "notLookedAt": JSONValue(unread.unknown),
      "data": .array(unread.data.map { ["path": .string($0.path), "form": .string($0.form.rawValue)] }),
    ]
  }

  private static func json(_ match: InspectedSearch.Match) -> JSONValue {
    let labels: [JSONValue] = match.path.labels.map { label in
      switch label {
      case .name(let name): .string(name)
      case .index(let index): .number(JSONNumber(index))
      }
    }
    return [
      "store": .string(match.path.store), "path": .array(labels), "text": .string(match.path.text),
      "in": match.isInName ? "name" : "value",
    ]
  }
}
