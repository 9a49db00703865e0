import PropertyLists

/// The steps for texts, numbers and booleans.
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

  static func invert(_ value: PropertyListValue) throws(TransformFailure) -> PropertyListValue {
    guard case .boolean(let flag) = value else { throw .kind(value.kind) }
    return .boolean(!flag)
  }

  static func isPresent(_ value: PropertyListValue) throws(TransformFailure) -> PropertyListValue {
    if value == .string("") { throw .empty }
    return true
  }

  static func passing(
    _ value: PropertyListValue, if counts: Bool
  ) throws(TransformFailure) -> PropertyListValue {
    guard counts else { throw .empty }
    return value
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
