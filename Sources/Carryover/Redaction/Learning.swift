import CarryoverSystem
import PropertyLists

/// A value as it is compared with others: equal values have the same spelling.
enum Spelling: Hashable {
  case text(StringByBytes)
  case data([UInt8])

  init(_ text: String) { self = .text(StringByBytes(text)) }

  init?(_ value: PropertyListValue) {
    switch value {
    case .string(let text): self.init(text)
    case .integer(let integer): self.init(integer.description)
    case .real(let real): self.init(Int64(exactly: real.value).map { String($0) } ?? real.description)
    case .date(let date): self.init(date.description)
    case .uid(let number): self.init(String(number))
    case .data(let bytes): self = .data(bytes)
    case .boolean, .null, .array, .set, .dictionary: return nil
    }
  }
}

extension PackedValue.Limits {
  static let masking = PackedValue.Limits(
    bytes: 4 << 20, nodes: 100_000,
    json: JSONLimits(size: 4 << 20, depth: Redaction.deepestJSON, values: 100_000, findings: 1), xml: ["<"])
}

extension Redaction {
  static let mostPackings = 4
  static let deepestJSON = 64

  static func json(_ text: String) -> JSONValue? {
    // Only JSON is wanted, so what begins like XML is not read.
    guard text.utf8.first(where: { $0 > 0x20 }) != UInt8(ascii: "<"),
      case .json(let json, _)? = PackedValue(text, .masking)
    else { return nil }
    return json
  }

  /// A value to learn, with its role. For JSON, also how often it was packed in text.
  enum Item {
    case propertyList(PropertyListValue, ValueRole)
    case json(JSONValue, ValueRole, Int)
    case archived(KeyedValue, ValueRole)
  }

  /// - Parameter isNamedByFile: whether a recipe file gave the value this key. Its author could name a key after one whose
  ///   values are shown.
  mutating func learn(_ value: PropertyListValue, of key: String, isNamedByFile: Bool = false) {
    note(name: key)
    var role = roles.role(ofKey: key)
    if isNamedByFile, role == .plain { role = .other }
    switch value {
    case .dictionary, .array, .set: learn([.propertyList(value, role)])
    // Most values are not containers and need no list.
    default: learn(leaf(value, role))
    }
  }

  mutating func learn(_ items: [Item]) {
    guard !items.isEmpty else { return }
    var pending = items
    while let item = pending.popLast() {
      switch item {
      case .propertyList(.dictionary(let dictionary), let role):
        pending += dictionary.entries.reversed().map { entry in
          note(name: entry.key)
          return .propertyList(entry.value, ValueRoles.role(ofName: entry.key, within: role))
        }
      case .propertyList(let value, let role):
        pending += value.children.reversed().map { .propertyList($0, role) }
        pending += leaf(value, role)
      case .archived(let value, let role): pending += archived(value, role)
      case .json(.object(let members), let role, let depth):
        pending += members.reversed().map { member in
          note(name: member.name)
          return .json(member.value, ValueRoles.role(ofName: member.name, within: role), depth)
        }
      case .json(.array(let elements), let role, let depth):
        pending += elements.reversed().map { .json($0, role, depth) }
      case .json(.string(let text), let role, let depth): pending += self.text(text, role, depth)
      case .json(.number(let number), let role, _):
        let value = JSONValue.number(number).propertyListValue
        pending += leaf(value, role)
        if role != .plain { note(alias: number.lexeme, of: value) }
      case .json(.boolean, _, _), .json(.null, _, _): break
      }
    }
  }

  private mutating func leaf(_ value: PropertyListValue, _ role: ValueRole) -> [Item] {
    switch value {
    case .string(let text): return self.text(text, role, 0)
    case .data(let bytes):
      let packed = PackedValue(bytes, .masking)
      // It is shown with its structure, like JSON in text.
      if case .json? = packed { return text(String(decoding: bytes, as: UTF8.self), role, 0) }
      note(.data(bytes), role.kind(ofType: .data), isStrong: role.isStrong)
      switch packed {
      case .propertyList(let value, _): return [.propertyList(value, role)]
      case .archive(let archive, _): return archive.top.reversed().map { .archived($0.value, role) }
      default:
        guard bytes.count <= PackedValue.Limits.masking.bytes, let text = String(utf8: bytes) else { return [] }
        return [.propertyList(.string(text), role)]
      }
    // A reference is a position in the archive and reveals nothing.
    case .uid: return []
    default:
      guard let spelling = Spelling(value), let kind = Mask.Kind(value.kind) else { return [] }
      if role == .plain {
        note(plain: spelling)
      } else {
        note(spelling, role.kind(ofType: kind), isStrong: role.isStrong)
      }
      return []
    }
  }

  private mutating func text(_ text: String, _ role: ValueRole, _ depth: Int) -> [Item] {
    guard !text.isEmpty, person(text) == nil else { return [] }
    let spelling = Spelling(text)
    if role == .plain, ValueRole.looksPlain(text) {
      note(plain: spelling)
      return []
    }
    guard depth < Self.mostPackings, let json = Self.json(text) else {
      note(spelling, role.kind(ofText: text), isStrong: role.isStrong)
      return []
    }
    // It is shown with its structure, but may occur as a whole in a sentence.
    note(spelling, as: Known(mask: Mask(kind: .text), isStrong: role.isStrong, isTelling: false))
    return [.json(json, role, depth + 1)]
  }

  /// The content of a keyed archive's value, last one first. It is learned in its decoded form: in the archive's table,
  /// a dictionary's names are ordinary values and its numbers are references.
  private mutating func archived(_ value: KeyedValue, _ role: ValueRole) -> [Item] {
    switch value {
    case .dictionary(let pairs):
      return pairs.reversed().flatMap { pair -> [Item] in
        guard let name = pair.name else {
          return [.archived(pair.value, role), .archived(pair.key, role)]
        }
        return [named(name, pair.value, role)]
      }
    case .object(let object):
      for name in object.objectClass.chain { note(name: name) }
      return object.members.reversed().map { named($0.name, $0.value, role) }
    case .array(let elements), .set(let elements), .orderedSet(let elements):
      return elements.reversed().map { .archived($0, role) }
    case .plain(let value): return [.propertyList(value, role)]
    case .url(let url): return ([url.relative] + url.bases).reversed().map { .propertyList(.string($0), role) }
    case .uuid(let uuid): return [.propertyList(.string(uuid.description), role)]
    case .cycle: return []
    }
  }

  private mutating func named(_ name: String, _ value: KeyedValue, _ role: ValueRole) -> Item {
    note(name: name)
    return .archived(value, ValueRoles.role(ofName: name, within: role))
  }

  /// Learns the parameters' values from a suite's file name, or from the folder of a target's files.
  mutating func learnParameters(_ path: String, of bundleID: String?) {
    let name = FilePath.name(of: path)
    for suite in suites { note(suite.readings(ofFileName: name), suite.parameters, of: bundleID) }
    // The folder is below the app's data, which has a folder of its own in some containers.
    guard let library = path.firstRange(of: "Library/") else { return }
    let folder = FilePath.folder(of: String(path[library.lowerBound...]))
    for template in folders { note(template.readings(of: folder), template.parameters, of: bundleID) }
  }

  private mutating func note(_ readings: [[String: String]], _ parameters: [String], of bundleID: String?) {
    let own = readings.filter { $0[NameTemplate.bundleID] == bundleID }
    for values in own.isEmpty ? readings : own {
      for parameter in parameters { values[parameter].map { note(parameter: $0) } }
    }
  }

  mutating func note(parameter value: String) {
    guard parameters.insert(value).inserted else { return }
    // It ships in the app, so it is no secret, whatever the name of its member.
    if let present = known[Spelling(value)], present.mask.kind == .secret {
      known[Spelling(value)] = Known(mask: Mask(kind: .key, number: present.mask.number), isStrong: true)
      isStale = true
    }
    note(Spelling(value), .key, isStrong: true)
  }

  mutating func note(_ spelling: Spelling, _ kind: Mask.Kind, isStrong: Bool) {
    guard spelling != Spelling("") else { return }
    let isStrong = isStrong || Mask(kind: kind).isStrong
    guard let present = known[spelling] else {
      count += 1
      note(spelling, as: Known(mask: Mask(kind: kind, number: count), isStrong: isStrong))
      return
    }
    let new = Known(mask: present.mask, isStrong: present.isStrong || isStrong)
    // Most values occur in several places.
    guard new != present else { return }
    known[spelling] = new
    isStale = true
  }

  mutating func note(alias text: String, of value: PropertyListValue) {
    guard let known = Spelling(value).flatMap({ known[$0] }) else { return }
    note(Spelling(text), as: known)
  }

  private mutating func note(_ spelling: Spelling, as new: Known) {
    guard known[spelling] == nil else { return }
    known[spelling] = new
    isStale = true
  }

  mutating func note(name: String) {
    if names.insert(name) { isStale = true }
  }

  private mutating func note(plain spelling: Spelling) {
    if case .text(let text) = spelling, plain.insert(text).inserted { isStale = true }
  }
}
