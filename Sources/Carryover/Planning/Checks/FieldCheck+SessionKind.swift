import PropertyLists

extension FieldDraft {
  /// The status is the launch configuration: whether the SDK starts sessions by itself. The app may start one by hand
  /// beside it.
  mutating func checkManualSession(_ context: PlanningContext) {
    let hasTimestamp = context.value(.lastActivity) != nil
    compareTrackers(context)
    switch legacy {
    case nil:
      guard context.hasSession || hasTimestamp else { return }
      note(.sessionAutoTrackAbsent)
      propose(
        .boolean(true),
        steps: [
          TransformStep(title: "absent reads as false", result: .boolean(false)),
          TransformStep(title: Transform.invert.title, result: .boolean(true)),
        ])
    case .boolean(let automatic)?:
      if let evidence = automatic ? manualEvidence(context, hasTimestamp) : contradictionOfManual(context) {
        note(.sessionAutoTrackContradicted(evidence))
      }
    case .some(let value):
      note(.sourceWrongType(key: statusKey, value))
    }
    if context.hasSession, proposed == .boolean(true) { note(.sessionManualWillBeReplaced) }
  }

  /// The flag of the beta SDK 2 says whether the session was started by hand; absent reads as false, which is what the
  /// new SDK reads too.
  mutating func checkManualFlag(_ context: PlanningContext) {
    guard !leavesOutStopped(context) else { return }
    switch legacy {
    case nil: return
    case .boolean(let manual)?:
      let automatic = context.sources.value("rl_session_auto_track_status")
      if context.hasSession, automatic == .boolean(manual) {
        note(.sessionAutoTrackContradicted(.sameStatus("rl_session_auto_track_status", manual)))
      }
    case .some(let value): note(.sourceWrongType(key: statusKey, value))
    }
    if context.hasSession, proposed == .boolean(true) { note(.sessionManualWillBeReplaced) }
  }

  /// Leaves a session field out where the app ended the session of the beta SDK 2.
  mutating func leavesOutStopped(_ context: PlanningContext) -> Bool {
    guard context.sessionIsStopped else { return false }
    if legacy != nil {
      note(.v2SessionStopped)
      withdraw("the session was ended")
    }
    return true
  }

  /// Keys in which other SDKs of the vendor say that a session was started by hand.
  static let manualEvidenceKeys = ["rl_session_manual_track_status", "rn_session_manual_track_status"]

  private var statusKey: String { (origin?.source ?? rule.candidates.first?.source)?.key ?? rule.target }

  private func manualEvidence(_ context: PlanningContext, _ hasTimestamp: Bool) -> SessionEvidence? {
    for key in Self.manualEvidenceKeys
    where context.current(key) == .boolean(true) {
      return .key(key)
    }
    return context.hasSession && !hasTimestamp ? .sessionWithoutTimestamp : nil
  }

  /// React Native keeps a status for each kind: with neither there is no session that goes on.
  private func contradictionOfManual(_ context: PlanningContext) -> SessionEvidence? {
    guard context.hasSession, origin?.source.isReactNative == true,
      context.sources.value("rn_session_manual_track_status") == .boolean(false)
    else { return nil }
    return .sameStatus("rn_session_manual_track_status", false)
  }
}
