import Carryover
import CarryoverSystem

/// How the Swift SDK (1.3.1) interprets its suite when it starts. Sources: Documentation/RudderStack.md.
struct FirstStart {
  typealias Fact = NextLaunch.Fact

  private let setting: LaunchSetting
  private let suite: StoredSuite

  init(_ setting: LaunchSetting) {
    self.setting = setting
    suite = StoredSuite(values: setting.stored)
  }

  var facts: [Fact] { [user, anonymousID, traits, session, appEvent] }

  private var user: Fact {
    guard let id = userID else {
      // No id follows from data that is not JSON text, or from an array.
      let field = setting.plan.field("user_id")
      let isLoss = [field?.proposed, field?.legacy].contains { $0.map(isValue) == true }
      return isLoss
        ? Fact("user", "logged-out", "Logged out: \(suite.reason("user_id")).", isLoss: true)
        : Fact("user", "none", "Nobody is logged in: \(suite.reason("user_id")).")
    }
    return isAnother(id, "user_id")
      ? Fact(
        "user", "logged-in", "Logged in as \(quoted: id), which is not the legacy user id.", value: .string(id),
        isLoss: true)
      : Fact("user", "logged-in", "Logged in as \(quoted: id).", value: .string(id))
  }

  private var userID: String? { suite.text("user_id").flatMap { $0.isEmpty ? nil : $0 } }

  private var anonymousID: Fact {
    if setting.form == .helper,
      setting.plan.field("anonymous_id")?.readings.helper == ReferenceHelperV2.deviceID
    {
      return Fact("anonymous id", "device", "The device's vendor id, which is not in the container.")
    }
    let isLoss = isKnown("anonymous_id")
    guard let id = suite.text("anonymous_id") else {
      return Fact("anonymous id", "new", "A new random id: \(suite.reason("anonymous_id")).", isLoss: isLoss)
    }
    return id.isEmpty
      ? Fact("anonymous id", "empty", "The empty string, which stays the id.", value: .string(id), isLoss: isLoss)
      : isAnother(id, "anonymous_id")
        ? Fact(
          "anonymous id", "read", "\(value: id), which is not the legacy anonymous id.", value: .string(id),
          isLoss: true)
        : Fact("anonymous id", "read", "\(value: id)", value: .string(id))
  }

  private var traits: Fact {
    guard let count = suite.members("traits"), count > 0 else {
      let reason: FindingText =
        switch (suite["traits"], suite.members("traits")) {
        case (nil, _): "the key is absent"
        case (_, .some): "the object is empty"
        case (.string?, nil): "the text is not a JSON object"
        default: suite.reason("traits")
        }
      return Fact("traits", "none", "No traits: \(reason).", isLoss: isKnown("traits"))
    }
    // Any id differs from no id, and a changed id drops the traits.
    guard userID == nil else {
      return hasOthersTraits
        ? Fact("traits", "read", "\(count: count, "trait"), none from the legacy SDK.", isLoss: true)
        : Fact("traits", "read", "\(count: count, "trait").")
    }
    return Fact(
      "traits", "until-identify",
      "\(count: count, "trait") until the next identify call, which deletes them because there is no user id.",
      isLoss: true)
  }

  /// Whether there are legacy traits, and the suite has none of them.
  private var hasOthersTraits: Bool {
    guard let proposed = setting.plan.field("traits")?.proposed, let legacy = try? TraitsText(proposed),
      let stored = suite.text("traits").flatMap({ try? TraitsText(.string($0)) }), !legacy.memberNames.isEmpty
    else { return false }
    return !legacy.memberNames.contains { stored.member($0) == legacy.member($0) }
  }

  private var session: Fact {
    guard let id = suite.sessionID else {
      let reason: FindingText = "\(suite.reason("session_id"))"
      return setting.assumptions.automaticSessions
        ? Fact("session", "new", "A new session: \(reason).") : Fact("session", "none", "No session: \(reason).")
    }
    let name: FindingText = "session \(words: id)"
    let value = PropertyListValue.string(String(id))
    guard setting.assumptions.automaticSessions else {
      return suite.isManualSession
        ? Fact("session", "continued-manual", "Continues manual \(name).", value: value)
        : Fact("session", "none", "Ends \(name): it is not manual, and automatic tracking is off.")
    }
    if suite.isManualSession {
      return Fact("session", "new", "A new session: automatic tracking replaces the manual \(name).")
    }
    if let reason = suite.expiry(setting.plan.now) {
      return Fact("session", "new", "A new session: \(name) has expired (\(reason)).")
    }
    return Fact("session", "continued-automatic", "Continues automatic \(name).", value: value)
  }

  /// The SDK compares only the versions. It sends the previous build, but does not compare it.
  private var appEvent: Fact {
    guard let before = suite.text("rudder.app_version") else {
      return Fact(
        "app event", "installed", "Sends Application Installed: \(suite.reason("rudder.app_version")).",
        isLoss: isKnown("rudder.app_version"))
    }
    guard let version = setting.assumptions.appVersion else {
      return Fact(
        "app event", "updated-if-changed",
        "Sends Application Updated, unless the app's version is still \(value: before).", value: .string(before))
    }
    return version == before
      ? Fact("app event", "none", "No event: the app's version is still \(value: before).", value: .string(before))
      : Fact(
        "app event", "updated", "Application Updated, from \(value: before) to \(value: version).",
        value: .string(before))
  }

  /// Whether the plan or the target has a value for a key that the SDK could read.
  private func isKnown(_ key: String) -> Bool {
    guard let field = setting.plan.field(key) else { return false }
    return [field.proposed, field.current].contains { $0.map(isValue) == true }
  }

  /// Whether an id is not the legacy SDK's. One that a user has entered in an earlier run counts as it.
  private func isAnother(_ id: String, _ key: String) -> Bool {
    guard let field = setting.plan.field(key), field.status != .unchanged, let proposed = field.proposed else {
      return false
    }
    return proposed != .string(id)
  }

  private func isValue(_ value: PropertyListValue) -> Bool { value != .null && value != .string("") }
}

/// The suite as the Swift SDK (1.3.1) reads it when it starts: each key with a typed cast (`KeyValueStore.read`). If
/// the cast fails, the value counts as missing. `UserDefaults` returns numbers as `NSNumber`, which Swift casts to
/// `Bool` if they are 0 or 1. The SDK decodes data as JSON of the requested type, but no other code relies on that.
struct StoredSuite {
  let values: [StringByBytes: PropertyListValue]

  subscript(key: String) -> PropertyListValue? { values[key] }

  func text(_ key: String) -> String? {
    switch values[key] {
    case .string(let text)?: text
    case .data(let bytes)?: json(bytes)?.stringValue
    default: nil
    }
  }

  /// The number in a text of decimal digits.
  func number(_ key: String) -> UInt64? { text(key).flatMap { UInt64($0) } }

  func flag(_ key: String) -> Bool? {
    switch values[key] {
    case .boolean(let flag)?: flag
    case .integer(let integer)?: flag(integer.int64.map { Double($0) })
    case .real(let real)?: flag(real.value)
    case .data(let bytes)?: json(bytes)?.booleanValue
    default: nil
    }
  }

  var sessionID: UInt64? { number("session_id").flatMap(Self.session) }

  /// The id of the session that the SDK continues; nil for zero, which it reads as no session.
  static func session(_ id: UInt64) -> UInt64? { id == 0 ? nil : id }

  var isManualSession: Bool { flag("is_manual_session") ?? false }

  /// Whether the SDK continues the session when it starts, with automatic session tracking or without it.
  func continuesSession(automatic: Bool, at now: Moment) -> Bool {
    guard sessionID != nil else { return false }
    return automatic ? !isManualSession && expiry(now) == nil : isManualSession
  }

  /// The reason that an automatic session has expired; nil if it has not.
  func expiry(_ now: Moment) -> FindingText? {
    guard let last = number("last_activity_time") else { return reason("last_activity_time") }
    let now = UInt64(max(0, now.millisecondsSince1970))
    if now <= last { return "last_activity_time is not in the past" }
    let idle = now - last
    guard idle > LastActivityCheck.sessionTimeout else { return nil }
    return "its last event is \(words: duration(Int64(clamping: idle))) old"
  }

  /// The number of members of the JSON object in a text, each name once, as in the SDK; nil if there is no such object.
  func members(_ key: String) -> Int? {
    guard let text = text(key), let object = try? TraitsText(.string(text)) else { return nil }
    return Set(bytesOf: object.memberNames).count
  }

  /// The reason that a key which must be text reads as missing.
  func reason(_ key: String) -> FindingText {
    switch values[key] {
    case nil: "\(words: key) is absent"
    case .string(let text)? where text.isEmpty: "\(words: key) is empty"
    case .string(let text)?: "\(words: key) is \(quoted: text)"
    case let value?: "\(words: key) is \(typed: value), not a string"
    }
  }

  private func flag(_ number: Double?) -> Bool? { number == 0 ? false : number == 1 ? true : nil }

  private func json(_ bytes: [UInt8]) -> JSONValue? { (try? JSONText(bytes: bytes))?.value }
}
