import Carryover
import PropertyLists
import Review

/// Every store of a container with its keys, as text and as `carryover.inspect/1`.
enum InspectOutput {
  static func json(_ container: Container, stores: [Store]) -> JSONValue {
    .object([
      JSONMember("schema", .string("carryover.inspect/1")),
      JSONMember(
        "container",
        .object([
          JSONMember("kind", .string(container.kind.rawValue)), JSONMember("bundleID", JSONValue(container.bundleID)),
          JSONMember("bundleIDFrom", JSONValue(container.bundleIDOrigin?.rawValue)),
        ])),
      JSONMember("writeKeys", .array(container.writeKeys.map(JSONValue.string))),
      JSONMember("notices", .array(container.notices.map(JSONValue.string))),
      JSONMember("stores", .array(stores.map(store))),
    ])
  }

  static func lines(_ container: Container, stores: [Store], columns: Int, _ masking: Masking) -> [String] {
    var lines = [
      "\(container.bundleID ?? "unknown app") · \(container.kind.rawValue) · \(container.stores.count) stores"
    ]
    lines += container.notices.map { "! " + $0 }
    for store in stores {
      lines += ["", store.path + " · " + summary(store)]
      guard let dictionary = store.dictionary else { continue }
      var table = Table(limits: [40, 10, nil], masking: masking)
      for entry in dictionary.entries {
        table.add([
          "  " + entry.key, entry.value.kind.rawValue, SecretKeys.text(masking.value(entry.value), of: entry.key),
        ])
      }
      lines += table.lines(columns: columns)
    }
    return lines
  }

  private static func summary(_ store: Store) -> String {
    switch store.content {
    case .unreadable(let reason): "unreadable: \(reason)"
    case .json: "json"
    case .document(let document):
      "\(document.format.rawValue) · "
        + (store.dictionary.map { $0.count == 1 ? "1 key" : "\($0.count) keys" } ?? "no dictionary")
        + document.findings.map { "\n  ! \($0.description)" }.joined()
    }
  }

  private static func store(_ store: Store) -> JSONValue {
    var members = [JSONMember("path", .string(store.path))]
    switch store.content {
    case .unreadable(let reason):
      members += [JSONMember("readable", .boolean(false)), JSONMember("reason", .string(reason))]
    case .json: members += [JSONMember("readable", .boolean(true)), JSONMember("format", "json")]
    case .document(let document):
      members += [
        JSONMember("readable", .boolean(true)), JSONMember("format", .string(document.format.rawValue)),
        JSONMember("findings", .array(document.findings.map { .string($0.description) })),
        JSONMember("keys", .array((store.dictionary?.entries ?? []).map(entry))),
      ]
    }
    return .object(members)
  }

  private static func entry(_ entry: PropertyListDictionary.Entry) -> JSONValue {
    SecretKeys.all.contains(entry.key)
      ? ["key": .string(entry.key), "value": nil, "secret": true]
      : ["key": .string(entry.key), "value": CodedValue.json(entry.value)]
  }
}
