import CarryoverSystem
import PropertyLists

/// Proves that a legacy value can be removed: the target's fields contain exactly what the recipe's rules make of it,
/// and no part of it is outside of these fields.
struct KeyProof {
  private let target: PropertyListDictionaryIndex?
  private let targetProblem: String?
  private let ambiguous: Set<StringByBytes>
  private let now: Moment
  private let readers: [StringByBytes: [Reader]]
  private let forms: [StringByBytes: TraitsForm]
  private let leftBehind: LeftBehindIndex

  private typealias Reader = (rule: FieldRule, candidate: Candidate)

  /// - Parameters:
  ///   - target: the target's keys; nil if there is no readable target.
  ///   - targetProblem: the reason that an existing target cannot be read, as a sentence.
  ///   - ambiguous: target keys that occur more than once, with different values.
  init(
    recipe: Recipe, target: PropertyListDictionaryIndex?, targetProblem: String?, ambiguous: Set<StringByBytes>,
    now: Moment
  ) {
    (self.target, self.targetProblem, self.ambiguous, self.now) = (target, targetProblem, ambiguous, now)
    var readers: [StringByBytes: [Reader]] = [:]
    for rule in recipe.rules {
      for candidate in rule.candidates { readers[candidate.source.key, default: []].append((rule, candidate)) }
    }
    self.readers = readers
    forms = recipe.traitsForms
    leftBehind = LeftBehindIndex(recipe.leftBehind.filter { $0.file == nil })
  }

  func verdict(_ key: String, _ values: [PropertyListValue]) -> CleanupVerdict {
    var held: [Field.ID] = []
    for value in values {
      switch verdict(key, value) {
      case .removable(let fields): held = fields
      case .stays(let reason): return .stays(reason)
      }
    }
    guard let first = values.first, values.allSatisfy({ $0 == first }) else { return .stays(.differs(held)) }
    return .removable(heldBy: held)
  }

  private func verdict(_ key: String, _ value: PropertyListValue) -> CleanupVerdict {
    guard let readers = readers[key] else {
      return .stays(leftBehind.first(for: key) == nil ? .unknownKey : .leftBehind)
    }
    guard let target else { return .stays(targetProblem.map { .unreadableTarget($0) } ?? .noTarget) }
    let found = LegacySources.Found(store: "", value: value, readAs: forms[key])
    var sorted = Sorted()
    for reader in readers { sort(reader, found, target, &sorted) }
    if let reason = sorted.reason { return .stays(reason) }
    if case .success(let traits)? = found.traits {
      let lost = lostMembers(of: traits, readers, heldBy: sorted.held, target)
      guard lost.isEmpty else { return .stays(.lost(lost)) }
    }
    // An empty object contains nothing, and nothing proves that it can be removed.
    guard !sorted.held.isEmpty else { return .stays(.notCarried(readers.map(\.rule.target))) }
    return .removable(heldBy: sorted.held)
  }

  private struct Sorted {
    var held: [Field.ID] = []
    var notCarried: [Field.ID] = []
    var missing: [Field.ID] = []
    var differs: [Field.ID] = []
    var inexact: [Field.ID] = []

    var reason: CleanupReason? {
      if !notCarried.isEmpty { return .notCarried(notCarried) }
      if !missing.isEmpty { return .missing(missing) }
      if !differs.isEmpty { return .differs(differs) }
      return inexact.isEmpty ? nil : .inexact(inexact)
    }
  }

  private func sort(
    _ reader: Reader, _ found: LegacySources.Found, _ target: PropertyListDictionaryIndex, _ sorted: inout Sorted
  ) {
    let id = reader.rule.target
    // Every result is compared.
    let evaluation = Evaluation(reader.candidate, found, now: now, within: StepBudget(longestKept: .max, kept: .max))
    // The member is missing, or the object has no members left: the target need not contain anything.
    if evaluation.legacy == nil && evaluation.failure == nil || evaluation.failure == .empty { return }
    guard let made = evaluation.proposed, reader.rule.form.mismatch(made) == nil else {
      return sorted.notCarried.append(id)
    }
    guard let current = target[id] else { return sorted.missing.append(id) }
    guard current == made, !ambiguous.contains(id) else { return sorted.differs.append(id) }
    guard reader.candidate.keepsAll(evaluation) else { return sorted.inexact.append(id) }
    sorted.held.append(id)
  }

  /// The members of JSON text that no field contains.
  ///
  /// If a rule reads a member, that rule's field contains it, unless the member occurs again with another value. If no
  /// rule reads it, another member's field may still contain its text: an `id` may equal the user id.
  private func lostMembers(
    of traits: TraitsText, _ readers: [Reader], heldBy held: [Field.ID], _ target: PropertyListDictionaryIndex
  ) -> [String] {
    let held = Set(bytesOf: held)
    let members = Set(bytesOf: readers.compactMap(\.candidate.source.member))
    let texts = readers.compactMap { reader -> StringByBytes? in
      guard reader.candidate.source.member != nil, held.contains(reader.rule.target),
        case .string(let text)? = target[reader.rule.target]
      else { return nil }
      return StringByBytes(text)
    }
    let known = Set(texts)
    let valuesByName = traits.valuesByName
    return Self.membersOutside(traits, readers).distinct().filter { name in
      let values = valuesByName[StringByBytes(name)] ?? []
      if members.contains(name) { return !values.allSatisfy { $0 == values.last } }
      return !values.allSatisfy { value in value.plainText.map { known.contains(StringByBytes($0)) } ?? false }
    }
  }

  /// The members that no field contains as a part of the whole text.
  private static func membersOutside(_ traits: TraitsText, _ readers: [Reader]) -> [String] {
    var outside = traits.memberNames
    // The fields of a rule for several keys have the same steps.
    let steps = Set(readers.filter { $0.candidate.source.member == nil }.map(\.candidate.transforms))
    for transforms in steps {
      let names = transforms.map(\.memberNames)
      outside = outside.filter { names.reduce(Optional($0)) { name, newName in name.flatMap(newName) } == nil }
    }
    return outside
  }
}

extension JSONValue {
  fileprivate var plainText: String? {
    switch self {
    case .string(let text): text
    case .number(let number): number.lexeme
    default: nil
    }
  }
}

extension Transform {
  /// Whether the step preserves a value completely: its result determines the value exactly, as far as the legacy SDK
  /// could distinguish it. In doubt it does not: a real may have another text elsewhere, another type may come back,
  /// and a model's steps may remove members. What `jsonWithoutMembers` and `jsonOnlyMembers` remove is checked
  /// separately; they and `jsonRenamedMembers` keep the rest of the text byte by byte.
  /// - Parameter text: the value's own text, if it is a number in JSON text. It loses nothing in `exactText`.
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
    // Not a real, even a whole one: its type changes. Not "+42" or "042", which give 42 too.
    case (.wholeNumber, .integer), (.integerFromText, .integer): return true
    case (.integerFromText, .string(let text)): return Int64(text).map(String.init) == text
    // Not a number: 1 and 2 both become true.
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
