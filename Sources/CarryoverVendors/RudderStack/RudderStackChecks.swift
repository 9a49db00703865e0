import Carryover
import CarryoverSystem

/// Whether the legacy SDK could have created the anonymous id, and whether it sends this id.
struct AnonymousIDCheck: FieldCheck {
  let name = "anonymous-id"

  func amend(_ draft: inout FieldDraft, _ context: PlanningContext) {
    if case .json(let defect)? = draft.failure { return draft.note(defect) }
    let inTraits: String? = if case .string(let text)? = context.traits?.member("anonymousId") { text } else { nil }
    switch (draft.legacy, draft.origin?.source.member) {
    case (.string(let text)?, .some):
      draft.note(.anonymousIDOnlyInTraits(text))
      checkShape(text, &draft)
    case (.string(let text)?, nil):
      checkShape(text, &draft)
      if let inTraits, inTraits != text {
        draft.note(.anonymousIDsDiffer(key: text, traits: inTraits))
        draft.offer("the id in the traits", .string(inTraits))
      }
    case (let value?, _):
      draft.note(.anonymousIDNotString(value))
      if let inTraits { draft.offer("the id in the traits", .string(inTraits)) }
    case (nil, _): break
    }
  }

  func readings(_ draft: FieldDraft, _ context: PlanningContext) -> FourWayReadings {
    FourWayReadings(
      legacy: LegacySDK(context: context).anonymousID,
      guide: .of(context.sources.value("rl_anonymous_id"), else: "rl_anonymous_id is absent"),
      helper: ReferenceHelper(context).anonymousID)
  }

  private func checkShape(_ text: String, _ draft: inout FieldDraft) {
    guard let defect = AnonymousIDDefect(text) else { return }
    draft.note(.anonymousIDMalformed(text, defect))
    switch defect {
    case .empty: draft.withdraw("an empty id is not an id")
    case .notUUID, .allZero: break
    }
  }
}

extension AnonymousIDDefect {
  /// The legacy SDK creates lowercase UUIDs; an uppercase UUID is valid too.
  init?(_ text: String) {
    guard !text.isEmpty else {
      self = .empty
      return
    }
    if !text.isUUID {
      self = .notUUID
    } else if text.utf8.allSatisfy({ $0 == 0x30 || $0 == 0x2D }) {
      self = .allZero
    } else {
      return nil
    }
  }
}

/// The beta SDK 2 sent the device's vendor id and did not store it. Ids that other SDKs have stored are alternatives.
struct UnstoredAnonymousIDCheck: FieldCheck {
  let name = "unstored-anonymous-id"

  func amend(_ draft: inout FieldDraft, _ context: PlanningContext) {
    guard context.hasLegacyValues else { return }
    var stored: [StoredID] = []
    for key in ["rs_anonymous_id", "rl_anonymous_id"] {
      if case .string(let text)? = context.sources.value(key), !text.isEmpty {
        stored.append(StoredID(source: SourceKey(key), id: text))
        draft.offer(key, .string(text))
      }
    }
    if let key = context.traitsKey, case .string(let text)? = context.traits?.member("anonymousId"), !text.isEmpty {
      stored.append(StoredID(source: SourceKey(key, member: "anonymousId"), id: text))
      draft.offer("the id in the traits", .string(text))
    }
    draft.note(.v2AnonymousIDNotStored(stored: stored))
  }

  func readings(_ draft: FieldDraft, _ context: PlanningContext) -> FourWayReadings {
    .beta(\.anonymousID, \.anonymousID, context)
  }
}

/// Whether there is a user id, and whether the app could have passed it.
struct UserIDCheck: FieldCheck {
  let name = "user-id"

  func amend(_ draft: inout FieldDraft, _ context: PlanningContext) {
    if case .json(let defect)? = draft.failure { return draft.note(defect) }
    let source = draft.origin?.source
    if source?.member == nil, case .string(let text)? = context.traits?.member("userId"), !text.isEmpty {
      draft.offer("the id in the traits", .string(text))
    }
    let key = (source ?? draft.rule.candidates.first?.source)?.label ?? inTraits
    func notString(_ kind: String, _ text: String? = nil) -> Observation {
      .userIDNotString(kind: kind, text: text, key)
    }
    switch draft.legacy {
    case .string("")?:
      draft.note(.userIDEmpty(key))
      draft.withdraw("an empty id is not an id")
      draft.countsAsAbsent = true
    case .string?: break
    case .integer?, .real?:
      if case .string(let text)? = draft.proposed { draft.note(notString("number", text)) }
      if let text = draft.legacyText { draft.offer("the text in the file", .string(text)) }
    case .null?:
      draft.note(notString("null"))
      draft.countsAsAbsent = true
    case .boolean?: draft.note(notString("boolean"))
    case .array?: draft.note(notString("array"))
    case .some: draft.note(notString("object"))
    case nil: break
    }
    guard draft.legacy == nil || draft.countsAsAbsent else { return }
    if context.traits?.removing(TraitsCheck.ids) != nil {
      draft.note(.userIDMissingWithTraits)
    } else if draft.legacy == nil, context.hasLegacyValues, context.target[draft.rule.target] == nil {
      draft.note(.userIDMissing)
    }
  }

  func readings(_ draft: FieldDraft, _ context: PlanningContext) -> FourWayReadings {
    if context.isBeta { return .beta(\.userID, \.userID, context) }
    let guide: Reading =
      switch draft.legacy {
      case .string?: .of(draft.legacy)
      case .null?, nil: .nothing("the user was never identified")
      default: .nothing("it expects a string")
      }
    return FourWayReadings(
      legacy: LegacySDK(context: context).userID, guide: guide, helper: ReferenceHelper(context).userID)
  }
}

/// Whether the traits can be read, and what removing the ids from them loses.
struct TraitsCheck: FieldCheck {
  let name = "traits"

  /// The members that the new SDK stores elsewhere.
  static let ids = ["anonymousId", "id", "userId"]

  func amend(_ draft: inout FieldDraft, _ context: PlanningContext) {
    switch draft.failure {
    case .json(let defect)?: return draft.note(defect)
    case .empty?:
      draft.note(.traitsEmptyAfterStrip)
      draft.countsAsAbsent = true
    default: break
    }
    guard let traits = context.traits else { return }
    checkCustomID(traits, &draft, context)
    if let archive = Self.archive(draft) {
      if !archive.isExact { draft.note(.v2TraitsArchive(leftOut: archive.leftOut, reshaped: archive.reshaped)) }
      if !traits.duplicateMembers.isEmpty { draft.note(.traitsDuplicateMember(traits.duplicateMembers)) }
      return
    }
    if !traits.duplicateMembers.isEmpty { draft.note(.traitsDuplicateMember(traits.duplicateMembers)) }
    let lossy = traits.lossyPieces(without: Self.ids)
    if !lossy.isEmpty { draft.note(.traitsLossyReencode(lossy)) }
  }

  func readings(_ draft: FieldDraft, _ context: PlanningContext) -> FourWayReadings {
    if context.isBeta { return .beta(\.traits, \.traits, context) }
    return FourWayReadings(
      legacy: LegacySDK(context: context).traits,
      guide: .of(draft.proposed ?? draft.transformed, else: "unreadable: skip the traits"),
      helper: ReferenceHelper(context).traits)
  }

  /// The traits if they are stored as data, whose text Carryover writes; nil if they are stored as text.
  private static func archive(_ draft: FieldDraft) -> ArchivedTraits? {
    guard draft.rule.candidates.contains(where: { $0.transforms.contains(.archivedJSON) }), let legacy = draft.legacy
    else { return nil }
    return try? ArchivedTraits(legacy)
  }

  private func checkCustomID(_ traits: TraitsText, _ draft: inout FieldDraft, _ context: PlanningContext) {
    guard let id = traits.member("id").flatMap(Self.idText) else { return }
    let userID = Self.storedUserID(context) ?? traits.member("userId").flatMap(Self.idText)
    guard id != userID else { return }
    draft.note(.customIDStripped(id: id, userID: userID, isBeta: context.isBeta))
    if let kept = traits.renaming("id", to: "customId")?.removing(Self.ids) {
      draft.offer("with id kept as customId", .string(kept))
    }
  }

  /// The user id, if it has its own key.
  private static func storedUserID(_ context: PlanningContext) -> String? {
    let rule = context.rule(for: "user_id")
    guard let own = rule?.candidates.first(where: { $0.source.member == nil }),
      let value = context.sources.value(own.source.key),
      case .string(let text)? = try? Transform.exactText(value, now: context.now)
    else { return nil }
    return text
  }

  /// An id as text, so that 42 and "42" are equal; nil for null.
  private static func idText(_ value: JSONValue) -> String? {
    switch value {
    case .string(let text): text
    case .number(let number): Transform.numberText(ofJSON: number.lexeme)
    case .null: nil
    default: value.text()
    }
  }
}

extension FieldDraft {
  /// Adds the finding that the traits, or the ids in them, cannot be read.
  mutating func note(_ defect: TraitsDefect) {
    if case .archive(let reason) = defect { return note(.v2TraitsUnreadable(reason)) }
    note(.traitsInvalidJSON(defect, sourceKey ?? "rl_traits"))
  }

  /// The key that supplied the value or would have supplied it.
  var sourceKey: String? { (origin?.source ?? rule.candidates.first?.source)?.key }

  /// Withdraws a session field if the app ended the beta SDK 2's session, and returns whether it did.
  mutating func leavesOutStopped(_ context: PlanningContext) -> Bool {
    guard context.sessionIsStopped else { return false }
    if legacy != nil {
      note(.v2SessionStopped)
      withdraw("the session was ended")
    }
    return true
  }

  /// - Parameter helper: what RudderStack's migrator writes. Without a status it writes none, and the new SDK continues
  ///   the session as an automatic one.
  fileprivate mutating func noteReplacement(_ context: PlanningContext, _ helper: Reading) {
    guard context.hasSession, proposed == .boolean(true) else { return }
    let isLoss = if case .value(.boolean(true), _) = helper { true } else { false }
    note(.sessionManualWillBeReplaced(isLoss: isLoss))
  }

  /// Recommends nothing if the new SDK would continue the session that RudderStack's migrator writes, but not with this
  /// field's proposal. That is computed with automatic session tracking on and off, because only the app's makers know
  /// which the app uses.
  fileprivate mutating func compareSession(_ context: PlanningContext) {
    let migrated = context.migratedSession
    var values = migrated.values
    values[rule.target] = proposed
    let accepted = StoredSuite(values: values)
    isOpen = [true, false].contains { automatic in
      migrated.continuesSession(automatic: automatic, at: context.now)
        && !accepted.continuesSession(automatic: automatic, at: context.now)
    }
  }
}

/// Whether the new SDK can use the session's id.
struct SessionIDCheck: FieldCheck {
  let name = "session-id"

  func amend(_ draft: inout FieldDraft, _ context: PlanningContext) {
    guard !draft.leavesOutStopped(context), let legacy = draft.legacy else { return }
    guard let defect = SessionIDDefect(legacy) else { return }
    let migrated = (legacy.helperNumber?.unsigned).flatMap(StoredSuite.session)
    let isWritten = if case .value = readings(draft, context).helper { true } else { false }
    // The legacy SDK's ids are signed, so a greater one is not its session.
    let isKept = isWritten && migrated.map { $0 <= UInt64(Int64.max) } == true
    let isLoss = context.hasSession && !isKept
    draft.note(.sessionIDInvalid(ValueWording.shown(legacy), defect, migrated: migrated, isLoss: isLoss))
    draft.withdraw("not a session id")
  }

  func readings(_ draft: FieldDraft, _ context: PlanningContext) -> FourWayReadings {
    if context.isBeta { return .beta(\.sessionID, \.sessionID, context) }
    return FourWayReadings(
      legacy: LegacySDK(context: context).sessionID, guide: .of(draft.transformed, else: "no session"),
      helper: ReferenceHelper(context).sessionID)
  }
}

extension SessionIDDefect {
  init?(_ value: PropertyListValue) {
    let integer: PropertyListInteger
    switch value {
    case .integer(let number): integer = number
    case .real(let real):
      guard let whole = Int64(exactly: real.value) else {
        self = .fraction
        return
      }
      integer = PropertyListInteger(whole)
    default:
      self = .kind(value.kind)
      return
    }
    if integer.isNegative {
      self = .negative
    } else if let number = integer.uint64 {
      if number >= 1_000_000_000 { return nil }
      self = number == 0 ? .zero : .tooShort
    } else {
      self = .outOfRange
    }
  }
}

/// Whether the app started the session manually. The Objective-C SDK's status is only the launch configuration: whether
/// the SDK starts sessions itself. The app may start a manual session anyway.
struct ManualSessionCheck: FieldCheck {
  let name = "manual-session"

  func amend(_ draft: inout FieldDraft, _ context: PlanningContext) {
    let hasTimestamp = context.value(for: "last_activity_time") != nil
    LastRun.compare(&draft, context)
    switch draft.legacy {
    case nil:
      guard context.hasSession || hasTimestamp else { return }
      draft.note(.sessionAutoTrackAbsent)
      draft.propose(
        .boolean(true),
        steps: [
          TransformStep(title: "absent reads as false", result: .boolean(false)),
          TransformStep(title: Transform.invert.title, result: .boolean(true)),
        ])
    case .boolean(let automatic)?:
      let evidence = automatic ? manualEvidence(context, hasTimestamp) : contradictionOfManual(draft, context)
      if let evidence { draft.note(.sessionAutoTrackContradicted(evidence)) }
    case .some(let value): draft.note(.sourceWrongType(key: draft.sourceKey ?? draft.rule.target, value))
    }
    draft.noteReplacement(context, readings(draft, context).helper)
    draft.compareSession(context)
  }

  func readings(_ draft: FieldDraft, _ context: PlanningContext) -> FourWayReadings {
    FourWayReadings(
      legacy: LegacySDK(context: context).automaticTracking,
      guide: draft.guide(context, "rl_session_auto_track_status", else: "the key is absent"),
      helper: ReferenceHelper(context).isManualSession)
  }

  private func manualEvidence(_ context: PlanningContext, _ hasTimestamp: Bool) -> SessionEvidence? {
    for key in ["rl_session_manual_track_status", "rn_session_manual_track_status"]
    where context.current(key) == .boolean(true) { return .key(key) }
    return context.hasSession && !hasTimestamp ? .sessionWithoutTimestamp : nil
  }

  /// React Native has a status for each kind. If both are false, no session continues.
  private func contradictionOfManual(_ draft: FieldDraft, _ context: PlanningContext) -> SessionEvidence? {
    guard context.hasSession, draft.origin?.source.isReactNative == true,
      context.sources.value("rn_session_manual_track_status") == .boolean(false)
    else { return nil }
    return .sameStatus("rn_session_manual_track_status", false)
  }
}

/// Whether the app started the session manually, by the flag of the beta SDK 2. A missing flag means false, as for the
/// new SDK.
struct ManualFlagCheck: FieldCheck {
  let name = "manual-flag"

  func amend(_ draft: inout FieldDraft, _ context: PlanningContext) {
    guard !draft.leavesOutStopped(context) else { return }
    switch draft.legacy {
    case nil: return
    case .boolean(let manual)?:
      let automatic = context.sources.value("rl_session_auto_track_status")
      if context.hasSession, automatic == .boolean(manual) {
        draft.note(.sessionAutoTrackContradicted(.sameStatus("rl_session_auto_track_status", manual)))
      }
    case .some(let value): draft.note(.sourceWrongType(key: draft.sourceKey ?? draft.rule.target, value))
    }
    draft.noteReplacement(context, readings(draft, context).helper)
    draft.compareSession(context)
  }

  func readings(_ draft: FieldDraft, _ context: PlanningContext) -> FourWayReadings {
    .beta(\.manualTracking, \.isManualSession, context)
  }
}

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
      let written = legacy.helperNumber?.milliseconds(notAfter: context.now)
      draft.note(.sessionTimestampNotPast(shown, defect, written: written, isBeta: context.isBeta))
    } else if let seconds = Self.number(legacy), seconds < Self.uptimeBelow {
      draft.note(.sessionTimestampUnit(shown, .uptime))
    }
    noteExpiry(&draft, context)
    draft.compareSession(context)
  }

  func readings(_ draft: FieldDraft, _ context: PlanningContext) -> FourWayReadings {
    if context.isBeta { return .beta(\.lastEvent, \.lastActivityTime, context) }
    return FourWayReadings(
      legacy: LegacySDK(context: context).lastEvent,
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

/// Whether the app's version is text, and the one that the legacy SDK uses.
struct AppVersionCheck: FieldCheck {
  let name = "app-version"

  func amend(_ draft: inout FieldDraft, _ context: PlanningContext) {
    LastRun.compare(&draft, context)
    if draft.origin?.source.isReactNative != true { checkOlderKey(&draft, context) }
    if let legacy = draft.legacy, legacy.kind != .string { draft.note(.appVersionNotString(legacy)) }
  }

  func readings(_ draft: FieldDraft, _ context: PlanningContext) -> FourWayReadings {
    if context.isBeta { return .beta(\.appVersion, \.appVersion, context) }
    return FourWayReadings(
      legacy: LegacySDK(context: context).appVersion,
      guide: .of(context.sources.value("rl_application_version_key"), else: "the key is absent"),
      helper: ReferenceHelper(context).appVersion)
  }

  private func checkOlderKey(_ draft: inout FieldDraft, _ context: PlanningContext) {
    let key = "rl_application_info_key"
    guard let candidate = draft.rule.candidates.first(where: { $0.source.key == key }),
      let older = context.sources.value(key)
    else { return }
    let newer = context.sources.value("rl_application_version_key")
    guard older != newer else { return }
    draft.take(candidate, context: context)
    draft.note(.appVersionInOldKey(old: plainText(older), new: newer.map(plainText)))
    if case .string? = newer, let newer { draft.offer("the newer key", newer) }
  }
}

/// Whether the build is the integer that the new SDK needs.
struct AppBuildCheck: FieldCheck {
  let name = "app-build"

  func amend(_ draft: inout FieldDraft, _ context: PlanningContext) {
    LastRun.compare(&draft, context)
    switch draft.legacy {
    case .string(let text)?:
      guard case .integer(let integer)? = draft.proposed, let number = integer.int64 else {
        return draft.note(.appBuildNotInteger(text, normalised: nil))
      }
      if String(number) != text { draft.note(.appBuildNotInteger(text, normalised: number)) }
    case .integer(let integer)?:
      if draft.proposed == nil { draft.note(.appBuildNotInteger(integer.description, normalised: nil)) }
    case let value?: draft.note(.appBuildNotInteger(plainText(value), normalised: nil))
    case nil: break
    }
  }

  func readings(_ draft: FieldDraft, _ context: PlanningContext) -> FourWayReadings {
    if context.isBeta { return .beta(\.appBuild, \.appBuild, context) }
    let isAbsent = context.sources.value("rl_application_build_key") == nil
    return FourWayReadings(
      legacy: LegacySDK(context: context).appBuild,
      guide: draft.guide(context, "rl_application_build_key", else: isAbsent ? "the key is absent" : "not an integer"),
      helper: ReferenceHelper(context).appBuild)
  }
}

private func plainText(_ value: PropertyListValue) -> String {
  if case .string(let text) = value { text } else { ValueWording.shown(value) }
}
