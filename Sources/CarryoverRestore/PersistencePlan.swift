import Carryover
import CarryoverSystem
public import CarryoverUserDefaults
import CarryoverVendors
public import Foundation

/// A recipe's plan for a running app's values at one moment, and the fields that other legacy SDKs have values for.
struct PersistencePlan {
  let plan: Plan
  let holdsLegacyValues: Bool
  /// Whether a place of the recipe's SDK cannot be read. Missing values may be there.
  let isPartlyHidden: Bool
  /// The fields that another SDK has or may have a value for.
  let fieldsOfOthers: Set<PersistedField>
  /// The fields that tell of a user, by each field that is fresh without one.
  private let users: [Field.ID: [Field.ID]]
  private let restored: Set<PersistedField>

  /// - Parameters:
  ///   - asked: the recipe; nil detects it from the values.
  ///   - restored: the fields that earlier calls wrote.
  init(
    _ places: LegacyPersistence, writeKey: String, recipe asked: Recipe?, allowing allowed: Set<FindingCode>,
    restored: Set<PersistedField>, now: Date
  ) throws(DefaultsDomainError) {
    let snapshot = try places.snapshot(writeKey: writeKey, recipe: asked)
    let recipe = asked ?? Recipe.detect(in: snapshot.container).recipe
    let moment = Moment(secondsSince1970: Int64(exactly: now.timeIntervalSince1970.rounded(.down)) ?? 0)
    let options = PlannerOptions(writeKey: writeKey, targetPath: snapshot.target, allowed: allowed)
    func plan(_ recipe: Recipe) -> Plan { Planner(recipe).plan(snapshot.container, now: moment, options: options) }
    let rivals = LegacyPersistence.recipes.filter { $0.reference.id != recipe.reference.id }
    let others = rivals.filter { !snapshot.keys(for: $0).isDisjoint(with: $0.marks) }
    let keys = snapshot.keys(for: recipe)
    let read = Set(bytesOf: recipe.rules.flatMap(\.candidates).map(\.source.key))
    // Several SDKs share some names. They belong to this SDK unless another one has left its marks. A recipe for other
    // data has none of these names, and would settle every field without a value.
    let isFound = !keys.isDisjoint(with: recipe.marks) || (others.isEmpty && !keys.isDisjoint(with: read))
    holdsLegacyValues = isFound && recipe.target == .suite(.analytics)
    isPartlyHidden = snapshot.hides(from: recipe)
    if rivals.contains(where: snapshot.hides) {
      // A place that cannot be read yet may contain any of them.
      fieldsOfOthers = Set(PersistedField.allCases)
    } else {
      fieldsOfOthers = Set(
        others.flatMap { plan($0).fields }.filter { $0.proposed != nil }
          .compactMap { PersistedField(rawValue: $0.id) })
    }
    self.plan = plan(recipe)
    self.restored = restored
    users = Dictionary(recipe.rules.map { ($0.target, $0.freshWithout) }, uniquingKeysWith: { first, _ in first })
  }

  var recipe: String { plan.recipe.id }

  var status: PersistenceReport.Status {
    if !holdsLegacyValues { return .nothingFound }
    return plan.blockers.isEmpty ? .done : .blocked
  }

  /// The resolutions of some fields, the same for an inspection and for a restoration.
  /// - Parameter contested: the open conflicts of an earlier call, with the value that the suite had then.
  func resolutions(
    _ wanted: Set<PersistedField>, _ onConflict: PersistenceConflict, contested: [PersistedField: PropertyListValue]
  ) -> [(persisted: PersistedField, field: Field, resolution: Resolution)] {
    guard status == .done else { return [] }
    func resolution(of field: Field) -> Resolution? {
      guard let persisted = PersistedField(rawValue: field.id) else { return nil }
      if let former = contested[persisted] { return self.resolution(of: field, onConflict, former) }
      return wanted.contains(persisted) ? self.resolution(of: field, onConflict) : nil
    }
    return plan.fields.compactMap { field in
      guard let persisted = PersistedField(rawValue: field.id), let own = resolution(of: field) else { return nil }
      guard let user = user(of: field), user.isHeldByAnother else { return (persisted, field, own) }
      // Traits beside another user's id would mix two people. They are restored only if the id is.
      if case .write? = resolution(of: user) { return (persisted, field, self.resolution(of: field, onConflict)) }
      return (persisted, field, .leave(.conflict))
    }
  }

  /// The value in the new SDK's suite that conflicts with a field: the field's own, or the id of another user.
  func valueInTheWay(of field: Field) -> PropertyListValue? { field.current ?? user(of: field)?.current }

  /// The field with the id of the user whom a field describes.
  private func user(of field: Field) -> Field? {
    plan.describingFields.first { $0.field.id.hasSameBytes(as: field.id) }?.named
  }

  /// The resolution of an open conflict. If it is no longer a conflict, the app has settled it: a value that a logout
  /// removed does not come back.
  private func resolution(
    of field: Field, _ onConflict: PersistenceConflict, _ former: PropertyListValue
  ) -> Resolution {
    guard field.status == .conflict else { return .leave(field.status == .unchanged ? .unchanged : .skipped) }
    // An identity that the new SDK has created since, for example after a logout, is not the one it started with.
    let isFresh = onConflict != .replaceFreshIdentity || field.current == former
    return resolution(of: field, isFresh ? onConflict : .keepTarget)
  }

  private func resolution(of field: Field, _ onConflict: PersistenceConflict) -> Resolution {
    if field.status == .conflict, !replaces(field, onConflict) { return .leave(.conflict) }
    // No one can decide here, so the value that the legacy SDK would have sent is restored.
    return field.resolution(field.proposed == nil || field.isTargetKept ? nil : .migrate)
  }

  private func replaces(_ field: Field, _ onConflict: PersistenceConflict) -> Bool {
    switch onConflict {
    case .keepTarget: false
    case .replaceFreshIdentity: isFresh(field)
    case .replace: true
    }
  }

  /// Whether the suite's value is of an identity that the new SDK created for a user whom it did not know. The suite
  /// then has no user, or exactly what earlier calls restored: if some of that is gone or differs, the app has logged
  /// the user out or identified one.
  private func isFresh(_ field: Field) -> Bool {
    guard let names = users[field.id], !names.isEmpty else { return false }
    return names.allSatisfy { name in
      let isRestored = PersistedField(rawValue: name).map(restored.contains) ?? false
      guard let user = plan.fields.first(where: { $0.id == name }), user.current != nil else { return !isRestored }
      return isRestored && user.status == .unchanged
    }
  }
}

/// What to do with a field if the new SDK's suite has another value. If that value stays, the conflict stays open: a
/// later call with another case, for example in a later release, can resolve it as long as the suite has a value.
///
/// Once the new SDK has started, so that the suite has an anonymous id, the session, its last activity, and the app's
/// version and build do not conflict: it writes them anew at each start, so the suite's values stay.
public enum PersistenceConflict: Hashable, Sendable {
  /// Keep the suite's value, and report a conflict.
  case keepTarget
  /// Replace an anonymous id that the new SDK created because it ran first, if the suite has neither a user id nor
  /// traits, or only those that an earlier call restored. Keep any other value.
  case replaceFreshIdentity
  /// Replace the suite's value with the legacy value.
  case replace
}

/// The places of a running app's legacy values and of the new SDK's values.
///
/// The drop-in migrators find these places themselves. Pass them in a test, or if the app has its legacy values
/// elsewhere, such as in the suite of an app group: `UserDefaultsDomain(suite: "group.com.acme.shop")`.
public struct LegacyPersistence: Sendable {
  /// The app's own defaults, or another domain with the legacy values. They are only read.
  package var standard: any DefaultsDomain
  package var target: any DefaultsDomain
  /// The app's Library folder. The legacy SDK has a file in it, on tvOS in its Caches folder. It is only read.
  package var library: URL
  package var bundleIdentifier: String

  /// Places of legacy values, of the new SDK's suite (`target`) and of the Library folder.
  public init(standard: any DefaultsDomain, target: any DefaultsDomain, library: URL, bundleIdentifier: String) {
    self.standard = standard
    self.target = target
    self.library = library
    self.bundleIdentifier = bundleIdentifier
  }

  /// The recipes for the SDKs whose values the new SDK reads. Other recipes are for an app's own data.
  static let recipes = Recipe.rudderStackObjC.family
  private static let targetKeys = Set(PersistedField.allCases.map(\.rawValue)).sorted()
  private static let fileNames = ["rsDefaultsPersistence.plist", "Caches/rsDefaultsPersistence.plist"]
  private static let fileLimit = 64 << 20

  /// - Parameter recipe: a recipe whose keys are read in addition to those of the built-in recipes.
  func snapshot(writeKey: String, recipe: Recipe?) throws(DefaultsDomainError) -> PersistenceSnapshot {
    let recipes = Self.recipes + (recipe.map { [$0] } ?? [])
    let keys = recipes.reduce(into: Set<StringByBytes>()) { $0.formUnion($1.knownKeys) }
    let prefixes = Set(recipes.flatMap(\.keyPrefixes))
    let values = try standard.values { key in keys.contains(key) || prefixes.contains(where: key.beginsWithBytes) }
    // A suite also shows values of the system's domains, and contains keys that only the new SDK uses.
    var present: [PropertyListDictionary.Entry] = []
    for key in Self.targetKeys {
      if let value = try target.value(for: key) { present.append(.init(key: key, value: value)) }
    }
    let preferences = "Library/Preferences/\(bundleIdentifier).plist"
    let suite = "Library/Preferences/\(bundleIdentifier).analytics.\(writeKey).plist"
    var stores = [try Self.store(preferences, values)] + files()
    if !present.isEmpty { stores.append(try Self.store(suite, PropertyListDictionary(entries: present))) }
    let root = library.deletingLastPathComponent().path
    let container = Container(
      kind: .folder, root: root, dataFolder: "", bundleID: bundleIdentifier, bundleIDOrigin: .option,
      stores: stores.sorted { $0.path < $1.path }, stateDirectory: root + "/.carryover")
    return PersistenceSnapshot(container: container, target: suite)
  }

  private static func store(_ path: String, _ values: PropertyListDictionary) throws(DefaultsDomainError) -> Store {
    if let document = document(values) { return Store(path: path, content: .document(document)) }
    // A value that cannot be encoded, such as one that is nested too deeply, must not hide the others.
    let sound = values.entries.filter { document(PropertyListDictionary(entries: [$0])) != nil }
    do {
      let bytes = try PropertyListDocument.encode(.dictionary(PropertyListDictionary(entries: sound)), as: .binary)
      return Store(path: path, content: .document(try PropertyListDocument(bytes: bytes)))
    } catch {
      throw .unreadable("\(error)")
    }
  }

  private static func document(_ values: PropertyListDictionary) -> PropertyListDocument? {
    guard let bytes = try? PropertyListDocument.encode(.dictionary(values), as: .binary) else { return nil }
    return try? PropertyListDocument(bytes: bytes)
  }

  /// The legacy SDK's own file, in any of its places. A file that cannot be read is a finding; the defaults still
  /// count.
  private func files() -> [Store] {
    let fileSystem = POSIXFileSystem()
    return Self.fileNames.compactMap { name in
      let file = library.appending(path: name).path
      guard FileManager.default.fileExists(atPath: file) else { return nil }
      let path = "Library/" + name
      do {
        let bytes = try fileSystem.read(file, limit: Self.fileLimit).bytes
        return Store(path: path, content: .document(try PropertyListDocument(bytes: bytes)))
      } catch {
        return Store(path: path, content: .unreadable("\(error)"))
      }
    }
  }
}

struct PersistenceSnapshot {
  /// A container, so that the same planner works for a running app and for a container.
  var container: Container
  /// The path of the new SDK's suite in the container.
  var target: String

  func keys(for recipe: Recipe) -> Set<StringByBytes> {
    Set(
      bytesOf: stores(for: recipe).flatMap { store -> [String] in
        guard case .document(let document) = store.content else { return [] }
        return document.dictionary?.entries.map(\.key) ?? []
      })
  }

  /// Whether a place that a recipe reads exists but cannot be read.
  func hides(from recipe: Recipe) -> Bool {
    stores(for: recipe).contains { store in
      if case .unreadable = store.content { true } else { false }
    }
  }

  private func stores(for recipe: Recipe) -> [Store] {
    let paths = recipe.sources.flatMap { source -> [String] in source.hasKeys ? source.paths(in: container, [:]) : [] }
    return paths.compactMap(container.store)
  }
}
