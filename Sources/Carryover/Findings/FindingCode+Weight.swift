extension FindingCode {
  /// How grave a finding with this code is.
  public var severity: Severity {
    switch self {
    case .anonymousIDMalformed, .anonymousIDNotString, .anonymousIDOnlyInTraits, .userIDNotString, .traitsInvalidJSON,
      .sessionIDInvalid, .sourceDisagree, .targetConflict, .targetFreshIdentity, .targetNoBundleID, .targetNoWriteKey,
      .targetUnreadable, .consentOptedOut, .liveRunningStore, .liveStoreChanged:
      .error
    case .anonymousIDsDiffer, .customIDStripped, .userIDEmpty, .userIDMissingWithTraits, .sessionAutoTrackAbsent,
      .sessionAutoTrackContradicted, .sessionManualWillBeReplaced, .sessionTimestampMissing, .sessionTimestampNotPast,
      .sessionTimestampUnit, .sessionUptimeSDK, .appBuildNotInteger, .appVersionInOldKey, .appVersionNotString,
      .sourceUnreadable, .sourceWrongType, .targetManyWriteKeys, .targetWrongType, .droppedExternalIDs,
      .droppedSecrets, .droppedUnsentEvents:
      .warning
    case .traitsDuplicateMember, .traitsEmptyAfterStrip, .traitsLossyReencode, .sessionExpired, .sourcePartial,
      .sourceStale, .targetExists, .droppedUnknownKey:
      .note
    }
  }

  /// Whether the proposal may be wrong because of it, so that the field needs a decision.
  public var asks: Bool {
    switch self {
    case .userIDNotString, .anonymousIDOnlyInTraits, .customIDStripped, .anonymousIDMalformed, .anonymousIDNotString,
      .sessionTimestampUnit, .sessionAutoTrackAbsent, .sessionAutoTrackContradicted, .appVersionInOldKey,
      .appVersionNotString, .sourceDisagree,
      .sourceWrongType, .targetConflict, .targetWrongType, .targetFreshIdentity:
      true
    default:
      false
    }
  }

  /// Whether nothing at all is applied because of it, until a named option is given.
  public var blocks: Bool {
    switch self {
    case .targetNoBundleID, .targetNoWriteKey, .targetUnreadable, .consentOptedOut, .liveRunningStore,
      .liveStoreChanged:
      true
    default: false
    }
  }
}
