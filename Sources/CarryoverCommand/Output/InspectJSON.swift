import Carryover
import PropertyLists

/// Every store of a container with its keys, as `carryover.inspect/1`.
struct InspectJSON {
  /// How much is left to open, over all stores.
  private var left = 5_000_000

  mutating func value(
    _ container: Container, stores: [InspectedStore], matches: [InspectedSearch.Match]? = nil
  ) -> JSONValue {
    var members = [
      JSONMember("schema", .string("carryover.inspect/1")),
      JSONMember(
        "container",
        .object([
          JSONMember("kind", .string(container.kind.rawValue)), JSONMember("bundleID", JSONValue(container.bundleID)),
          JSONMember("bundleIDFrom", JSONValue(container.bundleIDOrigin?.rawValue)),
        ])),
      JSONMember("writeKeys", .array(container.writeKeys.map(JSONValue.string))),
      JSONMember("notices", .array(container.notices.map(JSONValue.string))),
    ]
    var coded: [JSONValue] = []
    let remarks = container.convertRemarks
    for store in stores { coded.append(Self.adding(remarks.filter { $0.path == store.store.path }, to: json(store))) }
    members.append(JSONMember("stores", .array(coded)))
    let signs = remarks.filter { $0.kind == .uploading }
    if !signs.isEmpty {
      members.append(JSONMember("signs", .array(signs.map { Self.adding([$0], to: ["path": .string($0.path)]) })))
    }
    if let matches { members.append(JSONMember("matches", .array(matches.map(Self.json)))) }
    return .object(members)
  }

  /// A file with what is known of it from the SDK that wrote it.
  private static func adding(_ remarks: [ConvertRemark], to file: JSONValue) -> JSONValue {
    guard !remarks.isEmpty, let members = file.members else { return file }
    return .object(members + [JSONMember("remarks", .array(remarks.map(json)))])
  }

  private static func json(_ remark: ConvertRemark) -> JSONValue {
    var members = [
      JSONMember("sdk", "convert"), JSONMember("is", .string(remark.kind.rawValue)),
      JSONMember("state", .string(remark.state.rawValue)),
    ]
    switch remark.kind {
    case .queue: members.append(JSONMember("events", JSONValue(remark.count)))
    case .decisions: members.append(JSONMember("entries", JSONValue(remark.count)))
    case .configuration, .uploading, .mirror: break
    }
    if remark.kind == .queue || remark.kind == .decisions {
      members.append(JSONMember("visitors", JSONValue(remark.visitors)))
    }
    return .object(members + [JSONMember("sentence", .string(remark.sentence))])
  }

  private mutating func json(_ store: InspectedStore) -> JSONValue {
    var members = [JSONMember("path", .string(store.store.path))]
    if let size = store.store.size { members.append(JSONMember("size", .number(JSONNumber(size)))) }
    switch store.store.content {
    case .unreadable(let reason):
      return .object(members + [JSONMember("readable", .boolean(false)), JSONMember("reason", .string(reason))])
    case .json(let text):
      members += [
        JSONMember("readable", .boolean(true)), JSONMember("format", "json"),
        JSONMember("findings", .array(text.findings.map { .string($0.description) })),
      ]
    case .document(let document):
      members += [
        JSONMember("readable", .boolean(true)), JSONMember("format", .string(document.format.rawValue)),
        JSONMember("findings", .array(document.findings.map { .string($0.description) })),
      ]
    }
    return .object(members + contents(store))
  }

  private mutating func contents(_ store: InspectedStore) -> [JSONMember] {
    guard let root = store.root else { return [] }
    switch root.content {
    case .propertyList(.dictionary), .json(.object):
      var keys: [JSONValue] = []
      for child in store.keys { keys.append(entry(child)) }
      return [JSONMember("keys", .array(keys))]
    default:
      var opened = OpenedJSON(most: left)
      let json = opened.json(root)
      left = opened.rest
      // What stands in the file of an archive is its object table; it would tell what the opened form leaves out.
      let raw = opened.hidesSecrets ? [] : store.store.dictionary?.entries ?? []
      let keys: [JSONValue] = raw.map { ["key": .string($0.key), "value": CodedValue.json($0.value)] }
      return [JSONMember("keys", .array(keys)), JSONMember("opened", json)]
    }
  }

  private mutating func entry(_ child: InspectedChild) -> JSONValue {
    let name = JSONMember("key", JSONValue(child.label.name))
    guard child.label.name.map(SecretKeys.all.contains) != true else {
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
