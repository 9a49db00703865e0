package import CarryoverSystem
package import PropertyLists

/// The legacy values that a cleanup would remove, and the reasons that others stay. Making the plan writes nothing.
package struct CleanupPlan: Hashable, Sendable {
  package var recipe: RecipeReference
  package var container: ContainerSummary
  package var target: TargetSummary?
  package var stores: [CleanupStore]
  package var entries: [CleanupEntry]
  package var basis: [PlanBasis]

  package var removable: [CleanupEntry] { entries.filter(\.verdict.isRemovable) }
}

package struct CleanupStore: Identifiable, Hashable, Sendable {
  package var id: String
  /// Whether the file belongs to the legacy SDK alone. It is then removed once it has no keys left.
  package var isOwn: Bool
  /// The reason that it could not be read, as a sentence. Nothing is removed from it then.
  package var problem: String?
}

package struct CleanupEntry: Identifiable, Hashable, Sendable {
  package var id: KeyPlace
  package var value: PropertyListValue
  package var secret = false
  package var verdict: CleanupVerdict
}

package enum CleanupVerdict: Hashable, Sendable {
  case removable(heldBy: [Field.ID])
  case stays(CleanupReason)

  package var isRemovable: Bool {
    if case .removable = self { true } else { false }
  }

  package func sentence(isChosen: Bool = true) -> String {
    switch self {
    case .stays(let reason): reason.description
    case .removable(let fields):
      isChosen ? "It is in the new SDK's \(CleanupReason.list(fields))." : "You did not choose it."
    }
  }
}

package enum CleanupReason: Hashable, Sendable, CustomStringConvertible {
  case leftBehind
  case unknownKey
  case noTarget
  case unreadableTarget(String)
  case missing([Field.ID])
  case differs([Field.ID])
  case inexact([Field.ID])
  case lost([String])
  case notCarried([Field.ID])

  package var code: String { words.code }
  /// A whole sentence. Text from a container is escaped for display.
  package var description: String { words.sentence }

  package var fields: [Field.ID] {
    switch self {
    case .missing(let fields), .differs(let fields), .inexact(let fields), .notCarried(let fields): fields
    case .leftBehind, .unknownKey, .noTarget, .unreadableTarget, .lost: []
    }
  }

  package var parts: [String] {
    if case .lost(let parts) = self { parts } else { [] }
  }

  private var words: (code: String, sentence: String) {
    switch self {
    case .leftBehind: ("left-behind", "It is not migrated by design, so no other file has it.")
    case .unknownKey: ("unknown-key", "No rule of the recipe reads it, so no other file is known to have it.")
    case .noTarget: ("no-target", "The new SDK's file does not exist.")
    case .unreadableTarget(let reason): ("unreadable-target", reason)
    case .missing: ("missing", "The new SDK's file has no value for \(Self.list(fields)).")
    case .differs: ("differs", "The new SDK's file has another value for \(Self.list(fields)).")
    case .inexact: ("inexact", "The exact value does not follow from the new SDK's \(Self.list(fields)).")
    case .lost: ("lost", "The new SDK's file does not have all of it: \(Self.list(parts)) would be lost.")
    case .notCarried: ("not-carried", "It cannot be migrated to \(Self.list(fields)) unchanged.")
    }
  }

  fileprivate static func list(_ names: [String]) -> String {
    DisplayText.harmless(ValueWording.listed(names))
  }
}

extension Planner {
  /// It reads every existing legacy store: the preferences and each file of the recipe, not only the first. Keys of the
  /// preferences that are not the legacy SDK's are not listed.
  package func cleanupPlan(
    _ container: Container, now: Moment, options: PlannerOptions = PlannerOptions()
  ) -> CleanupPlan {
    Planner(recipe.expanded(in: container, options)).madeCleanup(container, now: now, options: options)
  }

  /// The same for a recipe whose rules stand for one field each.
  private func madeCleanup(_ container: Container, now: Moment, options: PlannerOptions) -> CleanupPlan {
    let target = targetSummary(container, options)
    let targetStore = target.flatMap { container.store($0.path) }
    let held = recipe.target.cleanupProblem == nil ? targetStore?.dictionary?.indexed() : nil
    let proof = KeyProof(
      recipe: recipe, target: held,
      targetProblem: recipe.target.cleanupProblem
        ?? targetStore?.obstacle.map { "The new SDK's file cannot be read: \($0)" },
      ambiguous: targetStore?.dictionary?.keysWithSeveralValues ?? [], now: now)
    var stores: [CleanupStore] = []
    var entries: [CleanupEntry] = []
    for place in recipe.places(in: container, options.parameters) where target?.holds(place.path) != true {
      guard let store = container.store(place.path) else { continue }
      stores.append(CleanupStore(id: place.path, isOwn: place.isOwn, problem: store.obstacle))
      entries += self.entries(store, proof)
    }
    return CleanupPlan(
      recipe: recipe.reference, container: ContainerSummary(container), target: target, stores: stores,
      entries: entries, basis: basis(entries, target, held))
  }

  private func entries(_ store: Store, _ proof: KeyProof) -> [CleanupEntry] {
    guard let dictionary = store.dictionary else { return [] }
    let known = recipe.knownKeys
    let prefixes = recipe.keyPrefixes
    let secrets = recipe.family.secretKeys
    let secretPrefixes = recipe.leftBehind.filter(\.secret).compactMap(\.prefix)
    var keys: [String] = []
    var values: [StringByBytes: [PropertyListValue]] = [:]
    for entry in dictionary.entries
    where known.contains(entry.key) || prefixes.contains(where: entry.key.beginsWithBytes) {
      if values[entry.key] == nil { keys.append(entry.key) }
      values[entry.key, default: []].append(entry.value)
    }
    return keys.compactMap { key in
      guard let found = values[key], let first = found.first else { return nil }
      return CleanupEntry(
        id: KeyPlace(file: store.path, key: key), value: first,
        secret: secrets.contains(key) || !known.contains(key) && secretPrefixes.contains(where: key.beginsWithBytes),
        verdict: proof.verdict(key, found))
    }
  }

  private func basis(
    _ entries: [CleanupEntry], _ target: TargetSummary?, _ held: PropertyListDictionaryIndex?
  ) -> [PlanBasis] {
    let found = entries.map { PlanBasis(store: $0.id.file, key: $0.id.key, value: $0.value) }
    guard let target else { return found }
    return found + recipe.rules.map { PlanBasis(store: target.path, key: $0.target, value: held?[$0.target]) }
  }
}

extension Recipe {
  fileprivate func places(in container: Container, _ parameters: [String: String]) -> [(path: String, isOwn: Bool)] {
    // A single property list is the container itself, and must stay for a rollback.
    let isAlone = container.kind == .propertyList
    var places = isAlone ? [(path: container.name, isOwn: false)] : []
    for source in sources where source.hasKeys {
      // A suite may contain the app's own values too.
      let isOwn = if case .plist = source { !isAlone } else { false }
      // A rollback must find the file again without the recipe: it opens property lists by this extension.
      // The apps of a group share its suites.
      for path in source.paths(in: container, parameters)
      where !container.isInAppGroup(path) && path.hasSuffix(NameTemplate.fileExtension)
        && !places.contains(where: { $0.path.hasSameBytes(as: path) })
      {
        places.append((path, isOwn))
      }
    }
    return places
  }
}

extension PropertyListDictionary {
  /// The keys that occur more than once with different values. Readers differ in which value they use.
  fileprivate var keysWithSeveralValues: Set<StringByBytes> {
    var first: [StringByBytes: PropertyListValue] = [:]
    var several: Set<StringByBytes> = []
    for entry in entries {
      if let value = first.updateValue(entry.value, forKey: StringByBytes(entry.key)), value != entry.value {
        several.insert(entry.key)
      }
    }
    return several
  }
}

extension Store {
  fileprivate var obstacle: String? {
    problem ?? (dictionary == nil ? "It is not a property list with a dictionary." : nil)
  }
}

extension Container {
  /// The container with removed values restored under keys that are missing; nil if none is.
  func puttingBack(_ removed: [KeyPlace: PropertyListValue]) -> Container? {
    var result = self
    var isChanged = false
    for (file, places) in Dictionary(grouping: removed.keys, by: { StringByBytes($0.file) }).sorted(by: {
      $0.key < $1.key
    }) {
      let path = file.text
      let index = store(path)?.dictionary?.indexed()
      let missing = places.map(\.key).filter { index?[$0] == nil }.sortedByBytes()
      let edits = missing.compactMap { key in
        removed[KeyPlace(file: path, key: key)].map { PropertyListEdit.set(key, $0) }
      }
      guard !edits.isEmpty, let document = document(path, after: edits) else { continue }
      result.stores.removeAll { $0.path.hasSameBytes(as: path) }
      result.stores.append(Store(path: path, content: .document(document)))
      isChanged = true
    }
    return isChanged ? result : nil
  }

  private func document(_ path: String, after edits: [PropertyListEdit]) -> PropertyListDocument? {
    let bytes: [UInt8]?
    switch store(path)?.content {
    case .document(let document): bytes = try? document.editing(edits)
    case .json, .database, .unreadable: bytes = nil
    case nil:
      bytes = try? PropertyListDocument.encode(.dictionary(PropertyListDictionary().applying(edits)), as: .binary)
    }
    return bytes.flatMap { try? PropertyListDocument(bytes: $0) }
  }
}

extension Field {
  /// The field, or a settled copy if it is settled with the value that a cleanup removed. Then it has no findings and
  /// needs no decision, because the target contains the legacy value.
  func calmed(by remembered: Field) -> Field {
    guard remembered != self, remembered.status == .unchanged else { return self }
    var calm = self
    calm.status = .unchanged
    calm.findings = []
    calm.settledCodes = remembered.settledCodes
    calm.alternatives = []
    if legacy == nil {
      calm.proposed = nil
      calm.steps = []
    }
    return calm
  }
}
