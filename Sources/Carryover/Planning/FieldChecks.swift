import CarryoverStorage
import CarryoverSystem
package import PropertyLists

extension FieldRule {
  /// Whether a source's value is an empty id. An SDK that finds one keeps it for ever, so that all such users become one.
  func isEmptyID(_ evaluation: Evaluation) -> Bool { isEmptyID(evaluation.legacy) || isEmptyID(evaluation.proposed) }

  func isEmptyID(_ value: PropertyListValue?) -> Bool { group == .identity && value == .string("") }

  func unmet(by value: PropertyListValue) -> Predicate? { requirements.first { !$0.isMet(by: value) } }
}

extension FieldGroup {
  /// Whether a target's value stands for none: an empty id, or the empty traits that a new SDK writes.
  func standsForNone(_ value: PropertyListValue) -> Bool {
    switch (self, value) {
    case (.identity, .string("")), (.traits, .string("")), (.traits, .string("{}")): true
    case (.traits, .data), (.traits, .dictionary):
      (try? ArchivedTraits(value)).map { $0.isExact && $0.text == "{}" } ?? false
    default: false
    }
  }
}

extension FieldDraft {
  /// Withdraws an empty id, and asks about a placeholder. A vendor's check has better sentences for its own field.
  mutating func checkID() {
    guard rule.group == .identity else { return }
    if rule.isEmptyID(proposed) || rule.checks.isEmpty && rule.isEmptyID(legacy) {
      withdraw("an empty id is not an id")
      if rule.checks.isEmpty { countsAsAbsent = true }
    }
    if case .string(let id)? = proposed, rule.checks.isEmpty || !asks,
      PlaceholderID.matches(id, keys: [rule.target] + sourceNames)
    {
      note(.identityPlaceholder(id))
    }
  }

  private var sourceNames: [String] { (origin?.source).map { [$0.key, $0.member].compactMap(\.self) } ?? [] }

  /// Asks if an older generation has an id that the newest one lacks, or another one. The newest generation's value is
  /// proposed: a user who has logged out must not be logged in again.
  /// - Parameter isOpen: whether the older generation may be the user's. Then what it lacks is a difference too.
  mutating func noteOlderGeneration(_ context: PlanningContext, isOpen: Bool) {
    guard rule.group.isOfUser, proposed != nil || !context.hasTarget(for: rule) else { return }
    for candidate in rule.candidates {
      for found in context.sources.values(candidate.source.key)
      where context.sources.isOlder(found) && !context.isNewSDKs(found, candidate, rule) {
        let evaluation = Evaluation(candidate, found, now: context.now)
        guard let value = evaluation.legacy, !rule.isEmptyID(evaluation),
          !context.results(of: candidate, evaluation).contains(false)
        else { continue }
        if let proposed {
          // Other users' traits need no decision: those of the newest generation belong to its user.
          guard rule.group == .identity, case .string = proposed, let other = evaluation.proposed,
            !form.isEquivalent(other, proposed)
          else { return }
        } else if legacy != nil, !countsAsAbsent || form == .boolean {
          // An empty id may be a logout; a flag that is not migrated is an answer.
          return
        }
        note(
          .identityOlderGeneration(
            candidate.source.label, value, in: found.store, of: context.generationName(found.generation),
            newest: context.generationName(context.sources.generation), isMissing: proposed == nil))
        if let other = evaluation.proposed, rule.unmet(by: other) == nil { offer(found.store, other) }
        return
      }
    }
    guard isOpen, rule.group == .identity, proposed != nil, let key = origin?.source.label else { return }
    note(
      .identityOlderGeneration(
        without: key, of: context.generationName(context.sources.olderGeneration),
        newest: context.generationName(context.sources.generation)))
  }

  /// Asks if a store that cannot be read could have a value that the SDK reads before the proposed one. Of an id it also
  /// asks if there is no value at all.
  mutating func noteHiddenSource(_ context: PlanningContext) {
    let isUnknownID = rule.group == .identity && legacy == nil && failure == nil && !context.hasTarget(for: rule)
    guard !context.sources.unreadable.isEmpty, proposed != nil || isUnknownID else { return }
    let used = origin.flatMap { origin in
      context.sources.values(origin.source.key).first { $0.store.hasSameBytes(as: origin.store) }?.place
    }
    for candidate in rule.candidates where !context.staleKeys.contains(candidate.source.key) {
      let key = candidate.source.key
      let readable = context.sources.values(key).first?.place ?? .max
      // A key of a newer generation counts wherever it is; any other only before the value's own store.
      let limit = rule.group.isOfUser && candidate != self.candidate ? readable : min(used ?? .max, readable)
      if let hidden = context.sources.unreadable.first(where: { $0.canHold(key) && $0.place < limit }) {
        note(.sourceHidden(rule.target, in: hidden.path, proposedFrom: proposed == nil ? nil : origin?.store))
        return
      }
      if candidate == self.candidate { return }
    }
  }

  mutating func checkRequirements() {
    guard let proposed, let unmet = rule.unmet(by: proposed) else { return }
    withdraw("not as required: \(unmet.words)")
    note(.sourceNotAsRequired(key: label, requirement: unmet.words))
  }

  /// Whether the field is about consent, and its legacy value says that the user opted out: by itself, by what a step
  /// makes of it, or by what a check proposes instead.
  var isOptOut: Bool { saysOptOut || rule.group == .consent && PlanningContext.isTrue(proposed) }

  mutating func checkConsent() { if isOptOut, PlanningContext.isTrue(proposed) { note(.consentMigrated) } }

  /// Withdraws a proposal that the target's reader would not accept, and says so of a value that the steps do not accept.
  /// A vendor's check or a model has better sentences for its own field.
  mutating func checkForm() {
    let step = steps.last?.title ?? ""
    if failure == .tooMuch {
      return note(.sourceNotConverted(key: label, step: step, TransformFailure.tooMuch.sentence("")))
    }
    guard rule.checks.isEmpty, rule.model == nil else { return }
    if let proposed, form.mismatch(proposed) != nil { withdraw("not \(form.words)") }
    guard proposed == nil else { return }
    // In JSON, null means no value.
    if legacy == .null, candidate?.source.member != nil { return countsAsAbsent = true }
    switch failure {
    // The value contains nothing for the new SDK.
    case .empty?: countsAsAbsent = true
    case .kind?, nil: if let legacy { note(.sourceWrongType(key: label, legacy)) }
    case let failure?: note(.sourceNotConverted(key: label, step: step, failure.sentence(label)))
    }
  }

  private var label: String { origin?.source.label ?? rule.target }

  mutating func checkEdges() {
    guard rule.group == .identity, case .string(let id)? = proposed, HiddenEdges.occur(in: id) else { return }
    note(.identityHiddenCharacters(id))
    let bare = HiddenEdges.removed(from: id)
    if !bare.isEmpty { offer("without hidden characters", .string(bare)) }
  }

  var model: FieldModel? {
    guard var model = rule.model?.model(in: legacy) else { return nil }
    // The version beside the data may differ from the one that its members show.
    if case .model(.unknownVersion)? = failure { model.version = nil }
    return model
  }

  mutating func checkModel() {
    guard case .model(let defect)? = failure else { return }
    let model = rule.target
    switch defect {
    case .corrupt(let corruption): note(.modelCorrupt(model: model, corruption))
    case .unknownVersion(let reason): note(.modelUnknownVersion(model: model, reason: reason))
    case .newer(let found, let known): note(.modelNewerVersion(model: model, found: found, known: known))
    case .step(let from, let title, let reason):
      note(.modelStepFailed(model: model, from: from, title: title, reason: reason))
    }
  }

  mutating func checkRefusal(_ context: PlanningContext) {
    guard let store = origin?.store, let reason = context.refusals[store] else { return }
    note(.sourceRefused(store: store, reason: reason))
  }
}

/// Texts that apps pass as an id by mistake: what a language prints for a missing value or an object, or a name.
enum PlaceholderID {
  private static let words: Set<String> = [
    "null", "(null)", "<null>", "nil", "<nil>", "(nil)", "undefined", "none", "nan", "[object object]", "optional",
    "anonymousid", "anonymous_id", "userid", "user_id", "distinctid", "distinct_id", "deviceid", "device_id",
  ]

  static func matches(_ id: String, keys: [String]) -> Bool {
    // What stands before a colon only says what the rest is: “$device:”.
    if let colon = id.utf8.firstIndex(of: UInt8(ascii: ":")),
      case let rest = String(id[id.utf8.index(after: colon)...]), rest.isEmpty || matches(rest, keys: keys)
    {
      return true
    }
    // An object or a list as text, such as a file of JSON with other keys.
    if id.hasPrefix("{") && id.hasSuffix("}") || id.hasPrefix("[") && id.hasSuffix("]") { return true }
    let lowercased = id.lowercased()
    return words.contains(lowercased) || lowercased.hasPrefix("optional(") || keys.containsBytes(of: id)
      || lowercased.contains("0") && lowercased.utf8.allSatisfy { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: "-") }
        && lowercased.utf8.count >= 32
  }
}

extension PlanningContext {
  /// Whether each condition of a source is met. If its value cannot be read, conditions on it count as met: the field then
  /// asks, and the value is not passed over in silence.
  func results(of candidate: Candidate, _ evaluation: Evaluation) -> [Bool] {
    candidate.conditions.map { condition in
      if let key = condition.key { return condition.test.isMet(by: current(key)) }
      return evaluation.legacy.map { condition.test.isMet(by: $0) } ?? true
    }
  }
}

extension Field {
  /// Whether the target keeps the user opted out after this decision. What is undecided stops an apply by itself.
  fileprivate func keepsOptOut(_ decision: Decision?) -> Bool {
    switch resolution(decision) {
    case .write(let value): PlanningContext.isTrue(value)
    case .leave: PlanningContext.isTrue(current)
    case .undecided: true
    }
  }

  package func hidesCharacters(_ value: PropertyListValue) -> Bool {
    guard group == .identity, case .string(let text) = value else { return false }
    return HiddenEdges.occur(in: text)
  }
}

extension Plan {
  /// The findings that block an apply with these decisions: those of the plan, and opt-outs that the target does not have
  /// afterwards. Without its opt-out, the new SDK would track the user again.
  /// An opt-out blocks nothing where nothing is written.
  package func blockers(after decisions: Decisions, onConflict policy: ConflictPolicy = .fail) -> [Finding] {
    guard !allowed.contains(.consentOptedOut) else { return blockers }
    let writes = { [fields] in
      fields.contains { field in
        if case .leave = field.resolution(field.decision(decisions[field.id], onConflict: policy)) {
          false
        } else {
          true
        }
      }
    }
    let isHeld = !blockers.contains { $0.code == .consentOptedOut } || writes()
    return blockers.filter { $0.code != .consentOptedOut || isHeld }
      + fields.compactMap { field in
        let decision = field.decision(decisions[field.id], onConflict: policy)
        guard field.isOptOut, !field.keepsOptOut(decision) else { return nil }
        return Finding(
          .consentOptedOut(store: field.origin?.store ?? "", leftBehindBy: field.id), field: field.id,
          source: field.origin?.source)
      }
  }
}

/// What an id may have at its edges or within it that nobody sees: white space from pasting, line breaks, characters
/// without a shape. With them, it is another user's id.
package enum HiddenEdges {
  package static func occur(in text: String) -> Bool {
    let scalars = text.unicodeScalars
    guard let first = scalars.first, let last = scalars.last else { return false }
    return isSpace(first) || isSpace(last) || !scalars.allSatisfy(DisplayText.hasShape)
  }

  static func removed(from text: String) -> String {
    let shown = text.unicodeScalars.filter { DisplayText.hasShape($0) }
    let start = shown.drop(while: isSpace)
    let end = start.lastIndex { !isSpace($0) }
    return end.map { String(String.UnicodeScalarView(start[...$0])) } ?? ""
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace }
}

extension ContainerChecks {
  var refusals: [Observation] {
    let reported = Set(
      bytesOf: fields.filter { $0.findings.contains { $0.code == .sourceRefused } }.compactMap(\.origin?.store))
    return context.refusals.filter { !reported.contains($0.key) }.sorted { $0.key < $1.key }.map {
      .sourceRefused(store: $0.key.text, reason: $0.value)
    }
  }
}
