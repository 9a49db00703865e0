package import CarryoverSystem
package import PropertyLists

/// One step from a legacy value to a target's value. The steps are few and have no side effects, so every plan can be
/// explained step by step.
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
  /// A boolean unchanged; a number as "not zero", like the legacy SDK's reader.
  case boolean
  /// The opposite boolean.
  case invert
  /// True for any value but an empty text.
  case isPresent
  /// One of these values unchanged. Any other counts as missing.
  case only([PropertyListValue])
  /// Any value but these unchanged. One of them counts as missing.
  case except([PropertyListValue])
  /// Seconds since 1970, positive and not in the future, as milliseconds, truncated to an integer.
  case pastSecondsToMilliseconds
  /// A JSON object in text without these top-level members. All other bytes stay. No value if no member is left.
  case jsonWithoutMembers([String])
  /// The dictionary in a keyed archive or a property list in data, as JSON text without the values that JSON cannot
  /// express. Text is unchanged.
  case archivedJSON
  /// A dictionary as JSON text, without the values that JSON cannot express. Text is unchanged.
  case jsonText
  /// A JSON object in text as the data that Swift's `PropertyListEncoder` makes of it where numbers are `Decimal`: see
  /// ``DecimalPropertyList``.
  case decimalPropertyList
  /// A dictionary, an array or a set as the data of a keyed archive with it.
  case keyedArchive
  /// JSON in text or data, migrated to the newest version of a model. The type does not change.
  case model(ModelRule)
}

/// The reason that a transform has no result.
package enum TransformFailure: Error, Hashable, Sendable {
  /// The step does not accept values of this type.
  case kind(PropertyListValue.Kind)
  /// A real with a fraction, NaN or infinity.
  case notWhole
  /// Text that is not the decimal text of a 64-bit integer.
  case notInteger
  /// A time that is zero, negative, in the future or not a number.
  case time(TimestampDefect)
  /// Text that is not a JSON object.
  case json(TraitsDefect)
  /// Nothing is left: an object without members, an empty text, or a value that `only` or `except` excludes.
  case empty
  /// A model's data could not be migrated to its newest version.
  case model(ModelDefect)
}

/// The reason that a timestamp cannot be converted.
package enum TimestampDefect: Hashable, Sendable {
  /// Zero or less.
  case notPositive
  /// In the future, relative to the plan's moment.
  case future
  /// Not a number.
  case notANumber
}

extension Transform {
  /// The step in a few words.
  package var title: String {
    switch self {
    case .exactText: "as text"
    case .numberText: "as the shortest text"
    case .wholeNumber: "a whole number"
    case .integerFromText: "the integer it spells"
    case .boolean: "true or false"
    case .invert: "inverted"
    case .isPresent: "true, because there is a value"
    case .only(let values): "only \(Self.words(values))"
    case .except(let values): "not \(Self.words(values))"
    case .pastSecondsToMilliseconds: "seconds → milliseconds, a moment not in the future"
    case .jsonWithoutMembers(let names): "without \(names.joined(separator: ", "))"
    case .archivedJSON: "keyed archive → JSON"
    case .jsonText: "as JSON text"
    case .decimalPropertyList: "JSON → property list with decimal numbers"
    case .keyedArchive: "as a keyed archive"
    case .model(let rule): rule.title
    }
  }

  /// Performs the step.
  /// - Parameters:
  ///   - value: the result of the step before.
  ///   - now: the moment for deciding which times are in the future.
  /// - Throws: `TransformFailure` if the step has no result for the value.
  package func callAsFunction(_ value: PropertyListValue, now: Moment) throws(TransformFailure) -> PropertyListValue {
    switch self {
    case .exactText: try Self.exactText(value)
    case .numberText: try Self.numberText(value)
    case .wholeNumber: try Self.wholeNumber(value)
    case .integerFromText: try Self.integerFromText(value)
    case .boolean: try Self.boolean(value)
    case .invert: try Self.invert(value)
    case .isPresent: try Self.isPresent(value)
    case .only(let values): try Self.passing(value, if: values.contains(value))
    case .except(let values): try Self.passing(value, if: !values.contains(value))
    case .pastSecondsToMilliseconds: .integer(PropertyListInteger(try Self.pastMilliseconds(value, now: now)))
    case .jsonWithoutMembers(let names): try Self.jsonWithoutMembers(value, names)
    case .archivedJSON: try Self.archivedJSON(value, .data)
    case .jsonText: try Self.archivedJSON(value, .dictionary)
    case .decimalPropertyList: try DecimalPropertyList.data(value)
    case .keyedArchive: try Self.keyedArchive(value)
    case .model(let rule): try rule.stages(of: value).last?.result ?? value
    }
  }

  private static func words(_ values: [PropertyListValue]) -> String {
    values.map { value in
      switch value {
      case .string(let text): DisplayText.quoted(text)
      case .boolean(let flag): "\(flag)"
      case .integer(let integer): integer.description
      default: "a value"
      }
    }.joined(separator: " or ")
  }

  private static func exactText(_ value: PropertyListValue) throws(TransformFailure) -> PropertyListValue {
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

  private static func numberText(_ value: PropertyListValue) throws(TransformFailure) -> PropertyListValue {
    if case .real(let real) = value { return .string(real.value.numberText) }
    return try exactText(value)
  }

  private static func wholeNumber(_ value: PropertyListValue) throws(TransformFailure) -> PropertyListValue {
    switch value {
    case .integer: return value
    case .real(let real):
      guard let whole = Int64(exactly: real.value) else { throw .notWhole }
      return .integer(PropertyListInteger(whole))
    default: throw .kind(value.kind)
    }
  }

  private static func integerFromText(_ value: PropertyListValue) throws(TransformFailure) -> PropertyListValue {
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

  private static func boolean(_ value: PropertyListValue) throws(TransformFailure) -> PropertyListValue {
    switch value {
    case .boolean: value
    case .integer(let integer): .boolean(integer != 0)
    case .real(let real): .boolean(real.value != 0)
    default: throw .kind(value.kind)
    }
  }

  private static func invert(_ value: PropertyListValue) throws(TransformFailure) -> PropertyListValue {
    guard case .boolean(let flag) = value else { throw .kind(value.kind) }
    return .boolean(!flag)
  }

  private static func isPresent(_ value: PropertyListValue) throws(TransformFailure) -> PropertyListValue {
    if value == .string("") { throw .empty }
    return true
  }

  private static func passing(
    _ value: PropertyListValue, if counts: Bool
  ) throws(TransformFailure) -> PropertyListValue {
    guard counts else { throw .empty }
    return value
  }

  /// The legacy SDK's seconds as milliseconds, truncated to an integer.
  package static func pastMilliseconds(_ value: PropertyListValue, now: Moment) throws(TransformFailure) -> Int64 {
    let milliseconds: Int64
    switch value {
    case .integer(let integer):
      guard let seconds = integer.int64 else { throw .time(integer.isNegative ? .notPositive : .future) }
      guard seconds > 0 else { throw .time(.notPositive) }
      let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
      guard !overflow else { throw .time(.future) }
      milliseconds = product
    case .real(let real):
      guard !real.value.isNaN else { throw .time(.notANumber) }
      guard real.value > 0 else { throw .time(.notPositive) }
      guard let whole = Int64(exactly: (real.value * 1000).rounded(.towardZero)) else { throw .time(.future) }
      guard whole > 0 else { throw .time(.notPositive) }
      milliseconds = whole
    default: throw .kind(value.kind)
    }
    guard milliseconds <= now.millisecondsSince1970 else { throw .time(.future) }
    return milliseconds
  }

  private static func keyedArchive(_ value: PropertyListValue) throws(TransformFailure) -> PropertyListValue {
    guard [.dictionary, .array, .set].contains(value.kind), let bytes = try? KeyedArchive.encode(value) else {
      throw .kind(value.kind)
    }
    return .data(bytes)
  }

  private static func jsonWithoutMembers(
    _ value: PropertyListValue, _ names: [String]
  ) throws(TransformFailure) -> PropertyListValue {
    let traits: TraitsText
    do {
      traits = try TraitsText(value)
    } catch {
      throw .json(error)
    }
    guard let rest = traits.removing(names) else { throw .empty }
    return .string(rest)
  }

  private static func archivedJSON(
    _ value: PropertyListValue, _ kind: PropertyListValue.Kind
  ) throws(TransformFailure) -> PropertyListValue {
    if case .string = value { return value }
    guard value.kind == kind else { throw .json(.notText(value.kind)) }
    do throws(TraitsDefect) {
      return .string(try ArchivedTraits(value).text)
    } catch {
      throw .json(error)
    }
  }
}

extension Double {
  /// The shortest decimal text of the number, without a zero fraction.
  package var numberText: String {
    let text = description
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
