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
