import PropertyLists

extension FindingWording {
  static func sessionMessage(_ observation: Observation, _ source: SourceKey?) -> String {
    switch observation {
    case .sessionAutoTrackAbsent:
      "There is session data, but no rl_session_auto_track_status. The legacy SDK reads that as false, which makes the "
        + "session a manual one; the reference migrator writes nothing, which makes it automatic."
    case .sessionAutoTrackContradicted(let evidence):
      switch evidence {
      case .sessionWithoutTimestamp:
        "\(source?.key ?? "rl_session_auto_track_status") is true, but the session has no time of a last event, which automatic tracking "
          + "writes: the session may have been started by hand."
      case .key(let key):
        "\(source?.key ?? "rl_session_auto_track_status") is true, but \(key) says that the session was started by hand."
      case .sameStatus(let key, let status):
        "\(source?.key ?? "rl_session_auto_track_status") and \(key) are both \(status), where a session is either automatic "
          + "or started by hand."
      }
    case .sessionExpired(let idle):
      "The last event is \(duration(idle)) old, more than the time-out of 5 minutes. The new SDK will start a new session, "
        + "as the legacy SDK would have."
    case .sessionIDInvalid(let text, let defect):
      "\(source?.key ?? "rl_session_id") is \(cut(text)): \(sessionIDDefect(defect)). The new SDK would not read it as the session it was."
    case .sessionManualWillBeReplaced:
      "The session is a manual one. With automatic session tracking on, which is its default, the new SDK replaces it when "
        + "it starts."
    case .sessionTimestampMissing(.objC):
      "There is a session, but no rl_last_event_time_stamp; manual sessions, React Native apps and sessions without an "
        + "event have none. Only last_activity_time is left out. The reference migrator drops the whole session."
    case .sessionTimestampMissing(.swiftV2), .sessionTimestampMissing(.other):
      "There is a session, but no rl_last_event_time_stamp, as before its first event. Only last_activity_time is left "
        + "out, as by the reference migrator."
    case .sessionTimestampNotPast(let text, let defect, let sdk):
      "\(source?.key ?? "rl_last_event_time_stamp") is \(cut(text)): \(timestampDefect(defect)). Only last_activity_time is left out"
        + (sdk == .objC ? ". The reference migrator drops the whole session." : ", as by the reference migrator.")
    case .sessionTimestampUnit(let text, .milliseconds):
      "\(source?.key ?? "rl_last_event_time_stamp") is \(cut(text)), which is thousands of years away as seconds and in the past as "
        + "milliseconds. The proposal reads it as milliseconds."
    case .sessionTimestampUnit(let text, .uptime):
      "\(source?.key ?? "rl_last_event_time_stamp") is \(cut(text)), which as seconds since 1970 is before any of these SDKs: it looks like "
        + "the time since the device was started. The proposal reads it as seconds since 1970."
    case .sessionUptimeSDK(let version):
      "Version \(cut(version)) of the new SDK takes last_activity_time for milliseconds since the device was started, "
        + "which nothing in the container tells. The field is left out."
    default: ""
    }
  }

  static func appMessage(_ observation: Observation, _ source: SourceKey?) -> String {
    switch observation {
    case .appBuildNotInteger(let text, let normalised?):
      "\(source?.key ?? "rl_application_build_key") is \(quoted(text)), which is the integer \(normalised) written another way."
    case .appBuildNotInteger(let text, nil):
      "\(source?.key ?? "rl_application_build_key") is \(quoted(text)), which is not an integer that fits. The new SDK stores the build as an "
        + "integer and reads anything else as none. The reference migrator skips it without a word."
    case .appVersionInOldKey(let old, nil):
      "The version \(quoted(old)) stands only in its older key, rl_application_info_key. The reference migrator ignores "
        + "that key: “Application Installed” is sent again."
    case .appVersionInOldKey(let old, let new?):
      "rl_application_info_key says \(quoted(old)), rl_application_version_key says \(quoted(new)). The legacy SDK "
        + "moves the older key over the newer one when it starts; so does this proposal."
    case .appVersionNotString(let value):
      "The version is \(typed(value)), where the new SDK needs a string. The reference migrator drops "
        + "it: “Application Installed” is sent again."
    default: ""
    }
  }

  private static func sessionIDDefect(_ defect: SessionIDDefect) -> String {
    switch defect {
    case .negative: "a negative number, which the reference migrator turns into one of twenty digits"
    case .zero: "zero, which means no session"
    case .tooShort: "fewer than ten digits, which the legacy SDK does not accept from an app"
    case .fraction: "not a whole number"
    case .outOfRange: "larger than a session id can be"
    case .kind(let kind): "\(name(kind)), where the legacy SDK writes an integer"
    }
  }

  private static func timestampDefect(_ defect: TimestampDefect) -> String {
    switch defect {
    case .notPositive: "not a time after 1970"
    case .future: "a time in the future"
    case .notANumber: "not a number"
    }
  }

  private static func duration(_ milliseconds: Int64) -> String {
    let minutes = milliseconds / 60_000
    return switch minutes {
    case ..<120: "\(minutes) minutes"
    case ..<2880: "\(minutes / 60) hours"
    default: "\(minutes / 1440) days"
    }
  }
}
