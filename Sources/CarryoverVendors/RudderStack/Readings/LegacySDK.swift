import Carryover
import PropertyLists

/// The Objective-C SDK (1.31) as it reads its own values when it starts: the preferences first, then its file, key by
/// key. Under React Native, that SDK's own keys for the session and the app come first, unless the native SDK ran last.
struct LegacySDK {
  private let context: PlanningContext

  init(_ context: PlanningContext) { self.context = context }

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
