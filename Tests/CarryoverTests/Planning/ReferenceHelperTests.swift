import Carryover
import CarryoverStorage
import CarryoverSystem
import CarryoverVendors
import PropertyLists
import Testing

@Suite("What RudderStack's example migrators write")
struct ReferenceHelperTests {
  @Test("PersistentMigratorFromV1 writes what is predicted, and nothing else", arguments: HelperCase.v1)
  func first(_ example: HelperCase) throws {
    let app = LegacyApp(standard: example.standard, file: example.file)
    #expect(try predicted(app) == example.written)
  }

  @Test("PersistentMigratorFromV2 writes what is predicted, the vendor's id aside", arguments: HelperCase.v2)
  func second(_ example: HelperCase) throws {
    let app = LegacyApp(standard: example.standard, file: nil, recipe: .rudderStackSwiftV2)
    #expect(try predicted(app) == example.written)
  }

  @Test("Where the suite is there, neither writes anything")
  func nothing() throws {
    for recipe in [Recipe.rudderStackObjC, .rudderStackSwiftV2] {
      for example in HelperCase.v1 + HelperCase.v2 {
        let app = LegacyApp(standard: example.standard, file: example.file, target: ["other": 1], recipe: recipe)
        #expect(try predicted(app).isEmpty)
      }
    }
  }

  @Test("is_session_start is no field: the helper never writes it")
  func sessionStart() throws {
    #expect(try LegacyApp().plan().field("is_session_start") == nil)
  }

  private func predicted(_ app: LegacyApp) throws -> [String: PropertyListValue] {
    var written: [String: PropertyListValue] = [:]
    for field in try app.plan().fields {
      if case .value(let value, _) = field.readings.helper { written[field.id] = value }
    }
    return written
  }
}

struct HelperCase: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let standard: PropertyListDictionary?
  let file: PropertyListDictionary?
  let written: [String: PropertyListValue]

  init(
    _ title: String, standard: PropertyListDictionary? = nil, file: PropertyListDictionary? = nil,
    written: [String: PropertyListValue]
  ) {
    (testDescription, self.standard, self.file, self.written) = (title, standard, file, written)
  }

  static let v1: [HelperCase] = [
    HelperCase(
      "a session id of zero is written",
      file: ["rl_session_id": 0, "rl_last_event_time_stamp": 1_763_640_123, "rl_session_auto_track_status": true],
      written: ["is_manual_session": false, "last_activity_time": "1763640123000", "session_id": "0"]),
    HelperCase(
      "a boolean is a number",
      file: ["rl_session_id": true, "rl_last_event_time_stamp": 1_763_640_123, "rl_session_auto_track_status": true],
      written: ["is_manual_session": false, "last_activity_time": "1763640123000", "session_id": "1"]),
    HelperCase(
      "a fraction is cut off",
      file: [
        "rl_session_id": .real(PropertyListReal(1_763_640_000.75)), "rl_last_event_time_stamp": 1_763_640_123,
        "rl_session_auto_track_status": true,
      ],
      written: ["is_manual_session": false, "last_activity_time": "1763640123000", "session_id": "1763640000"]),
    HelperCase(
      "a negative number wraps",
      file: [
        "rl_session_id": .real(PropertyListReal(-2.5)), "rl_last_event_time_stamp": 1_763_640_123,
        "rl_session_auto_track_status": true,
      ],
      written: [
        "is_manual_session": false, "last_activity_time": "1763640123000", "session_id": "18446744073709551614",
      ]),
    HelperCase(
      "a negative integer wraps",
      file: ["rl_session_id": -5, "rl_last_event_time_stamp": 1_763_640_123, "rl_session_auto_track_status": true],
      written: [
        "is_manual_session": false, "last_activity_time": "1763640123000", "session_id": "18446744073709551611",
      ]),
    HelperCase(
      "text is no number, so there is no session",
      file: [
        "rl_session_id": "1763640000", "rl_last_event_time_stamp": 1_763_640_123, "rl_session_auto_track_status": true,
      ],
      written: [:]),
    HelperCase(
      "a time that is text drops the session",
      file: [
        "rl_session_id": 1_763_640_000, "rl_last_event_time_stamp": "1763640123", "rl_session_auto_track_status": true,
      ],
      written: [:]),
    HelperCase(
      "a time that is a boolean is one second",
      file: ["rl_session_id": 1_763_640_000, "rl_last_event_time_stamp": true, "rl_session_auto_track_status": true],
      written: ["is_manual_session": false, "last_activity_time": "1000", "session_id": "1763640000"]),
    HelperCase(
      "a time below a millisecond is zero",
      file: [
        "rl_session_id": 1_763_640_000, "rl_last_event_time_stamp": .real(PropertyListReal(0.0001)),
        "rl_session_auto_track_status": true,
      ],
      written: ["is_manual_session": false, "last_activity_time": "0", "session_id": "1763640000"]),
    HelperCase(
      "a fraction of a millisecond is cut off",
      file: [
        "rl_session_id": 1_763_640_000, "rl_last_event_time_stamp": .real(PropertyListReal(1_763_640_123.4567)),
        "rl_session_auto_track_status": true,
      ],
      written: ["is_manual_session": false, "last_activity_time": "1763640123456", "session_id": "1763640000"]),
    HelperCase(
      "a status that is a real",
      file: [
        "rl_session_id": 1_763_640_000, "rl_last_event_time_stamp": 1_763_640_123,
        "rl_session_auto_track_status": .real(PropertyListReal(0.0)),
      ],
      written: ["is_manual_session": true, "last_activity_time": "1763640123000", "session_id": "1763640000"]),
    HelperCase(
      "a status that is text is none",
      file: [
        "rl_session_id": 1_763_640_000, "rl_last_event_time_stamp": 1_763_640_123,
        "rl_session_auto_track_status": "YES",
      ],
      written: ["last_activity_time": "1763640123000", "session_id": "1763640000"]),
    HelperCase(
      "a build that is an integer is dropped",
      file: ["rl_application_build_key": 420, "rl_application_version_key": "4.2.0"],
      written: ["rudder.app_version": "4.2.0"]),
    HelperCase(
      "a build in another form", file: ["rl_application_build_key": "+0420"],
      written: ["rudder.app_build": 420]),
    HelperCase(
      "a file with none of its keys: the preferences",
      standard: [
        "rl_anonymous_id": .string(LegacyApp.anonymousID), "rl_session_id": 1_763_640_000,
        "rl_last_event_time_stamp": 1_763_640_123, "rl_session_auto_track_status": true,
      ], file: ["theme": "dark"],
      written: [
        "anonymous_id": .string(LegacyApp.anonymousID), "is_manual_session": false,
        "last_activity_time": "1763640123000", "session_id": "1763640000",
      ]),
    HelperCase(
      "an empty file: the preferences", standard: ["rl_anonymous_id": .string(LegacyApp.anonymousID)], file: [:],
      written: ["anonymous_id": .string(LegacyApp.anonymousID)]),
    HelperCase(
      "a file with values that it makes nothing of: the preferences",
      standard: ["rl_anonymous_id": .string(LegacyApp.anonymousID)],
      file: [
        "rl_anonymous_id": 4711, "rl_traits": "{", "rl_session_id": 1_763_640_000, "rl_application_build_key": 420,
      ],
      written: ["anonymous_id": .string(LegacyApp.anonymousID)]),
    HelperCase(
      "a file with an empty object as traits counts", standard: ["rl_anonymous_id": .string(LegacyApp.anonymousID)],
      file: ["rl_traits": "{}"],
      written: [:]),
    HelperCase(
      "a number as an id: its text from the preferences", standard: ["rl_anonymous_id": 4711],
      written: ["anonymous_id": "4711"]),
    HelperCase(
      "a real as an id: its text from the preferences", standard: ["rl_anonymous_id": .real(PropertyListReal(4.5))],
      written: ["anonymous_id": "4.5"]),
    HelperCase(
      "a number as an id: dropped from the file",
      file: ["rl_anonymous_id": 4711, "rl_application_version_key": "4.2.0"],
      written: ["rudder.app_version": "4.2.0"]),
    HelperCase(
      "id goes from the traits, and deeper ones stay",
      file: ["rl_traits": #"{"anonymousId":"a","userId":"u","id":"x","d":{"id":1}}"#],
      written: ["traits": #"{"d":{"id":1}}"#, "user_id": "u"]),
    HelperCase(
      "traits as data are none",
      standard: [
        "rl_traits": .data(Array(#"{"userId":"u"}"#.utf8)), "rl_anonymous_id": .string(LegacyApp.anonymousID),
      ],
      written: ["anonymous_id": .string(LegacyApp.anonymousID)]),
  ]

  static let v2: [HelperCase] = [
    HelperCase(
      "a boolean as user id is its number", standard: ["rs_user_id": true],
      written: ["user_id": "1"]),
    HelperCase(
      "a real as user id", standard: ["rs_user_id": .real(PropertyListReal(4.5))],
      written: ["user_id": "4.5"]),
    HelperCase(
      "a number as user id", standard: ["rs_user_id": 42],
      written: ["user_id": "42"]),
    HelperCase(
      "a session needs no time, and a boolean is a number", standard: ["rl_session_id": true],
      written: ["session_id": "1"]),
    HelperCase(
      "a negative fraction wraps",
      standard: ["rl_session_id": .real(PropertyListReal(-2.5)), "rl_session_manual_track_status": 1],
      written: ["is_manual_session": true, "session_id": "18446744073709551614"]),
    HelperCase(
      "a time below a millisecond is zero",
      standard: ["rl_session_id": 1_763_640_000, "rl_last_event_time_stamp": .real(PropertyListReal(0.0001))],
      written: ["last_activity_time": "0", "session_id": "1763640000"]),
    HelperCase(
      "text is no number", standard: ["rl_session_id": "1763640000", "rl_last_event_time_stamp": 1_763_640_123],
      written: [:]),
    HelperCase(
      "an ended session is written",
      standard: [
        "rl_session_id": 1_763_640_000, "rl_session_stopped_status": true, "rl_last_event_time_stamp": 1_763_640_123,
      ],
      written: ["last_activity_time": "1763640123000", "session_id": "1763640000"]),
  ]
}
