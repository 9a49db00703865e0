import PropertyLists

extension FindingWording {
  static func sourceMessage(_ observation: Observation) -> String {
    switch observation {
    case .sourceDisagree(let key, let values):
      Set(values.map(\.store)).count == 1
        ? "\(fileName(values.first?.store ?? "")) holds \(key) more than once: "
          + values.map { $0.value.map(shown) ?? "nothing" }.joined(separator: ", ")
          + ". The system reads the first of these, and so does this proposal."
        : "The stores disagree on \(key): "
          + values.map { "\(fileName($0.store)) has \($0.value.map(shown) ?? "nothing")" }.joined(separator: ", ")
          + ". The legacy SDK reads the preferences first, and so does this proposal; the reference migrator takes the other."
    case .sourceNotFound(let sdk):
      "The container has no values of \(sdk == .swiftV2 ? "the beta SDK 2" : "the legacy SDK") to migrate. The app was "
        + "uninstalled before the update, never had the SDK, or its values were deleted."
    case .sourcePartial(let store, let keys):
      "\(fileName(store)) lacks keys that the preferences have: \(listed(keys)). They are taken from there."
    case .sourcePurgeable(let store):
      "\(fileName(store)) lies in the caches of a tvOS app, which the system may empty at any time: what is missing there may "
        + "have been removed by it, not by the app."
    case .sourceReactNative(let keys, let stale):
      "The app used the React Native SDK, which keeps what it knows of sessions and of the app under its own keys: "
        + "\(listed(keys)). They are taken before the native SDK's"
        + (stale.isEmpty ? "" : "; \(listed(stale)) \(stale.count == 1 ? "says" : "say") something else")
        + ". The reference migrator ignores them."
    case .sourceReactNativeStale(let keys, let proof):
      "The native SDK ran after the React Native SDK: \(proved(proof)). Its keys are current, and these are stale: "
        + "\(listed(keys))."
    case .sourceReactNativeUnsure(let key, let others, let doubt):
      "It is not certain whether React Native or the native SDK ran last: \(doubted(doubt)). The proposal takes \(key)"
        + (others.isEmpty ? "." : "; \(listed(others)) \(others.count == 1 ? "leads" : "lead") to another value.")
    case .sourceV1AndV2(let chosen, let evidence):
      "Both the Objective-C SDK and the beta SDK 2 have left keys here. "
        + evidence.map { "\($0.recipe.id) reads \(listed($0.keys))" }.joined(separator: "; ")
        + ". This plan follows \(chosen). Whichever reference migrator runs first keeps the other from doing anything."
    case .sourceStale(let store, let keys):
      "Only \(fileName(store)) has \(listed(keys)). The legacy SDK removes values from both stores, so the app removed "
        + "these from the preferences, or they were lost. The SDK would restore them at its next start, so they are "
        + "migrated."
    case .sourceUnreadable(let store, let reason):
      "\(fileName(store)) is left out. \(cut(reason, to: 300))"
    case .sourceWrongType(let key, let value):
      "\(key) is \(typed(value)), which the legacy SDK does not write there."
    default: ""
    }
  }

  private static func proved(_ proof: NativeRunProof) -> String {
    switch proof {
    case .automaticTracking: "rl_session_auto_track_status is true, which it never stores under React Native"
    case .newerEvent: "rl_last_event_time_stamp is newer than rn_last_event_time_stamp"
    }
  }

  private static func doubted(_ doubt: NativeRunDoubt) -> String {
    switch doubt {
    case .timesNotComparable: "rl_last_event_time_stamp and rn_last_event_time_stamp cannot be compared"
    case .sessionBeganLater: "the session began after rn_last_event_time_stamp"
    case .higherNativeVersion: "the native SDK's version or build is higher than React Native's"
    }
  }

  static func targetMessage(_ observation: Observation, _ source: SourceKey?) -> String {
    switch observation {
    case .targetConflict(let current, let proposed):
      "The target already holds \(shown(current)), where the legacy value becomes \(shown(proposed))."
    case .targetExists(let path, let keys):
      "\(fileName(path)) is already there, with \(counted(keys, "key")). The reference migrator then does nothing at all, "
        + "even where the file is half filled."
    case .targetFreshIdentity(let current, let legacy):
      "The new SDK has already started and made an id of its own, \(quoted(current)), instead of \(quoted(legacy)): it ran "
        + "before the migration, or before the device was first unlocked."
    case .targetManyWriteKeys(let keys):
      "The container holds suites of several write keys: \(listed(keys)). Each is a target of its own."
    case .targetNoBundleID:
      "The app's bundle id is unknown, and the name of the target file begins with it."
    case .targetNoWriteKey:
      "The write key is unknown, and the name of the target file ends with it."
    case .targetUnreadable(let path, let reason):
      "\(fileName(path)) is there and cannot be edited. \(cut(reason, to: 300))"
    case .targetWrongType(let value, let form):
      "The target holds \(name(value.kind)) (\(shown(value))), where the new SDK needs \(needed(form)): it reads this as "
        + "absent."
    case .consentOptedOut(let store):
      "The user has opted out of tracking (\(source?.key ?? "rl_opt_status") in \(fileName(store))). The new SDK has no such status: a migrated "
        + "user would be tracked again."
    default: ""
    }
  }

  static func droppedMessage(_ observation: Observation) -> String {
    switch observation {
    case .droppedExternalIDs(let ids):
      "The new SDK does not store external ids. These are left behind: "
        + listed(ids.map { "\($0.type) \(quoted($0.id))" }) + "."
    case .droppedSecrets(let keys):
      "\(listed(keys)) \(keys.count == 1 ? "is" : "are") not migrated: the new SDK does not read "
        + "\(keys.count == 1 ? "it" : "them"). The \(keys.count == 1 ? "value is" : "values are") not shown."
    case .droppedUnknownKey(let keys):
      "No rule knows \(listed(keys)): left behind."
    case .droppedUnsentEvents(let path, let count?):
      "\(fileName(path)) holds \(counted(count, "event")) that the legacy SDK had not sent. The new SDK does not read them."
    case .droppedUnsentEvents(let path, nil):
      "\(fileName(path)) may hold events that the legacy SDK had not sent; they cannot be counted. The new SDK does not read "
        + "them."
    default: ""
    }
  }

  static func otherRecipeRemedy(_ chosen: String, _ evidence: [RecipeEvidence]) -> String {
    let others = evidence.map(\.recipe.id).filter { $0 != chosen }
    return "Look at the fields that offer another value; "
      + "follow \(others.joined(separator: " or ")) instead with --recipe \(others.first ?? "ID")."
  }

  static func v2Message(_ observation: Observation) -> String {
    switch observation {
    case .v2AnonymousIDNotStored(let stored):
      "The beta SDK 2 does not store its anonymous id: it is the device's vendor id, on macOS its MAC address, which "
        + "is in no container. The reference migrator writes the id of the device that it runs on."
        + (stored.isEmpty
          ? ""
          : " But \(stored.map { "\($0.source.label) holds \(quoted($0.id))" }.joined(separator: ", ")): not the id that "
            + "the beta sent, unless the app saw to it.")
    case .v2SessionStopped:
      "rl_session_stopped_status is true: the app ended the session. No session is carried over; the reference migrator "
        + "revives it."
    case .v2TraitsArchive(let leftOut, let reshaped):
      "rs_traits is an archive with more in it than JSON can say."
        + (leftOut.isEmpty ? "" : " Left out: \(parts(leftOut)).")
        + (reshaped.isEmpty ? "" : " Written as text or as an array: \(parts(reshaped)).")
        + " The reference migrator loses all traits."
    case .v2TraitsUnreadable(let reason):
      "rs_traits is data that can be read neither as a keyed archive nor as a property list. \(cut(reason, to: 160))"
    default: ""
    }
  }

  private static func parts(_ parts: [ArchivedPart]) -> String {
    listed(parts.map { "\($0.path.isEmpty ? "the whole" : cut($0.path, to: 40)) (\(cut($0.what, to: 40)))" })
  }

  static func needed(_ form: TargetForm) -> String {
    switch form {
    case .string: "a string"
    case .decimalString: "a string of decimal digits"
    case .jsonObjectString: "a string holding a JSON object"
    case .jsonObjectData: "data holding a JSON object"
    case .boolean: "a boolean"
    case .integer: "an integer"
    }
  }

  static func fileName(_ path: String) -> String {
    cut(path.split(separator: "/").last.map(String.init) ?? path)
  }
}
