import Carryover
import CarryoverSystem

/// The values that RudderStack's example migrator (`PersistentMigratorFromV1` of the Swift SDK 1.3.1) would write.
///
/// It reads the property list file, or `UserDefaults.standard` if it finds no values in the file, but never both. One
/// invalid timestamp makes it drop every session value. It decodes and encodes the traits again, does nothing if the
/// target suite exists, and never writes `is_session_start`.
struct ReferenceHelper {
  private let values: HelperValues
  private let context: PlanningContext

  init(_ context: PlanningContext) {
    let sources = context.sources
    let file = sources.stores.last { $0.path.hasSuffix("rsDefaultsPersistence.plist") }
    let preferences = sources.stores.first { $0.path != file?.path }
    let fromFile = file.map { HelperValues($0.path, sources, readsNumbersAsText: false) }
    if let fromFile, fromFile.holdsAnything(now: context.now) {
      values = fromFile
    } else {
      values = HelperValues(preferences?.path, sources, readsNumbersAsText: true)
    }
    self.context = context
  }

  var anonymousID: Reading {
    context.unlessTargetExists {
      guard values["rl_anonymous_id"] != nil else { return .nothing("rl_anonymous_id is absent") }
      return .of(values.text("rl_anonymous_id").map { .string($0) }, else: "not a string: not migrated")
    }
  }

  var userID: Reading {
    context.unlessTargetExists {
      switch values.traits?.member("userId") {
      case .string(let text)?: .value(.string(text), note: nil)
      case nil: .nothing(values.traits == nil && values["rl_traits"] != nil ? "traits unreadable: lost" : "no userId")
      case .some: .nothing("not a string: the user is logged out")
      }
    }
  }

  var traits: Reading {
    context.unlessTargetExists {
      guard values["rl_traits"] != nil else { return .nothing("rl_traits is absent") }
      guard let traits = values.traits else { return .nothing("unreadable: lost, its source deleted") }
      guard let rest = traits.removing(TraitsCheck.ids) else { return .nothing("nothing left") }
      let isExact = traits.lossyPieces(without: TraitsCheck.ids).isEmpty
      let note = isExact ? "decoded and encoded again" : "decoded and encoded again: values change"
      return .value(.string(rest), note: note)
    }
  }

  var sessionID: Reading {
    session { id in
      let note: String? =
        switch values["rl_session_id"] {
        case .integer(let integer)? where integer.isNegative: "a negative number, wrapped"
        case .integer?: id == 0 ? "zero, which the new SDK reads as no session" : nil
        default: "a number of another type, cut to an integer"
        }
      return .value(.string(String(id)), note: note)
    }
  }

  var isManualSession: Reading {
    session { _ in
      .of(
        values["rl_session_auto_track_status"]?.helperNumber.map { .boolean(!$0.isTrue) },
        else: "no status: the new SDK takes the session for automatic")
    }
  }

  var lastActivityTime: Reading {
    session { _ in .of(values.milliseconds(now: context.now).map { .string(String($0)) }) }
  }

  var appVersion: Reading {
    context.unlessTargetExists {
      guard case .string(let text)? = values["rl_application_version_key"] else {
        return .nothing("rl_application_version_key is missing or not a string")
      }
      return .value(.string(text), note: nil)
    }
  }

  var appBuild: Reading {
    context.unlessTargetExists {
      switch values["rl_application_build_key"] {
      case .string(let text)?:
        .of(Int64(text).map { .integer(PropertyListInteger($0)) }, else: "not an integer: skipped")
      case nil: .nothing("no build")
      case .some: .nothing("not a string: skipped")
      }
    }
  }

  /// All of the session or nothing: the migrator needs a numeric id and a time in the past.
  private func session(_ reading: (UInt64) -> Reading) -> Reading {
    context.unlessTargetExists {
      guard let id = values["rl_session_id"]?.helperNumber else {
        return .nothing("the session id is missing or not a number")
      }
      guard values.milliseconds(now: context.now) != nil else { return .nothing("no valid time of the last event") }
      return reading(id.unsigned)
    }
  }
}

extension PlanningContext {
  /// The session as RudderStack's migrator would write it.
  var migratedSession: StoredSuite {
    let (helper, beta) = (ReferenceHelper(self), ReferenceHelperV2(context: self))
    let readings =
      isBeta
      ? [beta.sessionID, beta.isManualSession, beta.lastActivityTime]
      : [helper.sessionID, helper.isManualSession, helper.lastActivityTime]
    var values: [StringByBytes: PropertyListValue] = [:]
    for (key, reading) in zip(["session_id", "is_manual_session", "last_activity_time"], readings) {
      if case .value(let value, _) = reading { values[key] = value }
    }
    return StoredSuite(values: values)
  }
}

private struct HelperValues {
  private let store: (String) -> PropertyListValue?
  /// Whether `UserDefaults` reads the text, and so returns a number as its text.
  private let readsNumbersAsText: Bool
  let traits: TraitsText?

  init(_ path: String?, _ sources: LegacySources, readsNumbersAsText: Bool) {
    store = { key in path.flatMap { sources.value(key, in: $0) } }
    self.readsNumbersAsText = readsNumbersAsText
    let found = sources.values("rl_traits").first { $0.store == path }
    traits = try? found?.traits?.get()
  }

  subscript(key: String) -> PropertyListValue? { store(key) }

  func text(_ key: String) -> String? {
    if readsNumbersAsText { return store(key)?.helperText }
    if case .string(let text)? = store(key) { return text } else { return nil }
  }

  func milliseconds(now: Moment) -> Int64? {
    store("rl_last_event_time_stamp")?.helperNumber?.milliseconds(notAfter: now)
  }

  /// If the migrator finds none of these values, it reads the other store.
  func holdsAnything(now: Moment) -> Bool {
    if text("rl_anonymous_id") != nil || traits != nil { return true }
    if store("rl_session_id")?.helperNumber != nil, milliseconds(now: now) != nil { return true }
    return ["rl_application_version_key", "rl_application_build_key"].contains { store($0)?.kind == .string }
  }
}

/// The values that RudderStack's example migrator for the beta SDK 2 (`PersistentMigratorFromV2` of the Swift SDK
/// 1.3.1) would write.
///
/// It reads `UserDefaults.standard`, creates the anonymous id from the device that it runs on, and opens only archives
/// of JSON's own classes. It ignores whether the session ended, and does nothing if the target suite exists.
struct ReferenceHelperV2 {
  let context: PlanningContext

  /// The source of the migrator's anonymous id, which is not in the container.
  static let deviceID = Reading.nothing("the vendor id of the device that runs it")

  var anonymousID: Reading {
    context.unlessTargetExists { readsAnything ? Self.deviceID : .nothing("no legacy values") }
  }

  var userID: Reading {
    context.unlessTargetExists {
      if let text = value("rs_user_id")?.helperText { return .value(.string(text), note: nil) }
      if archive?.isExact == true, case .string(let text)? = context.traits?.member("userId") {
        return .value(.string(text), note: "from the traits")
      }
      return .nothing("no user id")
    }
  }

  var traits: Reading {
    context.unlessTargetExists {
      guard value("rs_traits") != nil else { return .nothing("rs_traits is absent") }
      guard let archive, archive.isKeyedArchive else {
        return .nothing("no keyed archive: lost, and its source deleted")
      }
      guard archive.isExact else { return .nothing("another class in the archive: all traits lost") }
      guard let rest = context.traits?.removing(["anonymousId", "id", "userId"]) else {
        return .nothing("nothing left")
      }
      return .value(.string(rest), note: "in another order")
    }
  }

  var sessionID: Reading {
    session { id in .value(.string(String(id)), note: context.sessionIsStopped ? "the ended session, revived" : nil) }
  }

  var isManualSession: Reading {
    session { _ in
      .of(
        value("rl_session_manual_track_status")?.helperNumber.map { .boolean($0.isTrue) },
        else: "no status: the new SDK takes the session for automatic")
    }
  }

  var lastActivityTime: Reading {
    session { _ in
      let milliseconds = value("rl_last_event_time_stamp")?.helperNumber?.milliseconds(notAfter: context.now)
      return .of(milliseconds.map { .string(String($0)) }, else: "no valid time of a last event")
    }
  }

  var appVersion: Reading {
    context.unlessTargetExists {
      guard case .string? = value("rs_application_version_key") else {
        return .nothing("no string in rs_application_version_key")
      }
      return .of(value("rs_application_version_key"))
    }
  }

  var appBuild: Reading {
    context.unlessTargetExists {
      guard case .string(let text)? = value("rs_application_build_key") else { return .nothing("no string: skipped") }
      return .of(Int64(text).map { .integer(PropertyListInteger($0)) }, else: "not an integer: skipped")
    }
  }

  /// The migrator does nothing if none of these values exist.
  private var readsAnything: Bool {
    let keys = [
      "rl_session_id", "rl_session_manual_track_status", "rl_last_event_time_stamp", "rs_application_version_key",
      "rs_application_build_key",
    ]
    return value("rs_user_id")?.helperText != nil || archive?.isExact == true || keys.contains { value($0) != nil }
  }

  private var archive: ArchivedTraits? { value("rs_traits").flatMap { try? ArchivedTraits($0) } }

  private func value(_ key: String) -> PropertyListValue? { context.sources.value(key) }

  private func session(_ reading: (UInt64) -> Reading) -> Reading {
    context.unlessTargetExists {
      value("rl_session_id")?.helperNumber.map { reading($0.unsigned) } ?? .nothing("no session id that is a number")
    }
  }
}

/// A number as the example migrators get it from `NSNumber`. A boolean counts as a number.
enum HelperNumber {
  case integer(PropertyListInteger)
  case real(Double)

  var isTrue: Bool {
    switch self {
    case .integer(let integer): integer != 0
    case .real(let real): real != 0
    }
  }

  /// `uint64Value`: a negative number wraps, a fraction is truncated, and too large a number becomes the maximum.
  var unsigned: UInt64 {
    switch self {
    case .integer(let integer): integer.uint64 ?? integer.int64.map { UInt64(bitPattern: $0) } ?? 0
    case .real(let real):
      UInt64(exactly: real.rounded(.towardZero))
        ?? Int64(exactly: real.rounded(.towardZero)).map { UInt64(bitPattern: $0) } ?? (real > 0 ? .max : 0)
    }
  }

  /// Seconds in the past, as whole milliseconds; nil for other values.
  func milliseconds(notAfter now: Moment) -> Int64? {
    let seconds: Double
    switch self {
    case .integer(let integer):
      guard let exact = integer.int64 else { return nil }
      seconds = Double(exact)
    case .real(let real): seconds = real
    }
    guard seconds > 0, seconds <= Double(now.millisecondsSince1970) / 1000 else { return nil }
    return Int64(exactly: (seconds * 1000).rounded(.towardZero))
  }
}

extension PlanningContext {
  /// The reading, unless the target suite exists: the example migrators do nothing then.
  fileprivate func unlessTargetExists(_ reading: () -> Reading) -> Reading {
    targetExists ? .nothing("the new SDK's file exists: does nothing") : reading()
  }
}

extension PropertyListValue {
  /// The value as text from `UserDefaults`; a number as its text.
  var helperText: String? {
    switch self {
    case .string(let text): text
    case .integer(let integer): integer.description
    case .real(let real): real.value.numberText
    case .boolean(let flag): flag ? "1" : "0"
    default: nil
    }
  }

  var helperNumber: HelperNumber? {
    switch self {
    case .boolean(let flag): .integer(flag ? 1 : 0)
    case .integer(let integer): .integer(integer)
    case .real(let real): .real(real.value)
    default: nil
    }
  }
}
