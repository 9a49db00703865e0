import Carryover
import PropertyLists

/// Whether the app started the session manually. The Objective-C SDK's status is only the launch configuration: whether
/// the SDK starts sessions itself. The app may start a manual session anyway.
struct ManualSessionCheck: FieldCheck {
  let name = "manual-session"

  func amend(_ draft: inout FieldDraft, _ context: PlanningContext) {
    let hasTimestamp = context.value(for: "last_activity_time") != nil
    LastRun.compare(&draft, context)
    switch draft.legacy {
    case nil:
      guard context.hasSession || hasTimestamp else { return }
      draft.note(.sessionAutoTrackAbsent)
      draft.propose(
        .boolean(true),
        steps: [
          TransformStep(title: "absent reads as false", result: .boolean(false)),
          TransformStep(title: Transform.invert.title, result: .boolean(true)),
        ])
    case .boolean(let automatic)?:
      let evidence =
        automatic ? manualEvidence(context, hasTimestamp) : contradictionOfManual(draft, context)
      if let evidence { draft.note(.sessionAutoTrackContradicted(evidence)) }
    case .some(let value): draft.note(.sourceWrongType(key: draft.sourceKey ?? draft.rule.target, value))
    }
    draft.noteReplacement(context)
  }

  func findings(_ rule: FieldRule, of recipe: Recipe) -> [FindingCode] {
    [.sessionAutoTrackAbsent, .sessionAutoTrackContradicted, .sessionManualWillBeReplaced, .sourceWrongType]
      + LastRun.findings(rule)
  }

  func readings(_ draft: FieldDraft, _ context: PlanningContext) -> FourWayReadings {
    FourWayReadings(
      legacy: LegacySDK(context).automaticTracking,
      guide: draft.guide(context, "rl_session_auto_track_status", else: "the key is absent"),
      helper: ReferenceHelper(context).isManualSession)
  }

  private func manualEvidence(_ context: PlanningContext, _ hasTimestamp: Bool) -> SessionEvidence? {
    for key in ["rl_session_manual_track_status", "rn_session_manual_track_status"]
    where context.current(key) == .boolean(true) {
      return .key(key)
    }
    return context.hasSession && !hasTimestamp ? .sessionWithoutTimestamp : nil
  }

  /// React Native has a status for each kind. If both are false, no session continues.
  private func contradictionOfManual(_ draft: FieldDraft, _ context: PlanningContext) -> SessionEvidence? {
    guard context.hasSession, draft.origin?.source.isReactNative == true,
      context.sources.value("rn_session_manual_track_status") == .boolean(false)
    else { return nil }
    return .sameStatus("rn_session_manual_track_status", false)
  }
}

/// Whether the app started the session manually, by the flag of the beta SDK 2. A missing flag means false, as for the
/// new SDK.
struct ManualFlagCheck: FieldCheck {
  let name = "manual-flag"

  func amend(_ draft: inout FieldDraft, _ context: PlanningContext) {
    guard !draft.leavesOutStopped(context) else { return }
    switch draft.legacy {
    case nil: return
    case .boolean(let manual)?:
      let automatic = context.sources.value("rl_session_auto_track_status")
      if context.hasSession, automatic == .boolean(manual) {
        draft.note(.sessionAutoTrackContradicted(.sameStatus("rl_session_auto_track_status", manual)))
      }
    case .some(let value): draft.note(.sourceWrongType(key: draft.sourceKey ?? draft.rule.target, value))
    }
    draft.noteReplacement(context)
  }

  func findings(_ rule: FieldRule, of recipe: Recipe) -> [FindingCode] {
    [.sessionAutoTrackContradicted, .sessionManualWillBeReplaced, .sourceWrongType] + recipe.findingsOfStoppedSessions
  }

  func readings(_ draft: FieldDraft, _ context: PlanningContext) -> FourWayReadings {
    .beta(\.manualTracking, \.isManualSession, context)
  }
}

extension FieldDraft {
  fileprivate mutating func noteReplacement(_ context: PlanningContext) {
    if context.hasSession, proposed == .boolean(true) { note(.sessionManualWillBeReplaced) }
  }
}
