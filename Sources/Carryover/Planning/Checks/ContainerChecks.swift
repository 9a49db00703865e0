import PropertyLists

/// What is observed about the container as a whole.
struct ContainerChecks {
  let recipe: Recipe
  let container: Container
  let context: PlanningContext
  let target: TargetSummary?

  var findings: [Finding] {
    let observations = consent + target(of: container) + stores + leftBehind
    return observations.map { Finding($0) }
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
    return byDesign + unknown
  }

  private var consent: [Observation] {
    guard let found = context.sources.values("rl_opt_status").first else { return [] }
    let optedOut: Bool =
      switch found.value {
      case .boolean(let flag): flag
      case .integer(let integer): integer != 0
      case .real(let real): real.value != 0
      case .string(let text): ["1", "true", "yes"].contains(text.lowercased())
      default: false
      }
    return optedOut ? [.consentOptedOut(store: found.store)] : []
  }

  private func target(of container: Container) -> [Observation] {
    var observations: [Observation] = []
    if container.bundleID == nil, target == nil { observations.append(.targetNoBundleID) }
    let keys = container.writeKeys
    if keys.count > 1 { observations.append(.targetManyWriteKeys(keys)) }
    if let target, target.exists {
      observations.append(.targetExists(path: target.path, keys: context.target.count))
    }
    return observations
  }

  private var stores: [Observation] {
    var observations = context.sources.unreadable.map {
      Observation.sourceUnreadable(store: $0.path, reason: $0.reason)
    }
    guard let first = context.sources.stores.first else { return observations }
    let firstKeys = legacyKeys(first.dictionary)
    for store in context.sources.stores.dropFirst() {
      let keys = legacyKeys(store.dictionary)
      let lacking = firstKeys.filter { !keys.contains($0) }
      let stale = keys.filter { !firstKeys.contains($0) }
      if !lacking.isEmpty { observations.append(.sourcePartial(store: store.path, keys: lacking)) }
      if !stale.isEmpty { observations.append(.sourceStale(store: store.path, keys: stale)) }
    }
    return observations
  }

  private var leftBehind: [Observation] {
    var observations: [Observation] = []
    let ids = externalIDs
    if !ids.isEmpty { observations.append(.droppedExternalIDs(ids)) }
    let secrets = recipe.leftBehind.filter { $0.secret && context.sources.value($0.key) != nil }.map(\.key)
    if !secrets.isEmpty { observations.append(.droppedSecrets(secrets)) }
    for events in container.unsentEvents where events.count != 0 {
      observations.append(.droppedUnsentEvents(path: events.path, count: events.count))
    }
    if !unknownKeys.isEmpty { observations.append(.droppedUnknownKey(unknownKeys)) }
    return observations
  }

  /// The legacy SDK stores them as the text of `[{"type": …, "id": …}, …]`.
  private var externalIDs: [ExternalID] {
    guard case .string(let text)? = context.sources.value("rl_external_id"), !text.isEmpty else { return [] }
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

  private var unknownKeys: [String] {
    let known = recipe.knownKeys
    var seen: Set<String> = []
    return context.sources.stores.flatMap { legacyKeys($0.dictionary) }
      .filter { !known.contains($0) && seen.insert($0).inserted }.sorted()
  }

  private func legacyKeys(_ dictionary: PropertyListDictionary) -> [String] {
    dictionary.keys.filter { key in recipe.legacyPrefixes.contains { key.hasPrefix($0) } }
  }
}
