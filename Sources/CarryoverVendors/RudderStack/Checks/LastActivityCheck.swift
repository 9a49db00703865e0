import Carryover
import CarryoverSystem
import PropertyLists

/// Whether the time of the session's last event is valid, and its unit.
struct LastActivityCheck: FieldCheck {
  let name = "last-activity"

  /// The new SDK ends a session after this number of milliseconds without an event, unless configured otherwise.
  static let sessionTimeout: Int64 = 300_000
  /// Since this version, the new SDK stores the time of day; before, the time since the device started.
  private static let firstSDKWithEpochTime = SDKVersion("1.2.0")
  /// A later time in seconds would be thousands of years away, so the unit must be milliseconds.
  private static let millisecondsFrom = 1e11
  /// No legacy SDK ran before this second of 2001; a smaller time looks like uptime.
  static let uptimeBelow = 1e9

  func amend(_ draft: inout FieldDraft, _ context: PlanningContext) {
    guard !draft.leavesOutStopped(context) else { return }
    LastRun.compare(&draft, context)
    guard let legacy = draft.legacy else {
      if context.hasSession { draft.note(.sessionTimestampMissing(isBeta: context.isBeta)) }
      return
    }
    let shown = ValueWording.shown(legacy)
    if let version = context.options.targetSDK, let first = Self.firstSDKWithEpochTime, version < first {
      draft.note(.sessionUptimeSDK(version: version.description))
      return draft.withdraw("this version of the new SDK reads uptime")
    }
    if let milliseconds = Self.pastMillisecondsAsFound(legacy, context.now) {
      draft.note(.sessionTimestampUnit(shown, .milliseconds))
      let text = PropertyListValue.string(String(milliseconds))
      draft.propose(text, steps: [TransformStep(title: "already milliseconds", result: text)])
    } else if let defect = Self.defect(draft) {
      draft.note(.sessionTimestampNotPast(shown, defect, isBeta: context.isBeta))
    } else if let seconds = Self.number(legacy), seconds < Self.uptimeBelow {
      draft.note(.sessionTimestampUnit(shown, .uptime))
    }
    noteExpiry(&draft, context)
  }

  func findings(_ rule: FieldRule, of recipe: Recipe) -> [FindingCode] {
    [.sessionExpired, .sessionTimestampMissing, .sessionTimestampNotPast, .sessionTimestampUnit, .sessionUptimeSDK]
      + LastRun.findings(rule) + recipe.findingsOfStoppedSessions
  }

  func readings(_ draft: FieldDraft, _ context: PlanningContext) -> FourWayReadings {
    if context.isBeta { return .beta(\.lastEvent, \.lastActivityTime, context) }
    return FourWayReadings(
      legacy: LegacySDK(context).lastEvent,
      guide: draft.guide(context, "rl_last_event_time_stamp", else: "no valid time: skip it"),
      helper: ReferenceHelper(context).lastActivityTime)
  }

  private static func defect(_ draft: FieldDraft) -> TimestampDefect? {
    switch draft.failure {
    case .time(let defect)?: defect
    case .some: .notANumber
    case nil: nil
    }
  }

  /// The value as milliseconds, if it is too large for seconds and that moment is in the past.
  private static func pastMillisecondsAsFound(_ value: PropertyListValue, _ now: Moment) -> Int64? {
    guard let number = number(value), number > millisecondsFrom,
      let whole = Int64(exactly: number.rounded(.towardZero)), whole <= now.millisecondsSince1970
    else { return nil }
    if case .integer(let integer) = value { return integer.int64 }
    return whole
  }

  private static func number(_ value: PropertyListValue) -> Double? {
    switch value {
    case .integer(let integer): integer.int64.map { Double($0) }
    case .real(let real): real.value
    default: nil
    }
  }

  private func noteExpiry(_ draft: inout FieldDraft, _ context: PlanningContext) {
    guard context.hasSession, !context.sessionIsManual, case .string(let text)? = draft.proposed,
      let last = Int64(text)
    else { return }
    let idle = context.now.millisecondsSince1970 - last
    if idle > Self.sessionTimeout { draft.note(.sessionExpired(idleMilliseconds: idle)) }
  }
}
