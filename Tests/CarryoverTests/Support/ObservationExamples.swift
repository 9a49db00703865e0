import Carryover
import CarryoverStorage
import CarryoverSystem
import CarryoverVendors
import PropertyLists

extension Observation {
  /// At least one observation of every code.
  static let examples: [Observation] = [
    .anonymousIDMalformed("x", .notUUID), .anonymousIDMalformed("", .empty), .anonymousIDNotString(7),
    .anonymousIDOnlyInTraits("x"), .anonymousIDsDiffer(key: "x", traits: "y"), .customIDStripped(id: "x", userID: nil),
    .userIDEmpty(), .userIDMissing, .userIDMissingWithTraits, .userIDNotString(kind: "number", text: "42"),
    .userIDNotString(kind: "null", text: nil), .userIDNotString(kind: "object", text: nil),
    .traitsDuplicateMember(["a"]), .traitsEmptyAfterStrip, .traitsInvalidJSON(.notObject),
    .traitsInvalidJSON(.notText(.integer)), .traitsInvalidJSON(.numberOutOfRange("1e400")),
    .traitsLossyReencode(["4.10"]), .sessionAutoTrackAbsent, .sessionAutoTrackContradicted(.sessionWithoutTimestamp),
    .sessionExpired(idleMilliseconds: 600_000), .sessionIDInvalid("-5", .negative), .sessionManualWillBeReplaced,
    .sessionTimestampMissing(isBeta: false), .sessionTimestampMissing(isBeta: true),
    .sessionTimestampNotPast("0", .notPositive, isBeta: false),
    .sessionTimestampUnit("1", .uptime),
    .sessionTimestampUnit("1", .milliseconds), .sessionUptimeSDK(version: "1.1"),
    .appBuildNotInteger("rc1", normalised: nil), .appBuildNotInteger("007", normalised: 7),
    .appVersionInOldKey(old: "1", new: nil), .appVersionNotString(4),
    .sourceDisagree(
      key: "k", values: [StoredValue(store: "a/b.plist", value: 1), StoredValue(store: "c", value: nil)]),
    .sourcePurgeable(store: "a/Library/Caches/b"), .sourceReactNative(keys: ["rn_k"], stale: ["rl_k"]),
    .sourceReactNative(keys: ["rn_k"], stale: []), .sourceReactNativeStale(keys: ["rn_k"], .automaticTracking),
    .sourceReactNativeStale(keys: ["rn_k"], .newerEvent),
    .sourceReactNativeUnsure(key: "rn_k", others: ["rl_k"], .sessionBeganLater),
    .sourceReactNativeUnsure(key: "rn_k", others: [], .timesNotComparable),
    .sourceReactNativeUnsure(key: "rn_k", others: ["rl_j", "rl_k"], .higherNativeVersion),
    .sourceNotFound("the legacy SDK"),
    .sourceV1AndV2(
      chosen: "rudderstack-swift-v2",
      evidence: [
        RecipeEvidence(recipe: Recipe.rudderStackObjC.reference, keys: ["rl_traits"]),
        RecipeEvidence(recipe: Recipe.rudderStackSwiftV2.reference, keys: ["rs_traits"]),
      ]),
    .v2AnonymousIDNotStored(stored: []), .v2SessionStopped,
    .v2TraitsArchive(leftOut: [ArchivedPart(path: "a", what: "Address")], reshaped: []),
    .v2TraitsArchive(leftOut: [], reshaped: [ArchivedPart(path: "", what: "date")]),
    .v2TraitsUnreadable("It is empty."),
    .sessionAutoTrackContradicted(.sameStatus("k", false)),
    .sourcePartial(store: "a", keys: ["k"]), .sourceStale(store: "a", keys: ["k"]),
    .sourceUnreadable(store: "a", reason: "It is empty."), .sourceWrongType(key: "k", 1),
    .sourceNotAsRequired(key: "k", requirement: "a UUID"),
    .sourceNotConverted(key: "k", step: "a whole number", "k is not a whole number."),
    .targetConflict(current: 1, proposed: 2), .targetExists(path: "a/b.plist", keys: 1),
    .targetFreshIdentity(current: "x", legacy: "y"), .targetManyWriteKeys(["A", "B"]), .targetNoBundleID,
    .targetNoWriteKey, .targetOtherUser("x", named: "user_id"), .targetOtherWriteKey("A", present: ["B", "C"]),
    .targetRolledBack("user_id"),
    .targetUnreadable(path: "a/b.plist", reason: "It is empty."),
    .targetWrongType(1, needs: .decimalString), .consentOptedOut(store: "a"),
    .consentOptedOut(store: "a", leftBehindBy: "b"), .consentMigrated, .recipeUntrusted(path: "a"),
    .droppedExternalIDs([ExternalID(type: "t", id: "i")]), .droppedSecrets(["k"]), .droppedUnknownKey(["k"]),
    .droppedUnsentEvents(path: "a", count: 2), .droppedUnsentEvents(path: "a", count: nil),
    .liveRunningStore(.simulator(device: "11111111-2222-3333-4444-555555555555")),
    .liveRunningStore(.home("/Users/ada")),
    .liveStoreChanged(stores: ["a/b"], keys: ["k"]),
    .convertConfigCorrupt(path: "a/config-1.json", reason: "It is empty."),
    .convertConfigKeyCollision(files: ["a/config-1_2.json"]),
    .convertConfigKeyCollision(files: ["a/config-1_2.json", "a/config-3_4.json"]),
    .convertDecisionsCorrupt(path: "a/b.json", reason: "It is empty."),
    .convertIDsDiffer(mirror: "x", stored: ["y"]), .convertIDsDiffer(mirror: nil, stored: ["y", "z"]),
    .convertQueueCorrupt(path: "a/b.json", reason: "It is empty."), .convertUploading(path: "a/b.uploading"),
    .modelCorrupt(model: "person", .kind(.integer)), .modelCorrupt(model: "person", .notText),
    .modelNewerVersion(model: "person", found: 4, known: 3),
    .modelStepFailed(model: "person", from: 1, title: "rename name → alias", reason: "“name” is not there"),
    .modelUnknownVersion(model: "person", reason: "it has the members of no known version"),
  ]
}
