@testable import Carryover

/// The React Native SDK turns the native tracking of sessions and of the app's life off, and keeps both in the standard
/// preferences under keys of its own: the time in seconds since 1970, two statuses, version and build as text.
@Suite("React Native's keys") struct ReactNativeTests {
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

  @Test func `source.react-native: its keys are taken before the native ones, whose values are offered`() throws {
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
    #expect(
      plan.containerFindings.map(\.observation) == [
        .sourceReactNative(
          keys: [
            "rn_session_auto_track_status", "rn_last_event_time_stamp", "rn_application_version_key",
            "rn_application_build_key",
          ],
          stale: ["rl_session_auto_track_status", "rl_application_version_key", "rl_application_build_key"])
      ])
  }

  private static let nativeRan: [String: PropertyListValue?] = [
    "rl_session_auto_track_status": true, "rl_session_id": 1_763_640_250, "rl_last_event_time_stamp": 1_763_640_260,
    "rl_application_version_key": "5.0", "rl_application_build_key": "500",
  ]

  @Test(
    "source.react-native: where the native SDK is proven to have run last, its keys are current and the others stale",
    arguments: [
      (NativeRunProof.automaticTracking, nativeRan),
      (.automaticTracking, nativeRan.merging(["rl_last_event_time_stamp": 1_763_640_100], uniquingKeysWith: { $1 })),
      (.newerEvent, nativeRan.merging(["rl_session_auto_track_status": false], uniquingKeysWith: { $1 })),
    ])
  func nativeRanLast(_ proof: NativeRunProof, _ keys: [String: PropertyListValue?]) throws {
    let plan = try app(keys).plan()
    for (id, key) in [
      ("is_manual_session", "rl_session_auto_track_status"), ("last_activity_time", "rl_last_event_time_stamp"),
      ("rudder.app_version", "rl_application_version_key"), ("rudder.app_build", "rl_application_build_key"),
    ] {
      let field = try #require(plan.field(id))
      #expect(field.sourceLabel == key && field.status == .ready, "\(id)")
    }
    #expect(plan.field("is_manual_session")?.proposed == .boolean(proof != .automaticTracking))
    #expect(plan.field("rudder.app_version")?.proposed == "5.0" && plan.field("rudder.app_build")?.proposed == 500)
    #expect(
      plan.field("rudder.app_version")?.alternatives
        == [Alternative(label: "rn_application_version_key", value: "4.3.0")])
    #expect(plan.field("rudder.app_version")?.readings.legacy == .value("5.0", note: nil))
    let finding = try #require(plan.containerFindings.first { $0.code == .sourceReactNative })
    #expect(
      finding.observation
        == .sourceReactNativeStale(
          keys: [
            "rn_application_build_key", "rn_application_version_key", "rn_last_event_time_stamp",
            "rn_session_auto_track_status", "rn_session_manual_track_status",
          ], proof))
    #expect(plan.undecided([:]).isEmpty)
  }

  @Test func `source.react-native: a stale value stands in for none of the native SDK's`() throws {
    let plan = try app([
      "rl_session_auto_track_status": true, "rn_session_manual_track_status": true, "rl_session_id": 1_763_640_250,
    ]).plan()
    let time = try #require(plan.field("last_activity_time"))
    #expect(time.proposed == nil && time.codes == [.sessionTimestampMissing])
    #expect(time.alternatives.map(\.label) == ["rn_last_event_time_stamp"])
    let kind = try #require(plan.field("is_manual_session"))
    #expect(kind.findings.first?.observation == .sessionAutoTrackContradicted(.sessionWithoutTimestamp))
  }

  @Test(
    "source.react-native: where it is not certain which ran last, each field that differs asks",
    arguments: [
      (NativeRunDoubt.timesNotComparable, ["rl_last_event_time_stamp": 1_763_640_100_000]),
      (.timesNotComparable, ["rl_last_event_time_stamp": 12_345]),
      (.sessionBeganLater, ["rl_session_id": 1_763_640_201]),
      (.higherNativeVersion, ["rl_application_version_key": "4.10"]),
      (.higherNativeVersion, ["rl_application_build_key": "431"]),
    ] as [(NativeRunDoubt, [String: PropertyListValue])])
  func unsure(_ doubt: NativeRunDoubt, _ keys: [String: PropertyListValue]) throws {
    let plan = try app(keys.mapValues { $0 }).plan()
    let kind = try #require(plan.field("is_manual_session"))
    #expect(
      kind.findings.first?.observation
        == .sourceReactNativeUnsure(
          key: "rn_session_auto_track_status", others: ["rl_session_auto_track_status"], doubt))
    #expect(kind.status == .needsDecision && kind.proposed == false)
    #expect(kind.alternatives == [Alternative(label: "rl_session_auto_track_status", value: true)])
    #expect(plan.field("rudder.app_version")?.status == .needsDecision)
    #expect(plan.field("session_id")?.status == .ready, "both SDKs keep it under one key")
  }

  @Test func `source.react-native: the native time alone asks where React Native has left none`() throws {
    let plan = try app(["rn_last_event_time_stamp": nil, "rl_last_event_time_stamp": 1_763_640_100]).plan()
    let field = try #require(plan.field("last_activity_time"))
    #expect(field.codes.contains(.sourceReactNative) && field.status == .needsDecision)
  }

  @Test func `source.react-native: an older or equal native time, session and version leave no doubt`() throws {
    for keys: [String: PropertyListValue?] in [
      ["rl_last_event_time_stamp": 1_763_640_199], ["rl_last_event_time_stamp": 1_763_640_200],
      ["rl_session_id": 1_763_640_200], ["rl_application_version_key": "4.2.9", "rl_application_build_key": "430"],
      ["rl_application_version_key": "beta"],
      // A session that the app began by itself may have a number of the app's own.
      ["rn_session_auto_track_status": false, "rn_session_manual_track_status": true, "rl_session_id": 9_999_999_999],
    ] {
      #expect(try app(keys).plan().undecided([:]).isEmpty, "\(keys)")
    }
  }

  @Test func `session.timestamp-missing and session.auto-track-absent look at its keys`() throws {
    #expect(try app(["rl_session_auto_track_status": nil]).plan().codes == [.sourceReactNative])
    let timeless = try app(["rn_last_event_time_stamp": nil, "rn_session_auto_track_status": false]).plan()
    #expect(timeless.field("last_activity_time")?.codes == [.sessionTimestampMissing])
    let future = try app(["rn_last_event_time_stamp": 1_763_649_999]).plan()
    let finding = try #require(future.field("last_activity_time")?.findings.first)
    #expect(finding.message.contains("rn_last_event_time_stamp is"))
  }

  @Test(arguments: [true, false])
  func `session.auto-track-contradicted: its two statuses must differ`(_ status: Bool) throws {
    let field = try #require(
      try app(["rn_session_auto_track_status": .boolean(status), "rn_session_manual_track_status": .boolean(status)])
        .field("is_manual_session"))
    #expect(field.codes.contains(.sessionAutoTrackContradicted) && field.status == .needsDecision)
  }

  @Test func `a session that was started by hand is a manual one`() throws {
    let field = try #require(
      try app(["rn_session_auto_track_status": false, "rn_session_manual_track_status": true])
        .field("is_manual_session"))
    #expect(field.proposed == true && field.codes == [.sessionManualWillBeReplaced])
  }

  @Test func `the helper and the guide know the native keys only; the SDK reads its own`() throws {
    let plan = try app().plan()
    let version = try #require(plan.field("rudder.app_version")?.readings)
    #expect(version.legacy == .value("4.3.0", note: nil))
    #expect(version.guide == .value("1.0.0", note: nil) && version.helper == .value("1.0.0", note: nil))
    let manual = try #require(plan.field("is_manual_session")?.readings)
    #expect(manual.legacy == .value(true, note: nil) && manual.guide == .value(true, note: nil))
    #expect(manual.helper == .nothing("no valid time of the last event"))
    #expect(plan.field("last_activity_time")?.readings.guide == .nothing("no valid time: skip it"))
  }
}
