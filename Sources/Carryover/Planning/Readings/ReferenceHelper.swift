import PropertyLists

/// What RudderStack's own example migrator (`PersistentMigratorFromV1` of the Swift SDK 1.3.1) would write.
///
/// It reads the property list file where that can be read and `UserDefaults.standard` only where it cannot, never both;
/// drops every session value for one bad timestamp; decodes and encodes the traits again; and does nothing at all when the
/// target suite is there.
struct ReferenceHelper {
  private let store: (String) -> PropertyListValue?
  private let parsedTraits: TraitsText?
  private let targetExists: Bool
  private let now: Moment

  init(_ context: PlanningContext) {
    let sources = context.sources
    let path = (sources.stores.last { $0.path.hasSuffix("rsDefaultsPersistence.plist") } ?? sources.stores.first)?.path
    store = { key in path.flatMap { sources.value(key, in: $0) } }
    parsedTraits = try? sources.values("rl_traits").first { $0.store == path }?.traits?.get()
    targetExists = context.targetExists
    now = context.now
  }

  var anonymousID: Reading {
    unlessTargetExists {
      guard let value = store("rl_anonymous_id") else { return .nothing("rl_anonymous_id is absent") }
      guard case .string = value else { return .nothing("not a string: dropped") }
      return .value(value, note: nil)
    }
  }

  var userID: Reading {
    unlessTargetExists {
      switch parsedTraits?.member("userId") {
      case .string(let text)?: .value(.string(text), note: nil)
      case nil: .nothing(parsedTraits == nil && store("rl_traits") != nil ? "traits unreadable: lost" : "no userId")
      case .some: .nothing("not a string: dropped, the user is logged out")
      }
    }
  }

  var traits: Reading {
    unlessTargetExists {
      guard store("rl_traits") != nil else { return .nothing("rl_traits is absent") }
      guard let traits = parsedTraits else { return .nothing("unreadable: lost, and its source deleted") }
      guard let rest = traits.removing(["anonymousId", "id", "userId"]) else { return .nothing("nothing left") }
      let note = traits.lossyPieces.isEmpty ? "decoded and encoded again" : "decoded and encoded again: values change"
      return .value(.string(rest), note: note)
    }
  }

  var sessionID: Reading {
    session {
      guard case .integer(let integer)? = store("rl_session_id") else { return .nothing("no session id") }
      if let negative = integer.int64, negative < 0 {
        return .value(.string(String(UInt64(bitPattern: negative))), note: "a negative number, wrapped")
      }
      return integer == 0 ? .nothing("zero: no session") : .value(.string(integer.description), note: nil)
    }
  }

  var isManualSession: Reading {
    session {
      switch store("rl_session_auto_track_status") {
      case .boolean(let flag)?: .value(.boolean(!flag), note: nil)
      case .integer(let integer)?: .value(.boolean(integer == 0), note: nil)
      default: .nothing("no status: the new SDK takes the session for automatic")
      }
    }
  }

  var lastActivityTime: Reading {
    session { milliseconds.map { .value(.string(String($0)), note: nil) } ?? .nothing(nil) }
  }

  var appVersion: Reading {
    unlessTargetExists {
      guard case .string(let text)? = store("rl_application_version_key") else {
        return .nothing("no string in rl_application_version_key")
      }
      return .value(.string(text), note: nil)
    }
  }

  var appBuild: Reading {
    unlessTargetExists {
      switch store("rl_application_build_key") {
      case .string(let text)?:
        .of(Int64(text).map { .integer(PropertyListInteger($0)) }, else: "not an integer: skipped")
      case .integer(let integer)?: .value(.integer(integer), note: nil)
      default: .nothing("no build")
      }
    }
  }

  private var milliseconds: Int64? {
    store("rl_last_event_time_stamp").flatMap { try? Transform.pastMilliseconds($0, now: now) }
  }

  private func unlessTargetExists(_ reading: () -> Reading) -> Reading {
    targetExists ? .nothing("the target file is there: does nothing") : reading()
  }

  private func session(_ reading: () -> Reading) -> Reading {
    unlessTargetExists {
      milliseconds == nil ? .nothing("no valid time of a last event: all session data dropped") : reading()
    }
  }
}
