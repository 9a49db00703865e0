import PropertyLists

/// What is observed about the container as a whole.
struct ContainerChecks {
  let recipe: Recipe
  let container: Container
  let context: PlanningContext
  let target: TargetSummary?
  let fields: [Field]
  let detection: RecipeDetection
  /// The legacy stores with what a cleanup removed: that one of them lacks it is no news.
  private let remembered: LegacySources
  private let unknownKeys: [String]
  /// Keys that another recipe knows, each with its name.
  private let othersKeys: [(key: String, recipe: String)]

  init(
    recipe: Recipe, container: Container, context: PlanningContext, remembered: LegacySources? = nil,
    target: TargetSummary?, fields: [Field], detection: RecipeDetection
  ) {
    self.recipe = recipe
    self.container = container
    self.context = context
    self.remembered = remembered ?? context.sources
    self.target = target
    self.fields = fields
    self.detection = detection
    let known = recipe.knownKeys
    let stores = context.sources.stores
    var found: [String] = []
    for (index, store) in stores.enumerated() {
      let earlier = stores[..<index]
      found += store.keys.filter { key in !known.contains(key) && !earlier.contains { $0.contains(key) } }
    }
    found.sort()
    // Made once: there may be any number of keys.
    let others = recipe.rivals.map { (keys: $0.knownKeys, id: $0.reference.id) }
    var (theirs, unknown): ([(key: String, recipe: String)], [String]) = ([], [])
    for key in found {
      if let other = others.first(where: { $0.keys.contains(key) }) {
        theirs.append((key, other.id))
      } else {
        unknown.append(key)
      }
    }
    (othersKeys, unknownKeys) = (theirs, unknown)
  }

  var findings: [Finding] {
    let convert = context.convert?.observations ?? []
    let observations = target(of: container) + nothingFound + sdks + stores + convert + disagreements + leftBehind
    return live.map { Finding($0) } + consent + observations.map { Finding($0) }
  }

  /// The legacy keys that stay behind, in the recipe's order, then those no rule knows.
  var dropped: [DroppedKey] {
    let byDesign = recipe.leftBehind.compactMap { rule -> DroppedKey? in
      guard let value = context.sources.value(rule.key) else { return nil }
      return DroppedKey(
        key: rule.key, value: rule.secret ? nil : value, reason: rule.reason, secret: rule.secret)
    }
    let unknown = unknownKeys.map {
      DroppedKey(key: $0, value: context.sources.value($0), reason: "No rule of this recipe knows the key.")
    }
    let others = othersKeys.map { key, recipe in
      let secret = Recipe.secretKeys.contains(key)
      return DroppedKey(
        key: key, value: secret ? nil : context.sources.value(key), reason: "A key of the recipe \(recipe).",
        secret: secret)
    }
    return byDesign + others + unknown
  }

  private var live: [Observation] { container.liveness.map { [.liveRunningStore($0)] } ?? [] }

  /// The word of any store counts: consent is not a matter of precedence.
  private var consent: [Finding] {
    for key in Self.consentKeys {
      let found = context.sources.values(key).first { PlanningContext.isTrue($0.value) }
      if let store = found?.store { return [Finding(.consentOptedOut(store: store), source: SourceKey(key))] }
    }
    return []
  }

  private static let consentKeys = ["rl_opt_status", "rs_opt_status"]

  /// Which SDKs have run, where it was more than the recipe's own.
  private var sdks: [Observation] {
    var observations: [Observation] = []
    if !detection.others(than: recipe).isEmpty {
      observations.append(.sourceV1AndV2(chosen: recipe.reference.id, evidence: evidenceOfRivals))
    }
    let keys = recipe.rules.flatMap(\.candidates).map(\.source).filter {
      $0.isReactNative && context.sources.value($0.key) != nil
    }.map(\.key)
    if case .native(let proof)? = context.lastRun {
      let stale = LastRun.reactNativeKeys.filter { context.sources.value($0) != nil }.sorted()
      observations.append(.sourceReactNativeStale(keys: stale, proof))
    } else if !keys.isEmpty {
      observations.append(.sourceReactNative(keys: keys, stale: fields.flatMap(differingNativeKeys)))
    }
    return observations
  }

  /// What speaks for the recipes that fill the same suite.
  private var evidenceOfRivals: [RecipeEvidence] {
    let ids = Set(recipe.rivals.map(\.reference.id)).union([recipe.reference.id])
    return detection.evidence.filter { ids.contains($0.recipe.id) }
  }

  /// The native SDK's keys that come to something else than React Native's, which was taken.
  private func differingNativeKeys(_ field: Field) -> [String] {
    guard field.origin?.source.isReactNative == true, let rule = recipe.rules.first(where: { $0.target == field.id })
    else { return [] }
    let native = context.evaluations(rule, ofReactNative: false)
    return native.filter { $0.evaluation.proposed != field.proposed }.map(\.key)
  }

  /// Where the SDK has left none of what the recipe's rules read: values that a cleanup removed were there.
  private var nothingFound: [Observation] {
    guard recipe.sdk != .other, remembered.unreadable.isEmpty else { return [] }
    let keys = Set(recipe.rules.flatMap(\.candidates).map(\.source.key))
    return keys.contains { remembered.value($0) != nil } ? [] : [.sourceNotFound(recipe.sdk)]
  }

  private static func isInCaches(_ path: String) -> Bool {
    path.hasPrefix("Library/Caches/") || path.contains("/Library/Caches/")
  }

  private func target(of container: Container) -> [Observation] {
    var observations: [Observation] = []
    if target == nil { observations.append(container.bundleID == nil ? .targetNoBundleID : .targetNoWriteKey) }
    let keys = recipe.target.needsWriteKey ? container.writeKeys : []
    if keys.count > 1 { observations.append(.targetManyWriteKeys(keys)) }
    guard let target, let store = container.store(target.path) else { return observations }
    let isSource = context.sources.places.contains(target.path)
    switch store.content {
    case .unreadable(let reason): observations.append(.targetUnreadable(path: target.path, reason: reason))
    case .json, .document:
      guard store.dictionary != nil else {
        observations.append(.targetUnreadable(path: target.path, reason: "Its root is not a dictionary."))
        break
      }
      // That the app's own preferences are there is no news.
      if !isSource { observations.append(.targetExists(path: target.path, keys: context.target.count)) }
    }
    return observations
  }

  private var stores: [Observation] {
    var observations = context.sources.unreadable.map {
      Observation.sourceUnreadable(store: $0.path, reason: $0.reason)
    }
    observations += context.sources.stores.map(\.path).filter(Self.isInCaches).map { .sourcePurgeable(store: $0) }
    guard let first = remembered.stores.first else { return observations }
    for store in remembered.stores.dropFirst() {
      let lacking = first.keys.filter { !store.contains($0) }
      let stale = store.keys.filter { !first.contains($0) }
      if !lacking.isEmpty { observations.append(.sourcePartial(store: store.path, keys: lacking)) }
      if !stale.isEmpty { observations.append(.sourceStale(store: store.path, keys: stale)) }
    }
    return observations
  }

  /// Differences between the stores that change no field's proposal, but that somebody will look for.
  private var disagreements: [Observation] {
    let reported = fields.flatMap(\.findings).compactMap { finding in
      if case .sourceDisagree(let key, _) = finding.observation { key } else { nil }
    }
    let keys = recipe.rules.flatMap(\.candidates).map(\.source.key) + Self.consentKeys + ["rl_external_id"]
    var seen: Set<String> = []
    return keys.filter { seen.insert($0).inserted }.compactMap { key in
      let values = context.sources.values(key)
      guard Set(values.map(\.value)).count > 1, !reported.contains(where: { $0 == key || $0.hasPrefix(key + ".") })
      else {
        return nil
      }
      return .sourceDisagree(key: key, values: values.map { StoredValue(store: $0.store, value: $0.value) })
    }
  }

  private var leftBehind: [Observation] {
    var observations: [Observation] = []
    let ids = externalIDs
    if !ids.isEmpty { observations.append(.droppedExternalIDs(ids)) }
    let secrets =
      recipe.leftBehind.filter { $0.secret && context.sources.value($0.key) != nil }.map(\.key)
      + othersKeys.map(\.key).filter { Recipe.secretKeys.contains($0) }
    if !secrets.isEmpty { observations.append(.droppedSecrets(secrets)) }
    for events in container.unsentEvents where events.count != 0 && recipe.sdk != .other {
      observations.append(.droppedUnsentEvents(path: events.path, count: events.count))
    }
    if !unknownKeys.isEmpty { observations.append(.droppedUnknownKey(unknownKeys)) }
    return observations
  }

  /// The legacy SDK stores them as the text of `[{"type": …, "id": …}, …]`.
  private var externalIDs: [ExternalID] {
    guard let value = context.sources.value("rl_external_id") ?? context.sources.value("rs_external_id") else {
      return []
    }
    guard case .string(let text) = value else {
      return value.children.isEmpty ? [] : [ExternalID(type: "unreadable", id: FindingWording.shown(value))]
    }
    guard !text.isEmpty else { return [] }
    guard let parsed = try? JSONText(text), case .array(let elements) = parsed.value else {
      return [ExternalID(type: "unreadable", id: text)]
    }
    return elements.map { element in
      guard case .object(let members) = element else { return ExternalID(type: "unknown", id: element.text()) }
      func text(_ name: String) -> String {
        switch members.last(where: { $0.name == name })?.value {
        case .string(let text)?: text
        case let value?: value.text()
        case nil: "unknown"
        }
      }
      return ExternalID(type: text("type"), id: text("id"))
    }
  }
}
