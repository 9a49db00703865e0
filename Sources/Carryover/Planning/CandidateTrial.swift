package import CarryoverSystem
package import PropertyLists

package struct CandidateTrial: Hashable, Sendable {
  /// The raw value is the word in JSON output.
  package enum Outcome: String, CaseIterable, Sendable, JSONConvertible {
    case used
    case notConverted = "not-converted"
    case notNeeded = "not-needed"
    case notMet = "not-met"
    case refused
    /// The key is outdated: the SDK wrote others since.
    case outdated
    case absent
  }

  package var outcome: Outcome
  package var source: SourceKey
  package var store: String?
  package var value: PropertyListValue?
  package var result: PropertyListValue?
  package var failure: Failure?

  package var condition: String?

  package struct Failure: Hashable, Sendable {
    package var step: String
    var reason: FindingText

    /// The reason as a sentence. Not escaped: escape it for display.
    package var sentence: String { reason.text(source: nil) }
  }

  /// - Parameter used: the place of the source whose value the field has; nil if it has none.
  fileprivate init(_ candidate: Candidate, of rule: FieldRule, _ context: PlanningContext, at index: Int, used: Int?) {
    source = candidate.source
    outcome = .absent
    let current = context.sources.values(candidate.source.key, for: rule).first
    guard let found = current ?? context.sources.values(candidate.source.key).first else { return }
    let evaluation = Evaluation(candidate, found, context)
    // Without a member of this name, there is neither a value nor a failure.
    guard evaluation.legacy != nil || evaluation.failure != nil else { return }
    (store, value, result) = (found.store, evaluation.legacy ?? found.value, evaluation.proposed)
    failure = evaluation.failure.map { reason in
      Failure(step: evaluation.steps.last?.title ?? "", reason: reason.sentence(candidate.source.label))
    }
    let unmet = zip(candidate.conditions, context.results(of: candidate, evaluation)).first { !$1 }?.0
    outcome =
      if context.staleKeys.contains(candidate.source.key) || current == nil {
        .outdated
      } else if index == used {
        failure == nil ? .used : .notConverted
      } else if let used, used < index {
        .notNeeded
      } else if unmet != nil {
        .notMet
      } else {
        .refused
      }
    if outcome == .notMet { condition = unmet?.words }
  }

  /// The outcome as a sentence that quotes no value. Not escaped: escape it for display.
  package var words: String {
    let place = store.map { " In \($0)." } ?? ""
    return switch outcome {
    case .used: "Used." + place
    case .notConverted: "Found, but not converted." + place
    case .notNeeded: "Not used: an earlier source has a value." + place
    case .notMet: "Not used: a condition is not met\(condition.map { " (\($0))" } ?? "")." + place
    case .refused: "Not used: the checks of the field decided otherwise." + place
    case .outdated: "Not used: the value is outdated." + place
    case .absent: source.member == nil ? "Absent." : "Absent: there is no such key, or no such member in it."
    }
  }
}

extension Planner {
  /// What a plan makes of each source of each field: one list a field, in the recipe's order.
  package func trials(_ container: Container, now: Moment, options: PlannerOptions) -> [[CandidateTrial]] {
    let recipe = recipe.expanded(in: container, options)
    let context = PlanningContext(recipe, in: container, now: now, options)
    // What is tried must not use up the steps of the plan.
    let trying = PlanningContext(recipe, in: container, now: now, options)
    return recipe.rules.map { rule in
      let used = field(rule, context).candidate
      return rule.candidates.enumerated().map {
        CandidateTrial($0.element, of: rule, trying, at: $0.offset, used: used)
      }
    }
  }
}
