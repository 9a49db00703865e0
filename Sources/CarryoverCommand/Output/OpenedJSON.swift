import Carryover
import PropertyLists

/// What a packed value holds, as JSON with types: an object a value, with its name or index, its type, and its text or
/// what is inside.
struct OpenedJSON {
  /// Whether something in what was coded was packed.
  private(set) var isPacked = false
  /// Whether a secret was left out of it, or may be in what was cut.
  private(set) var hidesSecrets = false
  /// How much is left to code, since what is packed can unfold without end: a value takes one, and what is packed one for
  /// each 256 bytes.
  private var left: Int

  /// - Parameter most: how much is coded.
  init(most: Int) { left = most }

  /// How much of it was not used.
  var rest: Int { left }

  /// A value and everything in it.
  mutating func json(_ value: InspectedValue) -> JSONValue { .object(members(value, depth: 1)) }

  /// Readers of JSON stop at a few hundred levels; each value takes two.
  private static let deepest = 64

  private mutating func members(_ value: InspectedValue, depth: Int) -> [JSONMember] {
    left -= 1 + value.packedSize / 256
    if !value.packings.isEmpty { isPacked = true }
    var members = Self.kind(value.content)
    if !value.packings.isEmpty {
      members.append(JSONMember("packings", JSONValue(value.packings.map(\.rawValue))))
    }
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
        if !hidesSecrets { hidesSecrets = Self.hasSecrets(value, from: place) }
        return [JSONMember("children", .array(children)), JSONMember("cut", .number(JSONNumber(value.count - place)))]
      }
      children.append(.object(members(child, depth: depth + 1)))
    }
    return [JSONMember("children", .array(children))]
  }

  private mutating func members(_ child: InspectedChild, depth: Int) -> [JSONMember] {
    let label =
      switch child.label {
      case .index(let index): JSONMember("index", .number(JSONNumber(index)))
      case .name(let name): JSONMember("name", .string(name))
      }
    guard SecretKeys.holds(child) else { return [label] + members(child.value, depth: depth) }
    hidesSecrets = true
    return [label] + Self.kind(child.raw) + [JSONMember("secret", true)]
  }

  /// Whether a secret is somewhere in a value, from one of its children on; also true where there is too much to look at.
  private static func hasSecrets(_ value: InspectedValue, from place: Int) -> Bool {
    var frames = [(value: value, next: place)]
    var left = 10_000_000
    while var frame = frames.popLast() {
      guard let child = frame.value.child(at: frame.next) else { continue }
      left -= 1
      guard left > 0, !SecretKeys.holds(child) else { return true }
      frame.next += 1
      frames.append(frame)
      let inner = child.value
      left -= inner.packedSize / 256
      if inner.isContainer { frames.append((inner, 0)) }
    }
    return false
  }

  /// The moment a value looks like, as a list; no member where it looks like none.
  static func moments(_ value: InspectedValue) -> [JSONMember] {
    guard let reading = value.moment else { return [] }
    return [
      JSONMember("moments", [["utc": .string(reading.moment.text), "unit": .string(reading.unit.rawValue)]])
    ]
  }

  private static func kind(_ content: InspectedValue.Content) -> [JSONMember] {
    switch content {
    case .propertyList(let value): return [JSONMember("type", .string(value.kind.rawValue))]
    case .json(let json): return [JSONMember("type", .string(type(json)))]
    case .keyed(.orderedSet): return [JSONMember("type", "ordered-set")]
    case .keyed(.object(let object)):
      return [
        JSONMember("type", "object"), JSONMember("class", .string(object.objectClass.name)),
        JSONMember("classes", JSONValue(object.objectClass.chain)),
      ]
    case .keyed(let keyed): return [JSONMember("type", .string(keyed.kind.rawValue))]
    }
  }

  private static func type(_ json: JSONValue) -> String {
    switch json {
    case .object: "object"
    case .array: "array"
    case .string: "string"
    case .number: "number"
    case .boolean: "boolean"
    case .null: "null"
    }
  }

  private static func scalar(_ content: InspectedValue.Content) -> [JSONMember] {
    switch content {
    case .propertyList(let value): return coded(value)
    case .json(.string(let text)): return [JSONMember("value", .string(text))]
    case .json(.number(let number)): return [JSONMember("value", .string(number.lexeme))]
    case .json(.boolean(let flag)): return [JSONMember("value", .string(flag ? "true" : "false"))]
    case .json: return [JSONMember("value", .null)]
    case .keyed(.string(let text)): return coded(.string(text))
    case .keyed(.integer(let integer)): return coded(.integer(integer))
    case .keyed(.real(let real)): return coded(.real(real))
    case .keyed(.boolean(let flag)): return coded(.boolean(flag))
    case .keyed(.date(let date)): return coded(.date(date))
    case .keyed(.data(let bytes)): return coded(.data(bytes))
    case .keyed(.url(let url)):
      return [JSONMember("value", .string(url.relative))]
        + (url.bases.isEmpty ? [] : [JSONMember("bases", JSONValue(url.bases))])
    case .keyed(.uuid(let uuid)): return [JSONMember("value", .string(uuid.description))]
    case .keyed(.cycle(let object)): return [JSONMember("value", .string(String(object)))]
    case .keyed: return [JSONMember("value", .null)]
    }
  }

  /// The value as other output codes it, without its type.
  private static func coded(_ value: PropertyListValue) -> [JSONMember] {
    CodedValue.json(value).members?.filter { $0.name != "type" } ?? []
  }
}
