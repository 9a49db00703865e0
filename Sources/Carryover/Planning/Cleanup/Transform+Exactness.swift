import PropertyLists

extension Transform {
  /// Whether the step keeps all of a value: what it makes tells exactly what the value was, as far as the legacy SDK
  /// could ever tell.
  ///
  /// Decided by step, and with doubt always for the value that stands there:
  /// * `exactText` keeps text, and an integer, whose decimal text is one to one. Not a real: another writer's text of it
  ///   may be another one. A number in JSON text keeps its own text, so nothing of it is lost.
  /// * `numberText` keeps text and integers, and another number in JSON text that was written as the step writes it.
  /// * `wholeNumber` keeps an integer. Not a real, even a whole one: it becomes a value of another type.
  /// * `integerFromText` keeps an integer, and text that is the integer's own; not "+42" or "042".
  /// * `boolean` keeps a boolean. No number: 1 and 2 both become true.
  /// * `invert` keeps a boolean.
  /// * `pastSecondsToMilliseconds` keeps an integer; a real may be cut.
  /// * `archivedJSON` keeps text, and an archive of which JSON can say every value by its own type.
  /// * `jsonWithoutMembers` keeps the rest of the text byte by byte; what it takes out is looked at by itself.
  /// * `model` keeps nothing for certain: its steps may remove members.
  /// - Parameter text: the value's own text, where it is a number in JSON text.
  func keepsAll(of value: PropertyListValue, text: String? = nil) -> Bool {
    if let text, self == .numberText { return Transform.numberText(ofJSON: text) == text }
    if let text, self != .exactText {
      // A property list rounds what is no integer, and spells an integer its own way.
      guard case .integer(let integer) = value, integer.description == text else { return false }
    }
    switch (self, value) {
    case (.exactText, .string), (.exactText, .integer): return true
    case (.exactText, .real): return text != nil
    case (.numberText, .string), (.numberText, .integer): return true
    case (.wholeNumber, .integer), (.integerFromText, .integer): return true
    case (.integerFromText, .string(let text)): return Int64(text).map(String.init) == text
    case (.boolean, .boolean), (.invert, .boolean): return true
    case (.pastSecondsToMilliseconds, .integer): return true
    case (.jsonWithoutMembers, .string), (.archivedJSON, .string): return true
    case (.archivedJSON, .data): return (try? ArchivedTraits(value))?.isExact == true
    default: return false
    }
  }
}

extension Candidate {
  /// Whether every step of an evaluation kept all of what it was given.
  func keepsAll(_ evaluation: Evaluation) -> Bool {
    guard var value = evaluation.legacy else { return false }
    var text = evaluation.legacyText
    // The first step of a member is to take it out of its text.
    let made = evaluation.steps.dropFirst(source.member == nil ? 0 : 1)
    guard made.count == transforms.count else { return false }
    if transforms.isEmpty, let text {
      guard case .integer(let integer) = value, integer.description == text else { return false }
    }
    for (transform, step) in zip(transforms, made) {
      guard transform.keepsAll(of: value, text: text), let result = step.result else { return false }
      (value, text) = (result, nil)
    }
    return true
  }
}
