import PropertyLists

extension Redaction {
  /// A value that is still to be learned, with its role; JSON with how often it was packed into text.
  enum Item {
    case propertyList(PropertyListValue, ValueRole)
    case json(JSONValue, ValueRole, Int)
    case archived(KeyedValue, ValueRole)
  }

  mutating func learn(_ value: PropertyListValue, of key: String) {
    names.insert(Array(key.utf8))
    learn([.propertyList(value, roles.role(ofKey: key))])
  }

  /// Goes through values in their order, with a list of its own instead of the call stack.
  mutating func learn(_ items: [Item]) {
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
      case .archived(let value, let role): pending += archived(value, role)
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
      let packed = PackedValue(bytes)
      // It is shown with its structure, as text is that is JSON.
      if case .json? = packed { return text(String(decoding: bytes, as: UTF8.self), role, 0) }
      note(Canonical.bytes(value) ?? [], Mask(kind: role.kind(ofType: .data)), role.isStrong, isText: false)
      switch packed {
      case .propertyList(let value): return [.propertyList(value, role)]
      case .archive(let archive): return archive.top.reversed().map { .archived($0.value, role) }
      case .text(let text): return [.propertyList(.string(text), role)]
      case .json, nil: return []
      }
    // A reference says where a value stands and nothing of what it is.
    case .uid: return []
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
    guard !text.isEmpty, subjects[text] == nil else { return [] }
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
    known[canonical] =
      known[canonical] ?? Known(mask: Mask(kind: .text), isStrong: role.isStrong, isText: true, isTelling: false)
    isStale = true
    return [.json(json, role, depth + 1)]
  }

  private mutating func number(_ number: JSONNumber, _ role: ValueRole) {
    let value = JSONValue.number(number).propertyListValue
    guard let canonical = Canonical.bytes(value) else { return }
    guard role != .plain else {
      plain.insert(canonical)
      return
    }
    note(canonical, Mask(kind: role.kind(ofType: .number)), role.isStrong)
    note(alias: number.lexeme, of: value)
  }

  mutating func learnWriteKeys(_ fileName: String, of bundleID: String?) {
    let suites = SuiteName.readings(ofFileName: fileName)
    for suite in suites where suite.bundleID == bundleID || !suites.contains(where: { $0.bundleID == bundleID }) {
      if writeKeys.insert(suite.writeKey).inserted { note(suite.writeKey, .key, isStrong: true) }
    }
  }

  mutating func note(_ text: String, _ kind: Mask.Kind, isStrong: Bool) {
    note(Array(text.utf8), Mask(kind: kind), isStrong)
  }

  mutating func note(_ canonical: [UInt8], _ mask: Mask, _ isStrong: Bool, isText: Bool = true) {
    guard !canonical.isEmpty else { return }
    isStale = true
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
  mutating func note(alias text: String, of value: PropertyListValue) {
    let alias = Array(text.utf8)
    guard let canonical = Canonical.bytes(value), let known = known[canonical], self.known[alias] == nil else { return }
    self.known[alias] = known
    isStale = true
  }

  /// Makes what was learned fit to be looked for in text.
  mutating func seal() {
    guard isStale else { return }
    isStale = false
    var texts: [SensitiveIndex.Entry] = []
    var otherForms: [SensitiveIndex.Entry] = []
    for (canonical, known) in known where known.isText && isSoughtInText(canonical, known) {
      var entry = SensitiveIndex.Entry(
        bytes: canonical, replacement: known.mask.text(), edges: edges(canonical, known.mask.kind),
        isTelling: known.isTelling)
      texts.append(entry)
      for form in OtherForms.of(canonical, known) {
        entry.bytes = form
        otherForms.append(entry)
      }
    }
    // Of equal ones the first counts, and values come in no order.
    texts += otherForms.sorted { ($0.bytes.count, $0.replacement) < ($1.bytes.count, $1.replacement) }
    for key in writeKeys.sorted() {
      guard let known = known[Array(key.utf8)] else { continue }
      texts.append(
        SensitiveIndex.Entry(
          bytes: Array(".analytics.\(key).".utf8), replacement: ".analytics.\(known.mask.text()).", edges: .any,
          isTelling: false))
    }
    index = SensitiveIndex(subjectEntries() + texts)
  }

  /// Short texts, words and numbers stand inside other ones by chance. An id is found as a part of a name all the same:
  /// files and keys are called after users.
  private func edges(_ canonical: [UInt8], _ kind: Mask.Kind) -> SensitiveIndex.Edges {
    let isWord = canonical.allSatisfy(Characters.isLetter)
    let isDigits = canonical.allSatisfy(Characters.isDigit)
    guard isWord || canonical.count < 4 || Self.isNumber(canonical) else { return .any }
    switch kind {
    case .user where isDigits && canonical.count > 1, .id where isDigits && canonical.count >= 4: return .part
    case .user where isWord, .id where isWord:
      return canonical.count < 4 || names.contains(canonical) || bundleWords.contains(canonical) ? .word : .part
    default: return .word
    }
  }

  /// Short numbers and names of keys stand in sentences on their own account.
  private func isSoughtInText(_ canonical: [UInt8], _ known: Known) -> Bool {
    guard canonical.contains(where: { Characters.isWord($0) || $0 >= 0x80 }), !Vocabulary.words.contains(canonical)
    else {
      return false
    }
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
