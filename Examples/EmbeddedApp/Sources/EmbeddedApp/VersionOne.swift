import Foundation

/// The app as it was first shipped. It knows nothing of Carryover: a legacy SDK, a person and a token in UserDefaults.
enum VersionOne {
  static func start() throws {
    let defaults = UserDefaults.standard
    guard defaults.object(forKey: "person") == nil else {
      print("  everything is there")
      return
    }
    // What the Objective-C SDK had stored by then.
    defaults.set("9f1c2a7e-6b0d-4f3c-9a58-0c1d2e3f4a5b", forKey: "rl_anonymous_id")
    defaults.set(
      #"{"anonymousId":"9f1c2a7e-6b0d-4f3c-9a58-0c1d2e3f4a5b","userId":42,"email":"jo@acme.example"}"#,
      forKey: "rl_traits")
    defaults.set(1_763_640_000, forKey: "rl_session_id")
    defaults.set(true, forKey: "rl_session_auto_track_status")
    defaults.set(1_763_640_123, forKey: "rl_last_event_time_stamp")
    defaults.set("1.0.0", forKey: "rl_application_version_key")
    defaults.set("100", forKey: "rl_application_build_key")
    // What the app itself had.
    defaults.set(Data(#"{"name":"Jo Doe","age":"23"}"#.utf8), forKey: "person")
    defaults.set("secret", forKey: "auth_token")
    _ = defaults.synchronize()
    print("  a person, a token and what the SDK stores")
  }
}
