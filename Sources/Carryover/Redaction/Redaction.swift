import CarryoverSystem
import PropertyLists

/// Masks personal data in all output: each value becomes a mask such as `‹user-1›`. Equal values have the same mask,
/// and different values have different masks.
///
/// Everything that is not known to be harmless is masked. Output still shows the names of keys, types, booleans,
/// session times, versions and builds, and paths without identifiers and write keys. Masks are numbered in the order in
/// which the values were learned, so a container has the same masks in every output.
package struct Redaction: Hashable, Sendable {
  /// Whether masks are written in ASCII, as `<user-1>`.
  package var isASCII = false

  let roles: ValueRoles
  private let knowledge: [Knowledge]
  var known = ByteMap<Known>()
  var plain = ByteTable()
  var names = ByteTable()
  /// The words between the dots of bundle identifiers, which also occur in paths by themselves.
  var bundleWords: Set<[UInt8]> = []
  /// The values of recipes' parameters, such as write keys.
  var parameters: Set<String> = []
  /// The templates of the suites whose names have a parameter.
  let suites: [NameTemplate]
  /// The templates of the folders for targets whose names have a parameter.
  let folders: [NameTemplate]
  /// The people after whom entries are named, by the whole name.
  var people: [StringByBytes: PersonInName] = [:]
  var count = 0
  /// Whether the index lacks learned values.
  var isStale = false
  /// The index for searching in text.
  private(set) var index = LateIndex()

  struct Known: Hashable, Sendable {
    var mask: Mask
    var isStrong: Bool
    /// Whether it is searched for in sentences, where it would be unchanged.
    var isText: Bool
    /// Whether its beginning alone reveals it, if the rest was truncated.
    var isTelling = true
  }

  /// The roles whose values are learned first, so that they get the lowest numbers and the right kinds.
  private static let first: [Set<ValueRole>] = [[.of(.user), .of(.id)], [.trait], [.of(.secret)]]

  /// A redaction that has learned no value yet. Every value gets a mask without a number; e-mail addresses, UUIDs and
  /// telephone numbers are found in any text.
  /// - Parameter recipes: the recipes with knowledge of keys.
  package init(recipes: [Recipe]) {
    roles = ValueRoles(recipes)
    (suites, folders) = (recipes.namedSuites, recipes.namedFolders)
    var seen: Set<Knowledge> = []
    knowledge = recipes.map(\.knowledge).filter { $0.vendor != nil && seen.insert($0).inserted }
  }

  /// The vendors with known names and words.
  var vendors: [any Vendor] { knowledge.compactMap(\.vendor) }

  /// Learns the values of a container: first identities, then those that recipes know, then all others.
  package mutating func learn(_ container: Container) {
    var named: [StringByBytes: [PropertyListValue]] = [:]
    for store in container.stores {
      let entries = store.entries
      for entry in entries where roles.isNamed(entry.key) { named[entry.key, default: []].append(entry.value) }
      names.reserve(entries.count)
      known.reserve(entries.count)
    }
    for (place, wanted) in Self.first.enumerated() {
      for key in roles.keys(in: wanted) {
        for value in named[key] ?? [] { learn(value, of: key) }
      }
      if place == 0 { for store in container.stores { learnPeople(in: store) } }
    }
    for store in container.stores {
      switch store.content {
      case .document(let document):
        if let archive = try? KeyedArchive(document) {
          learn(archive.top.map { .archived($0.value, .other) })
        } else if let dictionary = store.dictionary {
          for entry in dictionary.entries { learn(entry.value, of: entry.key) }
        } else {
          learn([.propertyList(document.root, .other)])
        }
      case .json(let json): learn([.json(json.value, .other, 0)])
      case .database: for entry in store.entries { learn(entry.value, of: entry.key) }
      case .unreadable: break
      }
    }
    for store in container.stores { learnParameters(store.path, of: container.bundleID) }
    if let bundleID = container.bundleID { note(name: bundleID) }
    for word in container.bundleID?.utf8.split(separator: UInt8(ascii: ".")) ?? [] {
      if bundleWords.insert(Array(word)).inserted { isStale = true }
    }
    note(containerName: container.name)
    seal()
  }

  /// A name with personal data in it probably contains more, so it is masked as a whole.
  private mutating func note(containerName name: String) {
    let stem = name.split(separator: ".", maxSplits: 1).first.map(String.init) ?? name
    let words = [stem] + name.split { " ._-".contains($0) }.map(String.init)
    let isPersonal = TextPattern.occurs(in: name) || words.contains { known[Array($0.utf8)]?.isStrong == true }
    if isPersonal { note(name, .text, isStrong: true) } else { note(name: name) }
  }

  /// Learns the values of a plan. Some are in no store, such as those that a cleanup removed or a transform computed.
  package mutating func learn(_ plan: Plan) {
    let isFile = plan.recipePlans.contains { if case .file = $0.definition.origin { true } else { false } }
    for field in plan.fields {
      if let legacy = field.legacy {
        learn(legacy, of: field.key, isNamedByFile: isFile)
        if let text = field.legacyText { note(alias: text, of: legacy) }
      }
      let values = [field.proposed, field.current] + field.alternatives.map(\.value) + field.steps.map(\.result)
      for value in values.compactMap({ $0 }) { learn(value, of: field.key, isNamedByFile: isFile) }
    }
    for entry in plan.basis { entry.value.map { learn($0, of: entry.key) } }
    for target in plan.targets { learnParameters(target.path, of: plan.container.bundleID) }
    for key in plan.dropped { key.value.map { learn($0, of: key.key) } }
    seal()
  }

  /// Learns the values that runs wrote or replaced.
  package mutating func learn(_ runs: [RunSummary]) {
    for field in runs.flatMap(\.fields) {
      for value in [field.before, field.after].compactMap({ $0 }) { learn(value, of: field.id.key) }
    }
    seal()
  }

  /// Learns the values in decisions.
  package mutating func learn(_ decisions: Decisions) {
    for (field, decision) in decisions.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
      if case .edit(let value) = decision { learn(value, of: field) }
    }
    seal()
  }

  /// Learns the value of a parameter, which is part of a target's path.
  package mutating func learn(parameter value: String) {
    note(parameter: value)
    seal()
  }

  /// The mask of a value that is not a container; nil if it is shown. A value that was not learned has no number.
  func mask(_ canonical: [UInt8], kind: Mask.Kind) -> Mask? {
    if let known = known[canonical] { return known.isStrong || !plain.contains(canonical) ? known.mask : nil }
    return plain.contains(canonical) ? nil : Mask(kind: kind)
  }

  /// The hidden text at an index of a text, and its replacement; nil if there is none.
  func match(_ bytes: [UInt8], at start: Int, _ index: SensitiveIndex) -> (replacement: String, length: Int)? {
    let found = index.match(bytes, at: start)
    guard let pattern = TextPattern.match(bytes, at: start), pattern.length > found?.length ?? 0 else { return found }
    let mask = mask(Array(bytes[start..<(start + pattern.length)]), kind: pattern.kind)
    return ((mask ?? Mask(kind: pattern.kind)).text(), pattern.length)
  }

  /// Discards an index that lacks learned values. Learning takes several steps, and text is only searched after the
  /// last one, so the new index is created then.
  private mutating func seal() {
    guard isStale else { return }
    isStale = false
    index = LateIndex()
  }
}

extension Redaction {
  /// The content of a keyed archive's value, last one first. It is learned in its decoded form: in the archive's table,
  /// a dictionary's names are ordinary values and its numbers are references.
  mutating func archived(_ value: KeyedValue, _ role: ValueRole) -> [Item] {
    switch value {
    case .dictionary(let pairs):
      return pairs.reversed().flatMap { pair -> [Item] in
        guard case .string(let name) = pair.key else {
          return [.archived(pair.value, role), .archived(pair.key, role)]
        }
        return [named(name, pair.value, role)]
      }
    case .object(let object):
      for name in object.objectClass.chain { note(name: name) }
      return object.members.reversed().map { named($0.name, $0.value, role) }
    case .array(let elements), .set(let elements), .orderedSet(let elements):
      return elements.reversed().map { .archived($0, role) }
    case .string(let text): return [.propertyList(.string(text), role)]
    case .integer(let integer): return [.propertyList(.integer(integer), role)]
    case .real(let real): return [.propertyList(.real(real), role)]
    case .date(let date): return [.propertyList(.date(date), role)]
    case .data(let bytes): return [.propertyList(.data(bytes), role)]
    case .url(let url): return ([url.relative] + url.bases).reversed().map { .propertyList(.string($0), role) }
    case .uuid(let uuid): return [.propertyList(.string(uuid.description), role)]
    case .boolean, .null, .cycle: return []
    }
  }

  private mutating func named(_ name: String, _ value: KeyedValue, _ role: ValueRole) -> Item {
    note(name: name)
    return .archived(value, ValueRoles.role(ofName: name, within: role))
  }
}

extension Redaction {
  /// A container for display: the values of its stores are masks, and its paths and notices are masked. Values other
  /// than containers, booleans and null become text with the mask, which names their type.
  package func container(_ container: Container) -> Container {
    var shown = container
    shown.name = text(container.name)
    shown.notices = container.notices.map(text)
    shown.unread?.data = container.unread?.data.map { .init(path: text($0.path), form: $0.form) } ?? []
    shown.unsentEvents = container.unsentEvents.map { UnsentEvents(path: text($0.path), count: $0.count) }
    shown.signs = container.signs.map(text)
    shown.stores = container.stores.map { store in
      var masked = Store(path: text(store.path), content: content(store.content), size: store.size)
      masked.modified = store.modified
      return masked
    }
    return shown
  }

  /// The type of the value behind a mask; nil if the text is not a mask.
  package func maskedType(_ text: String) -> String? {
    guard text.utf8.count <= Mask.longestText, isOwnMask(text) else { return nil }
    let inside = text.dropFirst().dropLast()
    let word = inside.split(separator: " ").last.map { $0.prefix { $0 != "-" } } ?? inside
    return Mask.types.contains(String(word)) ? String(word) : "string"
  }

  private func content(_ content: StoreContent) -> StoreContent {
    switch content {
    case .unreadable(let reason): return .unreadable(text(reason))
    case .json(let json): return (try? JSONText(self.json(json.value).text())).map(StoreContent.json) ?? .masked
    case .database(let tables):
      guard case .dictionary(let masked) = value(.dictionary(tables)) else { return .masked }
      return .database(masked)
    case .document(let document):
      guard let bytes = try? PropertyListDocument.encode(value(document.root), as: document.format),
        let masked = try? PropertyListDocument(bytes: bytes)
      else { return .masked }
      return .document(masked)
    }
  }
}

extension StoreContent {
  fileprivate static let masked = StoreContent.unreadable("What is in it cannot be masked.")
}

/// What a drafted recipe may not contain.
extension Redaction {
  /// Whether personal data or a learned value is in a name or a path.
  package func isPersonal(_ name: String) -> Bool { text(name) != name }

  /// Whether a text, or the number that it spells, is a value of the container.
  package func hasLearned(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return known[bytes] != nil || plain.contains(bytes)
  }

  /// Whether the value under a key is a secret, as for ``SecretNames``.
  package func isSecret(key: String) -> Bool { roles.isSecret(key) }

  /// Whether a text is a UUID.
  package static func isUUID(_ text: String) -> Bool { TextPattern.kind(of: text) == .id }
}

extension Redaction {
  /// The learned values, for searching in text.
  func makeIndex() -> SensitiveIndex {
    var index = SensitiveIndex()
    let vocabulary = Vocabulary.words(of: FindingCode.general + vendors.flatMap(\.findings))
    for entry in peopleEntries() { index.add(entry) }
    for (number, known) in known.values.enumerated() where known.isText {
      let canonical = Array(self.known.keys[number])
      guard isSoughtInText(canonical, known, vocabulary) else { continue }
      var entry = SensitiveIndex.Entry(
        bytes: canonical, replacement: .mask(known.mask), edges: edges(canonical, known.mask.kind),
        isTelling: known.isTelling, precedence: .value)
      index.add(entry)
      entry.precedence = .otherForm
      for form in OtherForms.of(canonical, known) {
        entry.bytes = form
        index.add(entry)
      }
    }
    for key in parameters {
      guard let known = known[Array(key.utf8)] else { continue }
      for (before, after) in suites.flatMap(\.surroundings) {
        index.add(
          SensitiveIndex.Entry(
            bytes: Array("\(before)\(key)\(after)".utf8), replacement: .text("\(before)\(known.mask.text())\(after)"),
            edges: .any, isTelling: false, precedence: .place))
      }
    }
    index.sort()
    return index
  }

  /// Short texts, words and numbers occur in other texts by chance. An id is found even in a part of a name, because
  /// files and keys are named after users.
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

  /// Short numbers and key names may occur in sentences by chance: a list's `id` of 8, and "8 keys". The id of a user is
  /// hidden whatever its length.
  private func isSoughtInText(_ canonical: [UInt8], _ known: Known, _ vocabulary: Set<[UInt8]>) -> Bool {
    guard canonical.contains(where: { Characters.isWord($0) || $0 >= 0x80 }), !vocabulary.contains(canonical)
    else {
      return false
    }
    if known.mask.kind == .id, canonical.count < 4, Self.isNumber(canonical) { return false }
    if known.mask.isStrong { return true }
    if plain.contains(canonical) && !known.isStrong { return false }
    return !names.contains(canonical) && !Self.words.contains(canonical)
      && (!Self.isNumber(canonical) || canonical.count >= 7)
  }

  private static func isNumber(_ bytes: [UInt8]) -> Bool {
    bytes.allSatisfy { Characters.isDigit($0) || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E }
  }

  /// Common words that are not personal data.
  private static let words = Set(
    ["true", "false", "null", "yes", "no", "none", "a", "an", "the", "is", "in", "of"].map { Array($0.utf8) })
}

extension NameTemplate {
  /// The literal texts around each parameter in the name of a suite's file.
  fileprivate var surroundings: [(before: String, after: String)] {
    parts.indices.compactMap { index in
      guard case .parameter(let name) = parts[index], name != Self.bundleID, index > 0,
        case .text(let before) = parts[index - 1]
      else { return nil }
      if index + 1 < parts.count, case .text(let after) = parts[index + 1] { return (before, after) }
      return (before, ".")
    }
  }
}

extension Redaction {
  /// Learns the people after whom entries of a store are named. Such a name is not a value, and may have any form.
  mutating func learnPeople(in store: Store) {
    for vendor in vendors {
      for person in vendor.people(in: store) where people[person.name] == nil {
        learn([.propertyList(.string(person.id), .of(.id))])
        guard person.shown != nil else { continue }
        people[person.name] = person
        isStale = true
      }
    }
  }

  /// The name of an entry for display, with the person's mask; nil for other text.
  func person(_ text: String) -> String? { people[text].map(shown) }

  /// The names of entries, for searching in text.
  func peopleEntries() -> [SensitiveIndex.Entry] {
    people.flatMap { name, person in
      [name.text, DisplayText.harmless(name.text)].map {
        SensitiveIndex.Entry(
          bytes: Array($0.utf8), replacement: .text(shown(person)), edges: .any, isTelling: true, precedence: .person)
      }
    }
  }

  private func shown(_ person: PersonInName) -> String {
    "\(person.shown ?? "")-\((mask(Array(person.id.utf8), kind: .id) ?? Mask(kind: .id)).text())"
  }
}
