import Carryover
import PropertyLists
import Testing

/// The React Native SDK turns the native tracking of sessions and of the app's life off, and keeps both in the standard
/// preferences under keys of its own: the time in seconds since 1970, two statuses, version and build as text.
@Suite("React Native's keys")
struct ReactNativeTests {
  private func app(_ changes: [String: PropertyListValue?] = [:]) -> LegacyApp {
    var keys = LegacyApp.clean
    let native: [String: PropertyListValue?] = [
      "rl_session_auto_track_status": false, "rl_last_event_time_stamp": nil, "rl_application_version_key": "1.0.0",
      "rl_application_build_key": "1", "rn_session_auto_track_status": true,
      "rn_session_manual_track_status": false, "rn_last_event_time_stamp": 1_763_640_200,
      "rn_application_version_key": "4.3.0", "rn_application_build_key": "430",
    ]
    for (key, value) in native.merging(changes, uniquingKeysWith: { $1 }) { keys[key] = value }
    return LegacyApp(standard: keys, file: nil)
  }

  @Test("source.react-native: its keys are taken before the native ones, whose values are offered")
  func taken() throws {
    let plan = try app().plan()
    let expected: [String: (PropertyListValue, String)] = [
      "is_manual_session": (false, "rn_session_auto_track_status"),
      "last_activity_time": ("1763640200000", "rn_last_event_time_stamp"),
      "rudder.app_version": ("4.3.0", "rn_application_version_key"),
      "rudder.app_build": (430, "rn_application_build_key"),
    ]
    for (id, (value, key)) in expected {
      let field = try #require(plan.field(id))
      #expect(field.proposed == value && field.sourceLabel == key && field.status == .ready, "\(id)")
    }
    #expect(
      plan.field("rudder.app_version")?.alternatives
        == [Alternative(label: "rl_application_version_key", value: "1.0.0")])
    #expect(plan.codes == [.sourceReactNative])
    guard case .sourceReactNative(let keys, let stale)? = plan.containerFindings.first?.observation else { return }
    #expect(keys.count == 4 && keys.allSatisfy { $0.hasPrefix("rn_") })
    #expect(
      stale == ["rl_session_auto_track_status", "rl_application_version_key", "rl_application_build_key"])
  }

  @Test("source.react-native: without its keys there is nothing to say, and native keys are used as ever")
  func absent() throws {
    #expect(try LegacyApp().plan().findings.isEmpty)
    let some = try app(["rn_application_version_key": nil]).plan()
    #expect(some.field("rudder.app_version")?.proposed == "1.0.0")
  }

  @Test("session.timestamp-missing and session.auto-track-absent look at its keys")
  func sessions() throws {
    #expect(try app(["rl_session_auto_track_status": nil]).plan().codes == [.sourceReactNative])
    let timeless = try app(["rn_last_event_time_stamp": nil, "rn_session_auto_track_status": false]).plan()
    #expect(timeless.field("last_activity_time")?.codes == [.sessionTimestampMissing])
    let future = try app(["rn_last_event_time_stamp": 1_763_649_999]).plan()
    let finding = try #require(future.field("last_activity_time")?.findings.first)
    #expect(finding.message.hasPrefix("rn_last_event_time_stamp is"))
  }

  @Test("session.auto-track-contradicted: its two statuses must differ", arguments: [true, false])
  func contradiction(_ status: Bool) throws {
    let field = try #require(
      try app([
        "rn_session_auto_track_status": .boolean(status), "rn_session_manual_track_status": .boolean(status),
      ]).field("is_manual_session"))
    #expect(field.codes.contains(.sessionAutoTrackContradicted) && field.status == .needsDecision)
  }

  @Test("a session that was started by hand is a manual one")
  func manual() throws {
    let field = try #require(
      try app(["rn_session_auto_track_status": false, "rn_session_manual_track_status": true])
        .field("is_manual_session"))
    #expect(field.proposed == true && field.codes == [.sessionManualWillBeReplaced])
  }

  @Test("the helper and the guide know the native keys only; the SDK reads its own")
  func readings() throws {
    let plan = try app().plan()
    let version = try #require(plan.field("rudder.app_version")?.readings)
    #expect(version.legacy == .value("4.3.0", note: nil))
    #expect(version.guide == .value("1.0.0", note: nil) && version.helper == .value("1.0.0", note: nil))
    let manual = try #require(plan.field("is_manual_session")?.readings)
    #expect(manual.legacy == .value(true, note: nil) && manual.guide == .value(true, note: nil))
    #expect(manual.helper == .nothing("no valid time of a last event: all session data dropped"))
    #expect(plan.field("last_activity_time")?.readings.guide == .nothing("no valid time: skip it"))
  }
}
