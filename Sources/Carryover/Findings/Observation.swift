public import PropertyLists

/// What was observed, with the facts its sentences need. One case for every code.
public enum Observation: Hashable, Sendable {
  /// The anonymous id is a string that no SDK would have made.
  case anonymousIDMalformed(String, AnonymousIDDefect)
  /// The anonymous id is stored with another type.
  case anonymousIDNotString(PropertyListValue)
  /// Only the traits hold an anonymous id.
  case anonymousIDOnlyInTraits(String)
  /// The key and the traits hold different anonymous ids.
  case anonymousIDsDiffer(key: String, traits: String)
  /// The traits hold an `id` of their own, which stripping removes.
  case customIDStripped(id: String, userID: String?)
  /// The user id is the empty string.
  case userIDEmpty
  /// There is neither a user id nor traits.
  case userIDMissing
  /// Traits remain, but there is no user id.
  case userIDMissingWithTraits
  /// The user id is no string; `text` is the exact text of a number.
  case userIDNotString(kind: String, text: String?)

  /// A member name occurs more than once.
  case traitsDuplicateMember([String])
  /// Nothing is left of the traits once the ids are stripped.
  case traitsEmptyAfterStrip
  /// The traits are not the text of a JSON object.
  case traitsInvalidJSON(TraitsDefect)
  /// Decoding and encoding again would change these pieces of text.
  case traitsLossyReencode([String])

  /// There is session data, but not the session's kind.
  case sessionAutoTrackAbsent
  /// The configuration says automatic, the evidence says manual.
  case sessionAutoTrackContradicted(SessionEvidence)
  /// The last activity is longer ago than the time-out.
  case sessionExpired(idleMilliseconds: Int64)
  /// The session id cannot be a session id of the new SDK.
  case sessionIDInvalid(String, SessionIDDefect)
  /// A manual session that the new SDK's default configuration will replace.
  case sessionManualWillBeReplaced
  /// There is a session, but no time of its last event.
  case sessionTimestampMissing(SourceSDK)
  /// The time of the last event is not in the past.
  case sessionTimestampNotPast(String, TimestampDefect, SourceSDK)
  /// The time of the last event is not in seconds since 1970, it seems.
  case sessionTimestampUnit(String, TimestampUnit)
  /// The target SDK version reads uptime, not the time of day.
  case sessionUptimeSDK(version: String)

  /// The build is no integer; `normalised` is the integer it reads as where only its form would change.
  case appBuildNotInteger(String, normalised: Int64?)
  /// The version stands in its older key, alone or with another value.
  case appVersionInOldKey(old: String, new: String?)
  /// The version is stored with another type.
  case appVersionNotString(PropertyListValue)

  /// The legacy SDK has left nothing that could be migrated.
  case sourceNotFound(SourceSDK)
  /// Two stores hold different values for a key.
  case sourceDisagree(key: String, values: [StoredValue])
  /// A store lacks keys that the one before it has.
  case sourcePartial(store: String, keys: [String])
  /// A store lies where the system may remove it.
  case sourcePurgeable(store: String)
  /// React Native's own keys are there and used; `stale` are the native SDK's that say something else.
  case sourceReactNative(keys: [String], stale: [String])
  /// React Native's own keys are there, and the native SDK is proven to have run after React Native's.
  case sourceReactNativeStale(keys: [String], NativeRunProof)
  /// It is not certain whether React Native's key or the native SDK's `others` are current.
  case sourceReactNativeUnsure(key: String, others: [String], NativeRunDoubt)
  /// A later store holds keys that the first one does not.
  case sourceStale(store: String, keys: [String])
  /// A store could not be read.
  case sourceUnreadable(store: String, reason: String)
  /// Both SDKs have run: the recipe that was chosen, and which keys are whose.
  case sourceV1AndV2(chosen: String, evidence: [RecipeEvidence])
  /// A legacy value has a type the legacy SDK does not write there.
  case sourceWrongType(key: String, PropertyListValue)

  /// The target holds another value.
  case targetConflict(current: PropertyListValue, proposed: PropertyListValue)
  /// The target file is already there.
  case targetExists(path: String, keys: Int)
  /// The target looks like that of a user the new SDK took for a new one.
  case targetFreshIdentity(current: String, legacy: String)
  /// There are suites of several write keys.
  case targetManyWriteKeys([String])
  /// The bundle id is unknown, so the target cannot be named.
  case targetNoBundleID
  /// The write key is unknown, so the target cannot be named.
  case targetNoWriteKey
  /// The target's file is there and cannot be read, so it cannot be edited either.
  case targetUnreadable(path: String, reason: String)
  /// The target holds a value of a type or form its reader takes for absent.
  case targetWrongType(PropertyListValue, needs: TargetForm)

  /// The user has opted out of tracking.
  case consentOptedOut(store: String)

  /// External ids that have no place in the new SDK.
  case droppedExternalIDs([ExternalID])
  /// Keys that hold secrets.
  case droppedSecrets([String])
  /// Legacy keys that no rule knows.
  case droppedUnknownKey([String])
  /// Events that were never sent.
  case droppedUnsentEvents(path: String, count: Int?)

  /// The container belongs to what may be running.
  case liveRunningStore(Liveness)
  /// Stores changed after the plan was made, in these keys.
  case liveStoreChanged(stores: [String], keys: [String])

  /// The data of a model is no JSON.
  case modelCorrupt(model: String, ModelCorruption)
  /// A later version of the app has written a model.
  case modelNewerVersion(model: String, found: Int, known: Int)
  /// A step of a model's history failed: why, as a part of a sentence.
  case modelStepFailed(model: String, from: Int, title: String, reason: String)
  /// The version of a model cannot be told: why, as a part of a sentence.
  case modelUnknownVersion(model: String, reason: String)

  /// The beta SDK 2 ran, and its anonymous id stands nowhere; `stored` are ids that others have left.
  case v2AnonymousIDNotStored(stored: [StoredID])
  /// The beta SDK 2's session was ended.
  case v2SessionStopped
  /// The archive of traits holds what JSON cannot say, or says in another way.
  case v2TraitsArchive(leftOut: [ArchivedPart], reshaped: [ArchivedPart])
  /// The data under the traits is neither a keyed archive nor a property list: why.
  case v2TraitsUnreadable(String)

  /// Files of cached configurations whose names can be those of several SDK keys.
  case convertConfigKeyCollision(files: [String])
  /// A configuration that Convert's SDK has cached is there and cannot be read.
  case convertConfigCorrupt(path: String, reason: String)
  /// Convert's decisions are there and cannot be read.
  case convertDecisionsCorrupt(path: String, reason: String)
  /// The mirror of a visitor's id is not among the ids of the decisions and events; nil where it is lost.
  case convertIDsDiffer(mirror: String?, stored: [String])
  /// Convert's queue of events is there and cannot be read.
  case convertQueueCorrupt(path: String, reason: String)
  /// Convert's queue of events was being sent.
  case convertUploading(path: String)
}

/// A value in an archive.
public struct ArchivedPart: Hashable, Sendable {
  /// The way to it from the dictionary: `address.since`.
  public var path: String
  /// Its class or type, in a word.
  public var what: String

  /// A part from its path and what it is.
  public init(path: String, what: String) {
    self.path = path
    self.what = what
  }
}

/// What is wrong with an anonymous id.
public enum AnonymousIDDefect: Hashable, Sendable {
  case empty, notUUID, allZero
}

/// Why traits are not the text of a JSON object.
public enum TraitsDefect: Error, Hashable, Sendable {
  /// The stored value is no text.
  case notText(PropertyListValue.Kind)
  /// The text is no JSON: why, and where.
  case syntax(JSONError)
  /// The text is JSON, but not an object.
  case notObject
  /// A string holds half of a surrogate pair.
  case loneSurrogate(PropertyListPosition)
  /// A number is too large for any reader.
  case numberOutOfRange(String)
  /// The data is no archive that can be read: why, as a sentence.
  case archive(String)
}

/// What speaks for a manual session.
public enum SessionEvidence: Hashable, Sendable {
  /// A session id without the time of a last event, which automatic tracking would have written.
  case sessionWithoutTimestamp
  /// A key that says so.
  case key(String)
  /// A status for automatic and one for manual sessions that say the same, where one of them must be true.
  case sameStatus(String, Bool)
}

/// Why a value is no session id.
public enum SessionIDDefect: Hashable, Sendable {
  case negative, zero, tooShort, fraction, outOfRange
  /// Another type.
  case kind(PropertyListValue.Kind)
}

/// Why a timestamp cannot be converted.
public enum TimestampDefect: Hashable, Sendable {
  /// Zero or less.
  case notPositive
  /// In the future, as seen from the plan's moment.
  case future
  /// Not a number.
  case notANumber
}

/// What unit a timestamp seems to be in.
public enum TimestampUnit: Hashable, Sendable {
  case milliseconds, uptime
}

/// A value and the store that holds it.
public struct StoredValue: Hashable, Sendable {
  /// The store's path in the container.
  public var store: String
  /// The value; nil where the store lacks it.
  public var value: PropertyListValue?

  /// A stored value from its parts.
  public init(store: String, value: PropertyListValue?) {
    self.store = store
    self.value = value
  }
}

/// An anonymous id that something else than the recipe's SDK has stored.
public struct StoredID: Hashable, Sendable {
  /// Where it stands: a key, or a member of one.
  public var source: SourceKey
  /// The id.
  public var id: String

  /// A stored id from its parts.
  public init(source: SourceKey, id: String) {
    self.source = source
    self.id = id
  }
}

/// An id that the legacy SDK attached to every event.
public struct ExternalID: Hashable, Sendable {
  /// Its type, such as "brazeExternalId".
  public var type: String
  /// The id.
  public var id: String

  /// An external id from its parts.
  public init(type: String, id: String) {
    self.type = type
    self.id = id
  }
}
