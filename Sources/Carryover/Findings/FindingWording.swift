import PropertyLists

/// The sentences of every finding: what happened and what it means, and what to do. The only place they stand.
///
/// Values stand in them as they were found, cut to a bounded length: whoever prints a sentence escapes it.
enum FindingWording {
  static func message(_ observation: Observation, _ source: SourceKey?) -> String {
    switch observation {
    case .anonymousIDMalformed, .anonymousIDNotString, .anonymousIDOnlyInTraits, .anonymousIDsDiffer, .customIDStripped,
      .userIDEmpty, .userIDMissing, .userIDMissingWithTraits, .userIDNotString:
      identityMessage(observation, source)
    case .traitsDuplicateMember, .traitsEmptyAfterStrip, .traitsInvalidJSON, .traitsLossyReencode:
      traitsMessage(observation, source)
    case .sessionAutoTrackAbsent, .sessionAutoTrackContradicted, .sessionExpired, .sessionIDInvalid,
      .sessionManualWillBeReplaced, .sessionTimestampMissing, .sessionTimestampNotPast, .sessionTimestampUnit,
      .sessionUptimeSDK:
      sessionMessage(observation, source)
    case .appBuildNotInteger, .appVersionInOldKey, .appVersionNotString:
      appMessage(observation, source)
    case .sourceDisagree, .sourceNotFound, .sourcePartial, .sourcePurgeable, .sourceReactNative,
      .sourceReactNativeStale, .sourceReactNativeUnsure, .sourceStale, .sourceUnreadable,
      .sourceV1AndV2, .sourceWrongType:
      sourceMessage(observation)
    case .targetConflict, .targetExists, .targetFreshIdentity, .targetManyWriteKeys, .targetNoBundleID,
      .targetNoWriteKey, .targetUnreadable, .targetWrongType, .consentOptedOut:
      targetMessage(observation, source)
    case .liveRunningStore, .liveStoreChanged: liveMessage(observation)
    case .v2AnonymousIDNotStored, .v2SessionStopped, .v2TraitsArchive, .v2TraitsUnreadable: v2Message(observation)
    case .droppedExternalIDs, .droppedSecrets, .droppedUnknownKey, .droppedUnsentEvents:
      droppedMessage(observation)
    case .convertConfigCorrupt, .convertConfigKeyCollision, .convertDecisionsCorrupt, .convertIDsDiffer,
      .convertQueueCorrupt, .convertUploading:
      convertMessage(observation)
    case .modelCorrupt, .modelNewerVersion, .modelStepFailed, .modelUnknownVersion: modelMessage(observation)
    }
  }

  static func remedy(_ observation: Observation) -> String {
    switch observation {
    case .anonymousIDMalformed:
      "Confirm it if events were sent under this id, edit it, or skip it: the new SDK then makes an id of its own."
    case .anonymousIDNotString: "Confirm the text where one is proposed, edit it, or skip it."
    case .anonymousIDOnlyInTraits: "Confirm it: the legacy SDK sent events under this id."
    case .anonymousIDsDiffer: "Edit the field if the events of this user stand under the id in the traits."
    case .customIDStripped:
      "Confirm to strip it, or edit the traits to keep it under another name."
    case .userIDEmpty: "Nothing is written. Edit the field if the user is known."
    case .userIDMissing: "Nothing to do: the user id stays empty until the app identifies the user."
    case .userIDMissingWithTraits: "Edit user_id if the user is known, so that the next identify call keeps the traits."
    case .userIDNotString(_, .some): "Confirm the text, or edit it to the id your app passes to identify."
    case .userIDNotString: "Edit the field to the id your app passes to identify, or skip it."
    case .traitsDuplicateMember: "Nothing to do: both are kept. Edit the traits if one of them is wrong."
    case .traitsEmptyAfterStrip: "Nothing to do."
    case .traitsInvalidJSON:
      "The other fields can still be migrated. Edit this one if its value is known from elsewhere."
    case .traitsLossyReencode: "Nothing to do: the text of every member that stays is kept byte for byte."
    case .sessionAutoTrackAbsent: "Confirm manual, edit the field to false for an automatic session, or skip it."
    case .sessionAutoTrackContradicted:
      "Confirm the proposal, or edit the field: true if the app starts its sessions itself."
    case .sessionExpired: "Nothing to do: the new SDK starts a new session."
    case .sessionIDInvalid: "Edit the field if the session id is known, or leave it: the new SDK starts a new session."
    case .sessionManualWillBeReplaced:
      "Turn automatic session tracking off in the new SDK's configuration if the session must go on."
    case .sessionTimestampMissing: "Nothing to do: the rest of the session is migrated."
    case .sessionTimestampNotPast: "Edit the field if the time is known; the rest of the session is migrated."
    case .sessionTimestampUnit: "Choose a reading: confirm the proposal, edit it, or skip the field."
    case .sessionUptimeSDK: "Update the new SDK to 1.2.0 or later, or leave the field out."
    case .appBuildNotInteger(_, .some): "Nothing to do if the number is right; edit or skip the field otherwise."
    case .appBuildNotInteger: "Edit the field to the integer the app now ships with, or leave it out."
    case .appVersionInOldKey: "Confirm it: the legacy SDK takes this value when it starts."
    case .appVersionNotString: "Confirm the text, edit it, or skip it."
    case .sourceDisagree(_, let values) where Set(values.map(\.store)).count == 1:
      "Confirm the value that is read, or take another one."
    case .sourceDisagree: "Confirm the value from the preferences, which the legacy SDK reads first, or take the other."
    case .sourceNotFound:
      "Nothing to do: the new SDK makes its own values. If the app had the legacy SDK, check that this is its container."
    case .sourcePartial: "Nothing to do: each key is taken from the first store that has it."
    case .sourceStale: "Nothing to do. Skip a field if the app removed its value on purpose."
    case .sourcePurgeable: "Nothing to do. Where a value is missing that should be there, ask for a newer container."
    case .sourceReactNative: "Nothing to do: they are taken first. Edit a field whose value is wrong."
    case .sourceReactNativeStale: "Nothing to do: the native keys are migrated. Edit a field whose value is wrong."
    case .sourceReactNativeUnsure: "Accept the proposal, take the other value, or skip the field."
    case .sourceV1AndV2(let chosen, let evidence): otherRecipeRemedy(chosen, evidence)
    case .sourceUnreadable: "Ask for the container again if the data in this file matters. The file is left as it is."
    case .sourceWrongType: "Confirm the value where one is proposed, edit it, or skip the field."
    case .targetConflict: "Migrate to replace it, keep the target's value, or edit."
    case .targetExists: "Nothing to do: the target is compared key by key, and its other keys stay."
    case .targetFreshIdentity:
      "Replace the new id to give the user back their history, or keep it if events since the update matter more."
    case .targetManyWriteKeys: "Name another one with --write-key to fill its suite too."
    case .targetNoBundleID: "Give the bundle id with --bundle-id."
    case .targetNoWriteKey: "Give the write key of the new SDK's source with --write-key."
    case .targetUnreadable: "Move the file away, or ask for the container again; the file is left as it is."
    case .targetWrongType: "Confirm the repair, edit it, or keep the value as it is."
    case .consentOptedOut:
      "Keep the user opted out in your app before the new SDK starts; give --allow-opted-out to migrate all the same."
    case .droppedExternalIDs: "Pass them with each event, in the options of the new SDK's calls."
    case .droppedSecrets: "Nothing to do. If your app still needs the token or the advertising id, store it in the app."
    case .droppedUnknownKey: "Nothing to do: they stay in the legacy store."
    case .droppedUnsentEvents: "Let the old version of the app send them before the update, or accept the loss."
    case .liveRunningStore(let liveness): liveRemedy(liveness)
    case .liveStoreChanged: "Make the plan again."
    case .v2AnonymousIDNotStored(let stored):
      "Give the id that events were sent under, from the server's data, with --set anonymous_id=ID"
        + (stored.isEmpty ? "" : "; take a stored one in the same way if earlier events matter more")
        + "; or skip the field, and the new SDK makes an id of its own."
    case .modelCorrupt: "Edit the value if it is known from elsewhere, or skip it; what stands there is left as it is."
    case .modelNewerVersion:
      "Use a recipe that knows this version, or update the app; what stands there is left as it is."
    case .modelStepFailed: "Edit the value to the newest version by hand, or skip it and mend the step."
    case .modelUnknownVersion: "Look at the value: edit it to the newest version by hand, or skip it."
    case .v2SessionStopped: "Nothing to do: the new SDK starts a new session."
    case .v2TraitsArchive: "Confirm the proposal, edit it to have what is missing, or skip the field."
    case .convertConfigCorrupt, .convertConfigKeyCollision, .convertDecisionsCorrupt, .convertIDsDiffer,
      .convertQueueCorrupt, .convertUploading:
      convertRemedy(observation)
    case .v2TraitsUnreadable: "Give the traits as JSON if they are known from elsewhere, or skip the field."
    }
  }

  /// A value as sentences show it: cut to a bounded length, strings in quotation marks.
  static func shown(_ value: PropertyListValue) -> String {
    switch value {
    case .string(let text): Mask.type(of: text) == nil ? quoted(text) : text
    case .integer(let integer): integer.description
    case .real(let real): real.description
    case .boolean(let flag): flag ? "true" : "false"
    case .date(let date): date.description
    case .data(let bytes): "\(bytes.count) bytes of data"
    case .array(let elements): "an array of \(elements.count)"
    case .dictionary(let dictionary): "a dictionary of \(dictionary.count)"
    case .uid(let uid): "UID \(uid)"
    case .set(let elements): "a set of \(elements.count)"
    case .null: "null"
    }
  }

  /// A value with its type in front: "an integer (7)". A mask names the type of what it stands for.
  static func typed(_ value: PropertyListValue) -> String {
    if case .string(let text) = value, let kind = Mask.type(of: text) { return "\(name(kind)) (\(text))" }
    return "\(name(value.kind)) (\(shown(value)))"
  }

  static func quoted(_ text: String) -> String { "“\(cut(text))”" }

  static func cut(_ text: String, to limit: Int = 60) -> String {
    let head = text.prefix(limit)
    return head.endIndex == text.endIndex ? text : head + "…"
  }

  static func listed(_ names: [String], limit: Int = 8) -> String {
    let head = names.prefix(limit).map { cut($0) }.joined(separator: ", ")
    return names.count > limit ? "\(head) and \(names.count - limit) more" : head
  }

  static func counted(_ count: Int, _ one: String, _ many: String? = nil) -> String {
    count == 1 ? "1 \(one)" : "\(count) \(many ?? one + "s")"
  }

  static func name(_ kind: PropertyListValue.Kind) -> String {
    switch kind {
    case .integer, .array: "an \(kind.rawValue)"
    case .data, .null: kind.rawValue
    default: "a \(kind.rawValue)"
    }
  }
}
