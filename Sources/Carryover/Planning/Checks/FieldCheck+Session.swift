import PropertyLists

extension FieldDraft {
  /// The new SDK ends a session after this long without an event, unless configured otherwise.
  static let sessionTimeout: Int64 = 300_000
  /// Since this version the new SDK stores the time of day; before, the time since the device was started.
  static let firstSDKWithEpochTime = SDKVersion("1.2.0")
  /// A time in seconds beyond this is thousands of years away: it must be milliseconds.
  private static let millisecondsFrom = 1e11
  /// No legacy SDK ran before this second of 2001; a smaller time looks like uptime.
  static let uptimeBelow = 1e9

  mutating func checkSessionID(_ context: PlanningContext) {
    guard !leavesOutStopped(context), let legacy else { return }
    guard let defect = Self.defect(ofSessionID: legacy) else { return }
    note(.sessionIDInvalid(FindingWording.shown(legacy), defect))
    withdraw("not a session id")
  }

  static func defect(ofSessionID value: PropertyListValue) -> SessionIDDefect? {
    let integer: PropertyListInteger
    switch value {
    case .integer(let number): integer = number
    case .real(let real):
      guard let whole = Int64(exactly: real.value) else { return .fraction }
      integer = PropertyListInteger(whole)
    default: return .kind(value.kind)
    }
    if integer.isNegative { return .negative }
    guard let number = integer.uint64 else { return .outOfRange }
    if number == 0 { return .zero }
    return number < 1_000_000_000 ? .tooShort : nil
  }

  mutating func checkLastActivity(_ context: PlanningContext) {
    guard !leavesOutStopped(context) else { return }
    compareTrackers(context)
    guard let legacy else {
      if context.hasSession { note(.sessionTimestampMissing(context.recipe.sdk)) }
      return
    }
    let shown = FindingWording.shown(legacy)
    if let version = context.options.targetSDK, let first = Self.firstSDKWithEpochTime, version < first {
      note(.sessionUptimeSDK(version: version.description))
      return withdraw("this version of the new SDK reads uptime")
    }
    if let milliseconds = pastMillisecondsAsFound(legacy, context.now) {
      note(.sessionTimestampUnit(shown, .milliseconds))
      let text = PropertyListValue.string(String(milliseconds))
      propose(text, steps: [TransformStep(title: "already milliseconds", result: text)])
    } else if let defect = timestampDefect {
      note(.sessionTimestampNotPast(shown, defect, context.recipe.sdk))
    } else if let seconds = Self.number(legacy), seconds < Self.uptimeBelow {
      note(.sessionTimestampUnit(shown, .uptime))
    }
    noteExpiry(context)
  }

  private var timestampDefect: TimestampDefect? {
    switch failure {
    case .time(let defect)?: defect
    case .some: .notANumber
    case nil: nil
    }
  }

  /// The value read as milliseconds, where it is too large for seconds and that moment lies in the past.
  private func pastMillisecondsAsFound(_ value: PropertyListValue, _ now: Moment) -> Int64? {
    guard let number = Self.number(value), number > Self.millisecondsFrom,
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

  private mutating func noteExpiry(_ context: PlanningContext) {
    guard context.hasSession, !context.sessionIsManual, case .string(let text)? = proposed, let last = Int64(text)
    else {
      return
    }
    let idle = context.now.millisecondsSince1970 - last
    if idle > Self.sessionTimeout { note(.sessionExpired(idleMilliseconds: idle)) }
  }
}
