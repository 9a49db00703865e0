import PropertyLists

struct ContainerChecks {
  private let facts: ContainerFacts
  private let recipe: Recipe
  private let container: Container
  let context: PlanningContext
  let fields: [Field]
  /// The legacy stores including the values that a cleanup removed, which are not reported as missing.
  private let remembered: LegacySources
  private var unknownKeys: [String] = []
  private var testedKeys: [String] = []
  /// The keys of each prefix that is not migrated by design, by its place in the recipe.
  private var prefixedKeys: [Int: [String]] = [:]
  private var othersKeys: [(key: String, recipe: String)] = []
  private let secrets: Set<StringByBytes>
  let unreadPlaces: [UnreadPlace]
  private let allowed: Set<FindingCode>

  init(_ facts: ContainerFacts, remembered: LegacySources, allowing allowed: Set<FindingCode>) {
    (self.facts, self.remembered, self.allowed) = (facts, remembered, allowed)
    (context, fields) = (facts.context, facts.fields)
    (recipe, container) = (context.recipe, context.container)
    secrets = recipe.family.secretKeys
    unreadPlaces = recipe.unreadPlaces(in: container)
    let known = context.sources.known
    // Computed once, because there may be any number of keys.
    let tested = recipe.conditionKeys
    let prefixes = recipe.leftBehind.enumerated().compactMap { place, rule in rule.prefix.map { (place, $0) } }
    let found = context.sources.stores.flatMap { $0.keys.filter { !known.contains($0) } }
    for key in found.distinct().sortedByBytes() {
      if let (place, _) = prefixes.first(where: { key.beginsWithBytes(of: $0.1) }) {
        prefixedKeys[place, default: []].append(key)
      } else if let other = context.sources.ofRivals.first(where: { $0.keys.contains(key) }) {
        othersKeys.append((key, other.recipe))
      } else if tested.contains(key) {
        testedKeys.append(key)
      } else {
        unknownKeys.append(key)
      }
    }
  }

  var findings: [Finding] {
    let vendor = recipe.knowledge.vendor?.observations(facts) ?? VendorObservations()
    let observations =
      trust + target + nothingFound + elsewhere + vendor.sources + stores + refusals + vendor.documents + disagreements
      + vendor.leftBehind + leftBehind
    let live = container.liveness.map { [Finding(.liveRunningStore($0))] } ?? []
    return live + consent + observations.map { Finding($0) }
  }

  /// The legacy keys and files that are not migrated, in the recipe's order, then unknown keys.
  var dropped: [DroppedKey] {
    let byDesign = recipe.leftBehind.enumerated().flatMap { place, rule in
      names(of: rule, at: place).map { name in
        DroppedKey(
          key: name, value: rule.secret || rule.file != nil ? nil : context.sources.value(name), reason: rule.reason,
          secret: rule.secret)
      }
    }
    func shown(_ keys: [String], _ reason: String) -> [DroppedKey] {
      keys.map { DroppedKey(key: $0, value: context.sources.value($0), reason: reason) }
    }
    let others = othersKeys.map { key, recipe in
      let secret = secrets.contains(key)
      return DroppedKey(
        key: key, value: secret ? nil : context.sources.value(key), reason: "A key of the recipe \(recipe).",
        secret: secret)
    }
    return byDesign + others + shown(testedKeys, "Only conditions of the recipe read the key.")
      + shown(unknownKeys, "No rule of this recipe reads the key.")
  }

  private func names(of rule: LeftBehind, at place: Int) -> [String] {
    if let file = rule.file {
      return container.path(ofFile: file, context.options.parameters).map { path in
        container.signs.containsBytes(of: path)
          ? [String(decoding: path.utf8.dropFirst(container.dataPath("").utf8.count), as: UTF8.self)] : []
      } ?? []
    }
    if rule.prefix != nil { return prefixedKeys[place] ?? [] }
    return context.sources.value(rule.key) == nil ? [] : [rule.key]
  }

  private var trust: [Observation] {
    if case .file(let path, false) = recipe.origin { [.recipeUntrusted(path: path)] } else { [] }
  }

  /// An opt-out in any store counts, because consent does not depend on precedence, unless a field reads the key from
  /// there and itself says that the user opted out: its decision is then checked.
  private var consent: [Finding] {
    let read = Set(bytesOf: context.sources.stores.map(\.path))
    let said = Set(bytesOf: fields.filter(\.isOptOut).flatMap(\.sources).map { $0.member ?? $0.key })
    for (key, store) in optOuts where !read.contains(store) || !said.contains(key) {
      let isAllowed = allowed.contains(.consentOptedOut)
      return [Finding(.consentOptedOut(store: store, isAllowed: isAllowed), source: SourceKey(key))]
    }
    return context.sources.unreadableOptOuts.first.map { [Finding(.consentUnknown(store: $0))] } ?? []
  }

  /// The keys that say that the user opted out, with their stores. A recipe file cannot hide one by not reading the store.
  private var optOuts: [(key: String, store: String)] {
    let own = recipe.optOutKeys.flatMap { key in
      context.sources.values(key).filter { PlanningContext.isTrue($0.value) }.map { (key, $0.store) }
    }
    // A field that passes over an opt-out does not migrate it.
    let passed = fields.flatMap(\.passedOptOuts).map { (key: $0.source.member ?? $0.source.key, store: $0.store) }
    guard case .file = recipe.origin else { return own + passed }
    let keys = Set(bytesOf: recipe.optOutKeys)
    let patterns = recipe.knownOptOuts.map(KeyPattern.init)
    return own + passed
      + container.stores.flatMap { store in
        (store.entries + wholes(in: store)).filter { entry in
          PlanningContext.isTrue(entry.value)
            && (keys.contains(entry.key) || patterns.contains { $0.matches(entry.key) })
        }.map { ($0.key, store.path) }
      }
  }

  /// The values of a file that only a built-in recipe reads as one: a keyed archive, or a single value.
  private func wholes(in store: Store) -> [PropertyListDictionary.Entry] {
    recipe.knownOptOutFiles.flatMap { source -> [PropertyListDictionary.Entry] in
      guard let name = source.templates.map(\.fileName).first(where: { $0.matches(store.name) }),
        let entries = try? store.entries(as: source)
      else { return [] }
      let values = name.readings(of: store.name).first ?? [:]
      return entries.entries.map { entry in
        .init(key: values.reduce(entry.key) { $0.replacing("${\($1.key)}", with: $1.value) }, value: entry.value)
      }
    }
  }

  /// The observation that no value for the recipe's rules exists. Values that a cleanup removed count as existing.
  private var nothingFound: [Observation] {
    guard let sdk = recipe.legacySDK, remembered.unreadable.isEmpty, unreadPlaces.isEmpty else { return [] }
    let keys = recipe.rules.flatMap(\.candidates).map(\.source.key)
    guard !keys.contains(where: { remembered.value($0) != nil }) else { return [] }
    return [.sourceNotFound(sdk, inOneFile: container.kind == .propertyList)]
  }

  private var elsewhere: [Observation] {
    unreadPlaces.map { .sourceElsewhere(recipe.legacySDK ?? "the SDK", $0.names, in: $0.suite, $0.reason) }
  }

  private static func isInCaches(_ path: String) -> Bool {
    ("/" + path).utf8.firstRange(of: "/Library/Caches/".utf8) != nil
  }

  private var target: [Observation] {
    var observations: [Observation] = []
    // Without legacy values, nothing is written whatever the name is.
    if context.file == nil, container.bundleID == nil || nothingFound.isEmpty {
      let invalid = recipe.target.parameters.compactMap { context.options.parameters[$0] }
        .first { !$0.isEmpty && !Container.isValidParameter($0) }
      observations.append(
        container.bundleID == nil ? .targetNoBundleID : invalid.map { .targetInvalidWriteKey($0) } ?? .targetNoWriteKey)
    }
    for parameter in recipe.target.parameters {
      let values = recipe.target.values(of: parameter, in: container)
      if let given = context.options.parameters[parameter], !values.isEmpty, !values.contains(given) {
        observations.append(.targetOtherWriteKey(given, present: values))
      } else if values.count > 1 {
        observations.append(.targetManyWriteKeys(values, isChosen: context.options.parameters[parameter] != nil))
      } else if values.isEmpty, let given = context.options.parameters[parameter],
        let stated = recipe.statedValue(of: parameter, in: container), !given.hasSameBytes(as: stated)
      {
        observations.append(.targetLegacyWriteKey(stated, used: given))
      }
    }
    guard let target = context.file, target.exists else { return observations }
    let keys = recipe.rules.map(\.target)
    let unreadable = target.files(of: keys).compactMap { file -> Observation? in
      do throws(KeyedFile.Problem) {
        let keyed = try file.keyed(in: container)
        try keyed?.checkChange(of: keys)
        try keyed?.checkReaders()
        return nil
      } catch {
        return .targetUnreadable(path: file.path, reason: error.reason)
      }
    }
    observations += unreadable
    if unreadable.isEmpty, !context.sources.places.containsBytes(of: target.path) {
      // The existence of the app's own preferences is not reported.
      observations.append(.targetExists(path: target.path, keys: context.target.dictionary.count))
    }
    return observations
  }

  private var stores: [Observation] {
    var observations = context.sources.unreadable.map {
      Observation.sourceUnreadable(store: $0.path, reason: $0.reason)
    }
    observations += context.sources.stores.map(\.path).filter(Self.isInCaches).map { .sourcePurgeable(store: $0) }
    let copies = remembered.stores.filter(\.isCopy)
    guard let first = copies.first else { return observations }
    // Of the others, nothing is migrated from either.
    let migrated = Set(bytesOf: recipe.rules.flatMap(\.candidates).map(\.source.key))
    for store in copies.dropFirst() {
      let lacking = first.keys.filter { migrated.contains($0) && !store.contains($0) }
      let stale = store.keys.filter { migrated.contains($0) && !first.contains($0) }
      if !lacking.isEmpty { observations.append(.sourcePartial(store: store.path, keys: lacking, first: first.path)) }
      if !stale.isEmpty { observations.append(.sourceStale(store: store.path, keys: stale, first: first.path)) }
    }
    return observations
  }

  private var disagreements: [Observation] {
    var reported: Set<StringByBytes> = []
    for field in fields {
      let labels = field.findings.filter { $0.code == .sourceDisagree }.compactMap(\.observation.detail)
      for source in field.sources where labels.containsBytes(of: source.label) { reported.insert(source.key) }
    }
    // A field compares the members that it reads; others may differ.
    let whole = recipe.rules.flatMap(\.candidates).filter { $0.source.member == nil }.map(\.source.key)
    let keys = whole + recipe.optOutKeys + recipe.comparedKeys
    return keys.distinct().compactMap { key in
      let values = context.sources.values(key).filter { !context.sources.isOlder($0) }
      guard let first = values.first?.value, values.contains(where: { $0.value != first }), !reported.contains(key)
      else { return nil }
      return .sourceDisagree(key: key, values: values.map { StoredValue(store: $0.store, value: $0.value) })
    }
  }

  private var leftBehind: [Observation] {
    var observations: [Observation] = []
    let named = dropped.filter(\.secret).map(\.key)
    if !named.isEmpty { observations.append(.droppedSecrets(named)) }
    for events in container.unsentEvents where events.count != 0 && recipe.legacySDK != nil {
      observations.append(.droppedUnsentEvents(path: events.path, count: events.count))
    }
    if !unknownKeys.isEmpty { observations.append(.droppedUnknownKey(unknownKeys)) }
    return observations
  }
}
