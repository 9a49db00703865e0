import PropertyLists

extension FieldDraft {
  /// What each of the four parties makes of the legacy value.
  func readings(_ context: PlanningContext) -> FourWayReadings {
    var readings =
      switch context.recipe.sdk {
      case .objC: objCReadings(context)
      case .swiftV2: swiftV2Readings(context)
      case .other: FourWayReadings(legacy: .of(legacy))
      }
    readings.plan =
      if let proposed { .value(proposed, note: asks ? "on a decision" : nil) } else { .nothing(reasonForNothing) }
    return readings
  }

  private var reasonForNothing: String? {
    legacy == nil && failure == nil ? "nothing to carry over" : "see the warnings"
  }

  private func objCReadings(_ context: PlanningContext) -> FourWayReadings {
    let helper = ReferenceHelper(context)
    let sdk = LegacySDK(context)
    return switch rule.check {
    case .anonymousID, .unstoredAnonymousID:
      FourWayReadings(
        legacy: sdk.anonymousID,
        guide: .of(context.sources.value("rl_anonymous_id"), else: "rl_anonymous_id is absent"),
        helper: helper.anonymousID)
    case .userID: FourWayReadings(legacy: sdk.userID, guide: guideUserID, helper: helper.userID)
    case .traits:
      FourWayReadings(
        legacy: sdk.traits, guide: .of(proposed ?? transformed, else: "unreadable: skip the traits"),
        helper: helper.traits)
    case .sessionID:
      FourWayReadings(
        legacy: sdk.sessionID, guide: .of(transformed, else: "no session"), helper: helper.sessionID)
    case .manualSession, .manualFlag:
      FourWayReadings(
        legacy: sdk.automaticTracking, guide: guide(context, "rl_session_auto_track_status", else: "the key is absent"),
        helper: helper.isManualSession)
    case .lastActivity:
      FourWayReadings(
        legacy: sdk.lastEvent, guide: guide(context, "rl_last_event_time_stamp", else: "no valid time: skip it"),
        helper: helper.lastActivityTime)
    case .appVersion:
      FourWayReadings(
        legacy: sdk.appVersion,
        guide: .of(context.sources.value("rl_application_version_key"), else: "the key is absent"),
        helper: helper.appVersion)
    case .appBuild:
      FourWayReadings(
        legacy: sdk.appBuild,
        guide: guide(
          context, "rl_application_build_key",
          else: context.sources.value("rl_application_build_key") == nil ? "the key is absent" : "not an integer"),
        helper: helper.appBuild)
    case .none, .visitorMirror, .model: FourWayReadings(legacy: .of(legacy))
    }
  }

  private func swiftV2Readings(_ context: PlanningContext) -> FourWayReadings {
    let helper = ReferenceHelperV2(context)
    let sdk = LegacySDKV2(context)
    let (read, written): (Reading, Reading) =
      switch rule.check {
      case .anonymousID, .unstoredAnonymousID: (sdk.anonymousID, helper.anonymousID)
      case .userID: (sdk.userID, helper.userID)
      case .traits: (sdk.traits, helper.traits)
      case .sessionID: (sdk.sessionID, helper.sessionID)
      case .manualSession, .manualFlag: (sdk.manualTracking, helper.isManualSession)
      case .lastActivity: (sdk.lastEvent, helper.lastActivityTime)
      case .appVersion: (sdk.appVersion, helper.appVersion)
      case .appBuild: (sdk.appBuild, helper.appBuild)
      case .none, .visitorMirror, .model: (.of(legacy), .nothing(nil))
      }
    return FourWayReadings(
      legacy: read, guide: .nothing("the guide for the beta is not compared"), helper: written)
  }

  /// What the rule's transform makes of the key that the guide names, checks aside: it knows no React Native.
  private func guide(_ context: PlanningContext, _ key: String, else reason: String) -> Reading {
    guard let candidate = rule.candidates.first(where: { $0.source.key == key }),
      let found = context.sources.values(key).first
    else { return .nothing(reason) }
    return .of(Evaluation(candidate, found, now: context.now).proposed, else: reason)
  }

  /// The rule's transform over the legacy value, checks aside.
  private var transformed: PropertyListValue? {
    failure == nil ? steps.last?.result ?? proposed : nil
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
