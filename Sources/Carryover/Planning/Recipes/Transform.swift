package import CarryoverStorage
package import CarryoverSystem
package import PropertyLists

/// One step from a legacy value to a target's value. The steps are few and have no side effects, so every plan can be
/// explained step by step. Each is total: a failure is a `TransformFailure`. Beside the switches that the compiler names,
/// a new step needs its name in `RecipeDecoder`, in the schema of recipe files and in `steps.recipe.yaml`.
package enum Transform: Hashable, Sendable {
  /// A string unchanged; an integer or a real as its exact decimal text.
  case exactText
  /// A string unchanged; an integer as its exact decimal text; any other number as its shortest text: 4.10 as "4.1",
  /// 1e3 as "1000".
  case numberText
  /// An integer unchanged; a real without a fraction as an integer.
  case wholeNumber
  /// The integer in a decimal string with an optional sign; an integer unchanged.
  case integerFromText
  /// A text with this text before it. No value for an empty text.
  case prefix(String)
  /// A text without this text at its start. No value if nothing is left.
  case dropPrefix(String)
  /// A text in lower case by the default mapping of each Unicode scalar, the same in every locale.
  case lowercase
  /// A text in upper case by the default mapping of each Unicode scalar, the same in every locale.
  case uppercase
  /// A boolean unchanged; a number as "not zero", like the legacy SDK's reader.
  case boolean
  case invert
  /// True for any value but an empty text.
  case isPresent
  /// One of these values unchanged. Any other counts as missing.
  case only([PropertyListValue])
  /// Any value but these unchanged. One of them counts as missing.
  case except([PropertyListValue])
  /// Another value for each of these values. All results have one type.
  case map([Replacement<PropertyListValue>])
  /// Seconds since 1970, positive and not in the future, as milliseconds, truncated to an integer.
  case pastSecondsToMilliseconds
  /// Milliseconds as seconds, in a 64-bit real.
  case millisecondsToSeconds
  /// A date as milliseconds since 1970, rounded to the nearest integer.
  case dateToMilliseconds
  /// A date as ISO 8601 text in UTC, with the fraction of a second if there is one.
  case iso8601
  /// A JSON object in text without these top-level members. All other bytes stay. No value if no member is left.
  case jsonWithoutMembers([String])
  /// A JSON object in text with only these top-level members. Their bytes stay. No value if it has none of them.
  case jsonOnlyMembers([String])
  /// A JSON object in text with other names for these top-level members, as far as it has them. All other bytes stay.
  case jsonRenamedMembers([Replacement<String>])
  /// The dictionary in a keyed archive or a property list in data, as JSON text without the values that JSON cannot
  /// express. Text is unchanged.
  case archivedJSON
  /// A dictionary as JSON text, without the values that JSON cannot express. Text is unchanged.
  case jsonText
  /// A JSON object in text as the data that Swift's `PropertyListEncoder` makes of it where numbers are `Decimal`: see
  /// ``DecimalPropertyList``.
  case decimalPropertyList
  /// A dictionary or an array as the data of a binary property list with it.
  case propertyListData
  /// A dictionary, an array or a set as the data of a keyed archive with it.
  case keyedArchive
  case wrap(String)
  /// The value in a dictionary with only this key.
  case unwrap(String)
  /// JSON in text or data, migrated to the newest version of a model. The type does not change.
  case model(ModelRule)

  package struct Replacement<Value: Hashable & Sendable>: Hashable, Sendable {
    package var from: Value
    package var to: Value

    package init(_ from: Value, to: Value) {
      self.from = from
      self.to = to
    }
  }

  /// - Parameter now: decides which times are in the future.
  package func callAsFunction(_ value: PropertyListValue, now: Moment) throws(TransformFailure) -> PropertyListValue {
    switch self {
    case .exactText: return try Self.exactText(value)
    case .numberText: return try Self.numberText(value)
    case .wholeNumber: return try Self.wholeNumber(value)
    case .integerFromText: return try Self.integerFromText(value)
    case .prefix(let prefix): return try Self.prefixed(value, prefix)
    case .dropPrefix(let prefix): return try Self.withoutPrefix(value, prefix)
    case .lowercase: return .string(try Self.text(value).lowercased())
    case .uppercase: return .string(try Self.text(value).uppercased())
    case .boolean: return try Self.boolean(value)
    case .invert:
      guard case .boolean(let flag) = value else { throw .kind(value.kind) }
      return .boolean(!flag)
    case .isPresent where value == .string(""): throw .empty
    case .isPresent: return true
    case .only(let values) where !values.contains(value): throw .empty
    case .except(let values) where values.contains(value): throw .empty
    case .only, .except: return value
    case .map(let entries): return try Self.mapped(value, entries)
    case .pastSecondsToMilliseconds: return .integer(PropertyListInteger(try Self.pastMilliseconds(value, now: now)))
    case .millisecondsToSeconds: return try Self.seconds(value)
    case .dateToMilliseconds: return .integer(PropertyListInteger(try Self.milliseconds(value)))
    case .iso8601: return .string(try Self.calendarDate(value).words)
    case .jsonWithoutMembers, .jsonOnlyMembers, .jsonRenamedMembers: return try edited(Self.traits(value))
    case .archivedJSON: return try Self.archivedJSON(value, .data)
    case .jsonText: return try Self.archivedJSON(value, .dictionary)
    case .decimalPropertyList: return try DecimalPropertyList.data(value)
    case .propertyListData: return try Self.propertyListData(value)
    case .keyedArchive: return try Self.keyedArchive(value)
    case .wrap(let name): return .dictionary(PropertyListDictionary(entries: [.init(key: name, value: value)]))
    case .unwrap(let name): return try Self.unwrapped(value, name)
    case .model(let rule): return try rule.stages(of: value).last?.result ?? value
    }
  }

  /// The step in a few words, with the recipe's own texts. Not escaped: escape it for display.
  package var title: String {
    switch self {
    case .exactText: "as text"
    case .numberText: "as the shortest text"
    case .wholeNumber: "a whole number"
    case .integerFromText: "the integer it spells"
    case .prefix(let prefix): "with \(DisplayText.quoted(prefix)) before it"
    case .dropPrefix(let prefix): "without \(DisplayText.quoted(prefix)) at its start"
    case .lowercase: "in lower case"
    case .uppercase: "in upper case"
    case .boolean: "true or false"
    case .invert: "inverted"
    case .isPresent: "true, because there is a value"
    case .only(let values): "only \(Self.words(values))"
    case .except(let values): "not \(Self.words(values))"
    case .map(let entries): entries.map { "\(Self.words([$0.from])) → \(Self.words([$0.to]))" }.joined(separator: ", ")
    case .pastSecondsToMilliseconds: "seconds → milliseconds, a moment not in the future"
    case .millisecondsToSeconds: "milliseconds → seconds"
    case .dateToMilliseconds: "date → milliseconds"
    case .iso8601: "date → ISO 8601 text"
    case .jsonWithoutMembers(let names): "without \(names.joined(separator: ", "))"
    case .jsonOnlyMembers(let names): "only the members \(names.joined(separator: ", "))"
    case .jsonRenamedMembers(let entries):
      "with other names: " + entries.map { "\($0.from) → \($0.to)" }.joined(separator: ", ")
    case .archivedJSON: "keyed archive → JSON"
    case .jsonText: "as JSON text"
    case .decimalPropertyList: "JSON → property list with decimal numbers"
    case .propertyListData: "as a binary property list"
    case .keyedArchive: "as a keyed archive"
    case .wrap(let name): "in a dictionary under \(name)"
    case .unwrap(let name): "the value under \(name), the only key"
    case .model(let rule): rule.title
    }
  }

  static func words(_ values: [PropertyListValue]) -> String {
    values.map { value in
      switch value {
      case .string(let text): DisplayText.quoted(text)
      case .boolean(let flag): "\(flag)"
      case .integer(let integer): integer.description
      default: "a value"
      }
    }.joined(separator: " or ")
  }
}

extension Transform {
  static func exactText(_ value: PropertyListValue) throws(TransformFailure) -> PropertyListValue {
    switch value {
    case .string: value
    case .integer(let integer): .string(integer.description)
    case .real(let real): .string(real.description)
    default: throw .kind(value.kind)
    }
  }

  /// The result of `numberText` for a number in JSON text: an integer of any size keeps its own text.
  package static func numberText(ofJSON lexeme: String) -> String {
    let isInteger = lexeme.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }
    return isInteger ? lexeme : Double(lexeme)?.numberText ?? lexeme
  }

  static func numberText(_ value: PropertyListValue) throws(TransformFailure) -> PropertyListValue {
    if case .real(let real) = value { return .string(real.value.numberText) }
    return try exactText(value)
  }

  static func wholeNumber(_ value: PropertyListValue) throws(TransformFailure) -> PropertyListValue {
    switch value {
    case .integer: return value
    case .real(let real):
      guard let whole = Int64(exactly: real.value) else { throw .notWhole }
      return .integer(PropertyListInteger(whole))
    default: throw .kind(value.kind)
    }
  }

  static func integerFromText(_ value: PropertyListValue) throws(TransformFailure) -> PropertyListValue {
    switch value {
    case .integer(let integer):
      guard integer.int64 != nil else { throw .notInteger }
      return value
    case .string(let text):
      guard let integer = Int64(text) else { throw .notInteger }
      return .integer(PropertyListInteger(integer))
    default: throw .kind(value.kind)
    }
  }

  static func boolean(_ value: PropertyListValue) throws(TransformFailure) -> PropertyListValue {
    switch value {
    case .boolean: value
    case .integer(let integer): .boolean(integer != 0)
    case .real(let real): .boolean(real.value != 0)
    default: throw .kind(value.kind)
    }
  }

  static func text(_ value: PropertyListValue) throws(TransformFailure) -> String {
    guard case .string(let text) = value else { throw .kind(value.kind) }
    return text
  }

  static func prefixed(_ value: PropertyListValue, _ prefix: String) throws(TransformFailure) -> PropertyListValue {
    let text = try text(value)
    // All users with an empty id would otherwise get the same one.
    guard !text.isEmpty else { throw .empty }
    return .string(prefix + text)
  }

  static func withoutPrefix(
    _ value: PropertyListValue, _ prefix: String
  ) throws(TransformFailure) -> PropertyListValue {
    let text = try text(value)
    // A prefix may end within a character: é as e and an accent.
    guard text.utf8.starts(with: prefix.utf8) else { throw .noPrefix(prefix) }
    let rest = String(Substring(text.utf8.dropFirst(prefix.utf8.count)))
    guard !rest.isEmpty else { throw .empty }
    return .string(rest)
  }

  static func mapped(
    _ value: PropertyListValue, _ entries: [Replacement<PropertyListValue>]
  ) throws(TransformFailure) -> PropertyListValue {
    guard entries.contains(where: { $0.from.kind == value.kind }) else { throw .kind(value.kind) }
    guard let entry = entries.first(where: { $0.from == value }) else { throw .notListed }
    return entry.to
  }
}

extension Double {
  /// The shortest decimal text of the number, without a zero fraction.
  package var numberText: String {
    let text = description
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
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

package enum TransformFailure: Error, Hashable, Sendable {
  case kind(PropertyListValue.Kind)
  case contains(PropertyListValue.Kind)
  /// A real with a fraction, NaN or infinity.
  case notWhole
  case notInteger
  case noPrefix(String)
  case notListed
  case time(TimestampDefect)
  case notInCalendar
  case json(TraitsDefect)
  case nameTaken(String)
  case notWrapped(String)
  /// Nothing is left: an object without members, an empty text, or a value that `only` or `except` excludes.
  case empty
  case model(ModelDefect)
  case tooMuch

  func sentence(_ key: String) -> FindingText {
    switch self {
    case .kind(let kind): "\(key) is \(words: ValueWording.name(kind))."
    case .notWhole: "\(key) is not a whole number."
    case .notInteger: "\(key) is not the text of an integer."
    case .contains(let kind): "\(key) contains \(words: ValueWording.name(kind)), which the result cannot contain."
    case .noPrefix(let prefix): "\(key) does not begin with \(words: DisplayText.quoted(prefix))."
    case .notListed: "\(key) has a value that the recipe does not list."
    case .notInCalendar: "\(key) is not a time in the years 1 to 9999."
    case .nameTaken(let name): "\(key) has another member \(words: DisplayText.quoted(name))."
    case .notWrapped(let name): "\(key) is not a dictionary with only the key \(words: DisplayText.quoted(name))."
    case .time(.notPositive): "\(key) is not a time after 1970."
    case .time(.future): "\(key) is a time in the future."
    case .time(.notANumber): "\(key) is not a number."
    case .json(let defect): defect.sentence(key)
    case .empty, .model: "The step has no result."
    case .tooMuch: "The steps of this plan would produce more than 256 MiB in total."
    }
  }
}

package enum TimestampDefect: Hashable, Sendable {
  case notPositive
  case future
  case notANumber
}

extension TraitsDefect {
  /// - Parameter form: the form in words that the value should have.
  package func sentence(_ key: String, form: String = "JSON text") -> FindingText {
    switch self {
    case .notText(let kind): "\(key) is \(words: ValueWording.name(kind)), not \(words: form)."
    case .syntax(let error): "\(key) is not valid JSON. \(error: error, limit: 160)"
    case .notObject: "\(key) is JSON, but not an object."
    case .loneSurrogate(let position):
      "\(key) has half of a surrogate pair at column \(words: position.column ?? position.offset + 1), which no SDK reads."
    case .numberOutOfRange(let lexeme): "\(key) has the number \(value: lexeme), which no SDK reads."
    case .archive(let reason): "\(key) cannot be opened. \(reason, limit: 160)"
    }
  }
}
