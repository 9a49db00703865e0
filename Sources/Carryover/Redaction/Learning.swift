import CarryoverSystem
import PropertyLists

extension Redaction {
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

  /// Learns values in their order. Uses a list instead of recursion.
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
      case .json(.number(let number), let role, _): self.number(number, role)
      case .json(.boolean, _, _), .json(.null, _, _): break
      }
    }
  }

  /// Learns a value that is not a container, and returns the values packed in it.
  private mutating func leaf(_ value: PropertyListValue, _ role: ValueRole) -> [Item] {
    switch value {
    case .string(let text): return self.text(text, role, 0)
    case .data(let bytes):
      let packed = PackedValue(bytes)
      // It is shown with its structure, like JSON in text.
      if case .json? = packed { return text(String(decoding: bytes, as: UTF8.self), role, 0) }
      note(Canonical.bytes(value) ?? [], Mask(kind: role.kind(ofType: .data)), role.isStrong, isText: false)
      switch packed {
      case .propertyList(let value): return [.propertyList(value, role)]
      case .archive(let archive): return archive.top.reversed().map { .archived($0.value, role) }
      case .text(let text): return [.propertyList(.string(text), role)]
      case .json, nil: return []
      }
    // A reference is a position in the archive and reveals nothing.
    case .uid: return []
    default:
      guard let canonical = Canonical.bytes(value), let kind = Mask.Kind(value.kind) else { return [] }
      if role == .plain {
        note(plain: canonical)
      } else {
        note(canonical, Mask(kind: role.kind(ofType: kind)), role.isStrong)
      }
      return []
    }
  }

  private mutating func text(_ text: String, _ role: ValueRole, _ depth: Int) -> [Item] {
    guard !text.isEmpty, people.isEmpty || people[text] == nil else { return [] }
    if role == .plain, ValueRole.looksPlain(text) {
      note(plain: Array(text.utf8))
      return []
    }
    guard depth < PackedValue.deepest, let json = PackedValue.json(text) else {
      note(text, role.kind(ofText: text), isStrong: role.isStrong)
      return []
    }
    // It is shown with its structure, but may occur as a whole in a sentence.
    var isNew = false
    text.withBytes { bytes in
      known.update(bytes) { present in
        isNew = present == nil
        return present ?? Known(mask: Mask(kind: .text), isStrong: role.isStrong, isText: true, isTelling: false)
      }
    }
    if isNew { isStale = true }
    return [.json(json, role, depth + 1)]
  }

  private mutating func number(_ number: JSONNumber, _ role: ValueRole) {
    let value = JSONValue.number(number).propertyListValue
    guard let canonical = Canonical.bytes(value) else { return }
    guard role != .plain else {
      note(plain: canonical)
      return
    }
    note(canonical, Mask(kind: role.kind(ofType: .number)), role.isStrong)
    note(alias: number.lexeme, of: value)
  }

  /// Learns the parameters' values from a suite's file name, or from the folder of a target's files.
  mutating func learnParameters(_ path: String, of bundleID: String?) {
    let name = FilePath.name(of: path)
    for suite in suites { note(suite.readings(ofFileName: name), suite.parameters, of: bundleID) }
    // The folder is below the app's data, which has a folder of its own in some containers.
    guard let library = path.firstRange(of: "Library/") else { return }
    let folder = DurableFiles.folder(of: String(path[library.lowerBound...]))
    for template in folders { note(template.readings(of: folder), template.parameters, of: bundleID) }
  }

  private mutating func note(_ readings: [[String: String]], _ parameters: [String], of bundleID: String?) {
    let own = readings.filter { $0[NameTemplate.bundleID] == bundleID }
    for values in own.isEmpty ? readings : own {
      for parameter in parameters { values[parameter].map { note(parameter: $0) } }
    }
  }

  mutating func note(parameter value: String) {
    if parameters.insert(value).inserted { note(value, .key, isStrong: true) }
  }

  mutating func note(_ text: String, _ kind: Mask.Kind, isStrong: Bool) {
    text.withBytes { note($0, Mask(kind: kind), isStrong) }
  }

  mutating func note(_ canonical: [UInt8], _ mask: Mask, _ isStrong: Bool, isText: Bool = true) {
    canonical.withUnsafeBufferPointer { note($0, mask, isStrong, isText: isText) }
  }

  private mutating func note(
    _ canonical: UnsafeBufferPointer<UInt8>, _ mask: Mask, _ isStrong: Bool, isText: Bool = true
  ) {
    guard !canonical.isEmpty else { return }
    var (count, isChanged) = (count, false)
    known.update(canonical) { present in
      guard let present else {
        count += 1
        isChanged = true
        return Known(
          mask: Mask(kind: mask.kind, number: count), isStrong: isStrong || mask.isStrong, isText: isText)
      }
      let new = Known(
        mask: present.mask, isStrong: present.isStrong || isStrong || mask.isStrong, isText: present.isText)
      // Most values occur in several places.
      if new != present { isChanged = true }
      return new
    }
    self.count = count
    if isChanged { isStale = true }
  }

  /// Another spelling of a number gets the number's mask.
  mutating func note(alias text: String, of value: PropertyListValue) {
    guard let canonical = Canonical.bytes(value), let known = known[canonical] else { return }
    var isNew = false
    text.withBytes { bytes in
      self.known.update(bytes) { present in
        isNew = present == nil
        return present ?? known
      }
    }
    if isNew { isStale = true }
  }

  /// Learns a name that is shown.
  mutating func note(name: String) {
    if name.withBytes({ names.insert($0).isNew }) { isStale = true }
  }

  private mutating func note(plain canonical: [UInt8]) {
    if canonical.withUnsafeBufferPointer({ plain.insert($0).isNew }) { isStale = true }
  }
}
