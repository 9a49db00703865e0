import Carryover
import CarryoverPages
import CarryoverReview
import CarryoverStorage
import CarryoverVendors

/// `carryover.inspect/1`, printed key by key, because there may be millions: the same bytes as the whole document printed
/// at once.
struct InspectJSON {
  private var left = 5_000_000
  private var writer = JSONWriter(pretty: true, visible: true)
  private let masking: Masking

  init(_ masking: Masking) { self.masking = masking }

  mutating func write(
    _ container: Container, stores: [InspectedStore], matches: [InspectedSearch.Match]? = nil
  ) throws {
    writer.beginObject()
    writer.name("schema")
    writer.write("carryover.inspect/1")
    if masking.isOn {
      writer.name("redacted")
      writer.write(true)
    }
    try member(
      "container",
      JSONValue.object([
        "kind": container.kind, "bundleID": container.bundleID, "bundleIDFrom": container.bundleIDOrigin,
      ]))
    try member("writeKeys", container.writeKeys)
    try member("notices", container.notices)
    if let unread = container.unread { try member("unread", Self.json(unread)) }
    let remarks = container.remarks
    beginArray("stores")
    for store in stores { try write(store, remarks.filter { $0.path.hasSameBytes(as: store.store.path) }) }
    writer.end()
    let signs = remarks.filter { $0.subject == .sign }
    if !signs.isEmpty {
      try member(
        "signs", signs.map { JSONValue.object(["path": $0.path, "remarks": [JSONValue.object($0.members)]]) })
    }
    if let matches {
      beginArray("matches")
      for match in matches { try element(Self.json(match)) }
      writer.end()
    }
    writer.end()
    try Console.write(writer.take() + Array("\n".utf8))
  }

  private mutating func member(_ name: String, _ value: some JSONConvertible) throws {
    writer.name(name)
    writer.write(masking.member(JSONMember(name, value.json)).value)
    try pass()
  }

  private mutating func element(_ value: JSONValue) throws {
    writer.write(masking.element(value))
    try pass()
  }

  private mutating func beginArray(_ name: String) {
    writer.name(name)
    writer.beginArray()
  }

  private mutating func pass() throws {
    if writer.count >= PieceOutput.size { try Console.write(writer.take()) }
  }

  private mutating func write(_ store: InspectedStore, _ remarks: [StoreRemark]) throws {
    writer.beginObject()
    try member("path", store.store.path)
    if let size = store.store.size { try member("size", size) }
    if let format = store.store.format {
      try member("readable", true)
      try member("format", format)
      try member("findings", store.store.findings)
      if let tables = store.store.tables {
        try member("tables", tables.tables.map(Self.json))
        try member("notices", tables.problems)
      }
      try writeContents(store)
    } else {
      try member("readable", false)
      try member("reason", store.store.problem ?? "")
    }
    if !remarks.isEmpty { try member("remarks", remarks.map { JSONValue.object($0.members) }) }
    writer.end()
  }

  private mutating func writeContents(_ store: InspectedStore) throws {
    guard let root = store.root else { return }
    switch root.content {
    case .propertyList(.dictionary), .json(.object):
      beginArray("keys")
      for child in store.keys { try element(entry(child)) }
      writer.end()
    default:
      var opened = OpenedJSON(most: left)
      let json = opened.json(root)
      left = opened.left
      beginArray("keys")
      // The file of an archive has an object table, which would show what the opened form omits.
      let raw = opened.hidesSecrets ? [] : store.store.dictionary?.entries ?? []
      for entry in raw { try element(.object(["key": entry.key, "value": CodedValue.json(entry.value)])) }
      writer.end()
      try member("opened", json)
    }
  }

  private mutating func entry(_ child: InspectedChild) -> JSONValue {
    let name = JSONMember("key", JSONValue(child.label.name))
    guard !Secrets.holds(child) else {
      return .object([name, JSONMember("value", .null), JSONMember("secret", true)])
    }
    let value = child.value
    var opened = OpenedJSON(most: left)
    let isPlain = value.stored != nil && !value.isContainer && value.packings.isEmpty
    let json = isPlain ? .null : opened.json(value)
    if opened.isPacked || opened.hidesSecrets || value.stored == nil { left = opened.left }
    var members = [name]
    if opened.hidesSecrets {
      // The stored value contains the secret.
      members += [JSONMember("value", .null), JSONMember("secret", true), JSONMember("opened", json)]
    } else {
      members.append(JSONMember("value", value.stored.map(CodedValue.json) ?? .null))
      if opened.isPacked || value.stored == nil { members.append(JSONMember("opened", json)) }
    }
    return .object(members + OpenedJSON.moments(value))
  }

  private static func json(_ unread: UnreadFiles) -> JSONValue {
    .object([
      "files": unread.count, "more": unread.isCut, "notLookedAt": unread.unknown,
      "data": unread.data.map { JSONValue.object(["path": $0.path, "form": $0.form.rawValue]) },
      "others": unread.others,
    ])
  }

  private static func json(_ table: DatabaseTable) -> JSONValue {
    let (count, isExact): (Int?, Bool) =
      switch table.count {
      case .exactly(let count): (count, true)
      case .moreThan(let count): (count, false)
      case .unknown: (nil, false)
      }
    return .object([
      "name": table.name,
      "columns": table.columns.map { JSONValue.object(["name": $0.name, "declared": $0.type, "key": $0.isKey]) },
      "read": table.rows.count, "rows": count, "exact": isExact,
      "rowsNamedBy": table.isNamedByKey ? "primary-key" : "rowid",
    ])
  }

  private static func json(_ match: InspectedSearch.Match) -> JSONValue {
    .object([
      "store": match.path.store, "path": match.path, "text": match.path.text, "in": match.isInName ? "name" : "value",
    ])
  }
}

/// What a packed value contains, as JSON: for each value its name or index, its type, and its text or its children.
struct OpenedJSON {
  private(set) var isPacked = false
  /// Whether a secret was omitted, or may be in what was cut.
  private(set) var hidesSecrets = false
  /// How much may still be coded, because packed values can unfold without end: a value counts as one, packed ones also
  /// one for each 256 bytes.
  private(set) var left: Int

  init(most: Int) { left = most }

  mutating func json(_ value: InspectedValue) -> JSONValue { .object(members(value, depth: 1)) }

  mutating func json(_ child: InspectedChild, isSecret: Bool) -> JSONValue {
    isSecret ? secret(child) : json(child.value)
  }

  /// Only the type of a secret.
  private func secret(_ child: InspectedChild) -> JSONValue {
    .object(Self.kind(child.raw) + [JSONMember("secret", true)])
  }

  /// Readers of JSON stop at a few hundred levels; each value takes two.
  private static let deepest = 64

  private mutating func members(_ value: InspectedValue, depth: Int) -> [JSONMember] {
    left -= 1 + value.packedSize / 256
    if !value.packings.isEmpty { isPacked = true }
    var members = Self.kind(value.content)
    if !value.packings.isEmpty { members.append(JSONMember("packings", value.packings.json)) }
    if value.isContainer {
      members += inside(value, depth: depth)
    } else {
      members += Self.scalar(value.content)
    }
    return members + Self.moments(value)
  }

  private mutating func inside(_ value: InspectedValue, depth: Int) -> [JSONMember] {
    var children: [JSONValue] = []
    for place in 0..<value.count {
      guard left > 0, depth < Self.deepest, let child = value.child(at: place) else {
        if !hidesSecrets { hidesSecrets = Secrets.areIn(value, from: place) }
        return [JSONMember("children", .array(children)), JSONMember("cut", (value.count - place).json)]
      }
      children.append(.object(members(child, depth: depth + 1)))
    }
    return [JSONMember("children", .array(children))]
  }

  private mutating func members(_ child: InspectedChild, depth: Int) -> [JSONMember] {
    let label =
      switch child.label {
      case .index(let index): JSONMember("index", index.json)
      case .key(let key): JSONMember("name", key.text.json)
      }
    guard Secrets.holds(child) else { return [label] + members(child.value, depth: depth) }
    hidesSecrets = true
    return [label] + (secret(child).members ?? [])
  }

  static func moments(_ value: InspectedValue) -> [JSONMember] {
    guard let reading = value.moment else { return [] }
    return [JSONMember("moments", [.object(["utc": reading.moment, "unit": reading.unit])])]
  }

  private static func kind(_ content: InspectedValue.Content) -> [JSONMember] {
    switch content {
    case .propertyList(let value): return [JSONMember("type", value.kind.json)]
    case .json(let json): return [JSONMember("type", json.kind.json)]
    case .keyed(.orderedSet): return [JSONMember("type", "ordered-set")]
    case .keyed(.object(let object)):
      return [
        JSONMember("type", "object"), JSONMember("class", object.objectClass.name.json),
        JSONMember("classes", object.objectClass.chain.json),
      ]
    case .keyed(let keyed): return [JSONMember("type", keyed.kind.json)]
    }
  }

  private static func scalar(_ content: InspectedValue.Content) -> [JSONMember] {
    switch content {
    case .propertyList(let value): return coded(value)
    case .json(.string(let text)): return [JSONMember("value", text.json)]
    case .json(.number(let number)): return [JSONMember("value", number.lexeme.json)]
    case .json(.boolean(let flag)): return [JSONMember("value", .string(flag ? "true" : "false"))]
    case .json: return [JSONMember("value", .null)]
    case .keyed(.url(let url)):
      return [JSONMember("value", url.relative.json)]
        + (url.bases.isEmpty ? [] : [JSONMember("bases", url.bases.json)])
    case .keyed(.uuid(let uuid)): return [JSONMember("value", uuid.description.json)]
    case .keyed(.cycle(let object)): return [JSONMember("value", String(object).json)]
    case .keyed: return [JSONMember("value", .null)]
    }
  }

  /// Without its type.
  private static func coded(_ value: PropertyListValue) -> [JSONMember] {
    CodedValue.json(value).members?.filter { $0.name != "type" } ?? []
  }
}
