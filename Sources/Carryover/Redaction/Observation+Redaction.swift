import PropertyLists

extension Redaction {
  /// A finding whose sentences quote masks. Its code and its weight stay.
  public func finding(_ finding: Finding) -> Finding {
    Finding(observation(finding.observation), field: finding.field, source: finding.source)
  }

  /// A plan whose findings quote masks. Its values are the real ones, so that it can still be decided on and applied;
  /// whoever shows them passes each through `value(_:)`.
  public func findings(of plan: Plan) -> Plan {
    var plan = plan
    plan.containerFindings = plan.containerFindings.map(finding)
    for index in plan.fields.indices { plan.fields[index].findings = plan.fields[index].findings.map(finding) }
    return plan
  }

  /// The facts of an observation, each masked where it is a value. Written out case by case, so that a new one cannot be
  /// forgotten.
  private func observation(_ observation: Observation) -> Observation {
    switch observation {
    case .anonymousIDMalformed(let text, let defect): .anonymousIDMalformed(string(text), defect)
    case .anonymousIDNotString(let value): .anonymousIDNotString(self.value(value))
    case .anonymousIDOnlyInTraits(let id): .anonymousIDOnlyInTraits(string(id))
    case .anonymousIDsDiffer(let key, let traits): .anonymousIDsDiffer(key: string(key), traits: string(traits))
    case .customIDStripped(let id, let userID): .customIDStripped(id: string(id), userID: userID.map(string))
    case .userIDNotString(let kind, let text): .userIDNotString(kind: kind, text: text.map(string))
    case .traitsDuplicateMember(let names): .traitsDuplicateMember(names.map(text))
    case .traitsInvalidJSON(let defect): .traitsInvalidJSON(self.defect(defect))
    case .traitsLossyReencode(let pieces): .traitsLossyReencode(pieces.map(piece))
    case .sessionIDInvalid(let text, let defect): .sessionIDInvalid(string(text), defect)
    case .sessionTimestampNotPast(let text, let defect, let sdk): .sessionTimestampNotPast(string(text), defect, sdk)
    case .sessionTimestampUnit(let text, let unit): .sessionTimestampUnit(string(text), unit)
    case .appBuildNotInteger(let text, let normalised): build(text, normalised)
    case .appVersionInOldKey(let old, let new): .appVersionInOldKey(old: string(old), new: new.map(string))
    case .appVersionNotString(let value): .appVersionNotString(self.value(value))
    case .sourceDisagree(let key, let values):
      .sourceDisagree(
        key: key, values: values.map { StoredValue(store: text($0.store), value: $0.value.map(self.value)) })
    case .sourcePartial(let store, let keys): .sourcePartial(store: text(store), keys: keys.map(text))
    case .sourcePurgeable(let store): .sourcePurgeable(store: text(store))
    case .sourceReactNative(let keys, let stale):
      .sourceReactNative(keys: keys.map(text), stale: stale.map(text))
    case .sourceReactNativeStale(let keys, let proof): .sourceReactNativeStale(keys: keys.map(text), proof)
    case .sourceReactNativeUnsure(let key, let others, let doubt):
      .sourceReactNativeUnsure(key: text(key), others: others.map(text), doubt)
    case .sourceStale(let store, let keys): .sourceStale(store: text(store), keys: keys.map(text))
    case .sourceUnreadable(let store, let reason): .sourceUnreadable(store: text(store), reason: text(reason))
    case .sourceWrongType(let key, let value): .sourceWrongType(key: key, self.value(value))
    case .targetConflict(let current, let proposed):
      .targetConflict(current: self.value(current), proposed: self.value(proposed))
    case .targetExists(let path, let keys): .targetExists(path: text(path), keys: keys)
    case .targetFreshIdentity(let current, let legacy):
      .targetFreshIdentity(current: string(current), legacy: string(legacy))
    case .targetManyWriteKeys(let keys): .targetManyWriteKeys(keys.map(string))
    case .targetUnreadable(let path, let reason): .targetUnreadable(path: text(path), reason: text(reason))
    case .targetWrongType(let value, let form): .targetWrongType(self.value(value), needs: form)
    case .consentOptedOut(let store): .consentOptedOut(store: text(store))
    case .droppedExternalIDs(let ids):
      .droppedExternalIDs(ids.map { ExternalID(type: string($0.type), id: string($0.id)) })
    case .droppedSecrets(let keys): .droppedSecrets(keys.map(text))
    case .droppedUnknownKey(let keys): .droppedUnknownKey(keys.map(text))
    case .droppedUnsentEvents(let path, let count): .droppedUnsentEvents(path: text(path), count: count)
    case .liveRunningStore(.home(let home)): .liveRunningStore(.home(text(home)))
    case .liveStoreChanged(let stores, let keys): .liveStoreChanged(stores: stores.map(text), keys: keys.map(text))
    case .liveRunningStore(.simulator(let device)): .liveRunningStore(.simulator(device: text(device)))
    case .v2TraitsArchive(let leftOut, let reshaped):
      .v2TraitsArchive(leftOut: leftOut.map(part), reshaped: reshaped.map(part))
    case .v2AnonymousIDNotStored(let stored):
      .v2AnonymousIDNotStored(stored: stored.map { StoredID(source: $0.source, id: string($0.id)) })
    case .modelCorrupt(let model, .json(let error)): .modelCorrupt(model: text(model), .json(self.error(error)))
    case .modelCorrupt(let model, let corruption): .modelCorrupt(model: text(model), corruption)
    case .modelNewerVersion(let model, let found, let known):
      .modelNewerVersion(model: text(model), found: found, known: known)
    case .modelStepFailed(let model, let from, let title, let reason):
      .modelStepFailed(model: text(model), from: from, title: text(title), reason: text(reason))
    case .modelUnknownVersion(let model, let reason): .modelUnknownVersion(model: text(model), reason: text(reason))
    case .v2TraitsUnreadable(let reason): .v2TraitsUnreadable(text(reason))
    case .convertConfigCorrupt(let path, let reason):
      .convertConfigCorrupt(path: text(path), reason: text(reason))
    case .convertConfigKeyCollision(let files): .convertConfigKeyCollision(files: files.map(text))
    case .convertDecisionsCorrupt(let path, let reason):
      .convertDecisionsCorrupt(path: text(path), reason: text(reason))
    case .convertIDsDiffer(let mirror, let stored):
      .convertIDsDiffer(mirror: mirror.map(string), stored: stored.map(string))
    case .convertQueueCorrupt(let path, let reason): .convertQueueCorrupt(path: text(path), reason: text(reason))
    case .convertUploading(let path): .convertUploading(path: text(path))
    case .userIDEmpty, .userIDMissing, .userIDMissingWithTraits, .traitsEmptyAfterStrip, .sourceNotFound,
      .sessionAutoTrackAbsent, .sessionAutoTrackContradicted, .sessionExpired, .sessionManualWillBeReplaced,
      .sessionTimestampMissing, .sessionUptimeSDK, .sourceV1AndV2, .targetNoBundleID, .targetNoWriteKey,
      .v2SessionStopped:
      observation
    }
  }

  /// A build that is masked may not be given away by the number it spells.
  private func build(_ text: String, _ normalised: Int64?) -> Observation {
    let shown = string(text)
    return .appBuildNotInteger(shown, normalised: shown == text ? normalised : nil)
  }

  /// Why a value does not have the form its reader needs, without the piece of it that is quoted.
  public func mismatch(_ mismatch: FormMismatch) -> FormMismatch {
    guard case .notJSONObject(let error?) = mismatch else { return mismatch }
    return .notJSONObject(self.error(error))
  }

  private func error(_ error: JSONError) -> JSONError {
    guard case .invalidToken(let token) = error.kind else { return error }
    return JSONError(kind: .invalidToken(string(token)), position: error.position)
  }

  private func defect(_ defect: TraitsDefect) -> TraitsDefect {
    switch defect {
    case .syntax(let error): return .syntax(self.error(error))
    case .numberOutOfRange(let lexeme): return .numberOutOfRange(string(lexeme))
    case .archive(let reason): return .archive(text(reason))
    case .notText, .notObject, .loneSurrogate: return defect
    }
  }

  /// Names of traits and of classes are shown as keys are, unless a value is quoted in them.
  private func part(_ part: ArchivedPart) -> ArchivedPart {
    ArchivedPart(path: text(part.path), what: text(part.what))
  }

  /// A piece of text that would be written anew: a number is a value, anything else is said about names.
  private func piece(_ piece: String) -> String { JSONNumber(lexeme: piece) == nil ? text(piece) : string(piece) }
}
