extension FindingCode {
  /// How grave a finding with this code is.
  public var severity: Severity {
    switch self {
    case .anonymousIDMalformed, .anonymousIDNotString, .anonymousIDOnlyInTraits, .userIDNotString, .traitsInvalidJSON,
      .sessionIDInvalid, .sourceDisagree, .sourceV1AndV2, .targetConflict, .targetFreshIdentity, .targetNoBundleID,
      .targetNoWriteKey,
      .targetUnreadable, .consentOptedOut, .liveRunningStore, .liveStoreChanged, .v2AnonymousIDNotStored,
      .v2TraitsArchive, .modelCorrupt, .modelNewerVersion, .modelStepFailed, .modelUnknownVersion, .convertIDsDiffer:
      .error
    case .anonymousIDsDiffer, .customIDStripped, .userIDEmpty, .userIDMissingWithTraits, .sessionAutoTrackAbsent,
      .sessionAutoTrackContradicted, .sessionManualWillBeReplaced, .sessionTimestampMissing, .sessionTimestampNotPast,
      .sessionTimestampUnit, .sessionUptimeSDK, .appBuildNotInteger, .appVersionInOldKey, .appVersionNotString,
      .sourceReactNative, .sourceUnreadable, .sourceWrongType, .targetManyWriteKeys, .targetWrongType,
      .droppedExternalIDs,
      .droppedSecrets, .droppedUnsentEvents, .v2SessionStopped, .convertConfigCorrupt,
      .convertDecisionsCorrupt, .convertQueueCorrupt:
      .warning
    case .userIDMissing, .traitsDuplicateMember, .traitsEmptyAfterStrip, .traitsLossyReencode, .sessionExpired,
      .sourceNotFound, .sourcePartial,
      .sourcePurgeable, .sourceStale, .targetExists, .droppedUnknownKey, .convertConfigKeyCollision,
      .convertUploading:
      .note
    }
  }

  /// Whether the proposal may be wrong because of it, so that the field needs a decision.
  public var asks: Bool {
    switch self {
    case .userIDNotString, .anonymousIDOnlyInTraits, .customIDStripped, .anonymousIDMalformed, .anonymousIDNotString,
      .sessionTimestampUnit, .sessionAutoTrackAbsent, .sessionAutoTrackContradicted, .appVersionInOldKey,
      .appVersionNotString, .sourceDisagree, .sourceReactNative,
      .sourceWrongType, .targetConflict, .targetWrongType, .targetFreshIdentity, .v2AnonymousIDNotStored,
      .v2TraitsArchive, .modelCorrupt, .modelStepFailed, .modelUnknownVersion, .convertIDsDiffer:
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
