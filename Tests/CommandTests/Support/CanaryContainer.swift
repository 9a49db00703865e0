import Foundation
import PropertyLists

/// A data folder with a value in every place a value can be in, each of which gives itself away where it is printed.
struct CanaryContainer {
  let folder: TemporaryFolder
  let path: String

  static let bundleID = "com.example.app"
  static let writeKey = "1canaryWriteKey"

  static let canaries = [
    "CANARY-ANONYMOUS", "canary-other-anonymous", "77712345678", "canary-custom-id", "canary@private.example",
    "Canary Person", "canary-nested", "+49 170 5551234", "99887766554", "canary-token", "canary-config", "canary-ext",
    "canary.key@private.example", "1987-06-05", "canary-in-data", "canary-in-list", "canary-in-json",
    "canary free text",
    "canary-target-user", writeKey, "canary build", "canary-session", "canary-advertising", "canary-removed",
    "550e8400",
    "Y2FuYXJ5", "63616e617279",
  ]

  var options: [String] { [path, "--write-key", Self.writeKey, "--now", "2025-11-20T12:05:00Z"] }

  /// - Parameter soundTraits: whether the traits are whole; cut off, they are a finding.
  init(soundTraits: Bool = true) throws {
    folder = try TemporaryFolder()
    path = folder.path("Case")
    let traits =
      #"{"anonymousId":"canary-other-anonymous","userId":77712345678,"id":"canary-custom-id","#
      + #""email":"canary@private.example","name":"Canary Person","tags":[{"x":"canary-nested"}],"#
      + #""phone":"+49 170 5551234","account":99887766554,"ratio":4.10,"ratio":1E5"# + (soundTraits ? "}" : "")
    let standard: PropertyListDictionary = [
      "rl_anonymous_id": "CANARY-ANONYMOUS", "rl_traits": .string(traits), "rl_session_id": "canary-session",
      "rl_session_auto_track_status": true, "rl_last_event_time_stamp": "canary-session",
      "rl_application_build_key": "canary build", "rl_application_info_key": "canary build",
      "rl_auth_token": "canary-token", "rl_advertising_id": "canary-advertising",
      "rl_server_config": #"{"source":{"id":"canary-config"}}"#,
      "rl_external_id": #"[{"type":"canary-ext","id":"canary-ext 2"}]"#, "rl_note": "canary free text",
      "rl_prefs": "canary-removed",
      "inbox:canary.key@private.example": 1,
      "birthday": .date(PropertyListDate(iso8601: "1987-06-05T00:00:00Z") ?? .init(secondsSince2001: 0)),
      "blob": .data(Array("canary-in-data".utf8)), "list": [["deep": "canary-in-list"]],
      "draft": #"{"a":"{\"b\":\"canary-in-json\"}"}"#, "device": "550e8400-e29b-41d4-a716-446655440000",
      "plist": .data(try PropertyListDocument.encode(["k": "canary-in-list"], as: .binary)),
    ]
    var file = standard
    file["rl_anonymous_id"] = "canary-other-anonymous"
    file["rl_only_here"] = "canary free text"
    let target: PropertyListDictionary = [
      "anonymous_id": "canary-other-anonymous", "user_id": "canary-target-user", "traits": ["a": "canary-nested"],
      "session_id": 5,
    ]
    try write("Library/Preferences/\(Self.bundleID).plist", standard)
    try write("Library/rsDefaultsPersistence.plist", file)
    try write("Library/Preferences/\(Self.bundleID).analytics.\(Self.writeKey).plist", target)
    try FileManager.default.createDirectory(
      atPath: path + "/Library/Application Support/x", withIntermediateDirectories: true)
    try Data("<?xml version=\"1.0\"?><plist><dict><key>canary free text</key></plist>".utf8).write(
      to: URL(fileURLWithPath: path + "/Library/Application Support/x/broken.plist"))
    try Data(#"{"note":"canary free text"}"#.utf8).write(
      to: URL(fileURLWithPath: path + "/Library/Application Support/x/notes.json"))
  }

  var preferences: String { path + "/Library/Preferences/\(Self.bundleID).plist" }

  func write(_ name: String, _ dictionary: PropertyListDictionary) throws {
    let url = URL(fileURLWithPath: path + "/" + name)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(PropertyListDocument.encode(.dictionary(dictionary), as: .binary)).write(to: url)
  }
}
