import Carryover
import PropertyLists

/// The values that RudderStack's example migrator for the beta SDK 2 (`PersistentMigratorFromV2` of the Swift SDK
/// 1.3.1) would write.
///
/// It reads `UserDefaults.standard`, creates the anonymous id from the device that it runs on, and opens only archives
/// of JSON's own classes. It ignores whether the session ended, and does nothing if the target suite exists.
struct ReferenceHelperV2 {
  private let context: PlanningContext

  init(_ context: PlanningContext) { self.context = context }

  /// The source of the migrator's anonymous id, which is not in the container.
  static let deviceID = Reading.nothing("the vendor id of the device that runs it")

  var anonymousID: Reading { unlessTargetExists { readsAnything ? Self.deviceID : .nothing("no legacy values") } }

  var userID: Reading {
    unlessTargetExists {
      if let text = value("rs_user_id")?.helperText { return .value(.string(text), note: nil) }
      if archive?.isExact == true, case .string(let text)? = context.traits?.member("userId") {
        return .value(.string(text), note: "from the traits")
      }
      return .nothing("no user id")
    }
  }

  var traits: Reading {
    unlessTargetExists {
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
    unlessTargetExists {
      guard case .string? = value("rs_application_version_key") else {
        return .nothing("no string in rs_application_version_key")
      }
      return .of(value("rs_application_version_key"))
    }
  }

  var appBuild: Reading {
    unlessTargetExists {
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

  private func unlessTargetExists(_ reading: () -> Reading) -> Reading {
    context.targetExists ? .nothing("the target file is there: does nothing") : reading()
  }

  private func session(_ reading: (UInt64) -> Reading) -> Reading {
    unlessTargetExists {
      value("rl_session_id")?.helperNumber.map { reading($0.unsigned) } ?? .nothing("no session id that is a number")
    }
  }
}
