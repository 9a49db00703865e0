import PropertyLists

extension FieldRule {
  /// Whether a source's value is an empty id. An SDK that finds one keeps it for ever, so that all such users become one.
  func isEmptyID(_ evaluation: Evaluation) -> Bool {
    isEmptyID(evaluation.legacy) || isEmptyID(evaluation.proposed)
  }

  /// Whether a value is an empty id, which counts as none.
  func isEmptyID(_ value: PropertyListValue?) -> Bool { group == .identity && value == .string("") }
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

  private var sourceNames: [String] {
    (origin?.source).map { [$0.key, $0.member].compactMap(\.self) } ?? []
  }

  /// Asks if an older generation has an id that the newest one lacks, or another one. The newest generation's value is
  /// proposed: a user who has logged out must not be logged in again.
  /// - Parameter isOpen: whether the older generation may be the user's. Then what it lacks is a difference too.
  mutating func noteOlderGeneration(_ context: PlanningContext, isOpen: Bool) {
    guard rule.group.isOfUser, proposed != nil || !context.hasTarget(for: rule) else { return }
    for candidate in rule.candidates {
      for found in context.sources.values(candidate.source.key) where context.sources.isOlder(found) {
        let evaluation = Evaluation(candidate, found, now: context.now)
        guard let value = evaluation.legacy, !rule.isEmptyID(evaluation),
          !context.results(of: candidate, evaluation).contains(false)
        else { continue }
        if let proposed {
          // Other users' traits need no decision: those of the newest generation belong to its user.
          guard rule.group == .identity, case .string = proposed, let other = evaluation.proposed,
            !form.isEquivalent(other, proposed)
          else { return }
        } else if legacy != nil, !countsAsAbsent {
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
      if let hidden = context.sources.unreadable.first(where: {
        $0.canHold(key) && $0.place < limit
      }) {
        note(
          .sourceHidden(rule.target, in: hidden.path, proposedFrom: proposed == nil ? nil : origin?.store))
        return
      }
      if candidate == self.candidate { return }
    }
  }
}

/// Texts that apps pass as an id by mistake: what a language prints for a missing value or an object, or a name.
enum PlaceholderID {
  private static let words: Set<String> = [
    "null", "(null)", "<null>", "nil", "<nil>", "(nil)", "undefined", "none", "nan", "[object object]", "optional",
    "anonymousid", "anonymous_id", "userid", "user_id", "distinctid", "distinct_id", "deviceid", "device_id",
  ]

  /// - Parameter keys: the names under which the id is stored.
  static func matches(_ id: String, keys: [String]) -> Bool {
    // What stands before a colon only says what the rest is: “$device:”.
    if let colon = id.utf8.firstIndex(of: UInt8(ascii: ":")),
      case let rest = String(id[id.utf8.index(after: colon)...]),
      rest.isEmpty || matches(rest, keys: keys)
    {
      return true
    }
    let lowercased = id.lowercased()
    return words.contains(lowercased) || lowercased.hasPrefix("optional(") || keys.containsBytes(of: id)
      || lowercased.contains("0") && lowercased.utf8.allSatisfy { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: "-") }
        && lowercased.utf8.count >= 32
  }
}
