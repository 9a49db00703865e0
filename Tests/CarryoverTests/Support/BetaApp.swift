import Carryover
import CarryoverStorage
import CarryoverSystem
import CarryoverVendors
import Foundation
import PropertyLists

final class ArchivedAddress: NSObject, NSCoding {
  override init() { super.init() }
  init?(coder: NSCoder) { nil }
  func encode(with coder: NSCoder) { coder.encode("Ulm" as NSString, forKey: "city") }
}

/// What the beta SDK 2 leaves in the preferences of an app.
enum BetaApp {
  /// What `NSKeyedArchiver` makes of an object, as the beta SDK calls it.
  static func archive(_ object: Any) throws -> PropertyListValue {
    let archiver = NSKeyedArchiver(requiringSecureCoding: false)
    archiver.encode(object, forKey: NSKeyedArchiveRootObjectKey)
    archiver.finishEncoding()
    return .data([UInt8](archiver.encodedData))
  }

  static func clean() throws -> PropertyListDictionary {
    [
      "rs_user_id": "u-42",
      "rs_traits": try archive(["email": "ada@example.com"]),
      "rl_session_id": 1_763_640_000,
      "rl_session_auto_track_status": true,
      "rl_session_manual_track_status": false,
      "rl_session_stopped_status": false,
      "rl_last_event_time_stamp": 1_763_640_123,
      "rs_application_version_key": "4.2.0",
      "rs_application_build_key": "420",
    ]
  }

  /// With these keys changed; nil removes one.
  static func with(_ changes: [String: PropertyListValue?]) throws -> LegacyApp {
    var keys = try clean()
    for (key, value) in changes { keys[key] = value }
    return LegacyApp(standard: keys, file: nil, recipe: .rudderStackSwiftV2)
  }

  static func traits(_ object: Any) throws -> LegacyApp { try with(["rs_traits": archive(object)]) }
}
