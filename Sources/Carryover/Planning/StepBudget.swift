import PropertyLists

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
