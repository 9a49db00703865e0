/// The stable code of a finding: `group.what-happened`.
public enum FindingCode: String, CaseIterable, Sendable {
  case anonymousIDMalformed = "identity.anonymous-id-malformed"
  case anonymousIDNotString = "identity.anonymous-id-not-string"
  case anonymousIDOnlyInTraits = "identity.anonymous-id-only-in-traits"
  case anonymousIDsDiffer = "identity.anonymous-ids-differ"
  case customIDStripped = "identity.custom-id-stripped"
  case userIDEmpty = "identity.user-id-empty"
  case userIDMissing = "identity.user-id-missing"
  case userIDMissingWithTraits = "identity.user-id-missing-with-traits"
  case userIDNotString = "identity.user-id-not-string"

  case traitsDuplicateMember = "traits.duplicate-member"
  case traitsEmptyAfterStrip = "traits.empty-after-strip"
  case traitsInvalidJSON = "traits.invalid-json"
  case traitsLossyReencode = "traits.lossy-reencode"

  case sessionAutoTrackAbsent = "session.auto-track-absent"
  case sessionAutoTrackContradicted = "session.auto-track-contradicted"
  case sessionExpired = "session.expired"
  case sessionIDInvalid = "session.id-invalid"
  case sessionManualWillBeReplaced = "session.manual-will-be-replaced"
  case sessionTimestampMissing = "session.timestamp-missing"
  case sessionTimestampNotPast = "session.timestamp-not-past"
  case sessionTimestampUnit = "session.timestamp-unit"
  case sessionUptimeSDK = "session.uptime-sdk"

  case appBuildNotInteger = "app.build-not-integer"
  case appVersionInOldKey = "app.version-in-old-key"
  case appVersionNotString = "app.version-not-string"

  case sourceDisagree = "source.disagree"
  case sourceNotFound = "source.not-found"
  case sourcePartial = "source.partial"
  case sourcePurgeable = "source.purgeable"
  case sourceReactNative = "source.react-native"
  case sourceStale = "source.stale"
  case sourceUnreadable = "source.unreadable"
  case sourceV1AndV2 = "source.v1-and-v2"
  case sourceWrongType = "source.wrong-type"

  case targetConflict = "target.conflict"
  case targetExists = "target.exists"
  case targetFreshIdentity = "target.fresh-identity"
  case targetManyWriteKeys = "target.many-write-keys"
  case targetNoBundleID = "target.no-bundle-id"
  case targetNoWriteKey = "target.no-write-key"
  case targetUnreadable = "target.unreadable"
  case targetWrongType = "target.wrong-type"

  case consentOptedOut = "consent.opted-out"

  case droppedExternalIDs = "dropped.external-ids"
  case droppedSecrets = "dropped.secrets"
  case droppedUnknownKey = "dropped.unknown-key"
  case droppedUnsentEvents = "dropped.unsent-events"

  case liveRunningStore = "live.running-store"
  case liveStoreChanged = "live.store-changed"

  case modelCorrupt = "model.corrupt"
  case modelNewerVersion = "model.newer-version"
  case modelStepFailed = "model.step-failed"
  case modelUnknownVersion = "model.unknown-version"

  case v2AnonymousIDNotStored = "v2.anonymous-id-not-stored"
  case v2SessionStopped = "v2.session-stopped"
  case v2TraitsArchive = "v2.traits-archive"

  case convertConfigCorrupt = "convert.config-corrupt"
  case convertConfigKeyCollision = "convert.config-key-collision"
  case convertDecisionsCorrupt = "convert.decisions-corrupt"
  case convertIDsDiffer = "convert.ids-differ"
  case convertQueueCorrupt = "convert.queue-corrupt"
  case convertUploading = "convert.uploading"
}

/// How grave a finding is to the person whose data it is.
public enum Severity: String, CaseIterable, Comparable, Sendable {
  /// Identity or consent is at stake.
  case error
  /// Data would be lost or changed.
  case warning
  /// Good to know.
  case note

  /// A note is less than a warning, a warning less than an error.
  public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

  private var rank: Int {
    switch self {
    case .note: 0
    case .warning: 1
    case .error: 2
    }
  }
}
