import PropertyLists

extension Transform {
  /// Whether the step preserves a value completely: its result determines the value exactly, as far as the legacy SDK
  /// could distinguish it.
  ///
  /// The answer depends on the step and, in doubt, on the value:
  /// * `exactText` preserves text and integers, whose decimal text is unique. Not reals: another writer may use another
  ///   text. A number in JSON text keeps its own text, so nothing is lost.
  /// * `numberText` preserves text and integers, and other numbers in JSON text whose text equals the result.
  /// * `wholeNumber` preserves integers. Not reals, even whole ones: their type changes.
  /// * `integerFromText` preserves integers, and text that is an integer's own text; not "+42" or "042".
  /// * `boolean` preserves booleans. Not numbers: 1 and 2 both become true.
  /// * `invert` preserves booleans.
  /// * `pastSecondsToMilliseconds` preserves integers; a real may be truncated.
  /// * `archivedJSON` preserves text, and an archive whose values JSON can all express with their own types.
  /// * `jsonWithoutMembers` and `jsonOnlyMembers` preserve the rest of the text byte by byte; the removed members are
  ///   checked separately. `jsonRenamedMembers` preserves text that the opposite names restore byte by byte.
  /// * `prefix` and `dropPrefix` preserve text. `lowercase` and `uppercase` preserve text that they do not change.
  /// * `map` preserves a value if no other has the same result.
  /// * `millisecondsToSeconds` preserves integers: in the calendar's range, each has seconds of its own.
  /// * `dateToMilliseconds` and `iso8601` preserve dates that their result restores bit by bit.
  /// * `wrap` and `unwrap` preserve everything.
  /// * `isPresent` preserves nothing of the value. `only` and `except` preserve what they let pass.
  /// * `jsonText`, `decimalPropertyList`, `propertyListData` and `keyedArchive` change the type, and count as not
  ///   preserving.
  /// * `model` certainly preserves nothing: its steps may remove members.
  /// - Parameter text: the value's own text, if it is a number in JSON text.
  func keepsAll(of value: PropertyListValue, text: String? = nil) -> Bool {
    if let text, self == .numberText { return Transform.numberText(ofJSON: text) == text }
    if let text, self != .exactText {
      // A property list rounds non-integers, and has its own text for integers.
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
    case (.only, _), (.except, _): return true
    case (.prefix, .string), (.dropPrefix, .string): return true
    case (.lowercase, .string(let text)): return text.lowercased().hasSameBytes(as: text)
    case (.uppercase, .string(let text)): return text.uppercased().hasSameBytes(as: text)
    case (.map(let entries), _):
      let result = entries.first { $0.from == value }?.to
      return entries.count { $0.to == result } == 1
    case (.millisecondsToSeconds, .integer): return true
    case (.dateToMilliseconds, .date(let date)):
      return (try? Self.milliseconds(value)).map { PropertyListDate(secondsSince1970: Double($0) / 1000) } == date
    case (.iso8601, .date(let date)): return PropertyListDate(iso8601: date.words) == date
    case (.wrap, _), (.unwrap, .dictionary): return true
    case (.jsonWithoutMembers, .string), (.jsonOnlyMembers, .string), (.archivedJSON, .string): return true
    case (.jsonRenamedMembers(let entries), .string): return Self.isRestored(value, entries)
    case (.archivedJSON, .data): return (try? ArchivedTraits(value))?.isExact == true
    default: return false
    }
  }

  /// Whether the opposite names restore JSON text with renamed members.
  private static func isRestored(_ value: PropertyListValue, _ entries: [Replacement<String>]) -> Bool {
    do throws(TransformFailure) {
      let renamed = try Transform.jsonRenamedMembers(entries).edited(traits(value))
      let opposite = Transform.jsonRenamedMembers(entries.map { Replacement($0.to, to: $0.from) })
      return try opposite.edited(traits(renamed)) == value
    } catch {
      return false
    }
  }
}

extension Candidate {
  /// Whether every step of an evaluation preserved its input completely.
  func keepsAll(_ evaluation: Evaluation) -> Bool {
    guard var value = evaluation.legacy else { return false }
    var text = evaluation.legacyText
    // For a member, the first step extracts it from its text.
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
