import PropertyLists

/// What every check may look at: the sources, the target as it is, the moment and the options.
struct PlanningContext {
  let sources: LegacySources
  /// The target's keys as they are; empty where there is no target yet.
  let target: PropertyListDictionary
  /// Whether the target's file is there, readable or not.
  let targetExists: Bool
  let now: Moment
  let options: PlannerOptions

  /// The traits as the legacy SDK reads them; nil when absent or unreadable.
  let traits: TraitsText?

  init(
    sources: LegacySources, target: PropertyListDictionary, targetExists: Bool, now: Moment, options: PlannerOptions
  ) {
    self.sources = sources
    self.target = target
    self.targetExists = targetExists
    self.now = now
    self.options = options
    traits = try? sources.values("rl_traits").first?.traits?.get()
  }

  /// Whether the legacy store holds a session, or the time of one.
  var hasSession: Bool { sources.value("rl_session_id") != nil }

  /// Whether the session is a manual one: a missing status reads as false, which is manual.
  var sessionIsManual: Bool {
    switch sources.value("rl_session_auto_track_status") {
    case .boolean(let automatic): !automatic
    case .integer(let number): number == 0
    default: true
    }
  }
}
