extension Observation {
  /// The observation's stable code.
  public var code: FindingCode {
    switch self {
    case .anonymousIDMalformed: .anonymousIDMalformed
    case .anonymousIDNotString: .anonymousIDNotString
    case .anonymousIDOnlyInTraits: .anonymousIDOnlyInTraits
    case .anonymousIDsDiffer: .anonymousIDsDiffer
    case .customIDStripped: .customIDStripped
    case .userIDEmpty: .userIDEmpty
    case .userIDMissing: .userIDMissing
    case .userIDMissingWithTraits: .userIDMissingWithTraits
    case .userIDNotString: .userIDNotString
    case .traitsDuplicateMember: .traitsDuplicateMember
    case .traitsEmptyAfterStrip: .traitsEmptyAfterStrip
    case .traitsInvalidJSON: .traitsInvalidJSON
    case .traitsLossyReencode: .traitsLossyReencode
    case .sessionAutoTrackAbsent: .sessionAutoTrackAbsent
    case .sessionAutoTrackContradicted: .sessionAutoTrackContradicted
    case .sessionExpired: .sessionExpired
    case .sessionIDInvalid: .sessionIDInvalid
    case .sessionManualWillBeReplaced: .sessionManualWillBeReplaced
    case .sessionTimestampMissing: .sessionTimestampMissing
    case .sessionTimestampNotPast: .sessionTimestampNotPast
    case .sessionTimestampUnit: .sessionTimestampUnit
    case .sessionUptimeSDK: .sessionUptimeSDK
    case .appBuildNotInteger: .appBuildNotInteger
    case .appVersionInOldKey: .appVersionInOldKey
    case .appVersionNotString: .appVersionNotString
    case .sourceDisagree: .sourceDisagree
    case .sourceNotFound: .sourceNotFound
    case .sourcePartial: .sourcePartial
    case .sourcePurgeable: .sourcePurgeable
    case .sourceReactNative, .sourceReactNativeStale, .sourceReactNativeUnsure: .sourceReactNative
    case .sourceStale: .sourceStale
    case .sourceUnreadable: .sourceUnreadable
    case .sourceV1AndV2: .sourceV1AndV2
    case .sourceWrongType: .sourceWrongType
    case .targetConflict: .targetConflict
    case .targetExists: .targetExists
    case .targetFreshIdentity: .targetFreshIdentity
    case .targetManyWriteKeys: .targetManyWriteKeys
    case .targetNoBundleID: .targetNoBundleID
    case .targetNoWriteKey: .targetNoWriteKey
    case .targetUnreadable: .targetUnreadable
    case .targetWrongType: .targetWrongType
    case .consentOptedOut: .consentOptedOut
    case .droppedExternalIDs: .droppedExternalIDs
    case .droppedSecrets: .droppedSecrets
    case .droppedUnknownKey: .droppedUnknownKey
    case .droppedUnsentEvents: .droppedUnsentEvents
    case .liveRunningStore: .liveRunningStore
    case .liveStoreChanged: .liveStoreChanged
    case .modelCorrupt: .modelCorrupt
    case .modelNewerVersion: .modelNewerVersion
    case .modelStepFailed: .modelStepFailed
    case .modelUnknownVersion: .modelUnknownVersion
    case .v2AnonymousIDNotStored: .v2AnonymousIDNotStored
    case .v2SessionStopped: .v2SessionStopped
    case .v2TraitsArchive, .v2TraitsUnreadable: .v2TraitsArchive
    case .convertConfigCorrupt: .convertConfigCorrupt
    case .convertConfigKeyCollision: .convertConfigKeyCollision
    case .convertDecisionsCorrupt: .convertDecisionsCorrupt
    case .convertIDsDiffer: .convertIDsDiffer
    case .convertQueueCorrupt: .convertQueueCorrupt
    case .convertUploading: .convertUploading
    }
  }
}
