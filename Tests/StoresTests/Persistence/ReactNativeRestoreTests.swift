import Carryover
import CarryoverRestore
import CarryoverRouter
import CarryoverStorage
import CarryoverSystem
import CarryoverUserDefaults
import CarryoverVendors
import PropertyLists
import Testing

@Suite("Restoring where React Native's SDK and the native one have both run")
struct ReactNativeRestoreTests {
  private static let reactNative: [String: PropertyListValue] = [
    "rn_session_auto_track_status": true, "rn_session_manual_track_status": false,
    "rn_last_event_time_stamp": 1_763_630_000, "rn_application_version_key": "3.0.0",
    "rn_application_build_key": "300",
  ]

  private func restored(_ changes: [String: PropertyListValue]) throws -> (PersistenceReport, PersistenceApp) {
    let values = LegacyValues.objC.merging(Self.reactNative) { $1 }.merging(changes) { $1 }
    let app = try PersistenceApp(values)
    return (app.migrator().restorePersistence(), app)
  }

  @Test("the native SDK is proven to have run last: its session, version and build are restored (A19)")
  func nativeRanLast() throws {
    for status in [true, false] {
      let (report, app) = try restored(["rl_session_auto_track_status": .boolean(status)])
      var expected = LegacyValues.restored
      expected["is_manual_session"] = .boolean(!status)
      #expect(report.status == .done && app.restored == expected)
      #expect(report.findings.contains { $0.code == .sourceReactNative && $0.message.contains("are older") })
    }
  }

  @Test("React Native's SDK ran last: its keys are restored (A19)")
  func reactNativeRanLast() throws {
    let (report, app) = try restored([
      "rl_session_auto_track_status": false, "rl_last_event_time_stamp": 1_763_620_000,
      "rl_session_id": 1_763_620_000, "rl_application_version_key": "2.0", "rl_application_build_key": "200",
    ])
    #expect(report.findings.filter { $0.field != nil }.allSatisfy { $0.code != .sourceReactNative })
    #expect(app.restored["is_manual_session"] == false && app.restored["last_activity_time"] == "1763630000000")
    #expect(app.restored["rudder.app_version"] == "3.0.0" && app.restored["rudder.app_build"] == 300)
  }

  @Test("where it is not certain, the fields are named in the report (A19)")
  func unsure() throws {
    let (report, app) = try restored([
      "rl_session_auto_track_status": false, "rl_last_event_time_stamp": 1_763_620_000,
      "rl_session_id": 1_763_640_000,
    ])
    #expect(report.status == .done && app.restored["is_manual_session"] == false)
    let fields = report.findings.filter { $0.code == .sourceReactNative }.compactMap(\.field)
    #expect(
      Set(fields) == ["is_manual_session", "last_activity_time", "rudder.app_version", "rudder.app_build"])
  }
}
