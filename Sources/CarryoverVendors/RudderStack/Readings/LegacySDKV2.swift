import Carryover
import PropertyLists

/// The beta SDK 2 (2.3 to 2.5.1) as it reads its own values when it starts, only from `UserDefaults.standard`.
struct LegacySDKV2 {
  private let context: PlanningContext

  init(_ context: PlanningContext) { self.context = context }

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
