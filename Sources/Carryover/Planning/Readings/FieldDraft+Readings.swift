import PropertyLists

extension FieldDraft {
  /// What each of the four parties makes of the legacy value.
  func readings(_ context: PlanningContext) -> FourWayReadings {
    var readings = rudderStackReadings(context)
    readings.plan =
      if let proposed { .value(proposed, note: asks ? "on a decision" : nil) } else { .nothing(reasonForNothing) }
    return readings
  }

  private var reasonForNothing: String? {
    legacy == nil && failure == nil ? "nothing to carry over" : "see the warnings"
  }

  private func rudderStackReadings(_ context: PlanningContext) -> FourWayReadings {
    let helper = ReferenceHelper(context)
    return switch rule.check {
    case .anonymousID:
      FourWayReadings(
        legacy: .of(legacy), guide: .of(context.sources.value("rl_anonymous_id"), else: "rl_anonymous_id is absent"),
        helper: helper.anonymousID)
    case .userID:
      FourWayReadings(legacy: legacyUserID, guide: guideUserID, helper: helper.userID)
    case .traits:
      FourWayReadings(
        legacy: failure == nil || failure == .empty ? .of(legacy) : .nothing("unreadable, so no traits"),
        guide: .of(proposed ?? transformed, else: "unreadable: skip the traits"), helper: helper.traits)
    case .sessionID:
      FourWayReadings(legacy: .of(legacy), guide: .of(transformed, else: "no session"), helper: helper.sessionID)
    case .manualSession:
      FourWayReadings(
        legacy: legacy.map { .of($0) } ?? .value(.boolean(false), note: "absent reads as false"),
        guide: legacy == nil ? .nothing("the key is absent") : .of(proposed), helper: helper.isManualSession)
    case .lastActivity:
      FourWayReadings(
        legacy: .of(legacy), guide: .of(transformed, else: "no valid time: skip it"), helper: helper.lastActivityTime)
    case .appVersion:
      FourWayReadings(
        legacy: .of(legacy),
        guide: .of(context.sources.value("rl_application_version_key"), else: "the key is absent"),
        helper: helper.appVersion)
    case .appBuild:
      FourWayReadings(
        legacy: .of(legacy), guide: .of(proposed, else: legacy == nil ? "the key is absent" : "not an integer"),
        helper: helper.appBuild)
    case .none: FourWayReadings(legacy: .of(legacy))
    }
  }

  /// The rule's transform over the legacy value, checks aside.
  private var transformed: PropertyListValue? {
    failure == nil ? steps.last?.result ?? proposed : nil
  }

  /// The legacy SDK puts whatever stands there into each event as text.
  private var legacyUserID: Reading {
    switch legacy {
    case .integer?, .real?: .of(proposed ?? legacy, note: "sent as text")
    case .null?, nil: .nothing("no user id")
    default: .of(legacy)
    }
  }

  private var guideUserID: Reading {
    switch legacy {
    case .string?: .of(legacy)
    case .null?, nil: .nothing("the user was never identified")
    default: .nothing("says the value is a string")
    }
  }
}

extension Reading {
  /// A value, or nothing for a reason.
  static func of(_ value: PropertyListValue?, note: String? = nil, else reason: String? = nil) -> Reading {
    value.map { .value($0, note: note) } ?? .nothing(reason)
  }
}
