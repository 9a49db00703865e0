import Carryover
import CarryoverSystem
import PropertyLists

/// The values that RudderStack's example migrator (`PersistentMigratorFromV1` of the Swift SDK 1.3.1) would write.
///
/// It reads the property list file, or `UserDefaults.standard` if it finds no values in the file, but never both. One
/// invalid timestamp makes it drop every session value. It decodes and encodes the traits again, does nothing if the
/// target suite exists, and never writes `is_session_start`.
struct ReferenceHelper {
  private let values: HelperValues
  private let targetExists: Bool
  private let now: Moment

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
    targetExists = context.targetExists
    now = context.now
  }

  var anonymousID: Reading {
    unlessTargetExists {
      guard values["rl_anonymous_id"] != nil else { return .nothing("rl_anonymous_id is absent") }
      return .of(values.text("rl_anonymous_id").map { .string($0) }, else: "not a string: not migrated")
    }
  }

  var userID: Reading {
    unlessTargetExists {
      switch values.traits?.member("userId") {
      case .string(let text)?: .value(.string(text), note: nil)
      case nil: .nothing(values.traits == nil && values["rl_traits"] != nil ? "traits unreadable: lost" : "no userId")
      case .some: .nothing("not a string: the user is logged out")
      }
    }
  }

  var traits: Reading {
    unlessTargetExists {
      guard values["rl_traits"] != nil else { return .nothing("rl_traits is absent") }
      guard let traits = values.traits else { return .nothing("unreadable: lost, its source deleted") }
      guard let rest = traits.removing(["anonymousId", "id", "userId"]) else { return .nothing("nothing left") }
      let note = traits.lossyPieces.isEmpty ? "decoded and encoded again" : "decoded and encoded again: values change"
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
    session { _ in .of(values.milliseconds(now: now).map { .string(String($0)) }) }
  }

  var appVersion: Reading {
    unlessTargetExists {
      guard case .string(let text)? = values["rl_application_version_key"] else {
        return .nothing("rl_application_version_key is missing or not a string")
      }
      return .value(.string(text), note: nil)
    }
  }

  var appBuild: Reading {
    unlessTargetExists {
      switch values["rl_application_build_key"] {
      case .string(let text)?:
        .of(Int64(text).map { .integer(PropertyListInteger($0)) }, else: "not an integer: skipped")
      case nil: .nothing("no build")
      case .some: .nothing("not a string: skipped")
      }
    }
  }

  private func unlessTargetExists(_ reading: () -> Reading) -> Reading {
    targetExists ? .nothing("the target file exists: does nothing") : reading()
  }

  /// All of the session or nothing: the migrator needs a numeric id and a time in the past.
  private func session(_ reading: (UInt64) -> Reading) -> Reading {
    unlessTargetExists {
      guard let id = values["rl_session_id"]?.helperNumber else {
        return .nothing("the session id is missing or not a number")
      }
      guard values.milliseconds(now: now) != nil else {
        return .nothing("no valid time of the last event")
      }
      return reading(id.unsigned)
    }
  }
}

/// The store that the example migrator reads, with its interpretation.
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
