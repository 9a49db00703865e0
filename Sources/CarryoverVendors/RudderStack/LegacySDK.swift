import Carryover

/// The Objective-C SDK (1.31) as it reads its own values when it starts: the preferences first, then its file, key by
/// key. Under React Native, that SDK's own keys for the session and the app come first, unless the native SDK ran last.
struct LegacySDK {
  let context: PlanningContext

  var anonymousID: Reading {
    if let value = context.sources.value("rl_anonymous_id") { return .value(value, note: nil) }
    return .of(context.traits?.member("anonymousId")?.propertyListValue)
  }

  /// The SDK parses the number and writes its description into each event: 4.10 as "4.1".
  var userID: Reading {
    switch context.traits?.member("userId") {
    case .number(let number)?: .value(.string(Transform.numberText(ofJSON: number.lexeme)), note: "sent as text")
    case .null?, nil: .nothing("no user id")
    case let member?: .value(member.propertyListValue, note: nil)
    }
  }

  var traits: Reading {
    guard let value = context.sources.value("rl_traits") else { return .nothing(nil) }
    return context.traits == nil ? .nothing("unreadable, so no traits") : .value(value, note: nil)
  }

  var sessionID: Reading { .of(context.value(for: "session_id")) }

  /// The status of automatic tracking, not its inverse.
  var automaticTracking: Reading {
    .of(
      context.value(for: "is_manual_session") ?? .boolean(false),
      note: context.value(for: "is_manual_session") == nil ? "absent reads as false" : nil)
  }

  var lastEvent: Reading { .of(context.value(for: "last_activity_time")) }

  /// At launch, the older key's value replaces the newer key's. React Native ignores the older key.
  var appVersion: Reading {
    .of(
      context.current("rn_application_version_key") ?? context.sources.value("rl_application_info_key")
        ?? context.sources.value("rl_application_version_key"))
  }

  var appBuild: Reading { .of(context.value(for: "rudder.app_build")) }
}

/// The beta SDK 2 (2.3 to 2.5.1) as it reads its own values when it starts, only from `UserDefaults.standard`.
struct LegacySDKV2 {
  let context: PlanningContext

  var anonymousID: Reading { .nothing("not stored: the device's vendor id, on macOS its MAC address") }

  var userID: Reading { text("rs_user_id", else: "no user id") }

  /// It opens only keyed archives, but with any class that the app has.
  var traits: Reading {
    guard let value = context.sources.value("rs_traits") else { return .nothing("no traits") }
    guard let archive = try? ArchivedTraits(value), archive.isKeyedArchive else {
      return .nothing("not a keyed archive, so no traits")
    }
    return .value(
      .string(archive.text), note: archive.isExact ? "decoded" : "decoded, with objects that JSON cannot express")
  }

  var sessionID: Reading {
    context.sessionIsStopped ? .nothing("the session was ended") : .of(context.sources.value("rl_session_id"))
  }

  var manualTracking: Reading {
    guard let value = context.sources.value("rl_session_manual_track_status") else {
      return .value(.boolean(false), note: "absent reads as false")
    }
    return .value(.boolean(PlanningContext.isTrue(value)), note: nil)
  }

  /// Zero means no time.
  var lastEvent: Reading {
    switch context.sources.value("rl_last_event_time_stamp") {
    case .integer(let seconds)? where seconds == 0: .nothing("zero: no event")
    case let value: .of(value)
    }
  }

  var appVersion: Reading { text("rs_application_version_key", else: nil) }

  var appBuild: Reading { text("rs_application_build_key", else: nil) }

  /// `UserDefaults` returns a number as its text.
  private func text(_ key: String, else reason: String?) -> Reading {
    guard let value = context.sources.value(key) else { return .nothing(reason) }
    guard let text = try? Transform.exactText(value, now: context.now) else {
      return .nothing("not text: reads as absent")
    }
    return .value(text, note: text == value ? nil : "a number, read as text")
  }
}

extension FourWayReadings {
  /// The value that the beta SDK 2 reads, and the one that the vendor's migrator from it writes.
  static func beta(
    _ read: (LegacySDKV2) -> Reading, _ written: (ReferenceHelperV2) -> Reading, _ context: PlanningContext
  ) -> FourWayReadings {
    FourWayReadings(
      legacy: read(LegacySDKV2(context: context)), guide: .nothing("the guide for the beta is not compared"),
      helper: written(ReferenceHelperV2(context: context)))
  }
}

extension FieldDraft {
  /// The result of the rule's transform for the guide's key, without checks. The guide does not cover React Native.
  func guide(_ context: PlanningContext, _ key: String, else reason: String) -> Reading {
    guard let candidate = rule.candidates.first(where: { $0.source.key.hasSameBytes(as: key) }),
      let found = context.sources.values(key).first
    else { return .nothing(reason) }
    return .of(Evaluation(candidate, found, now: context.now).proposed, else: reason)
  }

  /// The result of the rule's transform for the legacy value, without checks.
  var transformed: PropertyListValue? { failure == nil ? steps.last?.result ?? proposed : nil }
}
