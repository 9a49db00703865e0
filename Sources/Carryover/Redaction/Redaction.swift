import CarryoverSystem
import PropertyLists

/// Masks personal data in all output: each value becomes a mask such as `‹user-1›`. Equal values have the same mask,
/// and different values have different masks.
///
/// Everything that is not known to be harmless is masked. Output still shows the names of keys, types, booleans,
/// session times, versions and builds, and paths without identifiers and write keys. Masks are numbered in the order in
/// which the values were learned, so a container has the same masks in every output.
package struct Redaction: Sendable {
  /// Whether masks are written in ASCII, as `<user-1>`.
  package var isASCII = false

  let roles: ValueRoles
  private let vendors: [any Vendor]
  private let stating: [Recipe]
  /// The values to hide. Their texts share their memory with the container, of which `report` may have a million.
  var known: [Spelling: Known] = [:]
  var plain: Set<StringByBytes> = []
  var names: Set<StringByBytes> = []
  /// The words between the dots of bundle identifiers, which also occur in paths by themselves.
  private var bundleWords: Set<StringByBytes> = []
  var parameters: Set<String> = []
  let suites: [NameTemplate]
  let folders: [NameTemplate]
  /// The people after whom entries are named, by the whole name.
  private var people: [StringByBytes: PersonInName] = [:]
  var count = 0
  var isStale = false
  /// The learned values, for searching in text; made at the first search. Copies of a redaction share it.
  private(set) var index = Locked<SensitiveIndex?>(nil)

  struct Known: Hashable {
    var mask: Mask
    var isStrong: Bool
    /// Whether its beginning alone reveals it, if the rest was truncated.
    var isTelling = true
  }

  /// The roles whose values are learned first, so that they get the lowest numbers and the right kinds.
  private static let first: [Set<ValueRole>] = [[.of(.user), .of(.id)], [.trait], [.of(.secret)]]

  /// A redaction that has learned no value yet. Every value gets a mask without a number; e-mail addresses, UUIDs and
  /// telephone numbers are found in any text.
  package init(recipes: [Recipe]) {
    roles = ValueRoles(recipes)
    (suites, folders) = (recipes.namedSuites, recipes.namedFolders)
    stating = recipes.filter { !$0.parameterPlaces.isEmpty }
    vendors = recipes.map(\.knowledge).distinct { $0 }.compactMap(\.vendor)
  }

  /// Learns the values of a container: first identities, then those that recipes know, then all others.
  package mutating func learn(_ container: Container) {
    var named: [StringByBytes: [PropertyListValue]] = [:]
    for store in container.stores {
      let entries = store.entries
      for entry in entries where roles.isNamed(entry.key) { named[entry.key, default: []].append(entry.value) }
      names.reserveCapacity(names.count + entries.count)
      known.reserveCapacity(known.count + entries.count)
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
      case .database:
        for entry in store.entries { learn(entry.value, of: entry.key) }
        store.tables.map { learn($0) }
      case .unreadable: break
      }
    }
    for store in container.stores { learnParameters(store.path, of: container.bundleID) }
    for recipe in stating {
      for place in recipe.parameterPlaces {
        recipe.statedValue(of: place.parameter, in: container).map { note(parameter: $0) }
      }
    }
    if let bundleID = container.bundleID { note(name: bundleID) }
    for word in container.bundleID?.utf8.split(separator: UInt8(ascii: ".")) ?? [] {
      if bundleWords.insert(String(Substring(word))) { isStale = true }
    }
    note(containerName: container.name)
    seal()
  }

  /// Learns the values in the tables of databases, of a container that was learned before they were read.
  package mutating func learnTables(of container: Container) {
    for store in container.stores { store.tables.map { learn($0) } }
    seal()
  }

  private mutating func learn(_ tables: DatabaseTables) {
    for row in tables.tables.flatMap(\.rows.entries) {
      guard case .dictionary(let columns) = row.value else { continue }
      for column in columns.entries { learn(column.value, of: column.key) }
    }
  }

  /// A name with personal data in it probably contains more, so it is masked as a whole.
  private mutating func note(containerName name: String) {
    let stem = name.split(separator: ".", maxSplits: 1).first.map(String.init) ?? name
    let words = [stem] + name.split { " ._-".contains($0) }.map(String.init)
    let isPersonal = TextPattern.occurs(in: name) || words.contains { known[Spelling($0)]?.isStrong == true }
    if isPersonal { note(Spelling(name), .text, isStrong: true) } else { note(name: name) }
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

  package mutating func learn(_ runs: [RunSummary]) {
    for field in runs.flatMap(\.fields) {
      for value in [field.before, field.after].compactMap({ $0 }) { learn(value, of: field.id.key) }
    }
    seal()
  }

  package mutating func learn(_ decisions: Decisions) {
    for (field, decision) in decisions.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
      if case .edit(let value) = decision { learn(value, of: field) }
    }
    seal()
  }

  package mutating func learn(parameter value: String) {
    note(parameter: value)
    seal()
  }

  /// Learns the people after whom entries of a store are named. Such a name is not a value, and may have any form.
  private mutating func learnPeople(in store: Store) {
    for person in vendors.flatMap({ $0.people(in: store) }) where people[person.name] == nil {
      learn([.propertyList(.string(person.id), .of(.id))])
      guard person.shown != nil else { continue }
      people[person.name] = person
      isStale = true
    }
  }

  /// Discards an index that lacks learned values. Learning takes several steps, and text is only searched after the
  /// last one, so the new index is made then.
  private mutating func seal() {
    guard isStale else { return }
    isStale = false
    index = Locked(nil)
  }

  /// The mask of a value that is not a container; nil if it is shown. A value that was not learned has no number.
  func mask(_ spelling: Spelling, kind: Mask.Kind) -> Mask? {
    let isPlain = if case .text(let text) = spelling { plain.contains(text) } else { false }
    if let known = known[spelling] { return known.isStrong || !isPlain ? known.mask : nil }
    return isPlain ? nil : Mask(kind: kind)
  }

  func person(_ text: String) -> String? { people.isEmpty ? nil : people[text].map(shown) }

  private func shown(_ person: PersonInName) -> String {
    "\(person.shown ?? "")-\((mask(Spelling(person.id), kind: .id) ?? Mask(kind: .id)).text())"
  }

  package func isPersonal(_ name: String) -> Bool { text(name) != name }

  /// Whether a text, or the number that it spells, is a value of the container.
  package func hasLearned(_ text: String) -> Bool { known[Spelling(text)] != nil || plain.contains(text) }

  /// Whether the value under a key is a secret, as for ``SecretNames``.
  package func isSecret(key: String) -> Bool { roles.isSecret(key) }
  package static func isUUID(_ text: String) -> Bool { TextPattern.kind(of: text) == .id }

  func makeIndex() -> SensitiveIndex {
    var index = SensitiveIndex()
    let vocabulary = Vocabulary.words(of: FindingCode.general + vendors.flatMap(\.findings))
    for (name, person) in people {
      for text in [name.text, DisplayText.harmless(name.text)] {
        index.add(.init(bytes: Array(text.utf8), replacement: .text(shown(person)), edges: .any, precedence: .person))
      }
    }
    for case (.text(let name), let known) in known where isSoughtInText(name.text, known, vocabulary) {
      var entry = SensitiveIndex.Entry(
        bytes: Array(name.text.utf8), replacement: .mask(known.mask), edges: edges(name.text, known.mask.kind),
        isTelling: known.isTelling, precedence: .value)
      index.add(entry)
      entry.precedence = .otherForm
      for form in OtherForms.of(entry.bytes, known) {
        entry.bytes = form
        index.add(entry)
      }
    }
    for key in parameters {
      guard let known = known[Spelling(key)] else { continue }
      for (before, after) in suites.flatMap(\.surroundings) {
        index.add(
          .init(
            bytes: Array("\(before)\(key)\(after)".utf8), replacement: .text("\(before)\(known.mask.text())\(after)"),
            edges: .any, isTelling: false, precedence: .place))
      }
    }
    index.sort()
    return index
  }

  /// Short texts, words and numbers occur in other texts by chance. An id is found even in a part of a name, because
  /// files and keys are named after users.
  private func edges(_ text: String, _ kind: Mask.Kind) -> SensitiveIndex.Edges {
    let isWord = text.utf8.allSatisfy(Characters.isLetter)
    let isDigits = text.utf8.allSatisfy(Characters.isDigit)
    let count = text.utf8.count
    guard isWord || count < 4 || Self.isNumber(text) else { return .any }
    switch kind {
    case .user where isDigits && count > 1, .id where isDigits && count >= 4: return .part
    case .user where isWord, .id where isWord:
      return count < 4 || names.contains(text) || bundleWords.contains(text) ? .word : .part
    default: return .word
    }
  }

  /// Short numbers and key names may occur in sentences by chance: a list's `id` of 8, and "8 keys". The id of a user is
  /// hidden whatever its length.
  private func isSoughtInText(_ text: String, _ known: Known, _ vocabulary: Set<StringByBytes>) -> Bool {
    guard text.utf8.contains(where: { Characters.isWord($0) || $0 >= 0x80 }), !vocabulary.contains(text) else {
      return false
    }
    if known.mask.kind == .id, text.utf8.count < 4, Self.isNumber(text) { return false }
    if known.mask.isStrong { return true }
    if plain.contains(text) && !known.isStrong { return false }
    return !names.contains(text) && !Self.words.contains(text) && (!Self.isNumber(text) || text.utf8.count >= 7)
  }

  private static func isNumber(_ text: String) -> Bool {
    text.utf8.allSatisfy { Characters.isDigit($0) || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E }
  }

  private static let words: Set<StringByBytes> = [
    "true", "false", "null", "yes", "no", "none", "a", "an", "the", "is", "in", "of",
  ]
}

extension NameTemplate {
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
