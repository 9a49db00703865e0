package import CarryoverStorage
package import CarryoverSystem

package struct Evaluation {
  package private(set) var legacy: PropertyListValue?
  private(set) var legacyText: String?
  package private(set) var proposed: PropertyListValue?
  package private(set) var failure: TransformFailure?
  package private(set) var steps: [TransformStep] = []

  package init(_ candidate: Candidate, _ stored: LegacySources.Found, _ context: PlanningContext) {
    self.init(candidate, stored, now: context.now, within: context.budget)
  }

  package init(
    _ candidate: Candidate, _ stored: LegacySources.Found, now: Moment, within budget: StepBudget = StepBudget()
  ) {
    var value = stored.value
    if let name = candidate.source.member, stored.isObject, case .dictionary(let dictionary) = stored.value {
      guard let member = dictionary[name] else { return }
      value = member
      steps.append(TransformStep(title: "member \(name) of the dictionary", result: value))
    } else if let name = candidate.source.member {
      let title = "member \(name) of the JSON text"
      switch stored.traits ?? TraitsText.read(stored.value, as: .text) {
      case .success(let traits):
        guard let member = traits.member(name) else { return }
        if case .number(let number) = member { legacyText = number.lexeme }
        value = member.propertyListValue
        steps.append(TransformStep(title: title, result: value))
      case .failure(let defect):
        failure = .json(defect)
        steps.append(TransformStep(title: title, result: nil))
        return
      }
    }
    legacy = value
    for (index, transform) in candidate.transforms.enumerated() {
      do throws(TransformFailure) {
        try budget.check()
        if case .model(let rule) = transform {
          let stages = try rule.stages(of: value, beside: stored.versionBeside, candidate.source.key, within: budget)
          steps += stages.map(budget.kept)
          value = stages.last?.result ?? value
          continue
        }
        let made = try Self.carryOut(transform, value, isFirst: index == 0, stored, legacyText, now)
        let step = TransformStep(title: transform.title, result: made)
        try budget.take(step, from: value)
        steps.append(budget.kept(step))
        value = made
      } catch {
        failure = error
        steps.append(TransformStep(title: transform.title, result: nil))
        return
      }
    }
    proposed = value
  }

  private static func carryOut(
    _ transform: Transform, _ value: PropertyListValue, isFirst: Bool, _ stored: LegacySources.Found, _ text: String?,
    _ now: Moment
  ) throws(TransformFailure) -> PropertyListValue {
    switch transform {
    case .exactText where isFirst && text != nil: return text.map(PropertyListValue.string) ?? value
    case .numberText where isFirst && text != nil:
      return text.map { .string(Transform.numberText(ofJSON: $0)) } ?? value
    default:
      // The traits are those of the stored value, not of a member in them.
      guard isFirst, transform.editsMembers, value == stored.value, case .success(let traits)? = stored.traits else {
        return try transform(value, now: now)
      }
      return try transform.edited(traits)
    }
  }

  /// Whether the value, or what a step makes of it, is true: the following steps may exclude it or wrap it.
  var saysTrue: Bool { ([legacy] + steps.map(\.result)).contains(where: PlanningContext.isTrue) }

  func leadsWhere(_ other: Evaluation) -> Bool {
    proposed == nil && other.proposed == nil ? legacy == other.legacy : proposed == other.proposed
  }
}

/// What the steps of a plan may still make. Each step of a recipe can make its value longer, and each key of a container
/// can have a field: without a bound, a stranger's recipe fills the memory.
package final class StepBudget {
  /// The most bytes that the steps of a plan make together.
  private static let most = 256 << 20
  private static let ofStep = 256

  private var left = StepBudget.most
  private let longestKept: Int
  private var keepable: Int

  package init(longestKept: Int = 64 << 10, kept: Int = 16 << 20) { (self.longestKept, keepable) = (longestKept, kept) }

  func check() throws(TransformFailure) { guard left > 0 else { throw .tooMuch } }

  /// - Throws: `tooMuch` if the bytes exceed what is left. Then nothing is left, so that no later step tries the same.
  func take(_ bytes: Int) throws(TransformFailure) {
    guard bytes <= left else {
      left = 0
      throw .tooMuch
    }
    left -= bytes
  }

  /// Counts the result of a model's step before it becomes text: many places of a value may share one part.
  /// - Returns: false if it exceeds what is left. Then nothing is left.
  func takes(_ json: JSONValue, changes: Int) -> Bool {
    let changes = Self.ofStep * (changes + 1)
    return (try? take(changes + json.size(upTo: left))) != nil
  }

  func take(_ step: TransformStep, from value: PropertyListValue) throws(TransformFailure) {
    let size = step.result == value ? 0 : step.result?.size ?? 0
    try take(Self.ofStep + step.title.utf8.count + size)
  }

  func kept(_ step: TransformStep) -> TransformStep {
    let size = step.result?.size ?? 0
    guard size > min(longestKept, keepable) else {
      keepable -= size
      return step
    }
    var step = step
    (step.result, step.omittedBytes) = (nil, size)
    return step
  }
}

extension PropertyListValue {
  /// The bytes of text or data. What a step puts around other values is negligible.
  fileprivate var size: Int {
    switch self {
    case .string(let text): text.utf8.count
    case .data(let bytes): bytes.count
    default: 0
    }
  }
}

extension JSONValue {
  /// At least the bytes of its text, counted until they exceed a limit.
  fileprivate func size(upTo limit: Int) -> Int {
    var (size, pending) = (0, [self])
    while let value = pending.popLast(), size <= limit {
      switch value {
      case .string(let text): size += text.utf8.count + 2
      case .number(let number): size += number.lexeme.utf8.count
      case .boolean, .null: size += 4
      case .array(let elements):
        size += elements.count + 1
        pending += elements
      case .object(let members):
        for member in members {
          size += member.name.utf8.count + 4
          pending.append(member.value)
        }
      }
    }
    return size
  }
}

package struct TransformStep: Hashable, Sendable {
  package var title: String
  /// Nil if the step failed, which ends the transform, or if its result is not kept.
  package var result: PropertyListValue?
  /// The size in bytes of a result that is too long to be kept; nil for other steps.
  package var omittedBytes: Int?

  package var version: Int?
  package var operation: String?
  package var changes: [ModelChange] = []

  package init(title: String, result: PropertyListValue?, version: Int? = nil) {
    self.title = title
    self.result = result
    self.version = version
  }

  init(from version: Int, _ operation: String, result: PropertyListValue, changes: [ModelChange]) {
    self.init(
      title: "version \(version) → \(version < Int.max ? version + 1 : version): \(operation)", result: result,
      version: version)
    self.operation = operation
    self.changes = changes
  }
}
