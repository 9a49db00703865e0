import PropertyLists

/// What every check may look at: the sources, the target as it is, the moment and the options.
struct PlanningContext {
  let recipe: Recipe
  let sources: LegacySources
  /// The target's keys as they are; empty where there is no target yet.
  let target: PropertyListDictionary
  /// The target's file, relative to the container's root; nil where it cannot be named.
  let targetPath: String?
  /// Whether the target's file is there, readable or not.
  let targetExists: Bool
  let now: Moment
  let options: PlannerOptions

  /// What Convert's SDK has left, for a recipe that looks at it.
  let convert: ConvertStores?

  /// The traits as the legacy SDK reads them; nil when absent or unreadable.
  let traits: TraitsText?

  /// Which of two SDKs that keep the same facts ran last.
  let lastRun: LastRun?

  /// Keys whose values are known to be out of date: no rule takes them.
  var staleKeys: Set<String> { lastRun?.staleKeys ?? [] }

  init(
    recipe: Recipe, sources: LegacySources, target: PropertyListDictionary, targetPath: String?, targetExists: Bool,
    now: Moment, options: PlannerOptions, convert: ConvertStores? = nil
  ) {
    self.recipe = recipe
    self.sources = sources
    self.target = target
    self.targetPath = targetPath
    self.targetExists = targetExists
    self.now = now
    self.options = options
    self.convert = convert
    traits = recipe.traitsKey.flatMap { try? sources.values($0).first?.traits?.get() }
    lastRun = LastRun(recipe, sources, now: now)
  }

  /// The value as it stands that the rule with a check takes: that of its first candidate which is there.
  func value(_ check: FieldCheck) -> PropertyListValue? { candidate(check)?.found.value }

  /// A key's value, unless it is out of date.
  func current(_ key: String) -> PropertyListValue? { staleKeys.contains(key) ? nil : sources.value(key) }

  /// Whether the legacy stores hold anything that a rule reads.
  var hasLegacyValues: Bool {
    recipe.rules.contains { $0.candidates.contains { sources.value($0.source.key) != nil } }
  }

  /// Whether the legacy store holds a session.
  var hasSession: Bool { value(.sessionID) != nil }

  /// Whether the session is a manual one. Where no status is there, the Objective-C SDK reads false for automatic, the
  /// beta SDK 2 false for manual.
  var sessionIsManual: Bool {
    guard let status = candidate(.manualSession) ?? candidate(.manualFlag) else { return recipe.sdk == .objC }
    return Evaluation(status.candidate, status.found, now: now).proposed != .boolean(false)
  }

  /// Whether the beta SDK 2 was told to end the session.
  var sessionIsStopped: Bool {
    recipe.sdk == .swiftV2 && sources.value("rl_session_stopped_status").map(Self.isTrue) ?? false
  }

  /// How `UserDefaults` reads a boolean.
  static func isTrue(_ value: PropertyListValue) -> Bool {
    switch value {
    case .boolean(let flag): flag
    case .integer(let integer): integer != 0
    case .real(let real): real.value != 0
    case .string(let text): ["1", "true", "yes"].contains(text.lowercased())
    default: false
    }
  }

  private func candidate(_ check: FieldCheck) -> (candidate: Candidate, found: LegacySources.Found)? {
    for candidate in recipe.rules.first(where: { $0.check == check })?.candidates ?? []
    where !staleKeys.contains(candidate.source.key) {
      if let found = sources.values(candidate.source.key).first { return (candidate, found) }
    }
    return nil
  }
}

extension Recipe {
  /// The key that holds the traits.
  var traitsKey: String? { rules.first { $0.check == .traits }?.candidates.first?.source.key }
}
