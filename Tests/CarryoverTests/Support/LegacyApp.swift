struct LegacyApp {
  var standard: PropertyListDictionary? = LegacyApp.clean
  var file: PropertyListDictionary? = LegacyApp.clean
  var target: PropertyListDictionary?
  var otherStores: [Store] = []
  var unsentEvents: [UnsentEvents] = []
  var bundleID: String? = "com.acme.shop"
  var recipe = Recipe.rudderStackObjC
  var filePath = "Library/rsDefaultsPersistence.plist"

  static let writeKey = "WK"
  static let targetPath = "AppData/Library/Preferences/com.acme.shop.analytics.WK.plist"
  static let standardPath = "AppData/Library/Preferences/com.acme.shop.plist"

  /// 2025-11-20T12:05:00Z.
  static let now = Moment(secondsSince1970: 1_763_640_300)

  static let anonymousID = "9f1c2a7e-6b0d-4c1e-8f3a-2b5d7e9a1c40"

  static let clean: PropertyListDictionary = [
    "rl_anonymous_id": .string(anonymousID),
    "rl_traits": .string(#"{"anonymousId":"\#(anonymousID)","userId":"u-42","email":"ada@example.com","plan":"pro"}"#),
    "rl_session_id": 1_763_640_000,
    "rl_session_auto_track_status": true,
    "rl_last_event_time_stamp": 1_763_640_123,
    "rl_application_version_key": "4.2.0",
    "rl_application_build_key": "420",
  ]

  /// The same in both stores, with these keys changed; nil removes one.
  static func with(_ changes: [String: PropertyListValue?]) -> LegacyApp {
    var keys = clean
    for (key, value) in changes { keys[key] = value }
    return LegacyApp(standard: keys, file: keys)
  }

  static func traits(_ json: String) -> LegacyApp { with(["rl_traits": .string(json)]) }

  func container() throws -> Container {
    var stores = otherStores
    func add(_ path: String, _ keys: PropertyListDictionary?, _ format: PropertyListFormat) throws {
      if let keys { stores.append(try Store(path, keys, as: format)) }
    }
    try add(Self.standardPath, standard, .binary)
    try add("AppData/" + filePath, file, .xml)
    try add(Self.targetPath, target, .binary)
    var container = Container(stores, kind: .xcappdata, in: "/tmp/Acme.xcappdata", bundleID: bundleID)
    container.unsentEvents = unsentEvents
    return container
  }

  func plan(
    now: Moment = LegacyApp.now, options: PlannerOptions = PlannerOptions(writeKey: LegacyApp.writeKey)
  ) throws -> Plan {
    Planner(recipe).plan(try container(), now: now, options: options)
  }

  func field(_ id: String) throws -> Field? { try plan().field(id) }

  func cleanupPlan() throws -> CleanupPlan {
    Planner(recipe).cleanupPlan(try container(), now: Self.now, options: PlannerOptions(writeKey: Self.writeKey))
  }
}

extension Plan {
  var codes: Set<FindingCode> { Set(findings.map(\.code)) }
}

extension Field {
  var codes: [FindingCode] { findings.map(\.code) }
}

extension Field? {
  /// Expects of a field what is given, and returns it.
  /// - Parameter proposed: `.some(nil)` for no proposal; nil to leave it open.
  @discardableResult
  func expect(
    status: FieldStatus? = nil, proposed: PropertyListValue?? = nil, codes: [FindingCode]? = nil,
    alternatives: [PropertyListValue]? = nil, _ location: SourceLocation = #_sourceLocation
  ) throws -> Field {
    let field = try #require(self, sourceLocation: location)
    if let status { #expect(field.status == status, sourceLocation: location) }
    if let proposed { #expect(field.proposed == proposed, sourceLocation: location) }
    if let codes { #expect(field.codes == codes, sourceLocation: location) }
    if let alternatives { #expect(field.alternatives.map(\.value) == alternatives, sourceLocation: location) }
    return field
  }
}

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

  static func with(_ changes: [String: PropertyListValue?]) throws -> LegacyApp {
    var keys = try clean()
    for (key, value) in changes { keys[key] = value }
    return LegacyApp(standard: keys, file: nil, recipe: .rudderStackSwiftV2)
  }

  static func traits(_ object: Any) throws -> LegacyApp { try with(["rs_traits": archive(object)]) }
}
