import PropertyLists

/// Takes out of what is shown everything that tells of a person: each value becomes a mask such as `‹user-1›`, equal
/// values the same one and different values different ones.
///
/// What is not known to be harmless is masked. Shown stay the names of keys, types, booleans, times of sessions, versions
/// and builds, and paths, without the identifiers and write keys in them. The numbers of the masks follow from the order
/// in which values were collected, so the same container has the same masks in every output.
public struct Redaction: Hashable, Sendable {
  /// Whether masks are written in ASCII, as `<user-1>`.
  public var isASCII = false

  private let roles: ValueRoles
  private var known: [[UInt8]: Known] = [:]
  private var plain: Set<[UInt8]> = []
  private var names: Set<[UInt8]> = []
  private var writeKeys: Set<String> = []
  private var count = 0
  private var index = SensitiveIndex()

  private struct Known: Hashable, Sendable {
    var mask: Mask
    var isStrong: Bool
    /// Whether it is looked for in sentences, where it would stand as it is.
    var isText: Bool
  }

  /// A redaction that knows no value yet: every value gets a mask without a number, and e-mail addresses, UUIDs and
  /// telephone numbers are found in any text.
  /// - Parameter recipes: what is known of keys.
  public init(recipes: [Recipe] = [.rudderStackObjC]) { roles = ValueRoles(recipes) }

  /// Learns the values of a container: identities first, then what recipes know, then all others.
  public mutating func learn(_ container: Container) {
    let stores = container.stores.filter { $0.dictionary != nil }
    let steps: [(ValueRole) -> Bool] = [
      { $0 == .of(.user) || $0 == .of(.id) }, { $0 == .trait }, { $0 == .of(.secret) },
    ]
    for isWanted in steps {
      for key in roles.keys(isWanted) {
        for store in stores {
          for entry in store.dictionary?.entries ?? [] where entry.key == key { learn(entry.value, of: key) }
        }
      }
    }
    for store in container.stores {
      switch store.content {
      case .document(let document):
        if let dictionary = store.dictionary {
          for entry in dictionary.entries { learn(entry.value, of: entry.key) }
        } else {
          learn([.propertyList(document.root, .other)])
        }
      case .json(let json): learn([.json(json.value, .other, 0)])
      case .unreadable: break
      }
    }
    for store in container.stores { learnWriteKeys(store.name, of: container.bundleID) }
    for word in [container.bundleID, container.name].compactMap({ $0 }) { names.insert(Array(word.utf8)) }
    seal()
  }

  /// Learns the values of a plan, some of which stand in no store: what an earlier cleanup removed, what a transform made.
  public mutating func learn(_ plan: Plan) {
    for field in plan.fields {
      if let legacy = field.legacy {
        learn(legacy, of: field.id)
        if let text = field.legacyText { note(alias: text, of: legacy) }
      }
      let values = [field.proposed, field.current] + field.alternatives.map(\.value) + field.steps.map(\.result)
      for value in values.compactMap({ $0 }) { learn(value, of: field.id) }
    }
    for entry in plan.basis { entry.value.map { learn($0, of: entry.key) } }
    if let target = plan.target { learnWriteKeys(PathName.last(of: target.path), of: plan.container.bundleID) }
    for key in plan.dropped { key.value.map { learn($0, of: key.key) } }
    seal()
  }

  /// Learns the values that runs wrote and replaced.
  public mutating func learn(_ runs: [RunSummary]) {
    for field in runs.flatMap(\.fields) {
      for value in [field.before, field.after].compactMap({ $0 }) { learn(value, of: field.id.key) }
    }
    seal()
  }

  /// Learns values that were decided on.
  public mutating func learn(_ decisions: Decisions) {
    for (field, decision) in decisions.sorted(by: { $0.key < $1.key }) {
      if case .edit(let value) = decision { learn(value, of: field) }
    }
    seal()
  }

  /// Learns a write key, which a target's path ends with.
  public mutating func learn(writeKey: String) {
    if writeKeys.insert(writeKey).inserted { note(writeKey, .key, isStrong: true) }
    seal()
  }

  /// The mask of a leaf: nil where it is shown. One that was not learned has a mask without a number.
  func mask(_ canonical: [UInt8], kind: Mask.Kind) -> Mask? {
    if let known = known[canonical] { return known.isStrong || !plain.contains(canonical) ? known.mask : nil }
    return plain.contains(canonical) ? nil : Mask(kind: kind)
  }

  /// What stands at an index of a text and must not be shown there.
  func match(_ bytes: [UInt8], at start: Int) -> (replacement: String, length: Int)? {
    let found = index.match(bytes, at: start)
    guard let pattern = TextPattern.match(bytes, at: start), pattern.length > found?.length ?? 0 else { return found }
    let mask = mask(Array(bytes[start..<(start + pattern.length)]), kind: pattern.kind)
    return ((mask ?? Mask(kind: pattern.kind)).text(), pattern.length)
  }
}

// MARK: Learning

extension Redaction {
  private enum Item {
    case propertyList(PropertyListValue, ValueRole)
    case json(JSONValue, ValueRole, Int)
  }

  private mutating func learn(_ value: PropertyListValue, of key: String) {
    names.insert(Array(key.utf8))
    learn([.propertyList(value, roles.role(ofKey: key))])
  }

  /// Goes through values in their order, with a list of its own instead of the call stack.
  private mutating func learn(_ items: [Item]) {
    var pending = items
    while let item = pending.popLast() {
      switch item {
      case .propertyList(.dictionary(let dictionary), let role):
        pending += dictionary.entries.reversed().map { entry in
          names.insert(Array(entry.key.utf8))
          return .propertyList(entry.value, ValueRoles.role(ofName: entry.key, within: role))
        }
      case .propertyList(let value, let role):
        pending += value.children.reversed().map { .propertyList($0, role) }
        pending += leaf(value, role)
      case .json(.object(let members), let role, let depth):
        pending += members.reversed().map { member in
          names.insert(Array(member.name.utf8))
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

  /// Learns a value that holds no others; gives what is packed into it.
  private mutating func leaf(_ value: PropertyListValue, _ role: ValueRole) -> [Item] {
    switch value {
    case .string(let text): return self.text(text, role, 0)
    case .data(let bytes):
      note(Canonical.bytes(value) ?? [], Mask(kind: role.kind(ofType: .data)), role.isStrong, isText: false)
      return PackedValue(bytes).map { packed in
        switch packed {
        case .propertyList(let value): [.propertyList(value, role)]
        case .json(let value): [.json(value, role, 1)]
        case .text(let text): [.propertyList(.string(text), role)]
        }
      } ?? []
    default:
      guard let canonical = Canonical.bytes(value), let kind = Mask.Kind(value.kind) else { return [] }
      if role == .plain {
        plain.insert(canonical)
      } else {
        note(canonical, Mask(kind: role.kind(ofType: kind)), role.isStrong)
      }
      return []
    }
  }

  private mutating func text(_ text: String, _ role: ValueRole, _ depth: Int) -> [Item] {
    guard !text.isEmpty else { return [] }
    if role == .plain, ValueRole.looksPlain(text) {
      plain.insert(Array(text.utf8))
      return []
    }
    guard depth < PackedValue.deepest, let json = PackedValue.json(text) else {
      note(text, role.kind(ofText: text), isStrong: role.isStrong)
      return []
    }
    // It is shown with its structure; in a sentence it may stand as a whole.
    let canonical = Array(text.utf8)
    known[canonical] = known[canonical] ?? Known(mask: Mask(kind: .text), isStrong: role.isStrong, isText: true)
    return [.json(json, role, depth + 1)]
  }

  private mutating func number(_ number: JSONNumber, _ role: ValueRole) {
    let value = JSONValue.number(number).propertyListValue
    guard let canonical = Canonical.bytes(value) else { return }
    note(canonical, Mask(kind: role.kind(ofType: .number)), role.isStrong)
    note(alias: number.lexeme, of: value)
  }

  private mutating func learnWriteKeys(_ fileName: String, of bundleID: String?) {
    let suites = SuiteName.readings(ofFileName: fileName)
    for suite in suites where suite.bundleID == bundleID || !suites.contains(where: { $0.bundleID == bundleID }) {
      if writeKeys.insert(suite.writeKey).inserted { note(suite.writeKey, .key, isStrong: true) }
    }
  }

  private mutating func note(_ text: String, _ kind: Mask.Kind, isStrong: Bool) {
    note(Array(text.utf8), Mask(kind: kind), isStrong)
  }

  private mutating func note(_ canonical: [UInt8], _ mask: Mask, _ isStrong: Bool, isText: Bool = true) {
    guard !canonical.isEmpty else { return }
    if let present = known[canonical] {
      known[canonical] = Known(
        mask: present.mask, isStrong: present.isStrong || isStrong || mask.isStrong, isText: present.isText)
      return
    }
    count += 1
    known[canonical] = Known(
      mask: Mask(kind: mask.kind, number: count), isStrong: isStrong || mask.isStrong, isText: isText)
  }

  /// Another spelling of a number has the number's mask.
  private mutating func note(alias text: String, of value: PropertyListValue) {
    let alias = Array(text.utf8)
    guard let canonical = Canonical.bytes(value), let known = known[canonical], self.known[alias] == nil else { return }
    self.known[alias] = known
  }

  /// Makes what was learned fit to be looked for in text.
  private mutating func seal() {
    var texts: [[UInt8]: (replacement: String, isToken: Bool)] = [:]
    for (canonical, known) in known where known.isText && isSoughtInText(canonical, known) {
      let isToken = canonical.count < 4 || canonical.allSatisfy(Characters.isLetter) || Self.isNumber(canonical)
      texts[canonical] = (known.mask.text(), isToken)
      let escaped = Array(DisplayText.escaped(String(decoding: canonical, as: UTF8.self)).utf8)
      if escaped != canonical { texts[escaped] = (known.mask.text(), isToken) }
    }
    for key in writeKeys {
      guard let known = known[Array(key.utf8)] else { continue }
      texts[Array(".analytics.\(key).".utf8)] = (".analytics.\(known.mask.text()).", false)
    }
    index = SensitiveIndex(texts)
  }

  /// Short numbers and names of keys stand in sentences on their own account.
  private func isSoughtInText(_ canonical: [UInt8], _ known: Known) -> Bool {
    guard canonical.contains(where: { Characters.isWord($0) || $0 >= 0x80 }) else { return false }
    if known.mask.isStrong { return true }
    if plain.contains(canonical) && !known.isStrong { return false }
    return !names.contains(canonical) && !Self.words.contains(canonical)
      && (!Self.isNumber(canonical) || canonical.count >= 7)
  }

  private static func isNumber(_ bytes: [UInt8]) -> Bool {
    bytes.allSatisfy { Characters.isDigit($0) || [0x2B, 0x2D, 0x2E].contains($0) }
  }

  /// Words of our own that say nothing of a person.
  private static let words = Set(
    ["true", "false", "null", "yes", "no", "none", "a", "an", "the", "is", "in", "of"].map { Array($0.utf8) })
}
